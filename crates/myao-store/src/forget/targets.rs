//! Finds the messages that a forgetting is about.

use myao_core::{
    chat::{ChannelId, Message, MessageTs, UserId},
    forget::ForgetScope,
};

use super::outlive;
use crate::{
    ForgetHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_as_stored},
    },
    db::{
        Tx, query_as,
        values::{row, signed_size},
    },
};

/// Messages read in one query.
const LOOKED_AT: i64 = 2_000;

/// `messages.deleted` of a message whose words have expired (ADR 52).
const EXPIRED: i64 = 2;

/// A message's address: channel and time stamp.
pub(super) type Address = (ChannelId, MessageTs);

/// A message that a forgetting may be about.
#[derive(Clone, Debug)]
pub(super) struct ForgetTarget {
    /// As it stands. One whose words have expired counts as standing, since memories hold what they said.
    pub(super) message: Message,
    /// The channel's revision when it was said.
    pub(super) revision: i64,
    /// Whether its words have expired.
    pub(super) is_expired: bool,
}

/// Everything that was ever said, in a channel or anywhere.
pub(super) fn everything_in(channel: Option<&ChannelId>) -> ForgetScope {
    ForgetScope {
        channel: channel.cloned(),
        user: None,
        from: MessageTs::MIN,
        to: MessageTs::MAX,
        until_now: false,
        words: None,
    }
}

/// The person of a scope; empty for anybody.
pub(super) fn user_or_any(scope: &ForgetScope) -> &str {
    scope.user.as_ref().map_or("", UserId::as_str)
}

impl ForgetHandle<'_> {
    /// Every message that a scope covers.
    pub(super) async fn all_messages_in_scope(
        &self,
        scope: &ForgetScope,
    ) -> Result<Vec<Address>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut found = Vec::new();
        let mut after = None;
        loop {
            let page = next_in_scope(&mut tx, scope, after.as_ref(), LOOKED_AT).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some((last.message.channel.clone(), last.message.ts));
            let held = page.into_iter().map(|target| target.message).filter(|message| scope.holds(message));
            found.extend(held.map(|message| (message.channel, message.ts)));
        }
    }

    /// The direct messages in which a person spoke with us.
    pub(super) async fn direct_messages_of(&self, scope: &ForgetScope) -> Result<Vec<ChannelId>, StoreError> {
        let Some(user) = &scope.user else { return Ok(Vec::new()) };
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT c.id FROM channels c WHERE c.kind = 'dm' AND EXISTS (
                SELECT 1 FROM messages m WHERE m.channel_id = c.id AND m.user_id = $1) ORDER BY c.id")
            .bind(user.as_str()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }
}

/// The next messages of a scope by channel and time, whatever its words. They include deleted messages whose author is
/// still stored, and expired messages: the latter count as standing, since memories hold what they said.
pub(super) async fn next_in_scope(
    tx: &mut Tx,
    scope: &ForgetScope,
    after: Option<&Address>,
    most: i64,
) -> Result<Vec<ForgetTarget>, StoreError> {
    let user = user_or_any(scope);
    let rows: Vec<TargetRow> = if let Some(channel) = &scope.channel {
        let after = after.map_or(MessageTs::MIN, |(_, ts)| *ts);
        on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
            ", m.revision FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts >= $3 AND m.ts <= $4
                AND ($5 = '' OR m.user_id = $5) AND (m.deleted <> 1 OR m.user_id <> '')
              ORDER BY m.ts LIMIT $6"))
            .bind(channel.as_str()).bind(after.as_micros()).bind(scope.from.as_micros())
            .bind(scope.to.as_micros()).bind(user).bind(most).fetch_all(c).await)?
    } else {
        let (channel, ts) = after.map_or(("", MessageTs::MIN), |(channel, ts)| (channel.as_str(), *ts));
        on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
            ", m.revision FROM messages m WHERE (m.channel_id, m.ts) > ($1, $2) AND m.ts >= $3 AND m.ts <= $4
                AND ($5 = '' OR m.user_id = $5) AND (m.deleted <> 1 OR m.user_id <> '')
              ORDER BY m.channel_id, m.ts LIMIT $6"))
            .bind(channel).bind(ts.as_micros()).bind(scope.from.as_micros())
            .bind(scope.to.as_micros()).bind(user).bind(most).fetch_all(c).await)?
    };
    rows.into_iter().map(target_of_row).collect()
}

row! {
    /// A message and its revision.
    struct TargetRow {
        revision: i64,
    } with message: MessageRow
}

fn target_of_row(row: TargetRow) -> Result<ForgetTarget, StoreError> {
    let TargetRow { revision, mut message } = row;
    let is_expired = message.deleted == EXPIRED;
    if is_expired {
        message.deleted = 0;
    }
    // A secret is searched for as it was written.
    Ok(ForgetTarget { message: message_as_stored(message)?, revision, is_expired })
}

/// Lists messages that are still to be wiped.
pub(super) async fn list_messages(tx: &mut Tx, id: i64, messages: &[Address]) -> Result<(), StoreError> {
    for (channel, ts) in messages {
        on!(&mut *tx, c => sqlx::query(
            "INSERT INTO forgetting_messages (forgetting_id, channel_id, ts) VALUES ($1, $2, $3)
             ON CONFLICT (forgetting_id, channel_id, ts) DO NOTHING")
            .bind(id).bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// At most `most` of the listed messages.
pub(super) async fn listed_messages(tx: &mut Tx, id: i64, most: usize) -> Result<Vec<Address>, StoreError> {
    let rows: Vec<(String, i64)> = on!(tx, c => query_as(
        "SELECT channel_id, ts FROM forgetting_messages WHERE forgetting_id = $1 ORDER BY channel_id, ts LIMIT $2")
        .bind(id).bind(signed_size(most)).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(channel, ts)| (ChannelId::new(channel), MessageTs::from_micros(ts))).collect())
}

row! {
    /// What a forgetting covers; `is_person` is whether it is everything so far.
    struct ScopeRow {
        channel_id: Option<String>,
        person: Option<i64>,
        from_ts: i64,
        to_ts: i64,
        by_words: i64,
        is_person: i64,
        user_id: Option<String>,
    }
}

/// What a forgetting in progress covers; `None` if it is only known by a list of messages.
///
/// # Errors
/// If the database fails. If an older copy of the database was put in place, a person is known by number only and is
/// searched for among all users.
pub(super) async fn scope_in_progress(tx: &mut Tx, id: i64) -> Result<Option<ForgetScope>, StoreError> {
    let row: Option<ScopeRow> = on!(&mut *tx, c => query_as(
        "SELECT channel_id, person, from_ts, to_ts, by_words, is_person, user_id FROM forgettings WHERE id = $1")
        .bind(id).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    if row.by_words == 1 {
        return Ok(None);
    }
    let user = match (row.user_id, row.person) {
        (Some(user), _) => Some(UserId::new(user)),
        // Nobody has this number, so nothing can be found.
        (None, Some(person)) => {
            Some(outlive::user_of_number(tx, person).await?.unwrap_or_else(|| UserId::new("nobody")))
        }
        (None, None) => None,
    };
    let from = MessageTs::from_micros(row.from_ts);
    let to = MessageTs::from_micros(row.to_ts);
    let channel = row.channel_id.map(ChannelId::new);
    let until_now = row.is_person == 1;
    Ok(Some(ForgetScope { channel, user, from, to, until_now, words: None }))
}
