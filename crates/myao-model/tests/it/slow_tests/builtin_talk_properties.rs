//! What holds of summaries whatever people say.

use std::time::{Duration, Instant};

use myao_core::{
    chat::{MessageTs, Speaker},
    ports::{Material, TalkLine},
    text::{Language, estimate_tokens},
};
use proptest::prelude::*;

use crate::{
    asking::{entry, line, merge, talk, text},
    builtin_judge::judge,
};

fn said() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ぁ-んァ-ヶ一-龠。、！？wｗ笑…「」（）a-zA-Z0-9.:/@#`'\n ]{0,200}",
        "([a-z]{1,8}[ .,?!:]){0,40}",
        Just("```\nfn main() {}\n``` これを直したら動きました！ https://example.com/あ\u{0}い".to_owned()),
        Just("👩‍👩‍👧‍👦🎉:tada::+1: e\u{301}\u{200b}".to_owned()),
        Just(":".repeat(300)),
    ]
}

fn talk_line() -> impl Strategy<Value = TalkLine> {
    let when = prop_oneof![
        Just(String::new()),
        Just("2026-03-02 25:99".to_owned()),
        "2026-0[1-9]-1[0-9] 1[0-9]:[0-5][0-9]"
    ];
    let name = prop_oneof![Just("hana".to_owned()), Just("ken".to_owned()), any::<String>()];
    (any::<i64>(), when, name, said()).prop_map(|(micros, when, name, text)| TalkLine {
        channel: None,
        ts: MessageTs::from_micros(micros),
        thread: None,
        when,
        name,
        speaker: Speaker::Person,
        text,
        mark: None,
        found: None,
        explains: Vec::new(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn the_target_is_kept_and_nothing_panics(
        existing in said(), lines in prop::collection::vec(talk_line(), 0..40), target in 62..600_u32,
    ) {
        let written = text(talk(&existing, lines.clone()), target);
        prop_assert!(estimate_tokens(&written) <= usize::try_from(target).unwrap(), "{written}");
        let verdict = judge(lines.clone(), Language::En);
        prop_assert_eq!(verdict.clone().bounded(), verdict);
        let reply = text(Material::Conversation(lines), target);
        prop_assert!(estimate_tokens(&reply) <= usize::try_from(target).unwrap(), "{reply}");
    }

    #[test]
    fn the_same_talk_gives_the_same_text(lines in prop::collection::vec(talk_line(), 0..20)) {
        prop_assert_eq!(text(talk("", lines.clone()), 300), text(talk("", lines), 300));
    }

    /// What a chapter says, a merge can read: bullets come through as they are.
    #[test]
    fn chapters_are_read_back(lines in prop::collection::vec(talk_line(), 1..20)) {
        let chapter = text(talk("", lines), 300);
        let memory = merge("", &[entry(&chapter)], 100_000);
        for bullet in memory.lines() {
            let words = bullet.trim_start_matches(|c: char| c.is_ascii_digit() || "-, ".contains(c));
            prop_assert!(chapter.contains(words), "{bullet}\nis not in\n{chapter}");
        }
    }
}

#[test]
fn a_huge_message_costs_little() {
    let huge = [
        "x".repeat(1 << 20),
        "あ".repeat(1 << 19),
        "エラーが出て困っています。".repeat(1 << 15),
        "a? ".repeat(1 << 18),
        "\n".repeat(1 << 20),
        "「(".repeat(1 << 18),
        "::".repeat(1 << 19),
        "@".repeat(1 << 20),
        "http://".repeat(1 << 17),
    ];
    for text in huge {
        let began = Instant::now();
        let lines = vec![
            line("2026-03-02 10:00", "hana", &text),
            line("2026-03-02 10:01", "ken", "リリースは金曜に決まりました。"),
        ];
        let written = crate::asking::text(talk("", lines.clone()), 300);
        assert!(written.contains("リリースは金曜に決まりました"), "{written}");
        let memory =
            merge(&text, &[entry(&written), entry(&format!("[2026-03-02 10:00] hana: {text}"))], 500);
        assert!(memory.contains("リリースは金曜に決まりました"), "{memory}");
        judge(lines.clone(), Language::Ja);
        crate::asking::text(Material::Conversation(lines), 300);
        judge(vec![line("2026-03-02 10:00", "hana", &text)], Language::Ja);
        assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
    }
}
