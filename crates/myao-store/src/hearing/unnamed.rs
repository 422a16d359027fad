//! Finds people and channels that the archive knows by id only (specification §4: a name may be late).

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, UserId};

use crate::{HearingHandle, StoreError, db::query_as};

/// The most people, and the most channels, that one call returns; later calls return the others.
const MOST: i64 = 5_000;

/// People without a name and channels without a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// Channels of unknown kind.
    pub channels: Vec<ChannelId>,
    /// People who said something and of whom the directory has told nothing, or an older version stored that they are
    /// bots, which it may have taken from a message.
    pub people: Vec<UserId>,
}

impl HearingHandle<'_> {
    /// The people and channels that still have to be looked up. Reads the whole archive: call it once at a start, not
    /// in a loop.
    #[boxed]
    pub async fn people_and_channels_to_name(&self) -> Result<Unnamed, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channels: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT id FROM channels WHERE kind = 'unknown' ORDER BY id LIMIT $1")
            .bind(MOST).fetch_all(c).await)?;
        let people: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT DISTINCT m.user_id FROM messages m
             WHERE m.user_id <> '' AND NOT EXISTS (SELECT 1 FROM users u
                WHERE u.id = m.user_id AND (u.told_by IN (4, 5) OR (u.told_by = 0 AND u.is_bot = 0)))
             ORDER BY m.user_id LIMIT $1")
            .bind(MOST).fetch_all(c).await)?;
        Ok(Unnamed {
            channels: channels.into_iter().map(|(id,)| ChannelId::new(id)).collect(),
            people: people.into_iter().map(|(id,)| UserId::new(id)).collect(),
        })
    }
}
