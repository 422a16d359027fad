//! Tells what can be searched, and whom a name in a query may mean.

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs, User, UserId, Visibility},
    recall::NamedPeople,
};

use crate::{
    RecallHandle, StoreError,
    archive::former_names,
    db::{
        Tx, query_as,
        values::{opt_ts, rows_from_json, unsigned_count},
    },
    hearing::visible::visible,
};

/// What a search covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searchable {
    /// Messages of talk.
    pub messages: u64,
    /// Channels.
    pub channels: u64,
    /// The newest message.
    pub until: Option<MessageTs>,
}

impl RecallHandle<'_> {
    /// Every user whose name is known.
    #[boxed]
    pub async fn named_users(&self) -> Result<Vec<User>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, String, i64)> = match &mut tx {
            Tx::Sqlite(tx) => {
                // One row with all, since each is passed from one thread to another.
                let (rows,): (String,) = query_as(
                    "SELECT json_group_array(json_array(u.id, u.name, u.is_bot)) FROM (
                         SELECT id, name, is_bot FROM users ORDER BY name, id) AS u",
                )
                .fetch_one(&mut **tx)
                .await?;
                rows_from_json(&rows)?
            }
            Tx::Postgres(tx) => {
                query_as("SELECT id, name, is_bot FROM users ORDER BY name, id").fetch_all(&mut *tx).await?
            }
        };
        let users = rows.into_iter();
        Ok(users.map(|(id, name, is_bot)| User { id: UserId::new(id), name, is_bot: is_bot != 0 }).collect())
    }

    /// The same, with what people were called before.
    #[boxed]
    pub async fn named_people(&self) -> Result<NamedPeople, StoreError> {
        let people = self.named_users().await?;
        let former = former_names::all_former_names(&mut self.store.db.snapshot().await?).await?;
        Ok(NamedPeople { people, former })
    }

    /// The channel and the time of the newest talk that `visibility` shows.
    #[boxed]
    pub async fn last_said(
        &self,
        visibility: &Visibility,
    ) -> Result<Option<(ChannelId, MessageTs)>, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String, i64)> = on!(&mut tx, c => query_as(concat!(
            "SELECT c.id, c.last_talk FROM channels c WHERE ", visible!(), " AND c.last_talk > 0
             ORDER BY c.last_talk DESC, c.id LIMIT 1"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).fetch_optional(c).await)?;
        Ok(row.map(|(id, ts)| (ChannelId::new(id), MessageTs::from_micros(ts))))
    }

    /// How much of what `visibility` shows a search covers.
    #[boxed]
    pub async fn count_searchable_texts(&self, visibility: &Visibility) -> Result<Searchable, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut tx = self.store.db.snapshot().await?;
        let (messages, channels, until): (i64, i64, i64) = on!(&mut tx, c => query_as(concat!(
            "SELECT cast(coalesce(sum((SELECT count(*) FROM messages m
                 WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 0)), 0) AS BIGINT),
                count(*), coalesce(max(c.last_talk), 0)
             FROM channels c WHERE ", visible!()))
            .bind(&seen.own).bind(seen.open).bind(seen.all).fetch_one(c).await)?;
        Ok(Searchable {
            messages: unsigned_count(messages),
            channels: unsigned_count(channels),
            until: opt_ts(until),
        })
    }
}
