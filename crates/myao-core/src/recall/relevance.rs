//! Chooses the words that are looked up for a prompt: those of what is to be answered (specification §3).

use std::collections::BTreeSet;

use super::{
    fold::FoldedText,
    question::RecallQuestion,
    terms::{Term, terms_in_order},
};
use crate::{
    chat::{Message, MessageTs, Place},
    text::{Lexicon, fold_for_comparison},
    worth::{is_question, weight_of_text, words_with_spaces},
};

static GREETINGS: Lexicon = Lexicon::english("recall.greetings");
static JAPANESE_GREETINGS: Lexicon = Lexicon::japanese("recall.greetings");

/// If what is to be answered has at least this many terms that are more than grammar, it says by itself what it is
/// about.
const ENOUGH_TERMS: usize = 3;
/// If it has fewer, this many messages before it are looked up with it; if nothing waits for an answer, this many of
/// the newest messages.
const MESSAGES_BEFORE: usize = 3;
/// A message that was said longer before than this is about something else, in microseconds.
const LONGEST_PAUSE: i64 = 3_600_000_000;

/// A greeting with less substance around it than this is nothing but a greeting: one word, or two kanji.
const LEAST_WEIGHT: i64 = 4;

/// The words by which to look up what bears on a conversation: those of the messages that wait for an answer in
/// `place`, or of its newest ones. None if all that waits is a greeting or thanks. `messages` are in the order of time.
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
    if !asked.is_empty() && asked.iter().all(|text| is_only_greeting(text)) {
        return String::new();
    }
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

/// Whether a message greets, thanks or laughs, and says hardly anything besides.
fn is_only_greeting(text: &str) -> bool {
    let folded = fold_for_comparison(&without_mentions(text));
    let without = JAPANESE_GREETINGS.words().fold(folded.clone(), |rest, words| rest.replace(words, " "));
    let spaced = words_with_spaces(&without);
    let latin =
        GREETINGS.words().fold(spaced.clone(), |rest, words| rest.replace(&format!(" {words} "), " "));
    let greets = latin != spaced || without != folded;
    let others: String = without.chars().filter(|c| !c.is_ascii_alphabetic()).collect();
    let asks = folded.contains('?') || is_question(text);
    let says_more = if asks {
        [&latin, &others].into_iter().any(|rest| RecallQuestion::new(rest).has_telling_terms())
    } else {
        weight_of_text(&latin).max(weight_of_text(&others)) >= LEAST_WEIGHT
    };
    greets && !says_more
}

/// A text without the people that it calls (`<@U1>`).
fn without_mentions(text: &str) -> String {
    let mut parts = text.split("<@");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('>').map_or("", |(_, after)| after))
}
