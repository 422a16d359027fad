//! What is known of channels of which something was missed, for the order in which they are caught up: a fixed number of
//! statements for all of them.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, ChannelKind, MessageTs};

use crate::{
    HearingHandle, StoreError,
    db::{
        query_as,
        values::{row, unsigned_count},
    },
};

/// The setting: how far catching up is.
const CATCHING_UP: &str = "catching_up";

/// How lively a channel was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelTalkCount {
    /// Whether it is a direct message.
    pub is_direct: bool,
    /// How many messages there are since the instant that was asked for.
    pub messages: u64,
    /// The newest of all its messages; [`MessageTs::MIN`] if there is none.
    pub last_talk: MessageTs,
}

/// How far catching up is, as the process that does it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatchingUp {
    /// How many channels still have a gap.
    pub channels: u64,
    /// When about the last of them is caught up.
    pub until: Timestamp,
}

row! {
    /// A channel with a gap, and its talk.
    struct TalkRow {
        id: String,
        kind: String,
        last_talk: i64,
        messages: i64,
    }
}

impl HearingHandle<'_> {
    /// How many messages each channel with a gap has since an instant.
    #[boxed]
    pub async fn talk_in_gapped_channels(
        &self,
        since: MessageTs,
    ) -> Result<BTreeMap<ChannelId, ChannelTalkCount>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<TalkRow> = on!(&mut tx, c => query_as(
            "SELECT c.id, c.kind, coalesce(c.last_talk, 0) AS last_talk,
                CASE WHEN c.last_talk >= $1 THEN
                    (SELECT count(*) FROM messages m
                     WHERE m.channel_id = c.id AND m.ts >= $1 AND m.kind = 'talk' AND m.deleted = 0)
                ELSE 0 END AS messages
             FROM channels c WHERE c.member = 1 AND c.gap_from IS NOT NULL")
            .bind(since.as_micros()).fetch_all(c).await)?;
        let count = |row: TalkRow| {
            let talk = ChannelTalkCount {
                is_direct: row.kind == ChannelKind::Dm.as_str(),
                messages: unsigned_count(row.messages),
                last_talk: MessageTs::from_micros(row.last_talk),
            };
            (ChannelId::new(row.id), talk)
        };
        Ok(rows.into_iter().map(count).collect())
    }

    /// The channels in which a reply is wanted or written and not posted yet.
    #[boxed]
    pub async fn channels_with_waiting_replies(&self) -> Result<BTreeSet<ChannelId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT channel_id FROM replies WHERE state = 'wanted'
             UNION SELECT channel_id FROM replies WHERE state = 'written'")
            .fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }

    /// Notes how far catching up is, for who asks; `None` once nothing is left.
    #[boxed]
    pub async fn note_catching_up(&self, catching_up: Option<CatchingUp>) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            match catching_up {
                Some(CatchingUp { channels, until }) => {
                    let value = format!("{channels} {}", store.time.shared(until));
                    on!(&mut tx, c => sqlx::query(
                        "INSERT INTO settings (key, value) VALUES ($1, $2)
                         ON CONFLICT (key) DO UPDATE SET value = excluded.value")
                        .bind(CATCHING_UP).bind(value).execute(c).await.map(drop))?;
                }
                None => {
                    on!(&mut tx, c => sqlx::query("DELETE FROM settings WHERE key = $1")
                        .bind(CATCHING_UP).execute(c).await.map(drop))?;
                }
            }
            tx.commit().await
        })
        .await
    }

    /// How far catching up was when a process last noted it; `None` if nothing was left then.
    #[boxed]
    pub async fn catching_up(&self) -> Result<Option<CatchingUp>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = $1")
            .bind(CATCHING_UP).fetch_optional(c).await)?;
        Ok(row.and_then(|(value,)| {
            let (channels, until) = value.split_once(' ')?;
            let until = self.store.time.own(until.parse().ok()?);
            Some(CatchingUp { channels: channels.parse().ok()?, until })
        }))
    }
}
