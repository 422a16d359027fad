//! Keeps why each tombstone stands (ADR 82): because the platform said so, because its owner had it forgotten, or because
//! it was missing somewhere. Only what was missing comes back, when it is seen again.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs, Sighting, Telling};

use crate::{
    ArchiveHandle, StoreError,
    db::{Tx, query_as},
};

/// Where a message was missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingSource {
    /// In an export.
    Export,
    /// In the platform's history.
    History,
}

impl MissingSource {
    const ALL: [Self; 2] = [Self::Export, Self::History];

    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Export => "export",
            Self::History => "history",
        }
    }
}

/// That a message was missing somewhere, and so was taken for deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingIn {
    /// Where.
    pub source: MissingSource,
    /// The moment at which that was true: when the export was taken (ADR 4), or the history read.
    pub at: MessageTs,
    /// Whether the source is known to hold everything. If not, a person said that what is missing was deleted.
    pub is_proven: bool,
}

impl MissingIn {
    /// Whether a sight of the message at this moment undoes the conclusion: a later one always does, an earlier one only
    /// what was concluded without proof.
    pub fn is_undone_by(self, seen_at: MessageTs) -> bool {
        !self.is_proven || self.at <= seen_at
    }
}

/// Why events are what they are: what they say of messages that were taken for deleted, and what the deletions among them
/// mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventGrounds {
    /// The platform told them as they happened. A message is as old as its last change.
    Told,
    /// They show how things stood at a moment: an export, or a page of the platform's history.
    SeenAt(MessageTs),
    /// Their deletions are concluded from what is missing.
    Missing(MissingIn),
    /// Their deletions are wanted by the owner.
    Forgotten,
    /// Their messages are wanted back by a person.
    WantedBack,
}

/// Why a tombstone stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TombstoneGrounds {
    /// The platform said so, or its owner had it forgotten.
    Final,
    /// It was missing somewhere.
    Missing(MissingIn),
    /// An earlier version did not say.
    Unknown,
}

const TOLD: &str = "told";

const FORGOTTEN: &str = "forgotten";

impl EventGrounds {
    /// Whether a message that is told on these grounds comes back, if it was deleted on those.
    pub(crate) fn bring_back(self, sighting: &Sighting, deleted: TombstoneGrounds) -> bool {
        match (self, deleted) {
            (_, TombstoneGrounds::Final)
            | (Self::Missing(_) | Self::Forgotten, _)
            | (Self::Told | Self::SeenAt(_), TombstoneGrounds::Unknown) => false,
            (Self::WantedBack, TombstoneGrounds::Missing(_) | TombstoneGrounds::Unknown) => true,
            (Self::SeenAt(at), TombstoneGrounds::Missing(missing)) => missing.is_undone_by(at),
            (Self::Told, TombstoneGrounds::Missing(missing)) => {
                let Sighting { message, telling, .. } = sighting;
                let changed = message.edited_at.max(changed_at(*telling)).unwrap_or(message.ts);
                missing.at <= message.ts.max(changed)
            }
        }
    }

    /// Whether what is deleted on these grounds stays deleted.
    pub(crate) fn are_final(self) -> bool {
        !matches!(self, Self::Missing(_))
    }

    fn to_columns(self) -> (&'static str, i64, i64) {
        match self {
            Self::Told | Self::SeenAt(_) | Self::WantedBack => (TOLD, 0, 1),
            Self::Forgotten => (FORGOTTEN, 0, 1),
            Self::Missing(missing) => {
                (missing.source.as_str(), missing.at.as_micros(), i64::from(missing.is_proven))
            }
        }
    }
}

/// Grounds, missing at, proven.
type GroundsRow = (String, i64, i64);

pub(crate) fn missing_in((grounds, at, proven): &GroundsRow) -> Option<MissingIn> {
    let source = MissingSource::ALL.into_iter().find(|source| source.as_str() == grounds)?;
    Some(MissingIn { source, at: MessageTs::from_micros(*at), is_proven: *proven != 0 })
}

/// Notes why a message is deleted. What is final replaces what was concluded, and nothing replaces what is final.
pub(crate) async fn note_deletion_grounds(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
    grounds: EventGrounds,
) -> Result<(), StoreError> {
    let (grounds, at, proven) = grounds.to_columns();
    on!(tx, c => sqlx::query(
        "INSERT INTO deletions (channel_id, ts, grounds, missing_at, proven) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (channel_id, ts) DO UPDATE SET grounds = excluded.grounds, missing_at = excluded.missing_at,
            proven = excluded.proven
         WHERE deletions.grounds NOT IN ('told', 'forgotten') AND excluded.grounds IN ('told', 'forgotten')
            OR deletions.grounds = 'told' AND excluded.grounds = 'forgotten'")
        .bind(channel.as_str()).bind(ts.as_micros()).bind(grounds).bind(at).bind(proven)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Drops why a message was deleted: it stands again.
pub(crate) async fn drop_grounds(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM deletions WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

/// Why the tombstone of a message stands.
pub(crate) async fn grounds_of(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<TombstoneGrounds, StoreError> {
    let row: Option<GroundsRow> = on!(tx, c => query_as(
        "SELECT grounds, missing_at, proven FROM deletions WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    Ok(match row {
        None => TombstoneGrounds::Unknown,
        Some(row) => missing_in(&row).map_or(TombstoneGrounds::Final, TombstoneGrounds::Missing),
    })
}

/// What was concluded of a channel, for a channel that gets another id.
pub(crate) async fn concluded_of(
    tx: &mut Tx,
    channel: &ChannelId,
) -> Result<BTreeMap<MessageTs, MissingIn>, StoreError> {
    let rows: Vec<(i64, String, i64, i64)> = on!(tx, c => query_as(
        "SELECT ts, grounds, missing_at, proven FROM deletions
         WHERE channel_id = $1 AND grounds NOT IN ('told', 'forgotten')")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let one = |(ts, grounds, at, proven): (i64, String, i64, i64)| {
        Some((MessageTs::from_micros(ts), missing_in(&(grounds, at, proven))?))
    };
    Ok(rows.into_iter().filter_map(one).collect())
}

/// A message that was deleted, by its channel and time stamp.
pub type DeletedAddress = (ChannelId, MessageTs);

impl ArchiveHandle<'_> {
    /// Notes that messages that were taken for deleted are missing elsewhere too, now or later.
    #[boxed]
    pub async fn confirm_deleted(
        &self,
        channel: &ChannelId,
        missing: &[MessageTs],
        missing_in: MissingIn,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        let missing = missing.to_vec();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for ts in &missing {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE deletions SET missing_at = CASE WHEN proven = 1 AND missing_at > $3 THEN missing_at ELSE $3 END,
                        proven = 1
                     WHERE channel_id = $1 AND ts = $2 AND grounds NOT IN ('told', 'forgotten')")
                    .bind(channel.as_str()).bind(ts.as_micros()).bind(missing_in.at.as_micros())
                    .execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// Every message that was taken for deleted, and where it was missing.
    #[boxed]
    pub async fn taken_for_deleted(&self) -> Result<BTreeMap<DeletedAddress, MissingIn>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64, String, i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT channel_id, ts, grounds, missing_at, proven FROM deletions
             WHERE grounds NOT IN ('told', 'forgotten')").fetch_all(c).await)?;
        let one = |(channel, ts, grounds, at, proven): (String, i64, String, i64, i64)| {
            let address = (ChannelId::new(channel), MessageTs::from_micros(ts));
            Some((address, missing_in(&(grounds, at, proven))?))
        };
        Ok(rows.into_iter().filter_map(one).collect())
    }
}

/// When a message was changed, if the source tells of a change.
pub(crate) fn changed_at(telling: Telling) -> Option<MessageTs> {
    match telling {
        Telling::Changed(at) => Some(at),
        Telling::Posted | Telling::Mentioned | Telling::Listed(_) => None,
    }
}

/// Removes the reactions and votes of a message that is deleted. The mark of a post stays: it says that the reply was
/// posted.
pub(crate) async fn follow_deletion(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM local_reactions WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("DELETE FROM reply_votes WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
