//! People who talk to us, and what the tests look at.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Own, Place, UserId, Visibility},
    judgment::Attention,
};
use myao_store::{
    Arrived, Claim, Decided, JUDGING, PartBody, ReplyDraft, ReplyId, ReplyInput, ReplyInputs, Sight, Store,
    VerdictDraft, VerdictOutcome, WantedReply, place_subject,
};

use crate::support::{at, general, message, ts};

pub(crate) fn attention() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: BTreeSet::new(),
        max_message_age_seconds: 3600,
        threads_of_own: false,
    }
}

pub(crate) fn mention(second: i64) -> Event {
    Event::Message(message("C1", second, "<@UMYAO> hi"))
}

pub(crate) fn in_thread(root: i64, second: i64, text: &str) -> Event {
    Event::Message(Message { thread_ts: Some(ts(root)), ..message("C1", second, text) })
}

pub(crate) fn edited(second: i64, at: i64, text: &str) -> Event {
    Event::Message(Message { edited_at: Some(ts(at)), ..message("C1", second, text) })
}

pub(crate) fn gone(second: i64) -> Event {
    Event::Deleted { channel: general(), ts: ts(second) }
}

pub(crate) async fn arrive(store: &Store, events: Vec<Event>) -> Arrived {
    store.intake().apply_live(events, &attention(), at(100)).await.expect("applied")
}

pub(crate) fn top() -> Place {
    Place { channel: general(), thread: None }
}

pub(crate) fn thread(root: i64) -> Place {
    Place { channel: general(), thread: Some(ts(root)) }
}

/// The claim on a place, at an instant when nobody holds it any more.
pub(crate) async fn take(store: &Store, place: &Place, now: Timestamp) -> Claim {
    let until = now + jiff::SignedDuration::from_secs(30);
    store.claim(&place_subject(place), now, until).await.expect("asked").expect("free")
}

/// The reply wanted at top level of C1.
pub(crate) async fn wanted(store: &Store) -> Option<WantedReply> {
    store.replies().find_wanted(&top(), at(100)).await.expect("read")
}

/// The triggers waiting at top level of C1, by second.
pub(crate) async fn waiting(store: &Store) -> Vec<i64> {
    let start = ts(0);
    let second = |ts: &MessageTs| ts.micros_since(start) / 1_000_000;
    wanted(store).await.map(|reply| reply.triggers.iter().map(second).collect()).unwrap_or_default()
}

pub(crate) fn draft(reply: ReplyId, triggers: &[MessageTs], parts: &[&str]) -> ReplyDraft {
    ReplyDraft {
        sight: Sight::Own,
        reply,
        triggers: triggers.to_vec(),
        read_revision: i64::MAX,
        parts: parts.iter().map(|&part| PartBody::Post(part.to_owned())).collect(),
        excuse: false,
        inputs: ReplyInputs::default(),
        mixed: false,
        calls: Vec::new(),
    }
}

/// The talk of a channel from one second to another, as it stands now.
pub(crate) async fn talk_of(store: &Store, channel: &str, (from, to): (i64, i64)) -> ReplyInputs {
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    let row = rows.iter().find(|row| row.channel.id == ChannelId::new(channel)).expect("a known channel");
    let channel = row.channel.id.clone();
    let revision = row.revision;
    [ReplyInput::Talk { channel, from: ts(from), to: ts(to), thread: None, revision }].into_iter().collect()
}

/// Our post, as the archive keeps it.
pub(crate) fn own(second: i64, text: &str) -> Message {
    Message { user: UserId::new("UMYAO"), ..message("C1", second, text) }
}

pub(super) fn channel_id(id: &str) -> ChannelId {
    ChannelId::new(id)
}

/// It is decided to speak up at top level of C1 about the message of a second.
pub(crate) async fn speak_up(
    store: &Store,
    about: i64,
    earliest: Timestamp,
    now: Timestamp,
) -> Option<ReplyId> {
    speak_up_in(store, top(), about, earliest, now).await
}

/// The same in another place.
pub(crate) async fn speak_up_in(
    store: &Store,
    place: Place,
    about: i64,
    earliest: Timestamp,
    now: Timestamp,
) -> Option<ReplyId> {
    let until = now + jiff::SignedDuration::from_secs(30);
    let claim = store.claim(JUDGING, now, until).await.expect("asked").expect("free");
    let outcome = VerdictOutcome::Speak {
        reason: "nobody answered".to_owned(),
        confidence: 0.8,
        earliest,
        interval: jiff::SignedDuration::from_secs(5),
    };
    let decided =
        store.replies().write_verdict(&claim, verdict(place, about, outcome), now).await.expect("asked");
    store.release(&claim).await.expect("released");
    match decided {
        Decided::Speaks(reply, _) => Some(reply),
        Decided::Holds(_) | Decided::Moved => None,
    }
}

pub(crate) fn verdict(place: Place, about: i64, outcome: VerdictOutcome) -> VerdictDraft {
    VerdictDraft {
        place,
        latest_ts: ts(about),
        wait: jiff::SignedDuration::from_secs(300),
        outcome,
        model: "scripted".to_owned(),
        calls: Vec::new(),
        shown_from: Some(ts(0)),
        read_revision: Some(1),
        inputs: ReplyInputs::default(),
    }
}
