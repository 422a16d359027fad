//! Decides whether what is known of a channel is fresh enough to show its places what is said elsewhere
//! (specification §6).
//!
//! A channel's row says what the channel was when it was last told or looked up. Only a process that hears the
//! workspace knows whether that still holds: what was learnt before its connection began may have changed unheard, and
//! what an event cast doubt on may have changed since. Here both count as external: such a place sees only itself, and
//! no other place sees it. Memory work, and the owner's own look, go by the row.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicI64, Ordering},
};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{AgentSees, AgentToken, Channel, ChannelId, Visibility},
    memory::{MemoryScope, ScopeId, parse_thread_scope_id},
};

use crate::{
    HearingHandle, StoreError,
    archive::{self, ChannelRow},
    db::{Tx, query_as, values::unsigned_count},
};

/// Channels whose rows are changed in one transaction.
const MOST_AT_ONCE: usize = 400;

/// Since when the workspace is heard, as far as this process knows, in shared microseconds.
#[derive(Debug)]
pub(crate) struct Hearing {
    /// Since when it is heard without a gap by any process, if this one hears it too. `i64::MIN`: this process does not
    /// hear, and the stored state is all there is to know. `i64::MAX`: it is not connected.
    since: AtomicI64,
    /// Since when this process hears; `i64::MAX` while it is not connected.
    own: AtomicI64,
}

impl Default for Hearing {
    fn default() -> Self {
        Self { since: AtomicI64::new(i64::MIN), own: AtomicI64::new(i64::MAX) }
    }
}

impl Hearing {
    pub(crate) fn since(&self) -> i64 {
        self.since.load(Ordering::SeqCst)
    }

    /// Sets `since`. `true` if hearing began anew, so that what was known until now may no longer hold.
    pub(crate) fn set(&self, since: i64) -> bool {
        let before = self.since.swap(since, Ordering::SeqCst);
        i64::MIN < before && before < since && since < i64::MAX
    }

    /// Sets back what lies after `now`, where the clock was set back: hearing went on.
    pub(crate) fn bound(&self, now: i64) {
        for since in [&self.since, &self.own] {
            let before = since.load(Ordering::SeqCst);
            if now < before && before < i64::MAX {
                since.store(now, Ordering::SeqCst);
            }
        }
    }

    pub(crate) fn own(&self) -> i64 {
        self.own.load(Ordering::SeqCst)
    }

    pub(crate) fn set_own(&self, since: i64) {
        self.own.store(since, Ordering::SeqCst);
    }
}

/// What a place sees, as the record of a reply keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// Itself, and every open channel.
    Open,
    /// Itself only: people from outside take part.
    Own,
    /// Itself only, since it is unknown whether people from outside take part.
    Unknown,
}

impl Sight {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Own => "own",
            Self::Unknown => "unknown",
        }
    }
}

impl ChannelRow {
    /// What a reply in this channel may be made from, in a process that has heard the workspace since `since`.
    pub(crate) fn sight(&self, since: i64) -> Sight {
        if self.known_at < since || self.known_at < self.doubted_at {
            Sight::Unknown
        } else if self.channel.external {
            Sight::Own
        } else {
            Sight::Open
        }
    }

    /// What a place in this channel sees.
    pub(crate) fn visibility(&self, since: i64) -> Visibility {
        let channel = self.channel.id.clone();
        let open_channels = self.sight(since) == Sight::Open;
        Visibility::Place { channel, open_channels }
    }

    /// Whether the platform was ever asked what it is.
    pub fn was_looked_up(&self) -> bool {
        self.known_at > 0
    }

    /// The channel as others may see it. A channel of which we are no member, and so hear nothing, counts as the platform
    /// last called it, or as it was imported, until that is in doubt (`outside`).
    pub(crate) fn as_known(&self, since: i64) -> Channel {
        let is_known = (!self.member || self.known_at >= since) && self.known_at >= self.doubted_at;
        Channel { external: self.channel.external || self.opted_out || !is_known, ..self.channel.clone() }
    }
}

/// Casts doubt on what is stored of every channel of which we are a member.
pub(crate) async fn doubt_all(tx: &mut Tx, at: i64) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("UPDATE channels SET doubted_at = $1 WHERE member = 1 AND doubted_at < $1")
        .bind(at).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('doubts', '1')
         ON CONFLICT (key) DO UPDATE SET value = cast(cast(settings.value AS BIGINT) + 1 AS TEXT)")
        .execute(c).await.map(drop))?;
    Ok(())
}

/// What a visibility shows, by channel. Each channel is looked up once, so that one answer is based on one state.
pub(crate) struct ShownChannels<'v> {
    visibility: &'v Visibility,
    since: i64,
    known: BTreeMap<ChannelId, bool>,
}

impl ShownChannels<'_> {
    /// Whether what is said in a channel is shown.
    pub(crate) async fn shows_talk_of(&mut self, tx: &mut Tx, id: &ChannelId) -> Result<bool, StoreError> {
        match self.visibility {
            Visibility::Owner => return Ok(true),
            Visibility::Place { channel, .. } if channel == id => return Ok(true),
            Visibility::Agent { agent, channels, .. } if agent.holds(id) || channels.contains(id) => {
                return Ok(true);
            }
            Visibility::Place { .. } | Visibility::Agent { .. } | Visibility::Open => {}
        }
        if let Some(is_shown) = self.known.get(id) {
            return Ok(*is_shown);
        }
        let row = archive::find_channel_row(tx, id).await?;
        let is_shown = row.is_some_and(|row| self.visibility.sees(&row.as_known(self.since)));
        self.known.insert(id.clone(), is_shown);
        Ok(is_shown)
    }

    /// Whether a memory is shown: a channel's or thread's if what is said there is shown, the workspace's if open
    /// channels are shown, since it is made only of those.
    pub(crate) async fn shows_memory(
        &mut self,
        tx: &mut Tx,
        scope: MemoryScope,
        id: &ScopeId,
    ) -> Result<bool, StoreError> {
        match scope {
            MemoryScope::Workspace => Ok(self.visibility.sees_open_channels()),
            MemoryScope::Channel => self.shows_talk_of(tx, &ChannelId::new(id.as_str())).await,
            MemoryScope::Thread => match parse_thread_scope_id(id.as_str()) {
                Ok((channel, _)) => self.shows_talk_of(tx, &channel).await,
                Err(_) => Ok(*self.visibility == Visibility::Owner),
            },
        }
    }
}

impl HearingHandle<'_> {
    /// What `visibility` shows, as far as is known now.
    pub(crate) fn shown_channels<'v>(&self, visibility: &'v Visibility) -> ShownChannels<'v> {
        ShownChannels { visibility, since: self.store.hearing.since(), known: BTreeMap::new() }
    }

    /// Notes since when this process hears the workspace; `None` if it does not, or no longer does. From the first call
    /// on, what was learnt before that instant counts as unknown in every read for a place.
    pub fn hear_since(&self, since: Option<Timestamp>) {
        let since = since.map_or(i64::MAX, |since| self.store.time.shared(since));
        self.store.hearing.set(since);
    }

    /// What a reply in a channel may be made from now; [`Sight::Unknown`] if the channel is unknown.
    #[boxed]
    pub async fn sight_of_channel(&self, channel: &ChannelId) -> Result<Sight, StoreError> {
        let row = archive::find_channel_row(&mut self.store.db.snapshot().await?, channel).await?;
        Ok(row.map_or(Sight::Unknown, |row| row.sight(self.store.hearing.since())))
    }

    /// What a person in a channel sees now.
    #[boxed]
    pub async fn seen_from(&self, channel: &ChannelId) -> Result<Visibility, StoreError> {
        let row = archive::find_channel_row(&mut self.store.db.snapshot().await?, channel).await?;
        // An unknown channel sees only its own content, which is empty.
        Ok(row.map_or_else(|| Visibility::only(channel), |row| row.visibility(self.store.hearing.since())))
    }

    /// What an agent sees now: what its token names, by the kind that each channel has now, and its own conversations.
    #[boxed]
    pub async fn seen_by_agent(&self, token: &AgentToken) -> Result<Visibility, StoreError> {
        let agent = token.agent.clone();
        match &token.sees {
            AgentSees::Owner => Ok(Visibility::Owner),
            AgentSees::Open => {
                Ok(Visibility::Agent { agent, channels: BTreeSet::new(), open_channels: true })
            }
            AgentSees::Channels(named) => {
                let since = self.store.hearing.since();
                let mut tx = self.store.db.snapshot().await?;
                let mut channels = BTreeSet::new();
                let mut open_channels = false;
                for id in named {
                    let Some(row) = archive::find_channel_row(&mut tx, id).await? else { continue };
                    if !row.opted_out {
                        open_channels |= row.sight(since) == Sight::Open;
                        channels.insert(id.clone());
                    }
                }
                Ok(Visibility::Agent { agent, channels, open_channels })
            }
        }
    }

    /// Those of `channels` whose talk `visibility` shows, as far as is known now.
    #[boxed]
    pub async fn seen_among(
        &self,
        visibility: &Visibility,
        channels: BTreeSet<ChannelId>,
    ) -> Result<BTreeSet<ChannelId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut shown = self.shown_channels(visibility);
        let mut seen = BTreeSet::new();
        for id in channels {
            if shown.shows_talk_of(&mut tx, &id).await? {
                seen.insert(id);
            }
        }
        Ok(seen)
    }

    /// How many replies since an instant were written from what `sight` shows.
    #[boxed]
    pub async fn replies_by_sight(&self, sight: Sight, since: Timestamp) -> Result<u64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (replies,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM replies WHERE sight = $1 AND state <> 'wanted' AND changed_at >= $2")
            .bind(sight.as_str()).bind(since.as_microsecond()).fetch_one(c).await)?;
        Ok(unsigned_count(replies))
    }

    /// Notes that what is stored of these channels is what the platform answered when it was asked at `asked_at`.
    #[boxed]
    pub async fn note_known(&self, channels: &[ChannelId], asked_at: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE channels SET known_at = $2 WHERE id = $1 AND known_at < $2";
        self.note_in_channels(channels, sql, asked_at).await
    }

    /// Notes that what is stored of these channels may no longer hold. It counts again once the platform was asked
    /// after `now`.
    #[boxed]
    pub async fn doubt_channels(&self, channels: &[ChannelId], now: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE channels SET doubted_at = $2 WHERE id = $1 AND doubted_at < $2";
        self.note_in_channels(channels, sql, now).await
    }

    /// Casts doubt on every channel of which we are a member.
    #[boxed]
    pub async fn doubt_all(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            doubt_all(&mut tx, store.time.shared(now)).await?;
            tx.commit().await
        })
        .await
    }

    /// How often everything was doubted. When it changes, what a process remembers of people may no longer hold.
    #[boxed]
    pub async fn count_doubts(&self) -> Result<u64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT value FROM settings WHERE key = 'doubts'").fetch_optional(c).await)?;
        Ok(row.and_then(|(value,)| value.parse().ok()).unwrap_or_default())
    }

    async fn note_in_channels(
        &self,
        channels: &[ChannelId],
        sql: &'static str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        for some in channels.chunks(MOST_AT_ONCE) {
            let store = self.store.clone();
            let some = some.to_vec();
            to_the_end!({
                let mut tx = store.db.begin().await?;
                for id in &some {
                    on!(&mut tx, c => sqlx::query(sql).bind(id.as_str()).bind(store.time.shared(at))
                        .execute(c).await.map(drop))?;
                }
                tx.commit().await
            })
            .await?;
        }
        Ok(())
    }
}
