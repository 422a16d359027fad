//! Reasons are a model's words about what people said: removed words do not linger in them (SPEC §6).

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::memory::gives_away;

use crate::{StoreError, archive::removal::Removed, db::Tx};

/// Messages of the channel whose words tell nothing about the removed one: enough for what is said every day.
const LOOKED_THROUGH: i64 = 500;

/// Wipes the reason of every verdict that was given since the words were said and holds a term of them that the
/// channel's other talk does not hold. A judgment reads memories of other channels too, so it may be about any.
pub(crate) async fn wipe_reasons(tx: &mut Tx, removed: &Removed, now: Timestamp) -> Result<(), StoreError> {
    let reasons: Vec<(i64, String)> = on!(tx, c => sqlx::query_as(
        "SELECT id, reason FROM verdicts WHERE at >= $1 AND reason <> ''")
        .bind(removed.ts.as_micros()).fetch_all(c).await)?;
    if reasons.is_empty() {
        return Ok(());
    }
    let telling = telling(tx, removed).await?;
    for (id, _) in reasons.iter().filter(|(_, reason)| gives_away(reason, &telling, &[])) {
        on!(tx, c => sqlx::query("UPDATE verdicts SET reason = '', wiped_at = $2 WHERE id = $1")
            .bind(*id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The terms of the removed words that nobody says anyway. Looked up once: everyday words stand in almost every
/// reason, and a year has thousands of them.
async fn telling(tx: &mut Tx, removed: &Removed) -> Result<BTreeSet<String>, StoreError> {
    let said: Vec<(String,)> = on!(tx, c => sqlx::query_as(
        "SELECT text FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0 AND ts <> $2
         ORDER BY ts DESC LIMIT $3")
        .bind(removed.channel.as_str()).bind(removed.ts.as_micros()).bind(LOOKED_THROUGH).fetch_all(c).await)?;
    let said: Vec<String> = said.into_iter().map(|(text,)| text.to_lowercase()).collect();
    let is_telling = |term: &&String| !said.iter().any(|text| text.contains(term.as_str()));
    Ok(removed.terms.iter().filter(is_telling).cloned().collect())
}
