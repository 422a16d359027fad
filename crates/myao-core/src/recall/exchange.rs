//! Chooses what is shown around a message that was found: what it answers, and what answered it (ADR 97).

use std::collections::BTreeSet;

use crate::{
    chat::{Mentions, Message, MessageTs, Names, UserId},
    text::fold_for_comparison,
    worth::is_question,
};

/// How long before and after a message others may belong to the same exchange, in seconds; in a thread it does not
/// matter when they were said.
pub const EXCHANGE_SECONDS: i64 = 600;
/// How many messages before and after it are looked at.
pub const LOOKED_AT: usize = 8;
/// If more people than this speak around a message, they do not all speak with each other: then only those messages
/// belong to it that are addressed to somebody.
const MOST_IN_ONE_TALK: usize = 3;
/// In a talk of two, what follows is the answer; in a talk of more, it may stand among these next messages.
const NEXT: usize = 4;
/// The most messages that answer one.
const MOST_ANSWERS: usize = 2;
/// The most characters at the beginning of a message that may be a name in front of a colon.
const LONGEST_ADDRESS: usize = 40;

/// A message that stands around one that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeMessage {
    /// The message.
    pub message: Message,
    /// Whether the message that was found says little without it: an answer to a question.
    pub is_needed: bool,
}

/// What `near` holds of the exchange that `hit` belongs to, in the order in which it was said. `near` are the messages
/// around it, oldest first: those of its thread, or else what was said before and after it in its channel, at most
/// [`EXCHANGE_SECONDS`] apart.
pub fn exchange_around_hit(hit: &Message, near: &[&Message], names: &Names) -> Vec<ExchangeMessage> {
    let around = Surroundings::new(hit, near, names);
    let asks = is_question(&hit.text);
    let answers = around.answers(asks);
    let before = around.answered().map(|message| (message, false));
    let after = answers.into_iter().map(|message| (message, asks));
    let told =
        |(message, is_needed): (&Message, bool)| ExchangeMessage { message: message.clone(), is_needed };
    before.into_iter().chain(after).map(told).collect()
}

/// A message and those before and after it.
struct Surroundings<'m> {
    hit: &'m Message,
    names: &'m Names,
    /// The nearest first.
    before: Vec<&'m Message>,
    after: Vec<&'m Message>,
    /// The root of its thread, if it is a reply.
    root: Option<&'m Message>,
    is_in_thread: bool,
}

impl<'m> Surroundings<'m> {
    fn new(hit: &'m Message, near: &[&'m Message], names: &'m Names) -> Self {
        let is_reply = hit.thread() != hit.ts;
        let replies = near.iter().any(|message| message.thread() == hit.thread() && message.ts != hit.ts);
        let is_in_thread = is_reply || replies;
        let belongs = |message: &&&Message| {
            message.ts != hit.ts
                && message.channel == hit.channel
                && if is_in_thread {
                    message.thread() == hit.thread()
                } else {
                    message.thread() == message.ts && is_soon(message.ts, hit.ts)
                }
        };
        let near: Vec<&'m Message> = near.iter().filter(belongs).copied().collect();
        let before = near.iter().rev().filter(|message| message.ts < hit.ts).take(LOOKED_AT);
        let after = near.iter().filter(|message| message.ts > hit.ts).take(LOOKED_AT);
        let root = near.iter().find(|message| is_reply && message.ts == hit.thread());
        Self {
            hit,
            names,
            before: before.copied().collect(),
            after: after.copied().collect(),
            root: root.copied(),
            is_in_thread,
        }
    }

    /// The people who speak around it.
    fn people(&self) -> BTreeSet<&UserId> {
        let around = self.before.iter().chain(&self.after).map(|message| &message.user);
        around.chain([&self.hit.user]).collect()
    }

    /// Whether everybody around speaks with everybody else.
    fn is_one_talk(&self) -> bool {
        self.is_in_thread || self.people().len() <= MOST_IN_ONE_TALK
    }

    /// The message that it answers: the root of its thread, the last one of somebody whom it addresses, or the question
    /// right before it.
    fn answered(&self) -> Option<&'m Message> {
        let others = || self.before.iter().copied().filter(|message| message.user != self.hit.user);
        let addressed = people_addressed(self.hit, self.names, &self.people());
        let asked = others().find(|message| addressed.contains(&message.user));
        if asked.is_some() || !self.is_one_talk() {
            return asked;
        }
        let last = others().next().filter(|message| is_question(&message.text));
        last.or(self.root)
    }

    /// The messages that answer it, as they were said.
    fn answers(&self, asks: bool) -> Vec<&'m Message> {
        let people = self.people();
        let others = || self.after.iter().copied().filter(|message| message.user != self.hit.user);
        let addressed = people_addressed(self.hit, self.names, &people);
        let is_to_us =
            |message: &&Message| people_addressed(message, self.names, &people).contains(&self.hit.user);
        if !self.is_one_talk() {
            let answers = |message: &&Message| is_to_us(message) || asks && addressed.contains(&message.user);
            return others().filter(answers).take(if asks { MOST_ANSWERS } else { 1 }).collect();
        }
        if !asks {
            return Vec::new();
        }
        let most = if people.len() > 2 { MOST_ANSWERS } else { 1 };
        let asked = others().filter(|message| addressed.contains(&message.user));
        let asked: Vec<&Message> = asked.take(most).collect();
        if !asked.is_empty() {
            return asked;
        }
        let next = self.after.iter().copied().take(NEXT);
        next.filter(|message| message.user != self.hit.user).take(most).collect()
    }
}

/// Whether two messages belong to one exchange: they were said in the same thread, or at top level of the same channel
/// soon one after the other.
pub fn is_of_one_exchange(one: &Message, other: &Message) -> bool {
    let is_reply = |message: &Message| message.thread() != message.ts;
    let is_together =
        one.thread() == other.thread() || !is_reply(one) && !is_reply(other) && is_soon(one.ts, other.ts);
    one.channel == other.channel && is_together
}

/// Whether two messages were said at most [`EXCHANGE_SECONDS`] apart.
fn is_soon(one: MessageTs, other: MessageTs) -> bool {
    one.micros_since(other).unsigned_abs() <= EXCHANGE_SECONDS.unsigned_abs() * 1_000_000
}

/// Whom of `people` a message addresses: by a mention, or by a name in front of a colon or a comma at its beginning.
fn people_addressed(message: &Message, names: &Names, people: &BTreeSet<&UserId>) -> BTreeSet<UserId> {
    let mut mentions = Mentions::default();
    mentions.add_talk(&message.text);
    let mut addressed: BTreeSet<UserId> =
        mentions.users.into_iter().filter(|user| people.contains(user)).collect();
    let begin: String = message.text.chars().take(LONGEST_ADDRESS).collect();
    if let Some((name, _)) = begin.split_once([':', ',', '、', '：']) {
        let name = fold_for_comparison(name.trim().trim_start_matches('@'));
        let bears = |user: &&&UserId| !name.is_empty() && fold_for_comparison(names.user(user)) == name;
        addressed.extend(people.iter().filter(bears).map(|user| (*user).clone()));
    }
    addressed.remove(&message.user);
    addressed
}
