//! Reasons are a model's words about what people said: removed words do not linger in them (SPEC §6).

use jiff::Timestamp;
use myao_core::memory::gives_away;

use crate::{StoreError, archive::removal::Removed, db::Tx};

/// Messages of a conversation that are looked through for a term that may come from them: as many as a prompt
/// shows, and more.
const LOOKED_THROUGH: i64 = 500;

/// Wipes the reason of every verdict that was given since the words were said and holds a term of them, which
/// nothing else in the conversation it judged holds. A judgment reads memories of other channels too, so it may be
/// about any.
pub(crate) async fn wipe_reasons(tx: &mut Tx, removed: &Removed, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<(i64, String, String, i64)> = on!(tx, c => sqlx::query_as(
        "SELECT id, reason, channel_id, at FROM verdicts WHERE at >= $1 AND reason <> ''")
        .bind(removed.ts.as_micros()).fetch_all(c).await)?;
    for (id, reason, channel, at) in rows {
        if !gives_away(&reason, &removed.terms, &[]) {
            continue;
        }
        let said: Vec<(String,)> = on!(tx, c => sqlx::query_as(
            "SELECT text FROM messages WHERE channel_id = $1 AND ts <= $2 AND kind = 'talk' AND deleted = 0
             ORDER BY ts DESC LIMIT $3")
            .bind(&channel).bind(at).bind(LOOKED_THROUGH).fetch_all(c).await)?;
        let said: Vec<String> = said.into_iter().map(|(text,)| text).collect();
        if gives_away(&reason, &removed.terms, &said) {
            on!(tx, c => sqlx::query("UPDATE verdicts SET reason = '', wiped_at = $2 WHERE id = $1")
                .bind(id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        }
    }
    Ok(())
}
