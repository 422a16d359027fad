//! Masks secrets that the rules at the time of writing did not recognise: in memories, memos and reasons, some at a
//! time. A mask removes no line, and adds one only where a secret had several, so the index's lines are written anew.

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::MessageTs,
    memory::{MemoryType, StepId},
    text::{version_of_rules, with_secrets_masked},
};

use crate::{
    IntakeHandle, StoreError,
    archive::secrets::{mask_json, mask_text},
    db::{
        Tx, query_as,
        values::{opt_ts, row},
    },
    recall,
};

/// Texts checked in one transaction: other writers get their turn in between.
const TEXTS_AT_ONCE: i64 = 200;

impl IntakeHandle<'_> {
    /// Masks some of the secrets in texts that were written under older rules; `true` if nothing is left to check.
    /// Messages are checked by [`crate::RecallHandle::count_older_messages`].
    #[boxed]
    pub async fn mask_older_texts(&self) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rules: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT value FROM settings WHERE key = 'secrets'").fetch_optional(c).await)?;
        drop(tx);
        if rules.is_some_and(|(rules,)| rules == version_of_rules()) {
            return Ok(true);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let done = !mask_memories(&mut tx).await?;
            if done {
                mask_notes(&mut tx).await?;
                on!(&mut tx, c => sqlx::query("DELETE FROM settings WHERE key = 'secrets_steps'")
                    .execute(c).await.map(drop))?;
                store_setting(&mut tx, "secrets", version_of_rules()).await?;
            }
            tx.commit().await?;
            Ok(done)
        })
        .await
    }
}

async fn store_setting(tx: &mut Tx, key: &str, value: &str) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(key).bind(value).execute(c).await.map(drop))?;
    Ok(())
}

/// Masks some entries of the journal; `false` if every entry was checked.
async fn mask_memories(tx: &mut Tx) -> Result<bool, StoreError> {
    let mark: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT cast(value AS BIGINT) FROM settings WHERE key = 'secrets_steps'").fetch_optional(c).await)?;
    let entries: Vec<(i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, content FROM memory_steps WHERE id > $1 AND content IS NOT NULL ORDER BY id LIMIT $2")
        .bind(mark.map_or(0, |(mark,)| mark)).bind(TEXTS_AT_ONCE).fetch_all(c).await)?;
    for (step, content) in &entries {
        let clean = with_secrets_masked(content);
        if clean != content.as_str() {
            mask_memory(tx, *step, &clean).await?;
        }
    }
    let Some((last, _)) = entries.last() else { return Ok(false) };
    store_setting(tx, "secrets_steps", &last.to_string()).await?;
    Ok(true)
}

row! {
    /// The memory that shows an entry's text.
    struct MemoryOfEntry {
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        source_latest_message_ts: Option<i64>,
    }
}

/// Replaces the text of an entry, and of the memory that shows it, by a masked one, and indexes the memory anew.
async fn mask_memory(tx: &mut Tx, step: i64, clean: &str) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("UPDATE memory_steps SET content = $2 WHERE id = $1")
        .bind(step).bind(clean).execute(c).await.map(drop))?;
    let memories: Vec<MemoryOfEntry> = on!(&mut *tx, c => query_as(
        "UPDATE memories SET content = $2 WHERE step_id = $1
         RETURNING scope, scope_id, memory_type, version, source_latest_message_ts")
        .bind(step).bind(clean).fetch_all(c).await)?;
    for memory in memories {
        if memory.scope == "channel" {
            let until: Option<MessageTs> = memory.source_latest_message_ts.and_then(opt_ts);
            let is_short_term = memory.memory_type == MemoryType::ShortTerm.as_str();
            let short_term = is_short_term.then_some((memory.version, until));
            recall::drop_memories(tx, &[(memory.scope_id.clone(), step)]).await?;
            recall::put_memory(tx, &memory.scope_id, StepId(step), clean, short_term).await?;
        }
    }
    Ok(())
}

/// Masks memos, the texts of the memo log, and reasons in the ledger: no more than people and replies have made.
async fn mask_notes(tx: &mut Tx) -> Result<(), StoreError> {
    let memos: Vec<(String, String, Option<String>)> =
        on!(&mut *tx, c => query_as("SELECT id, content, detail FROM memos").fetch_all(c).await)?;
    for (id, content, detail) in memos {
        let clean = mask_text(content.clone());
        let clean_detail = detail.clone().map(mask_text);
        if (&clean, &clean_detail) != (&content, &detail) {
            on!(&mut *tx, c => sqlx::query("UPDATE memos SET content = $2, detail = $3 WHERE id = $1")
                .bind(&id).bind(&clean).bind(&clean_detail).execute(c).await.map(drop))?;
        }
    }
    let entries: Vec<(i64, Option<String>, Option<String>)> = on!(&mut *tx, c => query_as(
        "SELECT id, old_text, new_text FROM memo_log WHERE old_text IS NOT NULL OR new_text IS NOT NULL")
        .fetch_all(c).await)?;
    for (id, old, new) in entries {
        let clean = [&old, &new].map(|text| text.as_deref().map(mask_json));
        if clean != [old, new] {
            let [old, new] = clean;
            on!(&mut *tx, c => sqlx::query("UPDATE memo_log SET old_text = $2, new_text = $3 WHERE id = $1")
                .bind(id).bind(old).bind(new).execute(c).await.map(drop))?;
        }
    }
    let reasons: Vec<(i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, reason FROM verdicts WHERE reason <> ''").fetch_all(c).await)?;
    for (id, reason) in reasons {
        let clean = with_secrets_masked(&reason);
        if clean != reason.as_str() {
            on!(&mut *tx, c => sqlx::query("UPDATE verdicts SET reason = $2 WHERE id = $1")
                .bind(id).bind(&*clean).execute(c).await.map(drop))?;
        }
    }
    Ok(())
}
