//! Chapters beyond the input budget, and chapters kept word for word.

use myao_core::{
    chat::Message,
    context::Context,
    memory::{Draft, MemoryScope, MemorySettings, MemoryType, Summarizer, SummaryError},
    ports::{Material, Request, Turn, estimate_request},
    text::{Language, estimate_tokens},
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, morning, names, replied, said, templates, tokyo, ts};

const CHAPTER: (MemoryScope, MemoryType) = (MemoryScope::Channel, MemoryType::ShortTerm);
const THREAD: (MemoryScope, MemoryType) = (MemoryScope::Thread, MemoryType::ShortTerm);

fn with<T>(input_budget: usize, use_it: impl FnOnce(&Summarizer<'_>) -> T) -> T {
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let settings = MemorySettings::default();
    let summarizer =
        Summarizer { templates: &templates, names: &names, zone: &zone, settings: &settings, input_budget };
    use_it(&summarizer)
}

fn parts(draft: Draft) -> Vec<Request> {
    let Draft::Parts(parts) = draft else { panic!("{draft:?}") };
    parts
}

fn talk(request: &Request) -> (&str, Vec<&str>) {
    let Material::Talk { existing, lines } = &request.material else { panic!("not talk") };
    (existing, lines.iter().map(|line| line.text.as_str()).collect())
}

fn user(request: &Request) -> &str {
    match request.turns.as_slice() {
        [Turn::User(text)] => text,
        other => panic!("{other:?}"),
    }
}

/// 120 messages of about 60 tokens each, all in one thread.
fn busy() -> Context {
    let text = "デプロイが止まっています。ログを見ると認証で失敗しているようです。".repeat(2);
    let messages = (0..120).map(|n| match n {
        0 => said(0, 1, &format!("{n} {text}")),
        _ => replied(0, n * 60, 2, &format!("{n} {text}")),
    });
    let mut context = bare(Language::Ja, messages.collect());
    context.workspace_long_term_memory = Some("- 公開は4月".to_owned());
    context.target_thread_ts = Some(ts(0));
    context
}

#[test]
fn a_long_chapter_goes_in_parts_that_hold_every_message_once() {
    let context = busy();
    let parts = parts(with(3000, |s| s.draft(&context, CHAPTER.0, CHAPTER.1, None)).unwrap());
    assert!(parts.len() > 2);
    let all: Vec<&str> = parts.iter().flat_map(|part| talk(part).1).collect();
    assert_eq!(all.len(), 120);
    assert!(all.iter().zip(0..).all(|(text, n)| text.starts_with(&format!("{n} "))), "in order");
    for (part, number) in parts.iter().zip(1..) {
        assert!(estimate_request(part) <= 3000);
        assert!(user(part).contains(&format!("{} つに分けた、その {number} つ目", parts.len())));
        assert!(user(part).contains("公開は4月"), "each part has the auxiliary information");
    }
}

#[test]
fn what_is_known_of_a_thread_goes_with_its_first_part() {
    let context = busy();
    let parts = parts(with(3000, |s| s.draft(&context, THREAD.0, THREAD.1, Some("前の要約"))).unwrap());
    let existing: Vec<&str> = parts.iter().map(|part| talk(part).0).collect();
    assert_eq!(existing[0], "前の要約");
    assert!(existing[1..].iter().all(|text| text.is_empty()));
    assert!(user(&parts[0]).contains("前の要約") && !user(&parts[1]).contains("前の要約"));
}

#[test]
fn parts_are_joined_in_order() {
    let context = busy();
    let summaries = ["- 一".to_owned(), " ".to_owned(), "- 二\n".to_owned()];
    let Draft::Ask(request) =
        with(3000, |s| s.join_part_summaries(&context, CHAPTER.0, CHAPTER.1, &summaries)).unwrap()
    else {
        panic!("not asked")
    };
    assert_eq!((request.purpose, request.target_tokens), ("chapter", 300));
    assert!(user(&request).contains("## 部分 1\n\n- 一\n\n## 部分 2\n\n- 二\n"));
    let Material::Memories { entries, .. } = request.material else { panic!("not memories") };
    assert_eq!(entries.len(), 2, "an empty part is none");
    let thread = with(3000, |s| s.join_part_summaries(&context, THREAD.0, THREAD.1, &summaries)).unwrap();
    assert!(matches!(thread, Draft::Ask(request) if request.purpose == "thread"));
}

#[test]
fn one_part_needs_no_joining_and_none_is_empty() {
    let context = busy();
    let join = |parts: &[String]| {
        with(3000, |s| s.join_part_summaries(&context, CHAPTER.0, CHAPTER.1, parts)).unwrap()
    };
    assert_eq!(join(&["- 一\n".to_owned()]), Draft::Keep("- 一".to_owned()));
    assert_eq!(join(&[]), Draft::Keep(String::new()));
}

#[test]
fn more_parts_than_fit_are_joined_in_steps_until_one_is_left() {
    let context = busy();
    let summary = "- 2026-03-02 デプロイの失敗を調べた\n".repeat(20);
    let mut texts = vec![summary; 40];
    let mut rounds = 0;
    loop {
        let draft = with(3000, |s| s.join_part_summaries(&context, CHAPTER.0, CHAPTER.1, &texts)).unwrap();
        let Draft::Parts(parts) = draft else { break assert!(matches!(draft, Draft::Ask(_))) };
        assert!(parts.len() < texts.len() && parts.iter().all(|part| estimate_request(part) <= 3000));
        texts.truncate(parts.len());
        rounds += 1;
    }
    assert!(rounds > 0);
}

#[test]
fn only_talk_comes_in_parts() {
    let context = busy();
    for (scope, kind) in
        [(MemoryScope::Channel, MemoryType::LongTerm), (MemoryScope::Workspace, MemoryType::LongTerm)]
    {
        let error = with(3000, |s| s.join_part_summaries(&context, scope, kind, &[])).unwrap_err();
        assert!(matches!(error, SummaryError::Combination(_)), "{error}");
    }
}

#[test]
fn a_budget_smaller_than_the_instructions_is_an_error_that_says_so() {
    let error = with(700, |s| s.draft(&busy(), CHAPTER.0, CHAPTER.1, None)).unwrap_err();
    assert!(matches!(error, SummaryError::NoRoom { budget: 700, .. }), "{error}");
    assert!(error.to_string().contains("`prompt.max_tokens`"), "{error}");
}

#[test]
fn auxiliary_information_beyond_its_share_is_cut() {
    let mut context = busy();
    context.workspace_long_term_memory = Some("- 公開は4月\n".repeat(1000));
    let Draft::Ask(request) = with(20_000, |s| s.draft(&context, CHAPTER.0, CHAPTER.1, None)).unwrap() else {
        panic!("not asked")
    };
    let (references, _) = user(&request).split_once("# 会話").unwrap();
    assert!(references.contains("公開は4月") && references.contains("文字省略）"));
    assert!((4000..=5000).contains(&estimate_tokens(references)), "a quarter of the budget");
}

#[test]
fn a_small_chapter_is_kept_word_for_word() {
    let messages: Vec<Message> = morning(Language::Ja).into_iter().take(3).collect();
    let text = with(8000, |s| s.verbatim(&messages)).unwrap();
    assert!(text.starts_with("[2026-03-02 09:00] 佐藤: おはようございます。") && text.lines().count() == 4);
}

#[test]
fn verbatim_holds_up_to_the_target_length_and_not_one_token_more() {
    let message = |words: usize| vec![said(0, 1, &"word ".repeat(words))];
    let longest = (1..400).rev().find(|n| with(8000, |s| s.verbatim(&message(*n))).is_some()).unwrap();
    let text = with(8000, |s| s.verbatim(&message(longest))).unwrap();
    assert!((299..=300).contains(&estimate_tokens(&text)), "{}", estimate_tokens(&text));
    assert_eq!(text.matches("word").count(), longest, "nothing is cut");
}

#[test]
fn silence_is_not_kept_word_for_word() {
    assert_eq!(with(8000, |s| s.verbatim(&[])), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn parts_keep_the_budget_whatever_is_said(
        texts in prop::collection::vec((prop::sample::select(vec!["ア、", "👍", "a\n", "word ", "漢字"]), 1..3000_usize), 1..30),
        budget in 1500..9000_usize,
    ) {
        let messages: Vec<Message> =
            texts.iter().zip(0..).map(|((text, n), second)| said(second, 1, &text.repeat(*n))).collect();
        let context = bare(Language::Ja, messages);
        match with(budget, |s| s.draft(&context, CHAPTER.0, CHAPTER.1, None)).unwrap() {
            Draft::Ask(request) => prop_assert!(estimate_request(&request) <= budget),
            Draft::Parts(parts) => {
                prop_assert!(parts.iter().all(|part| estimate_request(part) <= budget));
                prop_assert_eq!(parts.iter().map(|part| talk(part).1.len()).sum::<usize>(), texts.len());
            }
            Draft::Keep(text) => return Err(TestCaseError::fail(text)),
        }
    }
}
