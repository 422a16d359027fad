//! Chooses the words that are looked up for a prompt: those of what is to be answered (specification §3).

use std::collections::BTreeSet;

use super::{
    fold::FoldedText,
    terms::{Term, terms_in_order},
};
use crate::chat::{Message, MessageTs, Place};

/// If what is to be answered has at least this many terms that are more than grammar, it says by itself what it is
/// about.
const ENOUGH_TERMS: usize = 3;
/// If it has fewer, this many messages before it are looked up with it; if nothing waits for an answer, this many of
/// the newest messages.
const MESSAGES_BEFORE: usize = 3;
/// A message that was said longer before than this is about something else, in microseconds.
const LONGEST_PAUSE: i64 = 3_600_000_000;

/// The words by which to look up what bears on a conversation: those of the messages that wait for an answer in
/// `place`, or of its newest ones. `messages` are in the order of time.
pub fn words_to_recall(messages: &[Message], waiting: &BTreeSet<MessageTs>, place: &Place) -> String {
    let is_there = |message: &&Message| match place.thread {
        Some(root) => message.thread() == root,
        None => message.thread_ts.is_none(),
    };
    let there: Vec<&Message> = messages.iter().filter(is_there).filter(|message| message.is_talk()).collect();
    let asked: Vec<&str> = there
        .iter()
        .filter(|message| waiting.contains(&message.ts))
        .map(|message| message.text.as_str())
        .collect();
    let words = asked.join("\n");
    let terms: BTreeSet<Term> = terms_in_order(&FoldedText::new(&words)).into_iter().collect();
    if terms.iter().filter(|term| !term.is_weak).count() >= ENOUGH_TERMS {
        return words;
    }
    let first = waiting.iter().next().copied();
    let is_before = |message: &&&Message| {
        first.is_none_or(|first| message.ts < first && first.micros_since(message.ts) <= LONGEST_PAUSE)
            && !waiting.contains(&message.ts)
    };
    let before = there.iter().rev().filter(is_before);
    let before: Vec<&str> = before.take(MESSAGES_BEFORE).map(|message| message.text.as_str()).collect();
    std::iter::once(words.as_str()).chain(before).collect::<Vec<_>>().join("\n")
}
