//! Takes events into the archive: the only way in. A batch is taken whole or not at all.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, MessageTs},
    judgment::Attention,
};

use super::{
    batch::{Applied, Arrival, Arrived, Batch, NeverArchived, Taking},
    fences::ForgetFences,
    new_rows::NewRows,
    removal,
};
use crate::{
    IntakeHandle, StoreError,
    archive::EventGrounds,
    db::{
        Tx, query_as,
        values::{parse_column, row},
    },
    recall::{self, RecallChanges, word_counts::WordChanges},
    replies::lock_channel_row,
};

impl IntakeHandle<'_> {
    /// Takes events in: all of them or, on an error, none (design §2).
    ///
    /// Order and repetition do not matter: a redelivered event changes nothing, the later edit wins, and a tombstone
    /// always wins, unless it was only concluded and the message was edited since. An unknown channel or person gets a row
    /// of its own, a channel with kind `unknown`. Callers keep a batch under about 2,000 events, so that other writers get
    /// their turn.
    #[boxed]
    pub async fn apply(&self, events: Vec<Event>, now: Timestamp) -> Result<Applied, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let taking = store.intake().taking(None, EventGrounds::Told);
            let applied = take_in_batch(&mut tx, events.clone(), taking, now).await?.applied;
            tx.commit().await?;
            Ok(applied)
        })
        .await
    }
}

/// Takes a batch in.
#[boxed]
pub(crate) async fn take_in_batch<'a>(
    tx: &'a mut Tx,
    events: Vec<Event>,
    taking: Taking<'a>,
    now: Timestamp,
) -> Result<Arrived, StoreError> {
    let Taking { attention, opt_outs, masks, grounds } = taking;
    let mut fences = ForgetFences::read(tx, &events).await?;
    let (mut events, forgotten) = fences.hold_back(tx, events).await?;
    let told = events.len();
    // A platform may tell a message twice in a row: Slack tells a mention of us as a message and as a mention.
    events.dedup_by(|again, before| before.message().is_some() && again == before);
    let repeated = told.saturating_sub(events.len());
    let channels = lock_channels(tx, &events).await?;
    let mut arrived = Arrived::default();
    let removed = Vec::new();
    arrived.applied.forgotten = forgotten;
    arrived.applied.same = u64::try_from(repeated).unwrap_or(u64::MAX);
    let words = WordChanges::beside(fences.own.take());
    let mut left_out = opt_outs.map_or_else(NeverArchived::nobody, |opt_outs| {
        NeverArchived::new(opt_outs, std::mem::take(&mut fences.out_by_themselves))
    });
    for refused in &fences.unnamed {
        left_out.note_refused_name(tx, refused, now).await?;
    }
    let mut recall = RecallChanges::default();
    for arrival in channels.values() {
        recall.note_openness(arrival.number, arrival.is_open);
        recall.note_newest_known(arrival.number, MessageTs::from_micros(arrival.newest));
    }
    let new_rows = NewRows::default();
    let mut batch = Batch {
        channels,
        attention,
        left_out,
        masks,
        grounds,
        now,
        arrived,
        removed,
        words,
        recall,
        new_rows,
    };
    for event in events {
        batch.apply(tx, event).await?;
    }
    batch.new_rows.write(tx).await?;
    batch.words.write(tx).await?;
    batch.recall.write(tx).await?;
    for channel in &batch.arrived.channels {
        note_talk(tx, channel).await?;
    }
    if !batch.removed.is_empty() {
        removal::wipe_derived_steps(tx, &batch.removed, now).await?;
    }
    Ok(batch.arrived)
}

/// Notes when a channel was last spoken in, and when it was last spoken in before that day (UTC): prompts rank channels
/// by these.
async fn note_talk(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE channels SET (last_talk, talk_before) = (
            SELECT l.ts, coalesce((SELECT m.ts FROM messages m
                WHERE m.channel_id = $1 AND m.ts < l.ts - l.ts % 86400000000 AND m.kind = 'talk' AND m.deleted = 0
                ORDER BY m.ts DESC LIMIT 1), 0)
            FROM (SELECT coalesce((SELECT m.ts FROM messages m
                WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0
                ORDER BY m.ts DESC LIMIT 1), 0) AS ts) AS l)
         WHERE id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))
    .map_err(StoreError::from)
}

row! {
    /// A channel whose row is locked, and where its chapters end.
    struct LockedRow {
        revision: i64,
        kind: String,
        external: i64,
        words_to: i64,
        number: i64,
        chapters_end: i64,
        has_expired: i64,
        newest: i64,
    }
}

/// Makes sure that a channel has a row, locks it, and raises its revision.
macro_rules! raise_revision {
    () => {
        "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until)
         VALUES ($1, $1, $1, 'unknown', 0, 0, 1, 0)
         ON CONFLICT (id) DO UPDATE SET revision = channels.revision + 1, look_at = 0"
    };
}

/// What a batch has to know of a channel, beside its row.
macro_rules! locked_columns {
    () => {
        "revision, kind, external, words_to, number,
         coalesce((SELECT to_ts FROM chapters WHERE channel_id = $1 ORDER BY from_ts DESC LIMIT 1), 0) AS chapters_end,
         CASE WHEN expired_to > 0 OR EXISTS (SELECT 1 FROM chapters WHERE channel_id = $1 AND expired = 1)
              THEN CAST(1 AS BIGINT) ELSE 0 END AS has_expired,
         coalesce((SELECT ts FROM messages WHERE channel_id = $1 ORDER BY ts DESC LIMIT 1), 0) AS newest"
    };
}

/// Locks the row of a channel, raises its revision, and reads what a batch has to know of it.
async fn lock_channel(tx: &mut Tx, channel: &ChannelId) -> Result<LockedRow, StoreError> {
    Ok(match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(raise_revision!(), " RETURNING ", locked_columns!()))
                .bind(channel.as_str())
                .fetch_one(&mut **tx)
                .await?
        }
        Tx::Postgres(tx) => {
            sqlx::query(raise_revision!()).bind(channel.as_str()).execute(&mut *tx).await?;
            // By another statement: the one that waited for the lock does not see what was written meanwhile.
            query_as(concat!("SELECT ", locked_columns!(), " FROM channels WHERE id = $1"))
                .bind(channel.as_str())
                .fetch_one(&mut *tx)
                .await?
        }
    })
}

/// Raises the revision of every channel in which messages arrive, in the order of their ids: on PostgreSQL this takes
/// the row locks, always in the same order.
async fn lock_channels(tx: &mut Tx, events: &[Event]) -> Result<BTreeMap<ChannelId, Arrival>, StoreError> {
    let mut channels = BTreeMap::new();
    for event in events {
        let deleted = if let Event::Deleted { channel, .. } = event { Some(channel) } else { None };
        if let Some(channel) = event.message().map(|message| &message.channel).or(deleted) {
            channels.insert(channel.clone(), Arrival::NOWHERE);
        }
    }
    let replied: BTreeSet<ChannelId> = events.iter().filter_map(channel_of_reply).cloned().collect();
    let mut replied: VecDeque<ChannelId> =
        replied.into_iter().filter(|id| !channels.contains_key(id)).collect();
    for (channel, arrival) in &mut channels {
        lock_before(tx, &mut replied, Some(channel)).await?;
        let row = lock_channel(tx, channel).await?;
        let number = if row.number > 0 { row.number } else { recall::number_channel(tx, channel).await? };
        let kind: ChannelKind = parse_column(&row.kind, "channels.kind", channel)?;
        *arrival = Arrival {
            revision: row.revision,
            kind,
            is_open: kind == ChannelKind::Public && row.external == 0,
            chapters_end: row.chapters_end,
            words_to: row.words_to,
            number,
            has_expired: row.has_expired != 0,
            newest: row.newest,
        };
    }
    lock_before(tx, &mut replied, None).await?;
    Ok(channels)
}

/// Locks the channels in which answers are stopped or voted on, up to the next one in which messages arrive: all are locked
/// in one order. Their revisions stay, since nothing is said.
async fn lock_before(
    tx: &mut Tx,
    replied: &mut VecDeque<ChannelId>,
    next: Option<&ChannelId>,
) -> Result<(), StoreError> {
    while let Some(channel) = replied.pop_front_if(|channel| next.is_none_or(|next| &*channel < next)) {
        lock_channel_row(tx, &channel).await?;
    }
    Ok(())
}

/// The channel of an event about replies: they are changed under its lock.
fn channel_of_reply(event: &Event) -> Option<&ChannelId> {
    match event {
        Event::AnswerStopped(stop) => Some(&stop.place.channel),
        Event::Voted(vote) => Some(&vote.channel),
        Event::Channel(_)
        | Event::User(_)
        | Event::Departed(_)
        | Event::Dated(_)
        | Event::Hearsay(_)
        | Event::Message(_)
        | Event::Sighting(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::Unread { .. } => None,
    }
}

/// Does the same as [`IntakeHandle::apply`] within a transaction that does more, for messages that were archived
/// already or are ours. With `masks`, secrets are masked when they are stored.
pub(crate) async fn apply_within(
    tx: &mut Tx,
    events: Vec<Event>,
    masks: bool,
    now: Timestamp,
) -> Result<Applied, StoreError> {
    let taking = Taking { attention: None, opt_outs: None, masks, grounds: EventGrounds::Told };
    Ok(take_in_batch(tx, events, taking, now).await?.applied)
}

/// Deletes messages within a transaction that does more, on these grounds.
pub(crate) async fn delete_within(
    tx: &mut Tx,
    messages: impl IntoIterator<Item = (ChannelId, MessageTs)>,
    grounds: EventGrounds,
    now: Timestamp,
) -> Result<Applied, StoreError> {
    let taking = Taking { attention: None, opt_outs: None, masks: false, grounds };
    let events = messages.into_iter().map(|(channel, ts)| Event::Deleted { channel, ts }).collect();
    Ok(take_in_batch(tx, events, taking, now).await?.applied)
}

impl<'a> IntakeHandle<'a> {
    pub(crate) fn taking(&self, attention: Option<&'a Attention>, grounds: EventGrounds) -> Taking<'a> {
        Taking { attention, opt_outs: Some(&self.store.opt_outs), masks: self.store.masks_archive, grounds }
    }
}
