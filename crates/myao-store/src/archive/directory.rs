//! Stores channels and users as the platform describes them.

use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, ChannelKind, MessageTs, User, shown_name};

use super::{read, removal};
use crate::{StoreError, db::Tx, recall};

/// Stores a channel and returns the kind it had before; `None` if it is new.
pub(super) async fn put_channel(
    tx: &mut Tx,
    channel: &Channel,
    now: Timestamp,
) -> Result<Option<ChannelKind>, StoreError> {
    let before = read::channel(tx, &channel.id).await?;
    on!(tx, c => sqlx::query(
        "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until)
         VALUES ($1, $2, $5, $3, $4, 0, 0, 0)
         ON CONFLICT (id) DO UPDATE
         SET name = excluded.name, called = excluded.called, kind = excluded.kind, external = excluded.external,
             revision = channels.revision + 1, look_at = 0
         WHERE channels.name <> excluded.name OR channels.called <> excluded.called OR channels.kind <> excluded.kind
            OR channels.external <> excluded.external")
        .bind(channel.id.as_str()).bind(&channel.name).bind(channel.kind.as_str())
        .bind(i64::from(channel.external)).bind(shown_name(&channel.name)).execute(c).await.map(drop))?;
    let was_open = before.as_ref().is_some_and(|row| row.channel.is_open());
    if was_open && !channel.is_open() {
        removal::close_channel(tx, &channel.id, now).await?;
    }
    Ok(before.map(|row| row.channel.kind))
}

/// Stores a user; `true` if anything changed.
pub(super) async fn put_user(tx: &mut Tx, user: &User) -> Result<bool, StoreError> {
    let changed = on!(tx, c => sqlx::query(
        "INSERT INTO users (id, name, called, is_bot) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, called = excluded.called, is_bot = excluded.is_bot
         WHERE users.name <> excluded.name OR users.called <> excluded.called OR users.is_bot <> excluded.is_bot")
        .bind(user.id.as_str()).bind(&user.name).bind(shown_name(&user.name)).bind(i64::from(user.is_bot))
        .execute(c).await.map(|done| done.rows_affected()))?;
    if changed == 1 {
        recall::put_parts(tx, user).await?;
    }
    Ok(changed == 1)
}

/// Notes up to when everything said in a channel is known.
pub(super) async fn heard_until(
    tx: &mut Tx,
    channel: &ChannelId,
    until: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE channels SET heard_until = $2, look_at = 0 WHERE id = $1 AND heard_until < $2")
        .bind(channel.as_str()).bind(until.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
