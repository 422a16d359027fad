//! What later talk settles: kept, given up, answered, called off.
//!
//! Wherever it is not certain that something is still open it is closed: a wrong reminder is worse than none.

use std::collections::BTreeSet;

use jiff::civil::Time;

use super::{
    LoopKind, OpenLoop, WAITS_DAYS,
    deed::Deed,
    empty::Emptiness,
    kept::{Owed, Promised, Receipt},
    reading::MessageReading,
    signs::Sign,
};
use crate::chat::{Message, MessageTs, UserId};

const SECONDS_PER_DAY: i64 = 24 * 3_600;
/// A question to nobody in particular is answered by whatever somebody else says at top level within this time.
const ANSWERED_WITHIN_SECONDS: i64 = 48 * 3_600;
/// "Got it, thanks" answers what somebody else has said within this time.
const ANSWERS_WITHIN_SECONDS: i64 = 3_600;

/// Something that is open, with what later messages are compared with.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) open: OpenLoop,
    pub(super) topics: BTreeSet<String>,
    /// What is promised.
    pub(super) deed: Option<Deed>,
    /// Whether a promise is more than that its author will try, or do at once.
    pub(super) is_firm: bool,
    /// What takes place.
    pub(super) event: Option<&'static str>,
    /// When that begins or ends on its day, if it was said before.
    pub(super) clock: Option<Time>,
    /// Whom a question calls.
    pub(super) asked: Vec<UserId>,
}

/// Where two messages stand to each other, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    SameThread,
    /// Both stand at the top level of one channel.
    SameTopLevel,
    Elsewhere,
}

/// Where a message stands to the one that opened something.
pub(super) fn nearness(open: &OpenLoop, message: &Message) -> Nearness {
    if open.channel != message.channel {
        return Nearness::Elsewhere;
    }
    let thread = open.thread_ts.unwrap_or(open.ts);
    if thread == message.thread() {
        return Nearness::SameThread;
    }
    if open.thread_ts.is_none() && message.thread_ts.is_none() {
        return Nearness::SameTopLevel;
    }
    Nearness::Elsewhere
}

/// Whether something without a day was said too long ago to be held open.
pub(super) fn is_long_over(open: &OpenLoop, now: MessageTs) -> bool {
    open.by.is_none() && open.ts.plus_seconds(i64::from(WAITS_DAYS + 1) * SECONDS_PER_DAY) < now
}

/// A message at the end of some talk: what somebody else has said last.
#[derive(Clone, Debug)]
pub(super) struct LastSaid {
    pub(super) by: UserId,
    pub(super) ts: MessageTs,
}

/// What stands around a message, for whoever asks what it settles.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopSurroundings<'w> {
    /// All that its author has promised.
    pub(super) owed: &'w [Owed],
    /// What it may answer.
    pub(super) before: Option<&'w LastSaid>,
}

/// Whether a later message settles what is open.
pub(super) fn is_settled(
    tracked: &Tracked,
    reading: &MessageReading<'_>,
    around: LoopSurroundings<'_>,
) -> bool {
    match tracked.open.kind {
        LoopKind::Promise if tracked.open.who.as_ref() == Some(&reading.message.user) => {
            is_kept(tracked, reading, around.owed)
        }
        LoopKind::Promise => is_taken_off(tracked, reading, around.before),
        LoopKind::Question if tracked.open.whom.as_ref() == Some(&reading.message.user) => {
            is_dropped(tracked, reading)
        }
        LoopKind::Question => is_answered(tracked, reading),
        LoopKind::Coming => {
            // Whoever moves it may call it by another word, and names the day on which it was to be.
            let is_moved =
                || tracked.open.channel == reading.message.channel && reading.moves_from(tracked.open.by);
            let is_off = reading.has(Sign::Cancelled)
                && reading.coming().is_empty()
                && (reading.shares_topic(&tracked.topics)
                    || nearness(&tracked.open, reading.message) == Nearness::SameThread);
            is_off || is_moved()
        }
    }
}

/// Whether who promised something says that it is done, or given up.
fn is_kept(tracked: &Tracked, reading: &MessageReading<'_>, owed: &[Owed]) -> bool {
    let hands_over = tracked.deed.is_none_or(|deed| deed.hands_over) && reading.brings_something;
    let is_about = reading.shares_topic(&tracked.topics);
    let promised = Promised { deed: tracked.deed, topics: &tracked.topics, all: owed };
    let is_brought = || hands_over || reading.brings(promised) || reading.ticks_off(promised);
    let is_dropped = reading.has(Sign::Withdrawn) || reading.has(Sign::Released) || is_brought();
    // Without a day, whatever its author says next may be the deed, if it may be of it at all.
    let may_follow = || tracked.open.by.is_none() && reading.promises().is_empty() && !reading.takes_on;
    match nearness(&tracked.open, reading.message) {
        // A thread is of one thing.
        Nearness::SameThread => {
            let says_nothing = reading.emptiness() == Some(Emptiness::Courtesy);
            is_dropped
                || reading.says_done()
                || reading.may_keep(promised)
                || (may_follow() && !(tracked.is_firm && says_nothing))
        }
        Nearness::SameTopLevel => {
            let is_beside = || tracked.is_firm && reading.is_beside(promised);
            is_dropped || reading.may_keep(promised) || (may_follow() && !is_beside())
        }
        Nearness::Elsewhere => {
            let is_over = is_dropped || reading.says_done() || reading.shows(promised, false);
            is_over && (is_about || tracked.topics.is_empty())
        }
    }
}

/// Whether somebody else says that a promise is kept, or that nobody waits for it any more.
fn is_taken_off(tracked: &Tracked, reading: &MessageReading<'_>, before: Option<&LastSaid>) -> bool {
    let is_about = || reading.shares_topic(&tracked.topics);
    let calls_them = || tracked.open.who.as_ref().is_some_and(|who| reading.called.contains(who));
    let promised = Promised { deed: tracked.deed, topics: &tracked.topics, all: &[] };
    let came = reading.has(Sign::Released) || reading.has(Sign::Received);
    match nearness(&tracked.open, reading.message) {
        Nearness::SameThread => {
            came || reading.shows(promised, true) || is_receipt_of(tracked, reading, before, promised)
        }
        Nearness::SameTopLevel => {
            (came && (is_about() || calls_them()))
                || reading.shows(promised, false)
                || is_receipt_of(tracked, reading, before, promised)
        }
        Nearness::Elsewhere => (came && (is_about() || calls_them())) || reading.shows(promised, false),
    }
}

/// Whether somebody says that something came, without a name for it, and may mean what was promised.
fn is_receipt_of(
    tracked: &Tracked,
    reading: &MessageReading<'_>,
    before: Option<&LastSaid>,
    promised: Promised<'_>,
) -> bool {
    let open = &tracked.open;
    let is_for_them = open.whom.as_ref().is_none_or(|whom| *whom == reading.message.user);
    let Some(receipt) = reading.receipt().filter(|_| is_for_them && promised.hands_over()) else {
        return false;
    };
    let within = MessageTs::MIN.plus_seconds(ANSWERS_WITHIN_SECONDS).as_micros();
    let before = before.filter(|last| reading.message.ts.micros_since(last.ts) <= within);
    // "Got it" right behind a promise means that it was understood.
    let is_soon = reading.message.ts.micros_since(open.ts) <= within;
    let is_of_promise = is_soon && before.is_none_or(|before| before.ts <= open.ts);
    if receipt == Receipt::Understood && is_of_promise {
        return false;
    }
    let is_who = |user: &UserId| open.who.as_ref() == Some(user);
    if reading.called.is_empty() {
        before.is_none_or(|before| is_who(&before.by))
    } else {
        reading.called.iter().any(is_who)
    }
}

/// Whether who asked has an answer, or wants none any more.
fn is_dropped(tracked: &Tracked, reading: &MessageReading<'_>) -> bool {
    let is_over = reading.has(Sign::Settled) || reading.has(Sign::Released);
    // Who asks nobody in particular and goes on talking about it may have found it out.
    let goes_on = tracked.asked.is_empty() && reading.question().is_none() && !reading.asks_again();
    match nearness(&tracked.open, reading.message) {
        Nearness::SameThread => is_over || goes_on,
        Nearness::SameTopLevel => is_over || (goes_on && reading.shares_topic(&tracked.topics)),
        Nearness::Elsewhere => is_over && reading.shares_topic(&tracked.topics),
    }
}

/// Whether somebody else answers a question.
fn is_answered(tracked: &Tracked, reading: &MessageReading<'_>) -> bool {
    let message = reading.message;
    if reading.emptiness().is_some() || reading.hands_on(tracked.open.whom.as_ref()) {
        return false;
    }
    let is_called = tracked.open.whom.as_ref().is_some_and(|asker| reading.called.contains(asker));
    let is_asked = tracked.asked.contains(&message.user);
    let within = MessageTs::MIN.plus_seconds(ANSWERED_WITHIN_SECONDS).as_micros();
    let is_soon = message.ts.micros_since(tracked.open.ts) <= within;
    let is_about = reading.shares_topic(&tracked.topics);
    match nearness(&tracked.open, message) {
        Nearness::SameThread => true,
        Nearness::SameTopLevel if is_asked => true,
        // Who calls somebody else there talks to them.
        Nearness::SameTopLevel if tracked.asked.is_empty() => {
            (is_soon && reading.called.is_empty()) || is_called || is_about
        }
        Nearness::SameTopLevel => is_called || is_about,
        Nearness::Elsewhere => is_about && (is_asked || is_called),
    }
}
