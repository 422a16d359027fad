//! What holds of any talk: nothing is told twice, what is closed stays closed, and what is told was said.

use std::collections::BTreeSet;

use myao_core::chat::{Message, MessageKind};
use proptest::prelude::*;

use super::{PEOPLE, in_thread_of, open_at, said};

/// Sentences of all kinds, in both languages.
const SENTENCES: [&str; 22] = [
    "I'll send the budget by Friday.",
    "I'll send the budget on Monday instead.",
    "I'll upload the floor plan tomorrow.",
    "Done!",
    "Sent it.",
    "I can't make it, sorry.",
    "<@bob> where are the keys of the van?",
    "Does anybody know how to reset the thermostat?",
    "Never mind, found it.",
    "The spring concert is on 28 March.",
    "The spring concert was moved to 30 March.",
    "The spring concert is cancelled.",
    "<@cleo> could you order new chairs by Wednesday?",
    "Sure, will do",
    "金曜までに予算案を送ります。",
    "送りました。",
    "<@ann> 倉庫の鍵はどこですか？",
    "自己解決しました。",
    "演奏会は3月28日です。",
    "演奏会は3月30日に延期になりました。",
    "<@dan> 水曜までに椅子を注文してもらえますか？",
    "承知しました",
];
const EVENING: &str = "2026-03-02T23:59";

/// Who says which sentence where, and in which earlier message's thread.
fn any_talk() -> impl Strategy<Value = Vec<Message>> {
    let saying = (0..PEOPLE.len(), 0..SENTENCES.len(), 0..2_usize, prop::option::of(0..8_usize));
    prop::collection::vec(saying, 0..24).prop_map(|sayings| {
        let mut talk: Vec<Message> = Vec::new();
        for (nth, (who, what, channel, thread)) in sayings.into_iter().enumerate() {
            let at = format!("{:02}:{:02}", 8 + nth / 4, nth % 4 * 15);
            let message = said(["c", "d"][channel], &at, PEOPLE[who], SENTENCES[what]);
            let root = thread.and_then(|root| talk.get(root)).filter(|root| root.channel == message.channel);
            let message = match root.cloned() {
                Some(root) if root.thread_ts.is_none() => in_thread_of(&root, message),
                _ => message,
            };
            talk.push(message);
        }
        talk
    })
}

proptest! {
    /// Nobody owes the same twice, no question stands twice, and no date stands beside the one to which it moved.
    #[test]
    fn nothing_is_told_twice(talk in any_talk()) {
        let open = open_at(&talk, EVENING);
        let mut told = BTreeSet::new();
        for one in &open {
            let key = (one.kind, one.channel.clone(), one.who.clone(), one.whom.clone(), one.words.clone());
            prop_assert!(told.insert(key), "twice: {one:?} in {open:?}");
        }
        let budgets = |who: &str| open.iter().filter(|one| {
            one.words.contains("budget") && one.who.as_ref().is_some_and(|user| user.as_str() == who)
        }).map(|one| one.channel.clone()).collect::<Vec<_>>();
        for who in PEOPLE {
            let owed = budgets(who);
            let channels: BTreeSet<_> = owed.iter().collect();
            prop_assert_eq!(owed.len(), channels.len());
        }
    }

    /// However often a message is told, and in whatever order, the same is open.
    #[test]
    fn order_and_repetition_of_messages_do_not_matter(talk in any_talk()) {
        let mut again = talk.clone();
        again.reverse();
        again.extend(talk.iter().cloned());
        prop_assert_eq!(open_at(&talk, EVENING), open_at(&again, EVENING));
    }

    /// Whoever promised something and says in its thread that it is done owes nothing of that thread.
    #[test]
    fn done_closes_what_was_promised_in_a_thread(talk in any_talk()) {
        for one in open_at(&talk, EVENING) {
            let Some(who) = one.who.clone().filter(|_| one.kind == myao_core::loops::LoopKind::Promise) else { continue };
            let mut done = said(one.channel.as_str(), "23:30", who.as_str(), "Done!");
            done.thread_ts = Some(one.thread_ts.unwrap_or(one.ts));
            let mut later = talk.clone();
            later.push(done);
            let still = open_at(&later, EVENING);
            prop_assert!(!still.iter().any(|other| other.ts == one.ts && other.kind == one.kind), "{one:?}");
        }
    }

    /// What is told was said by a message that stands, and nothing of one that was deleted or is the platform's remark.
    #[test]
    fn only_what_stands_is_told(talk in any_talk(), gone in 0..24_usize) {
        let mut left = talk;
        if let Some(message) = left.get_mut(gone) {
            message.deleted = gone % 2 == 0;
            message.kind = if gone % 2 == 0 { MessageKind::Talk } else { MessageKind::Notice };
        }
        for one in open_at(&left, EVENING) {
            let source = one.asked_at.unwrap_or(one.ts);
            let said = left.iter().find(|message| message.channel == one.channel && message.ts == source);
            prop_assert!(said.is_some_and(|message| message.is_talk() && message.text.contains(&one.words)), "{one:?}");
        }
    }

    /// What is said in a channel opens and closes nothing of another one unless its words speak of it: without the other
    /// channel's talk, what is open of a channel was said in that channel.
    #[test]
    fn what_one_channel_shows_was_said_there(talk in any_talk()) {
        let own: Vec<Message> = talk.iter().filter(|message| message.channel.as_str() == "c").cloned().collect();
        for one in open_at(&own, EVENING) {
            prop_assert_eq!(one.channel.as_str(), "c");
        }
    }
}
