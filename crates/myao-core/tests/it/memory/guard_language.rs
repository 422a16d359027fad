//! The guard against the wrong language (specification §2.2).

use std::time::{Duration, Instant};

use myao_core::{
    memory::{Expectation, Refusal, accept_response},
    ports::{Response, StopReason, Usage},
    text::Language,
};
use proptest::prelude::*;

use super::guard_samples::{MEMORIES_EN, MEMORIES_JA};

/// Whether `text` passes for `language`; nothing else is looked at.
fn passes(text: &str, language: Language) -> bool {
    let expectation = Expectation {
        language: Some(language),
        system: "",
        existing: None,
        target_tokens: 1_000_000,
        check_collapse: true,
        request: None,
    };
    let response = Response {
        text: text.to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::End,
        usage: Usage::default(),
    };
    match accept_response(&response, &expectation) {
        Ok(_) => true,
        Err(refusal) => {
            assert_eq!(refusal, Refusal::WrongLanguage(language));
            false
        }
    }
}

#[test]
fn the_other_language_is_refused() {
    for text in &MEMORIES_JA[..3] {
        assert!(!passes(text, Language::En), "{text}");
    }
    for text in &MEMORIES_EN[..3] {
        assert!(!passes(text, Language::Ja), "{text}");
    }
}

#[test]
fn names_and_terms_of_the_other_are_fine() {
    let table = [
        ("Yamada (山田太郎) and Suzuki (鈴木一郎) agreed on 3 May.", Language::En),
        ("In #雑談 they talked about お花見, which means going to see the cherry blossoms.", Language::En),
        ("stack と cabal の違いを Alice、Bob、Charlie が議論。結論は stack。", Language::Ja),
        ("GHC 9.8.1 で TypeApplications と DataKinds を有効にして解決した", Language::Ja),
    ];
    for (text, language) in table {
        assert!(passes(text, language), "{text}");
    }
}

#[test]
fn code_and_links_do_not_count() {
    let code = "main = do { putStrLn greeting; mapM_ print numbers; return () } where numbers = repeat one";
    let link = "https://example.com/a/very/long/path/to/some/page/about/nothing/in/particular?query=words";
    let table = [
        format!("対処法は\n```\n{code}\n```\nだそうです"),
        format!("対処法は`{code}`だそうです"),
        format!("詳細は{link}を参照してください"),
    ];
    for text in table {
        assert!(passes(&text, Language::Ja), "{text}");
    }
    let goes_on = format!("{link}に書いてあるとおり、来週の火曜日までに全員の予定を集めることになりました。");
    assert!(!passes(&goes_on, Language::En), "a link ends where Japanese begins");
    assert!(
        !passes(&format!("対処法は{code} {code}だそうです"), Language::Ja),
        "what nothing marks as code counts"
    );
}

#[test]
fn code_in_the_right_language_makes_no_text_right() {
    let text = "We should rename this variable, because nobody can read it as it stands now.\n```\n\
                let とても長い名前の変数がここにあります = これもとても長い名前の値です;\n```";
    assert!(!passes(text, Language::Ja));
    assert!(passes(text, Language::En));
}

#[test]
fn a_fence_or_tick_that_is_never_closed_hides_nothing() {
    let english =
        "We decided to move the meeting to Friday, since nobody would have had time for it on Monday.";
    for text in [format!("```\n{english}"), format!("`{english}"), format!("it's `{english}\nso `it is")] {
        assert!(!passes(&text, Language::Ja), "{text}");
        assert!(passes(&text, Language::En), "{text}");
    }
}

/// Models answer Japanese in Chinese: the same characters, and no kana among them.
#[test]
fn chinese_is_not_japanese() {
    let chinese =
        "- 三月四日：花子决定新网站于四月十日公开，健答应撰写迁移步骤。\n- 搜索缓慢的问题尚未解决。";
    assert!(!passes(chinese, Language::Ja));
    assert!(!passes(chinese, Language::En));
    let nouns = "参加者：山田太郎、鈴木一郎、佐藤花子、高橋健、田中美咲。議題：引越の日程";
    assert!(passes(nouns, Language::Ja), "a list of names and nouns has one kana");
}

#[test]
fn other_scripts_are_neither() {
    let korean =
        "- 삼월 사일: 하나코가 새 사이트의 공개일을 사월 십일로 정했다. 켄은 이전 절차를 쓰기로 약속했다.";
    let russian = "- 4 марта Ханако назначила запуск нового сайта на 10 апреля; Кен обещал написать план.";
    for text in [korean, russian] {
        assert!(!passes(text, Language::Ja) && !passes(text, Language::En), "{text}");
    }
}

#[test]
fn too_little_to_judge_by_passes() {
    for text in ["OK, GHC 9.4", "10:30 → 11:00", "👍", "---", "了解です"] {
        assert!(passes(text, Language::Ja) && passes(text, Language::En), "{text}");
    }
}

#[test]
fn where_no_language_is_asked_for_any_is_right() {
    let free = Expectation {
        language: None,
        system: "",
        existing: None,
        target_tokens: 500,
        check_collapse: true,
        request: None,
    };
    for text in MEMORIES_JA.iter().chain(&MEMORIES_EN) {
        let text = (*text).to_owned();
        let response = Response {
            text,
            calls: Vec::new(),
            thoughts: Vec::new(),
            stop: StopReason::End,
            usage: Usage::default(),
        };
        assert!(accept_response(&response, &free).is_ok());
    }
}

#[test]
fn a_megabyte_of_marks_takes_no_time() {
    let before = Instant::now();
    for text in ["`", "```", "://", "`a", "a://b `"] {
        passes(&text.repeat(1_000_000 / text.len()), Language::Ja);
    }
    assert!(before.elapsed() < Duration::from_mins(1), "{:?}", before.elapsed());
}

proptest! {
    /// However the two are mixed, the text is right for one of them.
    #[test]
    fn a_mixture_of_the_two_is_right_for_one(
        ja in "[あ-んア-ン]{0,60}",
        en in "[a-z ]{0,120}",
    ) {
        let text = format!("x{ja} {en}");
        prop_assert!(passes(&text, Language::Ja) || passes(&text, Language::En));
    }
}
