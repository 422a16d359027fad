//! Does the first stage: messages become tombstones on the path of every deletion, and lose what a deletion leaves.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    forget::ForgetScope,
};

use super::{
    said::{NoPersons, SaidTerms},
    stage::{ForgetStage, ForgetWork, enter_stage},
    targets::{self, Address, user_or_any},
};
use crate::{
    ForgetHandle, StoreError,
    archive::{self, EventGrounds},
    db::{Tx, query_as, values::signed_size},
    intake::{arrive::delete_within, follow, removal, triggers},
    interactions, local,
    memory::{
        journal::{self, corrections},
        memo_id::MemoId,
    },
    memos,
    replies::{judgments, stopped, votes},
};

/// Messages wiped in one transaction: few enough that an acknowledgement of a delivery waits only for a moment.
const WIPED_AT_ONCE: usize = 200;

impl ForgetHandle<'_> {
    /// Wipes some messages; if none is left, the forgetting moves to the next stage.
    pub(super) async fn wipe_some_messages(
        &self,
        work: &mut ForgetWork,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let id = work.id;
        let after = work.after.clone();
        let mut snapshot = self.store.db.snapshot().await?;
        let scope = targets::scope_in_progress(&mut snapshot, id).await?;
        let targets = match &scope {
            Some(scope) => {
                let page =
                    targets::next_in_scope(&mut snapshot, scope, after.as_ref(), signed_size(WIPED_AT_ONCE))
                        .await?;
                page.into_iter().map(|target| (target.message.channel, target.message.ts)).collect()
            }
            None => targets::listed_messages(&mut snapshot, id, WIPED_AT_ONCE).await?,
        };
        drop(snapshot);
        work.after = targets.last().cloned();
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if targets.is_empty() {
                if let Some(scope) = &scope {
                    // What people put right is wiped here, with all that was made from it.
                    journal::hold_still(&mut tx, None).await?;
                    drop_passing(&mut tx, scope, now).await?;
                    if let Some(person) = scope.user.as_ref().filter(|_| scope.words.is_none()) {
                        let channel = scope.channel.as_ref();
                        local::forget_person(&mut tx, person, channel, scope.from, scope.to).await?;
                        interactions::forget_person(&mut tx, person, channel, scope.from, scope.to).await?;
                        stopped::forget_person(&mut tx, person, channel, scope.from, scope.to).await?;
                        votes::forget_person(&mut tx, person, channel, scope.from, scope.to).await?;
                        let span = (scope.from, scope.to);
                        corrections::removed::forget_person(&mut tx, person, channel, span, now).await?;
                        removal::spread_wiping(&mut tx, now).await?;
                    }
                    if scope.is_whole_channel() {
                        drop_memos(&mut tx, id, scope, now).await?;
                    }
                }
                enter_stage(&mut tx, id, ForgetStage::Sweeping).await?;
            } else {
                wipe_with_answers(&mut tx, id, &targets, now).await?;
            }
            tx.commit().await
        })
        .await
    }
}

/// Wipes messages, and our answers to them.
async fn wipe_with_answers(
    tx: &mut Tx,
    id: i64,
    targets: &[Address],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut all: BTreeSet<Address> = targets.iter().cloned().collect();
    let mut answers = BTreeSet::new();
    for address in targets {
        answers.extend(answers_to(tx, address).await?);
    }
    follow::withdraw_posts(tx, &answers).await?;
    all.extend(answers);
    let no_persons = NoPersons::read(tx).await?;
    let mut terms = BTreeMap::new();
    let mut standing = 0;
    for (channel, ts) in &all {
        let Some(message) = archive::standing_message(tx, channel, *ts).await? else { continue };
        standing += i64::from(!message.deleted || is_expired(tx, channel, *ts).await?);
        for (term, since) in SaidTerms::telling_of(&message, &no_persons) {
            let first = terms.entry(term).or_insert(since);
            *first = since.min(*first);
        }
    }
    note_terms(tx, id, terms).await?;
    let texts = wiped_texts(tx, now).await?;
    let memos = memo_count(tx).await?;
    delete_within(tx, all.iter().cloned(), EventGrounds::Forgotten, now).await?;
    follow::withdraw_left(tx, &all, now).await?;
    for (channel, ts) in &all {
        judgments::wipe_about(tx, channel, *ts, now).await?;
        // The tombstone of a forgotten message shows neither its author nor when it was edited.
        on!(&mut *tx, c => sqlx::query(
            "UPDATE messages SET user_id = '', edited_ts = 0, told_ts = 0 WHERE channel_id = $1 AND ts = $2")
            .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
        on!(&mut *tx, c => sqlx::query(
            "DELETE FROM forgetting_messages WHERE forgetting_id = $1 AND channel_id = $2 AND ts = $3")
            .bind(id).bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    }
    let texts = wiped_texts(tx, now).await?.saturating_sub(texts);
    let memos = memos.saturating_sub(memo_count(tx).await?);
    on!(tx, c => sqlx::query(
        "UPDATE forgettings SET messages = messages + $2, texts = texts + $3, memos = memos + $4 WHERE id = $1")
        .bind(id).bind(standing).bind(texts).bind(memos).execute(c).await.map(drop))?;
    Ok(())
}

/// How many memos there are: those made from a message go with it.
async fn memo_count(tx: &mut Tx) -> Result<i64, StoreError> {
    let (memos,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM memos").fetch_one(c).await)?;
    Ok(memos)
}

/// Our posts that answered a message: they were made from it.
pub(super) async fn answers_to(tx: &mut Tx, (channel, ts): &Address) -> Result<Vec<Address>, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT p.ts FROM reply_triggers t JOIN reply_parts p ON p.reply_id = t.reply_id
         WHERE t.channel_id = $1 AND t.ts = $2 AND p.ts IS NOT NULL AND p.reacts_to IS NULL ORDER BY p.ts")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| (channel.clone(), MessageTs::from_micros(ts))).collect())
}

/// Whether a message without words is one whose words have expired, rather than a tombstone.
async fn is_expired(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<bool, StoreError> {
    let (expired,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages WHERE channel_id = $1 AND ts = $2 AND deleted = 2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_one(c).await)?;
    Ok(expired > 0)
}

/// Keeps the telling terms of what is wiped, and since when they were said, until every text has been searched for them.
async fn note_terms(tx: &mut Tx, id: i64, terms: BTreeMap<i64, i64>) -> Result<(), StoreError> {
    if terms.is_empty() {
        return Ok(());
    }
    let (terms, since): (Vec<i64>, Vec<i64>) = terms.into_iter().unzip();
    match tx {
        Tx::Sqlite(tx) => {
            let rows: Vec<(i64, i64)> = terms.into_iter().zip(since).collect();
            let rows = serde_json::to_string(&rows)?;
            sqlx::query(
                "INSERT INTO forgetting_terms (forgetting_id, term, said_at)
                 SELECT $1, value ->> 0, value ->> 1 FROM json_each($2) WHERE true
                 ON CONFLICT (forgetting_id, term)
                 DO UPDATE SET said_at = min(forgetting_terms.said_at, excluded.said_at)",
            )
            .bind(id)
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO forgetting_terms (forgetting_id, term, said_at)
                 SELECT $1, * FROM unnest($2::bigint[], $3::bigint[])
                 ON CONFLICT (forgetting_id, term)
                 DO UPDATE SET said_at = least(forgetting_terms.said_at, excluded.said_at)",
            )
            .bind(id)
            .bind(terms)
            .bind(since)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

/// How many steps of the journal lost their text at `now`.
pub(super) async fn wiped_texts(tx: &mut Tx, now: Timestamp) -> Result<i64, StoreError> {
    let (wiped,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM memory_steps WHERE wiped_at = $1")
        .bind(now.as_microsecond()).fetch_one(c).await)?;
    Ok(wiped)
}

/// Removes the memos of a channel that is forgotten as a whole, whoever wrote them, and what was put right in its memories.
async fn drop_memos(tx: &mut Tx, id: i64, scope: &ForgetScope, now: Timestamp) -> Result<(), StoreError> {
    let Some(channel) = &scope.channel else { return Ok(()) };
    corrections::removed::forget_channel(tx, channel, scope.to, now).await?;
    removal::spread_wiping(tx, now).await?;
    let rows: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT id FROM memos WHERE channel_id = $1 AND created_at <= $2 ORDER BY id")
        .bind(channel.as_str()).bind(scope.to.as_micros()).fetch_all(c).await)?;
    for (memo,) in &rows {
        memos::removal::remove_and_wipe_log(tx, &MemoId::of(memo), Some(channel), now).await?;
    }
    on!(tx, c => sqlx::query("UPDATE forgettings SET memos = memos + $2 WHERE id = $1")
        .bind(id).bind(signed_size(rows.len())).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes what people who opted out asked us, and the fact that they did: the fence refuses it from now on.
async fn drop_passing(tx: &mut Tx, scope: &ForgetScope, now: Timestamp) -> Result<(), StoreError> {
    let channel = scope.channel.as_ref().map_or("", ChannelId::as_str);
    let user = user_or_any(scope);
    let rows: Vec<(String, i64)> = on!(&mut *tx, c => query_as(
        "DELETE FROM passing_messages WHERE ts >= $1 AND ts <= $2 AND ($3 = '' OR channel_id = $3)
            AND ($4 = '' OR user_id = $4) RETURNING channel_id, ts")
        .bind(scope.from.as_micros()).bind(scope.to.as_micros()).bind(channel).bind(user).fetch_all(c).await)?;
    for (channel, ts) in rows {
        triggers::take_out(tx, &ChannelId::new(channel), MessageTs::from_micros(ts), now).await?;
    }
    Ok(())
}
