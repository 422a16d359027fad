//! Finds posts of ours that come back from the platform before it is settled what becomes of them.

use jiff::Timestamp;
use myao_core::chat::Message;

use super::{
    passing,
    withdrawn::{AFTER_SENDING, BEFORE_SENDING},
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::ts_or_zero},
};

/// Whether a message of ours is not to be archived as it arrives, since it is, or may be,
/// - an answer to a person who opted out, which was not noted as posted yet. One that another reply posted is none;
/// - a part that was taken back while it was on its way, and is deleted on the platform once it is found;
/// - what shows a reply while it is written.
pub(crate) async fn is_unsettled_post(tx: &mut Tx, message: &Message) -> Result<bool, StoreError> {
    // A reply is given within a day of what it answers, and can be put off for another day at most.
    let oldest = message.ts.to_timestamp().saturating_sub(passing::LONGEST.saturating_mul(2));
    let oldest = oldest.unwrap_or(Timestamp::MIN).as_microsecond().saturating_sub(AFTER_SENDING);
    let (found,): (i64,) = on!(tx, c => query_as(
        "SELECT (SELECT count(*) FROM passing_messages m
                 JOIN reply_triggers t ON t.channel_id = m.channel_id AND t.ts = m.ts
                 JOIN replies r ON r.id = t.reply_id JOIN reply_parts p ON p.reply_id = r.id
                 WHERE m.channel_id = $1 AND m.ts >= $6 AND m.ts <= $3 AND r.thread_ts = $2
                   AND p.sent_at + $5 >= $3 AND p.sent_at - $4 <= $3
                   AND NOT EXISTS (SELECT 1 FROM reply_parts o JOIN replies s ON s.id = o.reply_id
                        WHERE o.ts = $3 AND s.channel_id = $1))
              + (SELECT count(*) FROM replies r JOIN reply_parts p ON p.reply_id = r.id
                 WHERE r.state = 'written' AND r.taken_back = 1 AND r.channel_id = $1 AND r.thread_ts = $2
                   AND p.state = 'sending' AND p.sent_at + $5 >= $3 AND p.sent_at - $4 <= $3
                   AND NOT EXISTS (SELECT 1 FROM reply_parts o WHERE o.ts = $3))
              + (SELECT count(*) FROM replies r
                 WHERE r.stream_since > 0 AND r.channel_id = $1 AND r.thread_ts = $2
                   AND (r.stream_ts = $3
                        OR (r.stream_ts = 0 AND r.stream_since - $4 <= $3 AND r.stream_since + $5 >= $3
                            AND NOT EXISTS (SELECT 1 FROM reply_parts o WHERE o.ts = $3))))")
        .bind(message.channel.as_str()).bind(ts_or_zero(message.thread_ts)).bind(message.ts.as_micros())
        .bind(BEFORE_SENDING).bind(AFTER_SENDING).bind(oldest).fetch_one(c).await)?;
    Ok(found > 0)
}
