//! What bears on the question in a prompt (SPEC §3, §5): in front of the conversation, within its room, and nothing
//! twice.

use myao_core::{
    chat::{ChannelId, MessageTs},
    context::{ChannelMessages, Context},
    memory::MemoryType,
    prompt::{
        ComposeError, Composer, Fragments, Language, Prompt, PromptTask, RecalledItem, RecalledWords,
        Recollections, estimate_tokens,
    },
};
use proptest::prelude::*;

use crate::prompt_sample::{full, general, names, now, said, templates, tokyo, ts};

/// A question after some talk, of which the message of the tenth second is the oldest.
fn asked() -> Context {
    let messages = vec![said(10, 2, "Good morning."), said(600, 1, "When is the bat count?")];
    let mut context = full(Language::En, 5);
    context.conversation_history = ChannelMessages::new(general(), messages).with_waiting([ts(600)]);
    context.target_thread_ts = None;
    context
}

fn compose(items: &[RecalledItem], tokens: usize, max_tokens: usize) -> Result<Prompt, ComposeError> {
    let (names, zone, templates) = (names(Language::En), tokyo(), templates(Language::En));
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    let recalled = Recollections { words: "When is the bat count?", items, tokens };
    let fragments = Fragments { recalled, ..Fragments::default() };
    composer.compose(&asked(), &[], now(), &PromptTask::REPLY, fragments)
}

fn item(text: RecalledWords) -> RecalledItem {
    RecalledItem { channel: ChannelId::new("C1"), text, terms: Vec::new(), score: 1.0 }
}

fn message(second: i64, text: &str) -> RecalledItem {
    item(RecalledWords::Message(Box::new(said(second, 1, text))))
}

fn line(text: &str, version: u32, until: Option<MessageTs>) -> RecalledItem {
    item(RecalledWords::Line {
        memory_type: MemoryType::ShortTerm,
        version,
        text: text.to_owned(),
        until,
        ended: None,
    })
}

fn marks(prompt: &Prompt) -> Vec<(&str, &str)> {
    let shown = prompt.recalled.iter();
    shown.map(|shown| (shown.mark.as_str(), shown.item.text.words())).collect()
}

#[test]
fn it_stands_before_the_conversation_with_marks() {
    let items =
        [message(-86_400, "The bat count is in April."), line("- Bats are counted in spring", 90, None)];
    let prompt = compose(&items, 1000, 8000).unwrap();
    let expected = [("r1", "The bat count is in April."), ("r2", "- Bats are counted in spring")];
    assert_eq!(marks(&prompt), expected);
    let at = |text: &str| prompt.user.find(text).unwrap_or_else(|| panic!("{text}: {}", prompt.user));
    assert!(at("[r1] #") < at("[r2] ") && at("[r2] ") < at("# Conversation"));
    assert!(!prompt.system.contains("[r1]"), "what changes with the question stands behind what does not");
    assert_eq!(compose(&items, 0, 8000).unwrap().recalled, [], "0 tokens switch it off");
}

#[test]
fn what_the_conversation_says_is_not_said_again() {
    let items = [
        message(10, "Good morning."),
        line("Good morning, said somebody", 91, Some(ts(600))),
        message(-60, "Good evening, bats."),
    ];
    assert_eq!(marks(&compose(&items, 1000, 8000).unwrap()), [("r1", "Good evening, bats.")]);
}

#[test]
fn a_quotation_is_not_said_twice_and_a_short_answer_is() {
    let items = [
        message(-100, "The bat count is on Friday"),
        line("[2026-01-01 09:00] Noor: The bat count is on Friday", 92, None),
        message(-90, "Friday"),
        message(-80, "Friday"),
    ];
    let prompt = compose(&items, 1000, 8000).unwrap();
    assert_eq!(marks(&prompt), [("r1", "The bat count is on Friday"), ("r2", "Friday")]);
}

proptest! {
    #[test]
    fn the_budget_holds(lengths in prop::collection::vec(1_usize..300, 0..30), tokens in 0_usize..4000,
        max_tokens in 100_usize..9000) {
        let talk = |(n, words): (i64, &usize)| message(-3600 * n, &format!("{n} {}", "bat count ".repeat(*words)));
        let items: Vec<RecalledItem> = (1..).zip(&lengths).map(talk).collect();
        match compose(&items, tokens, max_tokens) {
            Ok(prompt) => {
                prop_assert!(prompt.tokens <= max_tokens);
                let lines = prompt.user.lines().filter(|line| line.starts_with("[r"));
                let taken: usize = lines.map(estimate_tokens).sum();
                prop_assert!(taken <= tokens.min(max_tokens / 4), "{taken} of {tokens}, {max_tokens}");
                let numbers = prompt.recalled.iter().map(|shown| shown.mark.clone());
                let expected = (1..=prompt.recalled.len()).map(|n| format!("r{n}"));
                prop_assert!(numbers.eq(expected));
            }
            Err(ComposeError::NoRoom { .. }) => prop_assert!(max_tokens < 1500),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}
