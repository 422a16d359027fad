//! What waits for an answer, as the prompt shows it (SPEC §3, §4).

use insta::assert_snapshot;
use myao_core::{
    chat::{Message, MessageTs},
    context::{ChannelMessages, Context},
    ports::{Material, TalkLine},
    prompt::{Composer, Language, Prompt},
};

use crate::prompt_sample::{bare, general, morning, names, now, replied, said, templates, tokyo, ts};

/// A conversation in which these messages wait.
fn waiting(language: Language, messages: Vec<Message>, waiting: &[MessageTs]) -> Context {
    let mut context = bare(language, Vec::new());
    context.conversation_history =
        ChannelMessages::new(general(), messages).with_waiting(waiting.iter().copied());
    context
}

fn prompt(language: Language, context: &Context, max_tokens: usize) -> Prompt {
    let (names, zone, templates) = (names(language), tokyo(), templates(language));
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    composer.reply(context, &[], now()).unwrap()
}

fn asked(prompt: &Prompt) -> Vec<&str> {
    prompt.talk.iter().map(|TalkLine { text, .. }| text.as_str()).collect()
}

/// Both of them are marked, the one in the thread behind the thread's own mark; nothing else is.
#[test]
fn every_waiting_message_is_marked() {
    let all = [ts(600), ts(960)];
    let mut context = waiting(Language::Ja, morning(Language::Ja), &all);
    context.target_thread_ts = Some(ts(300));
    let shown = prompt(Language::Ja, &context, 8000);
    assert_eq!(shown.answers, all);
    assert_snapshot!("ja_waiting", shown.user);
    let english = waiting(Language::En, morning(Language::En), &[ts(960)]);
    assert_snapshot!("en_waiting", prompt(Language::En, &english, 8000).user);
}

/// A mention before a long talk is shown beside its end, and counted as shown.
#[test]
fn what_waits_has_room_before_what_was_said_since() {
    let mut messages = vec![said(0, 1, "myao, what was the wifi password?")];
    messages.extend((1..300).map(|n| said(n, 2, &format!("and then came number {n}, as every day"))));
    let shown = prompt(Language::En, &waiting(Language::En, messages, &[ts(0)]), 2000);
    assert!(shown.earlier_messages > 100 && shown.tokens <= 2000, "{shown:?}");
    assert_eq!(shown.answers, [ts(0)]);
    let apart = "\n● [2026-03-02 09:00] Alice: myao, what was the wifi password?\n(";
    assert!(shown.user.contains(apart), "{}", shown.user);
    assert_eq!(asked(&shown), ["myao, what was the wifi password?"], "the talk after it asks nothing");
}

/// Whatever has no room is not taken for answered; the oldest goes first.
#[test]
fn what_waits_and_has_no_room_is_not_answered() {
    let long = |n: i64| said(n, 1, &format!("question {n} {}", "which is long ".repeat(100)));
    let all: Vec<MessageTs> = (0..20).map(ts).collect();
    let shown = prompt(Language::En, &waiting(Language::En, (0..20).map(long).collect(), &all), 2500);
    assert!(shown.tokens <= 2500 && shown.answers.len() < 20, "{}", shown.tokens);
    assert!(shown.answers.contains(&ts(0)) && shown.answers.contains(&ts(19)), "{:?}", shown.answers);
    assert_eq!(shown.user.matches("● [").count(), shown.answers.len());
    assert_eq!(shown.earlier_messages, 20 - shown.answers.len());
}

/// A tiny budget cuts messages shorter until root, newest and first waiting fit.
#[test]
fn the_first_that_waits_is_shown_in_a_tiny_budget() {
    let long = |text: &str| text.repeat(900);
    let messages = vec![
        said(0, 1, &long("root ")),
        replied(0, 10, 1, &long("first ")),
        replied(0, 20, 2, &long("later ")),
        replied(0, 30, 2, &long("newest ")),
    ];
    let mut context = waiting(Language::En, messages, &[ts(10)]);
    context.target_thread_ts = Some(ts(0));
    let shown = prompt(Language::En, &context, 1200);
    assert_eq!(shown.answers, [ts(10)]);
    for word in ["→ [2026-03-02 09:00] Alice: root", "→ ● [2026-03-02 09:00] Alice: first", "Bob: newest"]
    {
        assert!(shown.user.contains(word), "{word}: {}", shown.user);
    }
}

#[test]
fn messages_that_were_not_read_are_counted() {
    let mut context = bare(Language::En, Vec::new());
    context.conversation_history = ChannelMessages::new(general(), [said(0, 1, "hello")]).with_unread(7);
    let shown = prompt(Language::En, &context, 8000);
    assert_eq!(shown.earlier_messages, 7);
    assert!(shown.user.contains("(7 earlier messages not shown)\n[2026-03-02 09:00] Alice: hello"));
    assert!(matches!(shown.into_request(100).material, Material::Conversation(lines) if lines.len() == 1));
}
