//! The guard (specification §2.2): what passes, and what is refused and why.

use myao_core::{
    memory::{Expectation, Refusal, accept_cut, accept_response, most_tokens},
    ports::{Response, StopReason, Usage},
    text::{Language, estimate_tokens},
};
use proptest::prelude::*;

use super::guard_samples::{MEMORIES_EN, MEMORIES_JA, SYSTEM_EN, SYSTEM_JA};

fn response(text: &str, stop: StopReason) -> Response {
    Response { text: text.to_owned(), calls: Vec::new(), thoughts: Vec::new(), stop, usage: Usage::default() }
}

fn expecting(language: Language) -> Expectation<'static> {
    let system = match language {
        Language::Ja => SYSTEM_JA,
        Language::En => SYSTEM_EN,
    };
    Expectation {
        language: Some(language),
        system,
        existing: None,
        target_tokens: 500,
        check_collapse: true,
        request: None,
    }
}

fn judge(text: &str, expectation: &Expectation<'_>) -> Result<String, Refusal> {
    accept_response(&response(text, StopReason::End), expectation)
}

/// The verdict on `text` as the continuation of `existing`.
fn continuing(
    existing: &str,
    text: &str,
    target_tokens: u32,
    check_collapse: bool,
) -> Result<String, Refusal> {
    let expectation =
        Expectation { existing: Some(existing), target_tokens, check_collapse, ..expecting(Language::En) };
    judge(text, &expectation)
}

/// A memory of about so many tokens by the core's own estimate.
fn memory_of(tokens: usize) -> String {
    let bullet = "- Ken shipped another part and Hanako wrote a page about it\n";
    bullet.repeat(tokens.div_ceil(estimate_tokens(bullet)))
}

fn normal() -> impl Iterator<Item = (&'static str, Language)> {
    let ja = MEMORIES_JA.into_iter().map(|text| (text, Language::Ja));
    ja.chain(MEMORIES_EN.into_iter().map(|text| (text, Language::En)))
}

#[test]
fn normal_memories_pass() {
    for (text, language) in normal() {
        assert_eq!(judge(text, &expecting(language)), Ok(text.to_owned()));
    }
}

#[test]
fn they_are_trimmed() {
    let text = "\n\u{3000} - 公開は4月10日。 \r\n";
    assert_eq!(judge(text, &expecting(Language::Ja)), Ok("- 公開は4月10日。".to_owned()));
}

#[test]
fn nothing_is_no_memory() {
    for text in ["", " ", "\n\t\u{3000}\r\n"] {
        assert_eq!(judge(text, &expecting(Language::Ja)), Err(Refusal::Empty), "{text:?}");
    }
}

#[test]
fn only_an_answer_that_came_to_its_end_is_one() {
    let verdict = |stop| accept_response(&response(MEMORIES_JA[0], stop), &expecting(Language::Ja));
    assert_eq!(verdict(StopReason::End), Ok(MEMORIES_JA[0].to_owned()));
    assert_eq!(verdict(StopReason::Length), Err(Refusal::CutOff));
    assert_eq!(verdict(StopReason::Refused), Err(Refusal::Refused));
    assert_eq!(verdict(StopReason::Tools), Err(Refusal::Unfinished));
    let cut_before_the_first_word =
        accept_response(&response("", StopReason::Length), &expecting(Language::Ja));
    assert_eq!(cut_before_the_first_word, Err(Refusal::OnlyThoughts), "a shorter one would not begin either");
}

// Collapse

/// 10,180 bytes became 171 (HKUDS/nanobot#1627).
#[test]
fn a_substantial_memory_does_not_collapse() {
    let existing = memory_of(500);
    let error = continuing(&existing, "- Nothing new happened.", 500, true).expect_err("collapsed");
    let [from, to] = [existing.as_str(), "- Nothing new happened."].map(estimate_tokens);
    assert_eq!(error, Refusal::Collapsed { from, to });
}

#[test]
fn japanese_collapses_alike() {
    let existing = MEMORIES_JA[0].repeat(5);
    let expectation = Expectation { existing: Some(&existing), ..expecting(Language::Ja) };
    assert!(matches!(judge("- 特になし", &expectation), Err(Refusal::Collapsed { .. })));
    assert!(judge(MEMORIES_JA[0], &Expectation { target_tokens: 300, ..expectation }).is_ok());
}

#[test]
fn while_rebuilding_after_a_removal_it_may() {
    assert!(continuing(&memory_of(500), "- Nothing is left.", 500, false).is_ok());
}

#[test]
fn a_merge_may_compress() {
    let existing = memory_of(400);
    for tokens in [110, 200, 400, 800] {
        assert!(continuing(&existing, &memory_of(tokens), 500, true).is_ok(), "to {tokens} tokens");
    }
    assert!(continuing(&existing, &memory_of(60), 500, true).is_err());
}

#[test]
fn a_few_words_have_nothing_to_lose() {
    assert!(continuing(&memory_of(60), "- All done.", 500, true).is_ok());
}

/// A memory taken over, or one whose target was lowered: to be much shorter is what was asked for.
#[test]
fn far_over_its_target_it_may_shrink_to_it() {
    let existing = memory_of(5000);
    assert!(continuing(&existing, &memory_of(300), 300, true).is_ok());
    assert!(continuing(&existing, &memory_of(100), 300, true).is_ok());
    assert!(continuing(&existing, "- Much was done.", 300, true).is_err(), "but not to nothing");
}

#[test]
fn a_first_text_has_nothing_to_collapse_from() {
    assert!(judge("- Ken shipped.", &expecting(Language::En)).is_ok());
}

// Echo

#[test]
fn instructions_given_back_are_no_memory() {
    let reworded_ja = "はい。出来事を時系列順に整理する、重要なトピックと決定事項を残す、ですね。";
    let shouted = SYSTEM_EN.to_uppercase().replace("\n- ", "\n* ");
    let cases = [
        (SYSTEM_JA, Language::Ja),
        (SYSTEM_EN, Language::En),
        (reworded_ja, Language::Ja),
        ("- 箇条書きで、簡潔かつ具体的に書いてください。参考情報は理解を助けるもの", Language::Ja),
        (
            "Sure! I will notice what the participants tend to do and how they relate to each other.",
            Language::En,
        ),
        (&shouted, Language::En),
    ];
    for (text, language) in cases {
        assert_eq!(judge(text, &expecting(language)), Err(Refusal::Echo), "{text}");
    }
}

#[test]
fn an_echo_in_the_midst_of_a_memory_is_one() {
    let text = format!(
        "{}\n\n{}\n{}",
        MEMORIES_JA[0], "出来事を\n時系列順に\n整理する。重要なトピックと決定事項を残す", MEMORIES_JA[1]
    );
    assert_eq!(judge(&text, &expecting(Language::Ja)), Err(Refusal::Echo));
}

/// The words that every summary has in common with its instructions.
#[test]
fn headings_are_no_echo() {
    let ja = "## 重要なトピックと決定事項\n- 予算\n## 参加者の傾向と関係\n- 健は慎重\n## 繰り返し話題になるテーマ\n- 天気";
    let en = "## Important topics and decisions\n- the budget\n## What the participants tend to do\n- Ken is careful";
    assert_eq!(judge(ja, &expecting(Language::Ja)), Ok(ja.to_owned()));
    assert_eq!(judge(en, &expecting(Language::En)), Ok(en.to_owned()));
}

/// What people said may be quoted at any length, also when it stood in the memory before.
#[test]
fn quoting_the_talk_is_no_echo() {
    let quote = "- 健「移行は週末にやるので、金曜の夜までに全部の変更を出しておいてください。お願いします」";
    let expectation = Expectation { existing: Some(quote), ..expecting(Language::Ja) };
    assert_eq!(judge(quote, &expectation), Ok(quote.to_owned()));
}

#[test]
fn short_instructions_cannot_be_echoed() {
    let brief = Expectation { system: "Summarise in bullet points.", ..expecting(Language::En) };
    assert!(judge("I will summarise in bullet points. Ken shipped.", &brief).is_ok());
    let silent = Expectation { system: "", ..brief };
    assert!(judge(MEMORIES_EN[0], &silent).is_ok());
}

// Length

#[test]
fn three_times_its_target_a_text_is_far_too_long() {
    let expectation = Expectation { target_tokens: 200, ..expecting(Language::En) };
    assert!(judge(&memory_of(550), &expectation).is_ok(), "models keep to it within a factor of two or so");
    let long = memory_of(700);
    let tokens = estimate_tokens(long.trim());
    assert_eq!(judge(&long, &expectation), Err(Refusal::TooLong { tokens, most: 600 }));
    assert_eq!(most_tokens(1), most_tokens(64), "a memory may have a few lines, however small the target");
    assert!(Refusal::CutOff.wants_less() && Refusal::TooLong { tokens, most: 600 }.wants_less());
    assert!(!Refusal::Refused.wants_less() && !Refusal::Empty.wants_less());
    assert!(!Refusal::OnlyThoughts.wants_less() && !Refusal::OnlyThoughts.is_of_content());
}

/// Sentences, lines, or none of both: what is kept is a beginning, within the bound, and says so.
#[test]
fn what_stays_too_long_is_cut_with_a_mark() {
    let expectation = Expectation { target_tokens: 200, ..expecting(Language::Ja) };
    for text in ["健が直した。".repeat(3000), "- 健が直した\n".repeat(3000), "健が直し".repeat(4000)]
    {
        let kept = accept_cut(&response(&text, StopReason::End), &expectation, Language::Ja).expect("kept");
        let (beginning, mark) = kept.rsplit_once(" …（以下 ").expect("a mark");
        assert!(text.starts_with(beginning) && beginning.ends_with(['。', 'た', 'し', '直', '健', 'が']));
        let missing: usize = mark.trim_end_matches(" 文字省略）").parse().expect("a number");
        let blanks = text.trim().chars().count() - beginning.chars().count() - missing;
        assert!(blanks <= 1, "everything is counted");
        assert!((400..=600).contains(&estimate_tokens(&kept)), "{}", estimate_tokens(&kept));
    }
    let refused = accept_cut(&response("", StopReason::End), &expectation, Language::Ja);
    assert_eq!(refused, Err(Refusal::Empty), "anything else that is wrong still is");
}

// Reasons

#[test]
fn reasons_are_for_people() {
    let reasons = [
        (Refusal::Empty, "the answer was empty"),
        (
            Refusal::OnlyThoughts,
            "the model's thoughts took all of its answer; set agents.memory.params.reasoning_effort to low or \
             none, or switch its thinking off where its server does (docs/models.md, Thinking)",
        ),
        (Refusal::CutOff, "the answer was cut off"),
        (Refusal::Refused, "the model refused to answer"),
        (Refusal::Unfinished, "the model asked for a tool instead of answering"),
        (
            Refusal::Collapsed { from: 510, to: 9 },
            "the memory would have collapsed from about 510 tokens to 9",
        ),
        (
            Refusal::TooLong { tokens: 200_000, most: 900 },
            "the answer is far too long: about 200000 tokens, 900 at most",
        ),
        (Refusal::Data, "the answer is data instead of a text"),
        (Refusal::Echo, "the answer repeats its instructions"),
        (Refusal::WrongLanguage(Language::Ja), "the answer is not in Japanese"),
        (Refusal::WrongLanguage(Language::En), "the answer is not in English"),
    ];
    for (refusal, words) in reasons {
        assert_eq!(refusal.to_string(), words);
    }
}

fn any_language() -> impl Strategy<Value = Language> {
    prop_oneof![Just(Language::Ja), Just(Language::En)]
}

proptest! {
    /// Normal bullets in any choice and order make a normal memory, which may be continued by any other that
    /// is not much shorter.
    #[test]
    fn normal_memories_pass_in_any_mixture(
        language in any_language(),
        picks in prop::collection::vec(0..4_usize, 1..8),
    ) {
        let samples = if language == Language::Ja { MEMORIES_JA } else { MEMORIES_EN };
        let text = picks.iter().map(|i| samples[*i]).collect::<Vec<_>>().join("\n");
        let expectation = Expectation { existing: Some(&text), ..expecting(language) };
        prop_assert_eq!(judge(&text, &expectation), Ok(text.clone()));
    }

    /// A long enough piece of the instructions is found wherever it is taken from and wherever it stands.
    #[test]
    fn any_long_piece_of_the_instructions_is_found(
        language in any_language(),
        from in 0..60_usize,
        bullets in 0..3_usize,
    ) {
        let (samples, system) = match language {
            Language::Ja => (MEMORIES_JA, SYSTEM_JA),
            Language::En => (MEMORIES_EN, SYSTEM_EN),
        };
        let length = if language == Language::Ja { 40 } else { 120 };
        let piece: String = system.chars().skip(from).take(length).collect();
        let text = format!("{}\n{piece}\n{}", samples[bullets], samples[bullets + 1]);
        prop_assert_eq!(judge(&text, &expecting(language)), Err(Refusal::Echo));
    }

    #[test]
    fn any_answer_is_judged(
        text in any::<String>(),
        system in any::<String>(),
        existing in prop::option::of(any::<String>()),
        language in prop::option::of(any_language()),
        target_tokens in any::<u32>(),
        check_collapse in any::<bool>(),
    ) {
        let existing = existing.as_deref();
        let expectation = Expectation { language, system: &system, existing, target_tokens, check_collapse, request: None };
        if let Ok(saved) = judge(&text, &expectation) {
            prop_assert!(!saved.is_empty());
            prop_assert_eq!(saved.trim(), saved.as_str());
            prop_assert!(text.contains(&saved), "what is around it may be taken off, nothing else");
            prop_assert!(language.is_some() || saved == text.trim(), "builtin wraps nothing");
        }
    }
}

/// Counts show kinds of refusals, and find them by the words that were stored.
#[test]
fn every_reason_has_a_kind_of_its_own() {
    let refusals = [
        Refusal::Empty,
        Refusal::OnlyThoughts,
        Refusal::CutOff,
        Refusal::Refused,
        Refusal::Unfinished,
        Refusal::Collapsed { from: 9, to: 1 },
        Refusal::TooLong { tokens: 9, most: 1 },
        Refusal::Echo,
        Refusal::Data,
        Refusal::WrongLanguage(Language::Ja),
        Refusal::Looping,
        Refusal::Copied,
        Refusal::Ungrounded { names: 1, numbers: 0, dates: 0 },
        Refusal::Misattributed { lines: 2 },
        Refusal::Borrowed,
    ];
    let kinds: Vec<&str> =
        refusals.iter().map(|refusal| Refusal::kind_of_reason(&refusal.to_string())).collect();
    let all: Vec<&str> = Refusal::kinds().collect();
    assert_eq!(kinds, all[..all.len() - 1], "each its own, in the order of the list");
    assert_eq!(Refusal::kind_of_reason("something else"), "other");
}
