//! Takes events into the archive: the only way in.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, FileRef, Message, MessageKind, MessageTs, Sighting, UserId},
    judgment::Attention,
    memory::{MemoryScope, MemoryType, make_thread_scope_id, terms},
    prompt::masked,
};

use super::{
    deletions::{self, EventGrounds},
    directory::{heard_until, put_channel, put_hearsay, put_user},
    edit::changed_at,
    live::{Arrived, MessageChange},
    opting_out::NeverArchived,
    removal::{self, Removed},
    secrets,
    taking::Taking,
};
use crate::{
    Store, StoreError,
    db::{Tx, query_as},
    expiry,
    forget::ForgetFences,
    local, memories,
    recall::{self, RecallChanges},
    replies::triggers,
    rows::{self, opt_ts, parse, ts_or_zero},
    team,
    unread_events::{self, RawCopies},
    word_counts::{WordChanges, counted_terms},
};

/// What a batch of events did. Events that say what is known already count as `same`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Messages that were new.
    pub new: u64,
    /// Messages whose words changed.
    pub changed: u64,
    /// Messages that say what they said before, and are read better: they have more of their words now, or are told of
    /// another author.
    pub reread: u64,
    /// Messages that were deleted.
    pub deleted: u64,
    /// Messages that had been taken for deleted and stand again.
    pub brought_back: u64,
    /// Messages that were stored already and did not change.
    pub same: u64,
    /// Events that were not understood, kept raw for the first time.
    pub unread: u64,
    /// Messages that were refused because they are forgotten.
    pub forgotten: u64,
    /// Messages and raw events of people and channels that are never remembered.
    pub left_out: u64,
}

impl std::ops::AddAssign for Applied {
    fn add_assign(&mut self, other: Self) {
        self.new += other.new;
        self.changed += other.changed;
        self.reread += other.reread;
        self.deleted += other.deleted;
        self.brought_back += other.brought_back;
        self.same += other.same;
        self.unread += other.unread;
        self.forgotten += other.forgotten;
        self.left_out += other.left_out;
    }
}

impl Store {
    /// Takes events in: all of them or, on an error, none (design §2).
    ///
    /// Order and repetition do not matter: a redelivered event changes nothing, the later edit wins, and a tombstone
    /// always wins, unless it was only concluded and the message was edited since. An unknown channel or person gets a row
    /// of its own, a channel with kind `unknown`. Callers keep a batch under about 500 events, so that other writers get
    /// their turn.
    #[boxed]
    pub async fn apply(&self, events: Vec<Event>, now: Timestamp) -> Result<Applied, StoreError> {
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let taking = store.taking(None, EventGrounds::Told);
            let applied = arrive(&mut tx, events.clone(), taking, now).await?.applied;
            tx.commit().await?;
            Ok(applied)
        })
        .await
    }
}

/// Takes a batch in.
#[boxed]
pub(crate) async fn arrive<'a>(
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
    let (mut arrived, removed) = (Arrived::default(), Vec::new());
    arrived.applied.forgotten = forgotten;
    arrived.applied.same = u64::try_from(repeated).unwrap_or(u64::MAX);
    let own = team::own(tx).await?;
    let (words, left_out) = (WordChanges::beside(own), NeverArchived::new(opt_outs));
    let recall = RecallChanges::default();
    let mut batch =
        Batch { channels, attention, left_out, masks, grounds, now, arrived, removed, words, recall };
    for event in events {
        batch.apply(tx, event).await?;
    }
    batch.words.write(tx).await?;
    batch.recall.write(tx).await?;
    for channel in &batch.arrived.channels {
        note_talk(tx, channel).await?;
    }
    if !batch.removed.is_empty() {
        removal::abandon(tx, &batch.removed, now).await?;
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

/// What a batch knows of a channel in which messages arrive.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    /// The revision that its changes get.
    pub(super) revision: i64,
    /// What kind of channel it is.
    pub(super) kind: ChannelKind,
    /// Where its last chapter ends; 0 before the first. Talk up to there comes late.
    chapters_end: i64,
    /// Up to which message its words are counted ([`Store::count_words`]).
    words_to: i64,
    /// Its number, which is part of its messages' addresses in the index.
    pub(super) number: i64,
    /// Whether some of its words have expired.
    has_expired: bool,
}

impl Arrival {
    const NOWHERE: Self = Self {
        revision: 0,
        kind: ChannelKind::Unknown,
        chapters_end: 0,
        words_to: i64::MAX,
        number: 0,
        has_expired: false,
    };
}

/// Raises the revision of every channel in which messages arrive, in the order of their ids: on PostgreSQL this takes
/// the row locks, always in the same order.
async fn lock_channels(tx: &mut Tx, events: &[Event]) -> Result<BTreeMap<ChannelId, Arrival>, StoreError> {
    let mut channels = BTreeMap::new();
    for event in events {
        let deleted = if let Event::Deleted { channel, .. } = event { Some(channel) } else { None };
        if let Some(channel) = event.message().map(|message| &message.channel).or(deleted)
            && !channels.contains_key(channel)
        {
            channels.insert(channel.clone(), Arrival::NOWHERE);
        }
    }
    for (channel, arrival) in &mut channels {
        let (revision, kind, words_to, number): (i64, String, i64, i64) = on!(tx, c => query_as(
            "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until)
             VALUES ($1, $1, $1, 'unknown', 0, 0, 1, 0)
             ON CONFLICT (id) DO UPDATE SET revision = channels.revision + 1, look_at = 0
             RETURNING revision, kind, words_to, number")
            .bind(channel.as_str()).fetch_one(c).await)?;
        // By another statement: on PostgreSQL the one that waited for the lock does not see what was written meanwhile.
        let (chapters_end, has_expired): (i64, i64) = on!(tx, c => query_as(
            "SELECT coalesce((SELECT to_ts FROM chapters WHERE channel_id = $1 ORDER BY from_ts DESC LIMIT 1), 0),
                CASE WHEN expired_to > 0 OR EXISTS (SELECT 1 FROM chapters WHERE channel_id = $1 AND expired = 1)
                     THEN CAST(1 AS BIGINT) ELSE 0 END
             FROM channels WHERE id = $1")
            .bind(channel.as_str()).fetch_one(c).await)?;
        let number = if number > 0 { number } else { recall::number_channel(tx, channel).await? };
        let kind = parse(&kind, "channels.kind")?;
        *arrival = Arrival { revision, kind, chapters_end, words_to, number, has_expired: has_expired != 0 };
    }
    Ok(channels)
}

/// A batch of events in progress.
pub(super) struct Batch<'a> {
    pub(super) channels: BTreeMap<ChannelId, Arrival>,
    pub(super) attention: Option<&'a Attention>,
    pub(super) left_out: NeverArchived<'a>,
    /// Whether secrets are masked when they are stored.
    masks: bool,
    pub(super) grounds: EventGrounds,
    pub(super) now: Timestamp,
    pub(super) arrived: Arrived,
    pub(super) removed: Vec<Removed>,
    pub(super) words: WordChanges,
    pub(super) recall: RecallChanges,
}

/// A message as it was before.
pub(super) struct MessageBefore {
    pub(super) user: UserId,
    kind: String,
    pub(super) text: String,
    pub(super) files: Vec<FileRef>,
    thread: i64,
    revision: i64,
    pub(super) edited_at: Option<MessageTs>,
    deleted: bool,
    /// Whether its words have expired: what was made from them stays.
    pub(super) is_expired: bool,
}

impl MessageBefore {
    /// Whether it is a tombstone.
    pub(super) fn is_tombstone(&self) -> bool {
        self.deleted && !self.is_expired
    }

    pub(super) fn is_talk(&self) -> bool {
        !self.deleted && self.kind == MessageKind::Talk.as_str()
    }

    /// Whether a message was talk, still is, and says the same as before.
    pub(super) fn is_said_by(&self, message: &Message) -> bool {
        self.is_talk()
            && message.is_talk()
            && self.text == message.text
            && self.files.len() == message.files.len()
            && message.files.iter().zip(&self.files).all(|(file, before)| file.still_says(before))
    }
}

impl Batch<'_> {
    async fn apply(&mut self, tx: &mut Tx, event: Event) -> Result<(), StoreError> {
        if self.leave_out(tx, &event).await? {
            return Ok(());
        }
        match event {
            Event::Channel(channel) => {
                let before = put_channel(tx, &channel, self.now).await?;
                self.heed_channel(tx, &channel, before).await
            }
            Event::User(user) => {
                let change = put_user(tx, &user).await?;
                self.heed_user(tx, &user, change).await
            }
            Event::Hearsay(hearsay) => {
                let change = put_hearsay(tx, &hearsay).await?;
                self.heed_user(tx, &hearsay.user, change).await
            }
            Event::Message(message) => self.take_message(tx, Sighting::from(message)).await,
            Event::Sighting(sighting) => self.take_message(tx, *sighting).await,
            Event::Deleted { channel, ts } => self.delete(tx, &channel, ts).await,
            Event::HeardUntil { channel, until } => heard_until(tx, &channel, until).await,
            Event::Unread { key, raw, error } => {
                let raw = if self.masks { secrets::mask_json(&raw) } else { raw };
                let kept = unread_events::keep(tx, (&key, &raw, &error), self.now).await?;
                self.arrived.applied.unread += kept;
                Ok(())
            }
        }
    }

    pub(super) fn arrival(&self, channel: &ChannelId) -> Arrival {
        self.channels.get(channel).copied().unwrap_or(Arrival::NOWHERE)
    }

    async fn take_message(&mut self, tx: &mut Tx, sighting: Sighting) -> Result<(), StoreError> {
        if sighting.message.deleted {
            return self.delete(tx, &sighting.message.channel, sighting.message.ts).await;
        }
        self.archive(tx, sighting).await
    }

    /// Takes a message in, and notes which secrets it holds.
    async fn archive(&mut self, tx: &mut Tx, sighting: Sighting) -> Result<(), StoreError> {
        let kinds = secrets::kinds(&sighting.message);
        let sighting = if self.masks { secrets::mask_sighting(sighting) } else { sighting };
        let (channel, ts) = (sighting.message.channel.clone(), sighting.message.ts);
        match self.put_message(tx, &sighting).await? {
            MessageChange::New if kinds.is_empty() => Ok(()),
            MessageChange::Same => Ok(()),
            MessageChange::New | MessageChange::Changed | MessageChange::ReadBetter => {
                secrets::note(tx, &channel, ts, &kinds).await.map(drop)
            }
        }
    }

    async fn put_message(&mut self, tx: &mut Tx, sighting: &Sighting) -> Result<MessageChange, StoreError> {
        let message = &sighting.message;
        let files = serde_json::to_string(&message.files).map_err(|e| StoreError::Content(e.to_string()))?;
        let arrival = self.arrival(&message.channel);
        if arrival.has_expired && expiry::has_expired(tx, &message.channel, message.ts).await? {
            self.put_expired(tx, sighting, arrival.revision).await?;
            return Ok(MessageChange::Same);
        }
        let new = on!(tx, c => sqlx::query(
            "INSERT INTO messages
                (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10) ON CONFLICT (channel_id, ts) DO NOTHING")
            .bind(message.channel.as_str()).bind(message.ts.as_micros())
            .bind(ts_or_zero(message.thread_ts)).bind(message.user.as_str()).bind(message.kind.as_str())
            .bind(&message.text).bind(&files).bind(ts_or_zero(message.edited_at)).bind(arrival.revision)
            .bind(ts_or_zero(changed_at(sighting.telling)))
            .execute(c).await.map(|done| done.rows_affected()))?;
        if new == 1 {
            self.recall.note(&message.channel, arrival.number, message.ts);
            self.arrived.applied.new += 1;
            if message.edited_at.is_some() || changed_at(sighting.telling).is_some() {
                unread_events::supersede(tx, &message.channel, message.ts).await?;
            }
            if message.is_talk() {
                self.count(&message.channel, message.ts, None, Some(message));
                comes_late(tx, message, arrival).await?;
            }
            self.heed(tx, sighting, MessageChange::New).await?;
            return Ok(MessageChange::New);
        }
        let before = before(tx, &message.channel, message.ts).await?;
        if self.comes_back(tx, sighting, before.as_ref()).await? {
            return self.bring_back(tx, sighting, &files, arrival).await;
        }
        let change = self.edit(tx, (sighting, &files), before, arrival).await?;
        self.heed(tx, sighting, change).await?;
        Ok(change)
    }

    /// Stores a tombstone, even if there is no message yet: nothing may bring the message back, unless it was only
    /// concluded that it was deleted.
    pub(super) async fn delete(
        &mut self,
        tx: &mut Tx,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<(), StoreError> {
        let before = before(tx, channel, ts).await?;
        let gone = on!(tx, c => sqlx::query(
            "INSERT INTO messages
                (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
             VALUES ($1, $2, 0, '', 'talk', '', '[]', 0, 1, $3)
             ON CONFLICT (channel_id, ts) DO UPDATE
             SET text = '', files = '[]', deleted = 1, revision = excluded.revision
             WHERE messages.deleted <> 1")
            .bind(channel.as_str()).bind(ts.as_micros()).bind(self.arrival(channel).revision)
            .execute(c).await.map(|done| done.rows_affected()))?;
        self.arrived.applied.deleted += gone;
        self.arrived.applied.same += 1 - gone.min(1);
        if gone == 1 || self.grounds.are_final() {
            deletions::note(tx, channel, ts, self.grounds).await?;
        }
        if gone == 1 {
            unread_events::forget(tx, &RawCopies::OfMessage(channel.clone(), ts)).await?;
            secrets::note(tx, channel, ts, &BTreeSet::new()).await?;
            local::follow_deletion(tx, channel, ts).await?;
            self.note_removed((channel, ts), before.as_ref(), None);
            self.count(channel, ts, before.as_ref(), None);
            self.recall.note(channel, self.arrival(channel).number, ts);
            self.touch(channel);
            triggers::take_out(tx, channel, ts, self.now).await?;
        }
        Ok(())
    }

    /// Counts the words that a message holds now instead of those it held before.
    pub(super) fn count(
        &mut self,
        channel: &ChannelId,
        ts: MessageTs,
        before: Option<&MessageBefore>,
        after: Option<&Message>,
    ) {
        if ts.as_micros() > self.arrival(channel).words_to {
            return;
        }
        let before = before.filter(|before| before.is_talk()).map(|b| (&b.user, b.text.as_str(), &*b.files));
        let after = after.filter(|after| after.is_talk()).map(|a| (&a.user, a.text.as_str(), &*a.files));
        self.words.note(channel, before, after);
    }

    /// Notes words that are no longer said. A forgetting goes by what people said alone (ADR 89), and lists our posts
    /// before; else those made from what others said follow at once.
    pub(super) fn note_removed(
        &mut self,
        (channel, ts): (&ChannelId, MessageTs),
        before: Option<&MessageBefore>,
        after: Option<&str>,
    ) {
        let Some(mut one) = removed(channel, ts, before, after) else { return };
        let are_ours = before.is_some_and(|before| self.words.are_ours(&before.user));
        let are_forgotten = self.grounds == EventGrounds::Forgotten;
        if are_ours && are_forgotten {
            one.terms.clear();
        }
        one.do_posts_follow = !are_ours && !are_forgotten;
        self.removed.push(one);
    }
}

/// Author, kind, text, files, thread, revision, edited at, deleted.
type BeforeRow = (String, String, String, String, i64, i64, i64, i64);

pub(super) async fn before(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<MessageBefore>, StoreError> {
    let row: Option<BeforeRow> = on!(tx, c => query_as(
        "SELECT user_id, kind, text, files, thread_ts, revision, edited_ts, deleted FROM messages
         WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    let Some((user, kind, text, files, thread, revision, edited, deleted)) = row else { return Ok(None) };
    let files = rows::files(&files, channel.as_str(), ts.as_micros())?;
    Ok(Some(MessageBefore {
        user: UserId::new(user),
        kind,
        text,
        files,
        thread,
        revision,
        edited_at: opt_ts(edited),
        deleted: deleted != 0,
        is_expired: deleted == 2,
    }))
}

/// The words that are no longer said, if there were any; `after` is the new text of an edit.
fn removed(
    channel: &ChannelId,
    ts: MessageTs,
    before: Option<&MessageBefore>,
    after: Option<&str>,
) -> Option<Removed> {
    let before = before.filter(|before| before.is_talk() || before.is_expired)?;
    Some(Removed {
        channel: channel.clone(),
        ts,
        thread: opt_ts(before.thread).unwrap_or(ts),
        revision: before.revision,
        is_gone: after.is_none(),
        is_expired: before.is_expired,
        terms: &counted_terms(&before.text, &before.files) - &terms(&masked(after.unwrap_or_default())),
        do_posts_follow: false,
    })
}

/// Talk that arrives inside a chapter that is already cut makes the chapter outdated: it is shown until it is rebuilt
/// (specification §6). The memory of the talk's thread is written anew.
pub(super) async fn comes_late(tx: &mut Tx, message: &Message, arrival: Arrival) -> Result<(), StoreError> {
    if message.ts.as_micros() > arrival.chapters_end {
        return Ok(());
    }
    on!(tx, c => sqlx::query(
        "UPDATE chapters SET late_revision = $3 WHERE channel_id = $1 AND from_ts < $2 AND to_ts >= $2")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(arrival.revision)
        .execute(c).await.map(drop))?;
    let thread = make_thread_scope_id(&message.channel, message.thread());
    memories::delete(tx, MemoryScope::Thread, &thread, MemoryType::ShortTerm, 1).await
}
