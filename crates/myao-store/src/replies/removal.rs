//! Takes back replies that were written with removed words in view: what was not given to the platform yet is written
//! anew or dropped. What is posted stays.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};

use super::triggers;
use crate::{
    StoreError,
    archive::Removed,
    db::{Tx, query_as},
};

/// Takes back replies that were written from removed words: those in the place where the words were said, those at the
/// channel's top level, and those of which a part was deleted itself.
pub(crate) async fn follow(tx: &mut Tx, removed: &[Removed], now: Timestamp) -> Result<(), StoreError> {
    let mut done = BTreeSet::new();
    for one in removed {
        let rows: Vec<(i64, i64)> = on!(tx, c => query_as(
            "SELECT r.id, (SELECT count(*) FROM reply_parts p
                 WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted'))
             FROM replies r WHERE r.channel_id = $1 AND r.state = 'written' AND r.excuse = 0 AND (r.thread_ts = $2
                OR r.thread_ts = 0
                OR EXISTS (SELECT 1 FROM reply_triggers t WHERE t.reply_id = r.id AND t.ts = $3)
                OR EXISTS (SELECT 1 FROM reply_parts p WHERE p.reply_id = r.id AND p.ts = $3))")
            .bind(one.channel.as_str()).bind(one.thread.as_micros()).bind(one.ts.as_micros())
            .fetch_all(c).await)?;
        for (reply, given) in rows {
            if !done.insert(reply) {
                continue;
            }
            if given == 0 {
                triggers::write_anew(tx, reply, now).await?;
            } else {
                drop_the_rest(tx, reply, now).await?;
            }
        }
    }
    Ok(())
}

/// Takes the words out of parts that are being sent and answer a forgotten message. What arrives on the platform is
/// then archived without words.
pub(crate) async fn unsay_on_their_way(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE reply_parts SET text = '' WHERE state = 'sending' AND reply_id IN (
            SELECT t.reply_id FROM reply_triggers t WHERE t.channel_id = $1 AND t.ts = $2)")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

/// Drops the unsent parts of a reply that is partly posted. A part that is being sent is left to the process that finds
/// out whether it arrived.
async fn drop_the_rest(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE reply_parts SET state = 'dropped', text = NULL WHERE reply_id = $1 AND state = 'ready'")
        .bind(reply).execute(c).await.map(drop))?;
    super::deliver::finish(tx, super::ReplyId(reply), now).await?;
    Ok(())
}
