//! Memos: where they are seen, who changes them, and what they go with (specification §4, §6).

mod log;
mod place;
mod removal;
mod seen;
mod write;

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Own, Place, UserId, Visibility},
    context::{MemoChange, MemoDraft, memo::HIGHEST_OF_MODELS},
};
use myao_store::{
    Grounds, MemoAudience, MemoError, MemoHand, MemoQuery, SharedInputs, Sight, Store, StoredMemo, Target,
    place_subject,
};

use crate::{
    replies::{attention, talk::talk_of},
    support::{World, at, channel, message, postgres, sqlite, ts},
};

/// A fresh world of the same kind.
async fn another(world: &World) -> World {
    match world.target {
        Target::Sqlite(_) => sqlite().await,
        Target::Postgres(_) => postgres().await,
    }
}

/// The owner, and the channel of the memo.
fn owner(channel: Option<&str>) -> MemoHand {
    MemoHand::Owner { name: "alice".to_owned(), audience: channel.map(ChannelId::new).into() }
}

/// The owner, for a memo that is everybody's.
fn everybodys() -> MemoHand {
    MemoHand::Owner { name: "alice".to_owned(), audience: MemoAudience::Everybody }
}

pub(crate) fn draft(name: &str, content: &str) -> MemoDraft {
    MemoDraft::new(name, content).expect("within the bounds")
}

fn with_priority(priority: i64) -> MemoChange {
    MemoChange::default().priority(priority).expect("1 to 5")
}

/// Two open channels, a private one, a direct message, and one with outsiders.
async fn furnish(store: &Store) {
    let outside = Channel {
        id: ChannelId::new("CX"),
        name: "shared".into(),
        kind: ChannelKind::Public,
        external: true,
    };
    let events = vec![
        channel("C1", ChannelKind::Public),
        channel("C2", ChannelKind::Public),
        channel("G1", ChannelKind::Private),
        channel("D1", ChannelKind::Dm),
        Event::Channel(outside),
    ];
    store.intake().apply(events, at(0)).await.expect("applied");
}

/// The visibility of a place in a channel, by the kind it has now.
async fn visibility(store: &Store, id: &str) -> Visibility {
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    let row = rows.iter().find(|row| row.channel.id.as_str() == id).expect("a known channel");
    Visibility::of(&row.channel)
}

async fn all(store: &Store, visibility: &Visibility) -> Vec<StoredMemo> {
    let query = MemoQuery { limit: 50, ..MemoQuery::default() };
    store.memos().page(visibility, &query).await.expect("read").memos
}

fn contents(memos: &[StoredMemo]) -> Vec<&str> {
    memos.iter().map(|memo| memo.memo.content.as_str()).collect()
}

/// Everything there is, by content.
async fn kept(store: &Store) -> Vec<String> {
    let mut kept: Vec<String> =
        all(store, &Visibility::Owner).await.into_iter().map(|memo| memo.memo.content).collect();
    kept.sort();
    kept
}

/// Somebody asks us something in a channel, at a second.
async fn asked(store: &Store, channel: &str, second: i64, text: &str) -> MessageTs {
    let said = Event::Message(message(channel, second, &format!("<@UMYAO> {text}")));
    store.intake().apply_live(vec![said], &attention(), at(second)).await.expect("applied");
    ts(second)
}

/// Something is said to nobody in particular.
async fn told(store: &Store, channel: &str, second: i64, text: &str) {
    let said = Event::Message(message(channel, second, text));
    store.intake().apply_live(vec![said], &attention(), at(second)).await.expect("applied");
}

async fn deleted(store: &Store, channel: &str, second: i64, now: i64) {
    let gone = Event::Deleted { channel: ChannelId::new(channel), ts: ts(second) };
    store.intake().apply_live(vec![gone], &attention(), at(now)).await.expect("applied");
}

async fn edited(store: &Store, channel: &str, second: i64, now: i64, text: &str) {
    let edited = Event::Message(Message { edited_at: Some(ts(now)), ..message(channel, second, text) });
    store.intake().apply_live(vec![edited], &attention(), at(now)).await.expect("applied");
}

/// Our own answer to what waits at a channel's top level, as it begins to be made at a second.
async fn answering(store: &Store, channel: &str, second: i64) -> Grounds {
    let place = Place { channel: ChannelId::new(channel), thread: None };
    let claim = store.claim(&place_subject(&place), at(second), at(second + 30)).await.expect("asked");
    let wanted =
        store.replies().find_wanted(&place, at(second)).await.expect("read").expect("somebody asked");
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    let row = rows.iter().find(|row| row.channel.id == place.channel).expect("a known channel");
    Grounds {
        claim: claim.expect("free"),
        reply: wanted.id,
        triggers: wanted.triggers,
        read_revision: row.revision,
        highest_priority: HIGHEST_OF_MODELS,
        sight: Sight::Own,
        inputs: SharedInputs::new(talk_of(store, channel, (0, second)).await),
    }
}

/// A memo that a reply made, for whoever asks for it in these words at this second.
pub(crate) async fn noted(
    store: &Store,
    channel: &str,
    second: i64,
    (ask, name, content): (&str, &str, &str),
) -> Result<StoredMemo, MemoError> {
    asked(store, channel, second, ask).await;
    let grounds = answering(store, channel, second).await;
    let memo = store.memos().add(&MemoHand::Reply(grounds.clone()), &draft(name, content), at(second)).await;
    // It has said so, and the place is quiet again.
    store.replies().skip(&grounds.claim, grounds.reply, "it is a test", at(second)).await.expect("ended");
    store.release(&grounds.claim).await.expect("released");
    memo
}

/// A post of our own.
async fn we_said(store: &Store, channel: &str, second: i64, text: &str) {
    let user = myao_core::chat::User { id: UserId::new("UMYAO"), name: "myao".to_owned(), is_bot: true };
    let post = Message { user: user.id.clone(), ..message(channel, second, text) };
    store.recall().note_own(&Own { user: user.id.clone(), bot: None }).await.expect("noted");
    while !store.recall().count_older_messages().await.expect("counted") {}
    store.intake().apply(vec![Event::User(user), Event::Message(post)], at(second)).await.expect("applied");
}
