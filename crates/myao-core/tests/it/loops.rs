//! What is open in talk: promises, questions that wait, dates to come (ADR 138). The stories are data, written before
//! anything read them; those that are held out were not looked at while words were chosen.

mod again;
mod asked;
mod closing;
mod deeds;
mod handed;
mod later;
mod properties;
mod stories;
mod told;

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use myao_core::{
    chat::{Channel, ChannelId, Message, MessageKind, MessageTs, Names, Own, User, UserId, Visibility},
    loops::{LoopKind, OpenLoop, open_loops},
};

/// People, a program, and ourselves.
const PEOPLE: [&str; 4] = ["ann", "bob", "cleo", "dan"];

pub(super) fn instant(at: &str) -> Timestamp {
    let time: DateTime = at.parse().expect("a time");
    time.to_zoned(TimeZone::UTC).expect("an instant").timestamp()
}

pub(super) fn names() -> Names {
    let user = |name: &str, is_bot| User { id: UserId::new(name), name: name.to_owned(), is_bot };
    let people = PEOPLE.iter().map(|name| user(name, false));
    let users: Vec<User> = people.chain([user("ci-bot", true), user("myao", true)]).collect();
    let own = Own { user: UserId::new("myao"), bot: None };
    Names::new(&users, &Vec::<Channel>::new(), &Visibility::Owner).with_own(Some(own))
}

/// What `who` said in a channel at a time of the day of 2 March 2026, a Monday, or at a full time.
pub(super) fn said(channel: &str, at: &str, who: &str, text: &str) -> Message {
    let at = if at.contains('T') { at.to_owned() } else { format!("2026-03-02T{at}") };
    Message {
        channel: ChannelId::new(channel),
        ts: MessageTs::from_timestamp(instant(&at)),
        thread_ts: None,
        user: UserId::new(who),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

pub(super) fn in_thread_of(root: &Message, reply: Message) -> Message {
    Message { thread_ts: Some(root.ts), ..reply }
}

pub(super) fn open_at(talk: &[Message], at: &str) -> Vec<OpenLoop> {
    open_loops(talk, &names(), &TimeZone::UTC, instant(at))
}

/// The promises, questions and dates that are open, each as its words.
pub(super) fn words_open(talk: &[Message], at: &str) -> Vec<(LoopKind, String)> {
    open_at(talk, at).into_iter().map(|open| (open.kind, open.words)).collect()
}
