//! What it costs to look for pauses: half a day of talk in many channels.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use myao_companion::live::all_upcoming_judgments;
use myao_config::{Config, PlaceRules};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId};
use myao_store::{FirstSight, Store, Target};

/// Messages of a channel in half a day, every third of them in a thread.
const EACH: i64 = 20;
/// Looks that are timed.
const LOOKS: usize = 20;

/// Milliseconds of a look in the middle, over so many channels; and how many pauses it finds.
pub(super) async fn look(channels: i64) -> (f64, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&Target::Sqlite(folder.path().join("m.db"))).await.expect("a database");
    let now: Timestamp = "2026-03-02T12:00:00Z".parse().expect("a time");
    for n in 0..channels {
        let id = ChannelId::new(format!("C{n}"));
        let events = said(&id, now);
        let name = format!("channel-{n}");
        let channel = Channel { id: id.clone(), name, kind: ChannelKind::Public, external: false };
        store.intake().apply([vec![Event::Channel(channel)], events].concat(), now).await.expect("applied");
        store
            .hearing()
            .join_channel(&id, FirstSight::since(MessageTs::from_timestamp(now)))
            .await
            .expect("joined");
    }
    for gap in store.hearing().gaps().await.expect("read") {
        store.hearing().close_filled_gap(&gap).await.expect("closed");
    }
    let manners = Config::default().manners(7);
    let mut took = Vec::new();
    let mut found = 0;
    for _ in 0..LOOKS {
        let began = Instant::now();
        found =
            all_upcoming_judgments(&store, &PlaceRules::default(), &manners, now).await.expect("read").len();
        took.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    took.sort_by(f64::total_cmp);
    (took[LOOKS / 2], found)
}

fn said(channel: &ChannelId, now: Timestamp) -> Vec<Event> {
    let message = |n: i64| {
        let ago = |n: i64| now - SignedDuration::from_mins((EACH - n) * 30);
        let root = (n % 3 == 2).then(|| MessageTs::from_timestamp(ago(n - 1)));
        Event::Message(Message {
            channel: channel.clone(),
            ts: MessageTs::from_timestamp(ago(n)),
            thread_ts: root,
            user: UserId::new(format!("U{}", n % 7)),
            kind: MessageKind::Talk,
            text: "今日の定例は15時からでしたっけ？".to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        })
    };
    (0..EACH).map(message).collect()
}
