//! What bears on the question in a prompt (specification §3, §5): behind the conversation, within its room, and nothing
//! twice.

use jiff::civil::date;
use myao_core::{
    chat::{ChannelId, MessageTs},
    context::{ChannelMessages, Context, LineInForce},
    memory::MemoryType,
    ports::{Material, Request},
    prompt::{ComposeError, Composer, Fragments, Prompt, RecallLine, Recollections},
    recall::{RecalledItem, RecalledWords},
    text::{Language, estimate_tokens},
    wording::PromptTask,
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
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    let recalled = Recollections { words: "When is the bat count?", items, tokens };
    let fragments = Fragments { recalled, ..Fragments::default() };
    composer.compose(&asked(), &[], now(), &PromptTask::REPLY, fragments)
}

fn item(text: RecalledWords) -> RecalledItem {
    RecalledItem {
        channel: ChannelId::new("C1"),
        text,
        terms: Vec::new(),
        score: 1.0,
        replaced_on: None,
        around: Vec::new(),
    }
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
fn it_stands_between_conversation_and_task_with_marks() {
    let items =
        [message(-86_400, "The bat count is in April."), line("- Bats are counted in spring", 90, None)];
    let prompt = compose(&items, 1000, 8000).unwrap();
    let expected = [("r1", "The bat count is in April."), ("r2", "- Bats are counted in spring")];
    assert_eq!(marks(&prompt), expected);
    let at = |text: &str| prompt.user.find(text).unwrap_or_else(|| panic!("{text}: {}", prompt.user));
    assert!(at("# Conversation") < at("* [r1] #") && at("* [r1] #") < at("* [r2] "));
    assert!(at("* [r2] ") < at("# Task") && at("# Task") < at("once more:\n● "));
    assert!(!prompt.system.contains("[r1]"), "what changes with the question stands behind what does not");
    assert_eq!(compose(&items, 0, 8000).unwrap().recalled, [], "0 tokens switch it off");
}

#[test]
fn a_reply_may_name_what_was_found_and_a_judgment_knows_it() {
    let items =
        [line("- Bats are counted in spring", 90, None), message(-86_400, "The bat count is in April.")];
    let lines = |request: Request| {
        let Material::Conversation(lines) = request.material else { panic!("not a conversation") };
        lines.into_iter().map(|line| (line.mark, line.text)).collect::<Vec<_>>()
    };
    let replied = lines(compose(&items, 1000, 8000).unwrap().into_request(300));
    let talk = [(None, "Good morning.".to_owned()), (None, "When is the bat count?".to_owned())];
    assert_eq!(replied[0], (Some("r2".to_owned()), "The bat count is in April.".to_owned()));
    assert_eq!(replied[1..], talk);
    assert_eq!(lines(compose(&items, 1000, 8000).unwrap().into_judgment()), replied);
}

/// What was found comes before lines that are always shown, whether somebody waits for an answer or not.
#[test]
fn what_was_found_gets_its_room_before_lines_in_force() {
    let items: Vec<RecalledItem> = (1..60)
        .map(|n| message(-n * 86_400, &format!("Bat {n} was counted at the old mill, box {n}, by lamp {n}.")))
        .collect();
    let line = |n: i64| LineInForce {
        day: Some(date(2024, 1, 1)),
        words: format!(
            "Ana: Shelf {n} holds the blue box number {n} of the archive of the house by the river."
        ),
        worth: 30,
    };
    let composed = |waiting: Option<MessageTs>| {
        let mut context = asked();
        context.conversation_history = context.conversation_history.with_waiting(waiting);
        let own = context.channel_memories.get_mut(&general().id).unwrap();
        own.lines_in_force = (0..200).map(line).collect();
        let names = names(Language::En);
        let zone = tokyo();
        let templates = templates(Language::En);
        let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 2600 };
        let recalled = Recollections { words: "When is the bat count?", items: &items, tokens: 700 };
        let fragments = Fragments { recalled, lines_tokens: 1500, ..Fragments::default() };
        composer.compose(&context, &[], now(), &PromptTask::REPLY, fragments).unwrap()
    };
    for (prompt, least) in [(composed(None), 300), (composed(Some(ts(600))), 500)] {
        let found = prompt.user.lines().filter(|line| RecallLine::read(line).is_some());
        let found: usize = found.map(estimate_tokens).sum();
        assert!(found > least, "{found}");
        let held = prompt.system.lines().filter(|line| line.contains("Ana: Shelf")).count();
        assert!(held > 2 && prompt.tokens > 1950, "{held} {}", prompt.tokens);
        assert!(prompt.tokens < 2200, "lines in force get what is left of four fifths: {}", prompt.tokens);
    }
}

#[test]
fn what_was_found_is_not_said_by_a_line_in_force_again() {
    let mut context = asked();
    let own = context.channel_memories.get_mut(&general().id).unwrap();
    let line = |words: &str| LineInForce { day: Some(date(2024, 1, 1)), words: words.to_owned(), worth: 30 };
    own.lines_in_force =
        ["Alice: The bat count is on 3 April.", "Bob: The key of the mill is with Alice."].map(line).into();
    let items = [message(-86_400, "The bat count is on 3 April.")];
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let recalled = Recollections { words: "When is the bat count?", items: &items, tokens: 1000 };
    let fragments = Fragments { recalled, lines_tokens: 1500, ..Fragments::default() };
    let prompt = composer.compose(&context, &[], now(), &PromptTask::REPLY, fragments).unwrap();
    assert_eq!(marks(&prompt), [("r1", "The bat count is on 3 April.")]);
    assert!(prompt.system.contains("The key of the mill") && !prompt.system.contains("3 April"));
}

#[test]
fn a_line_of_a_memory_stands_beside_no_message_that_holds_its_words_unless_it_tells_an_end() {
    let said = || message(-86_400, "Yes, the bat count is on 3 April, at the old mill!");
    let held = || line("Mio: bat count on 3 April, the old mill", 90, None);
    let more = || line("Mio: bat count on 3 April, the new mill", 90, None);
    let words = |items: &[RecalledItem]| marks(&compose(items, 1000, 8000).unwrap()).len();
    assert_eq!(words(&[said(), held()]), 1);
    assert_eq!(words(&[said(), more()]), 2, "it says something that the message does not");
    let mut ended = held();
    let RecalledWords::Line { ended: until, .. } = &mut ended.text else { panic!("a line") };
    *until = Some(date(2024, 1, 1));
    assert_eq!(words(&[said(), ended]), 2, "the message does not tell when it ended");
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
                let lines = prompt.user.lines().filter(|line| RecallLine::read(line).is_some());
                let taken: usize = lines.map(estimate_tokens).sum();
                prop_assert!(taken <= tokens.min(max_tokens * 2 / 5), "{taken} of {tokens}, {max_tokens}");
                let numbers = prompt.recalled.iter().map(|shown| shown.mark.clone());
                let expected = (1..=prompt.recalled.len()).map(|n| format!("r{n}"));
                prop_assert!(numbers.eq(expected));
            }
            Err(ComposeError::NoRoom { .. }) => prop_assert!(max_tokens < 1500),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}
