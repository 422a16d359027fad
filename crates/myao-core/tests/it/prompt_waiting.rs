//! What waits for an answer, as the prompt shows it (specification §3, §4).

use insta::assert_snapshot;
use myao_core::{
    chat::{Message, MessageTs},
    context::{ChannelMessages, Context},
    ports::{Material, TalkLine},
    prompt::{Composer, Fragments, Prompt},
    text::Language,
    wording::PromptTask,
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, general, morning, names, now, replied, said, templates, tokyo, ts};

/// A conversation in which these messages wait.
fn waiting(language: Language, messages: Vec<Message>, waiting: &[MessageTs]) -> Context {
    let mut context = bare(language, Vec::new());
    context.conversation_history =
        ChannelMessages::new(general(), messages).with_waiting(waiting.iter().copied());
    context
}

fn prompt(language: Language, context: &Context, max_tokens: usize) -> Prompt {
    let names = names(language);
    let zone = tokyo();
    let templates = templates(language);
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

/// Where a line of the conversation was said, by the number in it. Behind the task stands once more what is to be answered.
fn numbers(prompt: &Prompt) -> Vec<usize> {
    let number = |line: &str| line.rsplit_once("line ")?.1.split_whitespace().next()?.parse().ok();
    let conversation = prompt.user.split("\n# Task\n").next().unwrap_or_default();
    conversation.lines().filter_map(number).collect()
}

proptest! {
    /// Several people ask at once, each in another thread: in the prompt of one of them nothing of the others'
    /// stands behind what is asked there, and nothing is lost or told twice.
    #[test]
    fn what_is_asked_in_the_place_stands_last(
        places in proptest::collection::vec(0_usize..4, 4..60),
        asks in proptest::collection::vec(any::<bool>(), 60),
        target in 0_usize..4,
        max_tokens in prop::sample::select(vec![1200_usize, 2000, 8000]),
        judged in any::<bool>(),
    ) {
        // Three threads, whose roots stand at top level (0).
        let root = |place: usize| i64::try_from(place).unwrap();
        let mut messages: Vec<Message> = (1..4).map(|place| said(root(place), 1, "a root")).collect();
        for (n, place) in places.iter().enumerate() {
            let second = i64::try_from(n).unwrap() * 60 + 60;
            let text = format!("line {n} {}", "and more ".repeat(20));
            messages.push(match place {
                0 => said(second, 1, &text),
                _ => replied(root(*place), second, 2, &text),
            });
        }
        let second = |n: usize| ts(i64::try_from(n).unwrap() * 60 + 60);
        let own = |n: &usize| places[*n] == target;
        let waits: Vec<usize> = (0..places.len()).filter(own).filter(|n| asks[*n]).collect();
        let waiting_ts: Vec<MessageTs> = waits.iter().map(|n| second(*n)).collect();
        let mut context = waiting(Language::En, messages, &waiting_ts);
        context.target_thread_ts = (target > 0).then(|| ts(root(target)));
        let names = names(Language::En);
        let zone = tokyo();
        let templates = templates(Language::En);
        let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
        let task = if judged { PromptTask::Judgment } else { PromptTask::REPLY };
        let prompt = composer.compose(&context, &[], now(), &task, Fragments::default()).unwrap();
        let shown = numbers(&prompt);
        let mut once = shown.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), shown.len(), "told twice: {}", prompt.user);
        prop_assert_eq!(shown.len() + prompt.earlier_messages >= places.len(), true);
        let own_shown: Vec<usize> = shown.iter().copied().filter(own).collect();
        let others: Vec<usize> = shown.iter().copied().filter(|n| !own(n)).collect();
        prop_assert!(own_shown.is_sorted() && others.is_sorted(), "{shown:?}");
        // From the first that waits on, in a thread from the newest where none does, there is nothing else.
        let first = own_shown.iter().copied().find(|n| !judged && waits.contains(n));
        let from = first.or_else(|| own_shown.last().copied().filter(|_| target > 0));
        if let Some(at) = from.and_then(|n| shown.iter().position(|m| *m == n)) {
            prop_assert!(shown[at..].iter().all(own), "{:?} in {}: {}", from, target, prompt.user);
        }
    }
}
