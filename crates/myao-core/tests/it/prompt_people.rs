//! People in the conversation in a prompt (specification §3): in front of the conversation, within its room, and
//! nothing twice.

use jiff::civil::date;
use myao_core::{
    chat::{ChannelId, UserId},
    context::{ChannelMemory, ChannelMessages, Context, LineInForce},
    memory::MemoryType,
    prompt::{AboutPerson, ComposeError, Composer, Fragments, PeopleMaterial, Prompt, Recollections},
    recall::{RecalledItem, RecalledWords, RenamedPerson},
    text::{Language, estimate_tokens},
    wording::PromptTask,
};
use proptest::prelude::*;

use crate::prompt_sample::{full, general, names, now, said, templates, tokyo, ts};

fn context(language: Language) -> Context {
    let mut context = full(language, 2);
    let messages = vec![said(10, 2, "Good morning."), said(600, 1, "Lunch?")];
    context.conversation_history = ChannelMessages::new(general(), messages).with_waiting([ts(600)]);
    context.target_thread_ts = None;
    context
}

fn about(person: &str, channel: &str, version: u32, day: i8, words: &str) -> AboutPerson {
    let text = RecalledWords::Line {
        memory_type: MemoryType::ShortTerm,
        version,
        text: words.to_owned(),
        until: None,
        ended: None,
    };
    let channel = ChannelId::new(channel);
    let item =
        RecalledItem { channel, text, terms: Vec::new(), score: 0.0, replaced_on: None, around: Vec::new() };
    AboutPerson { person: UserId::new(person), day: Some(date(2025, 5, day)), item }
}

fn compose_in(
    language: Language,
    context: &Context,
    task: &PromptTask<'_>,
    fragments: Fragments<'_>,
    max_tokens: usize,
) -> Result<Prompt, ComposeError> {
    let names = names(language);
    let zone = tokyo();
    let templates = templates(language);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    composer.compose(context, &[], now(), task, fragments)
}

fn compose(lines: &[AboutPerson], tokens: usize) -> Prompt {
    let fragments = Fragments {
        people: PeopleMaterial { lines, tokens, ..PeopleMaterial::default() },
        ..Fragments::default()
    };
    let language = Language::En;
    compose_in(language, &context(language), &PromptTask::REPLY, fragments, 8000).unwrap()
}

/// The lines of the section.
fn shown(prompt: &Prompt) -> Vec<&str> {
    let section = prompt.user.split_once("# People in the conversation");
    let section = section.and_then(|(_, rest)| rest.split_once("# Conversation"));
    section
        .map(|(lines, _)| lines.lines().filter(|line| line.starts_with("- ")).collect())
        .unwrap_or_default()
}

#[test]
fn it_stands_before_the_conversation_oldest_first() {
    for (language, name, line) in [
        (Language::En, "en", "Alice: I look after the hall."),
        (Language::Ja, "ja", "佐藤: 広間の鍵は私が持っています。"),
    ] {
        let lines = [about("U1", "C2", 90, 9, "Bob: Alice sings in <#C2>."), about("U1", "C2", 91, 3, line)];
        let fragments = Fragments {
            people: PeopleMaterial { lines: &lines, tokens: 300, ..PeopleMaterial::default() },
            ..Fragments::default()
        };
        for (task, file) in [(PromptTask::REPLY, "reply"), (PromptTask::Judgment, "judgment")] {
            let prompt = compose_in(language, &context(language), &task, fragments, 8000).unwrap();
            let without =
                compose_in(language, &context(language), &task, Fragments::default(), 8000).unwrap();
            let few =
                estimate_tokens(&lines.clone().map(|line| line.item.text.words().to_owned()).join("\n"));
            let around = prompt.tokens - without.tokens - few;
            assert!(around < 96 + 40, "its heading is priced: {around}");
            assert_eq!(
                prompt.system, without.system,
                "what changes with who speaks stands behind what does not"
            );
            insta::assert_snapshot!(format!("people_{file}_{name}"), prompt.user);
        }
    }
}

#[test]
fn what_stands_elsewhere_is_not_said_again() {
    let mut context = context(Language::En);
    let c2 = ChannelId::new("C2");
    let other = ChannelMemory::new(c2.clone(), "random")
        .with_long_term(Some("- Alice: I am allergic to nuts.".into()));
    context.channel_memories.insert(c2, other);
    let own = context.channel_memories.get_mut(&ChannelId::new("C1")).unwrap();
    let holds = LineInForce { day: None, words: "Alice: the key hangs in Holm.".into(), worth: 40 };
    own.lines_in_force.push(holds);
    let newest = own.short_term_memory_history.last().unwrap().version;
    let lines = [
        about("U1", "C2", 1, 1, "Alice: I am allergic to nuts."),
        about("U1", "C1", 1, 2, "Alice: the key hangs in Holm."),
        about("U1", "C1", newest, 3, "Alice: in a version that is shown"),
        about("U1", "C2", 4, 4, "Alice: found by the search"),
        about("U1", "C2", 5, 5, "Alice: said nowhere else"),
        about("U2", "C2", 5, 5, "Alice: said nowhere else"),
    ];
    let found = [RecalledItem { score: 1.0, ..lines[3].item.clone() }];
    let fragments = Fragments {
        recalled: Recollections { words: "search", items: &found, tokens: 1000 },
        lines_tokens: 1500,
        people: PeopleMaterial { lines: &lines, tokens: 300, ..PeopleMaterial::default() },
        ..Fragments::default()
    };
    let ranking = [ChannelId::new("C1"), ChannelId::new("C2")];
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let prompt = composer.compose(&context, &ranking, now(), &PromptTask::REPLY, fragments).unwrap();
    let whole = format!("{}{}", prompt.system, prompt.user);
    for line in &lines[..2] {
        assert_eq!(whole.matches(line.item.text.words()).count(), 1, "{whole}");
    }
    assert_eq!(shown(&prompt), ["- 2025-05-05 #random Alice: said nowhere else"]);
    assert_eq!(prompt.people.len(), 1);
}

#[test]
fn everybody_gets_a_turn() {
    let mut lines: Vec<AboutPerson> = (1..20)
        .map(|n| about("U1", "C2", 9, n, &format!("Alice: {n} {}", "many words ".repeat(8))))
        .collect();
    lines.push(about("U2", "C2", 9, 25, "Bob: I keep the bees."));
    let prompt = compose(&lines, 300);
    let shown = shown(&prompt);
    assert!(shown.contains(&"- 2025-05-25 #random Bob: I keep the bees."), "{shown:?}");
    assert!(shown.len() > 3 && shown.len() < 15, "{shown:?}");
    assert!(shown[0].starts_with("- 2025-05-01 "), "the best of one person first: {shown:?}");
}

#[test]
fn none_are_shown_where_none_are_wanted() {
    let lines = [about("U1", "C2", 9, 1, "Alice: I keep the bees.")];
    assert!(compose(&lines, 0).people.is_empty());
    assert!(!compose(&[], 300).user.contains("# People"));
}

proptest! {
    #[test]
    fn the_budget_holds(lengths in prop::collection::vec(1_usize..60, 0..40), tokens in 0_usize..1000,
        max_tokens in 300_usize..9000) {
        let line = |(n, words): (usize, &usize)| {
            let person = format!("U{}", n % 3);
            let day = i8::try_from(n % 28 + 1).unwrap();
            about(&person, "C2", 9, day, &format!("Alice: {n} {}", "bees ".repeat(*words)))
        };
        let lines: Vec<AboutPerson> = lengths.iter().enumerate().map(|(n, words)| line((n, words))).collect();
        let fragments = Fragments { people: PeopleMaterial { lines: &lines, tokens, ..PeopleMaterial::default() }, ..Fragments::default() };
        let context = context(Language::En);
        match compose_in(Language::En, &context, &PromptTask::REPLY, fragments, max_tokens) {
            Ok(prompt) => {
                prop_assert!(prompt.tokens <= max_tokens);
                let section = shown(&prompt);
                let taken: usize = section.iter().map(|line| estimate_tokens(line)).sum();
                prop_assert!(taken <= tokens, "{taken} of {tokens}");
                prop_assert_eq!(section.len(), prompt.people.len());
            }
            Err(ComposeError::NoRoom { .. }) => prop_assert!(max_tokens < 1500),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}

#[test]
fn who_was_called_otherwise_before_is_told_first_and_within_its_room() {
    let former: Vec<String> = ["Yamada", "YAMADA", "Alice (away)", "Tanaka", "Sato", "Ito"]
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    let renamed = [RenamedPerson::new(UserId::new("U1"), "Alice".to_owned(), former)];
    let lines = [about("U1", "C2", 91, 3, "Bob: Alice has the key.")];
    let notes = |language, tokens| {
        let people = PeopleMaterial { lines: &lines, renamed: &renamed, tokens };
        let fragments = Fragments { people, ..Fragments::default() };
        compose_in(language, &context(language), &PromptTask::REPLY, fragments, 8000).unwrap()
    };
    let prompt = notes(Language::En, 300);
    let told = shown(&prompt);
    assert_eq!(told[0], "- Alice was called Yamada, Tanaka, Sato before", "the latest three");
    assert_eq!(told.len(), 2);
    assert!(notes(Language::Ja, 300).user.contains("- 佐藤の以前の名前：Yamada、Tanaka、Sato"));
    assert_eq!(shown(&notes(Language::En, 0)), <[&str; 0]>::default());
    for max_tokens in [300, 500, 800, 1200, 2000] {
        let people = PeopleMaterial { lines: &[], renamed: &renamed, tokens: 300 };
        let fragments = Fragments { people, ..Fragments::default() };
        let context = context(Language::En);
        if let Ok(prompt) = compose_in(Language::En, &context, &PromptTask::REPLY, fragments, max_tokens) {
            assert!(prompt.tokens <= max_tokens, "{} of {max_tokens}", prompt.tokens);
        }
    }
}
