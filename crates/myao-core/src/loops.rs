//! Open loops: promises, questions that wait for an answer, and dates to come, read from talk by its words alone.
//!
//! Nothing is stored: [`open_loops`] reads them off the messages that somebody may see, each time they are wanted. So
//! what was deleted, edited or said elsewhere needs no care (ADR 138).
//!
//! Read in this order: `sentences` takes a message apart, `clauses` a sentence; `day` finds the day that a sentence names; `deed` finds what is
//! promised, `done` what was done, `arrived` what is there now and who has seen it; `question` tells what waits for an answer; `signs` finds what is said of things that are open, `empty` what says nothing of them; `topic` tells what sentences speak about;
//! `reading` is one message read; `settled` tells what later talk settles, `kept` whether it may be what was promised; `walk` goes through all of them. `asked` tells whether somebody asks for what is open.

mod arrived;
mod asked;
mod clauses;
mod day;
mod deed;
mod done;
mod empty;
mod kept;
mod question;
mod reading;
mod sentences;
mod settled;
mod signs;
mod topic;
mod walk;

use jiff::{Timestamp, ToSpan as _, Zoned, civil::Date, tz::TimeZone};

pub use self::asked::{LoopsAsked, LoopsAskedFor};
use self::{reading::MessageReading, settled::Tracked, walk::LoopWalk};
use crate::{
    chat::{ChannelId, Message, MessageTs, Names, Speaker, UserId},
    worth::is_program,
};

/// A question, and a promise without a day, is held open for so many days.
pub const WAITS_DAYS: i32 = 30;
/// A promise is held open for so many days after the day by which it was to be kept.
pub const OVERDUE_DAYS: i32 = 30;

/// What kind of thing is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopKind {
    /// Somebody said that they would do something.
    Promise,
    /// Somebody asked something.
    Question,
    /// Something takes place or is due on a day.
    Coming,
}

impl LoopKind {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Promise => "promise",
            Self::Question => "question",
            Self::Coming => "coming",
        }
    }
}

/// Something that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLoop {
    /// What kind of thing it is.
    pub kind: LoopKind,
    /// Who promised it; whom a question asks, if it calls somebody; who announced it.
    pub who: Option<UserId>,
    /// To whom it was promised, if the message calls them; who asked.
    pub whom: Option<UserId>,
    /// The sentence that says it, in the notation of messages.
    pub words: String,
    /// The day by which it is to be done, or on which it takes place.
    pub by: Option<Date>,
    /// Where it was said.
    pub channel: ChannelId,
    /// The message that says it; of something that was asked for, the one that takes it on.
    pub ts: MessageTs,
    /// The thread of that message.
    pub thread_ts: Option<MessageTs>,
    /// The message that asked for it, if its words are another's.
    pub asked_at: Option<MessageTs>,
}

impl OpenLoop {
    /// Whether it is about somebody: they promised or announced it, are asked, or ask.
    pub fn is_of(&self, user: &UserId) -> bool {
        self.who.as_ref() == Some(user) || self.whom.as_ref() == Some(user)
    }

    /// Whether somebody owes it: they promised it, or are asked.
    pub fn is_owed_by(&self, user: &UserId) -> bool {
        self.kind != LoopKind::Coming && self.who.as_ref() == Some(user)
    }
}

/// What is open in some talk, by the day it is due, then by when it was said. `messages` may be of several channels and
/// in any order; `names` knows who is a person. Days are those of `zone`, and `now` says which one is today.
pub fn open_loops(messages: &[Message], names: &Names, zone: &TimeZone, now: Timestamp) -> Vec<OpenLoop> {
    let today = now.to_zoned(zone.clone()).date();
    let mut talk: Vec<&Message> = messages.iter().filter(|message| message.is_talk()).collect();
    talk.sort_by(|one, other| (one.ts, &one.channel).cmp(&(other.ts, &other.channel)));
    talk.dedup_by(|one, other| one.ts == other.ts && one.channel == other.channel);
    let mut walk = LoopWalk::default();
    for message in talk {
        let is_person = names.speaker(&message.user) == Speaker::Person
            && message.user.through().is_none()
            && !is_program(names.user(&message.user))
            // Nobody calls themselves: `@ann set the channel topic: …` is the platform's, in an archive that lost the kind.
            && !message.text.starts_with(&format!("<@{}>", message.user));
        walk.hear(&MessageReading::new(message, zone), is_person);
    }
    let is_ours = |open: &OpenLoop| {
        open.kind == LoopKind::Question
            && open.who.as_ref().is_some_and(|asked| names.speaker(asked) != Speaker::Person)
    };
    let at = now.to_zoned(zone.clone());
    let open = walk.into_open().into_iter().filter(|tracked| !has_begun(tracked, &at));
    let open = open.map(|tracked| tracked.open);
    let mut open: Vec<OpenLoop> =
        open.filter(|open| !is_ours(open) && still_counts(open, today, zone)).collect();
    open.sort_by(|one, other| {
        (one.by.is_none(), one.by, one.ts, &one.channel).cmp(&(
            other.by.is_none(),
            other.by,
            other.ts,
            &other.channel,
        ))
    });
    open
}

/// Whether what takes place today at a time that was still to come when it was said has come.
fn has_begun(tracked: &Tracked, now: &Zoned) -> bool {
    let Some(clock) = tracked.clock.filter(|_| tracked.open.by == Some(now.date())) else { return false };
    let said = tracked.open.ts.to_timestamp().to_zoned(now.time_zone().clone());
    clock <= now.time() && (said.date() < now.date() || said.time() < clock)
}

/// Whether something that nothing closed is not too old to be held open.
fn still_counts(open: &OpenLoop, today: Date, zone: &TimeZone) -> bool {
    let said_on = open.ts.to_timestamp().to_zoned(zone.clone()).date();
    let is_within = |day: Date, days: i32| day.checked_add(days.days()).is_ok_and(|last| last >= today);
    match (open.kind, open.by) {
        (LoopKind::Coming, by) => by.is_some_and(|by| by >= today),
        (LoopKind::Promise, Some(by)) => is_within(by, OVERDUE_DAYS),
        (LoopKind::Promise | LoopKind::Question, _) => is_within(said_on, WAITS_DAYS),
    }
}
