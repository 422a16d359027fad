//! Checks once what an older program wrote with other places' memories in view (specification §6).
//!
//! Today a text that repeats words of its auxiliary information is not stored in the first place. Steps of the journal
//! up to `older_texts` were written before that. Those that would not be stored now lose their text, and are written
//! anew like everything that is missing.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Names},
    text::{terms_borrowed_from, terms_of_text},
};

use super::removal;
use crate::{
    IntakeHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{Tx, query_as, values::row},
    memory::journal,
    memos::removal::written_in,
    recall::word_counts,
    replies::judgments,
};

/// Texts checked in one transaction: other writers get their turn in between.
const TEXTS_AT_ONCE: i64 = 50;

row! {
    /// A step of the journal and the stretch that it was made from.
    struct OlderEntry {
        id: i64,
        scope_id: String,
        content: String,
        from_ts: Option<i64>,
        to_ts: Option<i64>,
    }
}

impl IntakeHandle<'_> {
    /// Whether there are texts of an older program that were not checked yet.
    #[boxed]
    pub async fn has_unchecked_texts(&self) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (texts,): (i64,) =
            on!(&mut tx, c => query_as("SELECT count(*) FROM older_texts").fetch_one(c).await)?;
        Ok(texts > 0)
    }

    /// Checks some of the texts that an older program wrote with other memories beside them; `true` if none is left.
    /// Words have to be counted before ([`crate::RecallHandle::count_older_messages`]). `names` are the names of people
    /// and channels.
    #[boxed]
    pub async fn check_some_older_texts(&self, names: &Names, now: Timestamp) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let names = names.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let done = check_some(&mut tx, &names, now).await?;
            tx.commit().await?;
            Ok(done)
        })
        .await
    }
}

async fn check_some(tx: &mut Tx, names: &Names, now: Timestamp) -> Result<bool, StoreError> {
    let until: Option<(i64,)> =
        on!(&mut *tx, c => query_as("SELECT until FROM older_texts").fetch_optional(c).await)?;
    let Some((until,)) = until else { return Ok(true) };
    journal::hold_still(tx, None).await?;
    let entries: Vec<OlderEntry> = on!(&mut *tx, c => query_as(
        "SELECT s.id, s.scope_id, s.content, s.from_ts, s.to_ts FROM memory_steps s
         WHERE s.id <= $1 AND s.content IS NOT NULL AND s.scope IN ('channel', 'thread')
           AND EXISTS (SELECT 1 FROM step_inputs i WHERE i.step_id = s.id AND i.hard = 0)
         ORDER BY s.id DESC LIMIT $2").bind(until).bind(TEXTS_AT_ONCE).fetch_all(c).await)?;
    let Some(lowest) = entries.last() else {
        check_notes(tx, names, now).await?;
        on!(tx, c => sqlx::query("DELETE FROM older_texts").execute(c).await.map(drop))?;
        return Ok(true);
    };
    on!(&mut *tx, c => sqlx::query("UPDATE older_texts SET until = $1").bind(lowest.id - 1).execute(c).await.map(drop))?;
    let mut is_wiped = false;
    for entry in &entries {
        if tells_of_elsewhere(tx, entry, names).await? {
            is_wiped = true;
            on!(&mut *tx, c => sqlx::query("UPDATE memory_steps SET content = NULL, wiped_at = $2 WHERE id = $1")
                .bind(entry.id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        }
    }
    if is_wiped {
        tracing::info!("memories that an older version wrote with words of other places are written anew");
        removal::spread_wiping(tx, now).await?;
    }
    Ok(false)
}

/// Whether a step's text holds a telling term that none of its sources holds.
async fn tells_of_elsewhere(tx: &mut Tx, entry: &OlderEntry, names: &Names) -> Result<bool, StoreError> {
    let channel = ChannelId::new(entry.scope_id.split(':').next().unwrap_or_default());
    let talk: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.deleted = 0"))
        .bind(channel.as_str()).bind(entry.from_ts.unwrap_or(0)).bind(entry.to_ts.unwrap_or(0)).fetch_all(c).await)?;
    let texts: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT s.content FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
         WHERE i.step_id = $1 AND i.hard = 1 AND s.content IS NOT NULL").bind(entry.id).fetch_all(c).await)?;
    let mut own: Vec<String> = texts.into_iter().map(|(text,)| text).collect();
    own.push(names.channel(&channel).to_owned());
    for row in talk {
        let message = message_of_row(row)?;
        own.push(names.user(&message.user).to_owned());
        own.push(names.resolve(&message.text));
        own.extend(message.files.iter().map(myao_core::chat::FileRef::words));
    }
    let foreign =
        terms_borrowed_from(&entry.content, [entry.content.as_str()], own.iter().map(String::as_str));
    tells_of_other_place(tx, &channel, foreign, names, false).await
}

/// Checks reasons in the ledger and memos that replies wrote for words that nobody says in their channel and others do.
async fn check_notes(tx: &mut Tx, names: &Names, now: Timestamp) -> Result<(), StoreError> {
    let reasons: Vec<(i64, String, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, channel_id, reason FROM verdicts WHERE reason <> '' AND verdict <> 'failed'")
        .fetch_all(c).await)?;
    for (id, channel, reason) in reasons {
        if tells_of_other_place(tx, &ChannelId::new(channel), terms_of_text(&reason), names, true).await? {
            judgments::wipe_reason(tx, id, now).await?;
        }
    }
    let channels: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT DISTINCT channel_id FROM memos WHERE channel_id IS NOT NULL AND read_revision IS NOT NULL")
        .fetch_all(c).await)?;
    for (channel,) in channels {
        let channel = ChannelId::new(channel);
        for memo in written_in(tx, &channel).await? {
            if tells_of_other_place(tx, &channel, terms_of_text(&memo.text), names, true).await? {
                tracing::warn!(%channel, "a memo repeats words of other places: it is the owner's from now on, and no place sees it");
                on!(&mut *tx, c => sqlx::query("UPDATE memos SET channel_id = NULL, audience = 'owner', read_revision = NULL
                     WHERE id = $1")
                    .bind(&memo.id.0).execute(c).await.map(drop))?;
            }
        }
    }
    Ok(())
}

/// Whether one of these terms tells of another place; with `or_said_here`, terms that anybody says in the channel do
/// not.
async fn tells_of_other_place(
    tx: &mut Tx,
    channel: &ChannelId,
    foreign: BTreeSet<String>,
    names: &Names,
    or_said_here: bool,
) -> Result<bool, StoreError> {
    if foreign.is_empty() {
        return Ok(false);
    }
    let counts = word_counts::term_frequencies(tx, Some(channel), &foreign).await?;
    let name_terms = if or_said_here { BTreeSet::new() } else { names.terms() };
    Ok(counts.frequencies.iter().any(|(term, frequency)| {
        let frequency = myao_core::memory::Frequency { is_name: name_terms.contains(term), ..*frequency };
        !(or_said_here && frequency.is_said_here) && frequency.tells(counts.channels)
    }))
}
