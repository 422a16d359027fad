//! Has everything besides memories follow when words are removed: raw copies, replies, posts of ours, and recordings
//! outside the database (ADR 85). What is under way is taken back if it was made from them. What was posted long since
//! leaves the archive if it holds a word that nobody says any more. A forgetting lists such posts before, finds them
//! itself (`forget::sweep`), and takes them off the platform, too.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::is_telling,
    text::terms_of_text,
};

use super::{arrive::delete_within, take_back};
use crate::{
    StoreError,
    archive::EventGrounds,
    db::{Tx, query_as},
    hearing::{
        removals::{self, Removed},
        unread_events,
    },
    recall::word_counts,
    replies::{
        ReplyId,
        deliver::finish_if_posted,
        inputs::{self, InputSource, SightRule},
        place_of_columns,
    },
};

/// Takes the words out of the places in the database that hold them, and records their removal for copies outside it.
pub(super) async fn remove_words_from_copies(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<(), StoreError> {
    unread_events::drop_after_removal(tx, removed).await?;
    take_back_replies(tx, removed, now).await?;
    let oldest = removed.iter().map(|one| one.ts).min();
    match oldest {
        Some(oldest) => removals::record_removed_words(tx, oldest, now).await,
        None => Ok(()),
    }
}

/// How often what was made from what left is looked for in turn: answers were made from answers.
const MOST_ROUNDS: usize = 16;

/// Takes back what was made from removed words.
#[boxed]
pub(crate) async fn take_back_replies(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<(), StoreError> {
    for one in removed {
        end_with_part(tx, one, now).await?;
    }
    let rows: Vec<(i64, String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT id, channel_id, thread_ts FROM replies WHERE state = 'written' AND taken_back = 0 ORDER BY id")
        .fetch_all(c).await)?;
    for (reply, channel, thread) in rows {
        let reply = ReplyId(reply);
        let place = place_of_columns(channel, thread);
        let lost =
            inputs::find_lost_inputs(tx, InputSource::Stored(reply), &place.channel, SightRule::Stored)
                .await?;
        if !lost.is_empty() {
            take_back::take_back(tx, &place, reply, now).await?;
        }
    }
    withdraw_posts_with_words(tx, removed, now).await
}

/// Drops the unsent parts of a reply one of whose posts somebody deleted. A part that is being sent is left to the process
/// that finds out whether it arrived.
async fn end_with_part(tx: &mut Tx, removed: &Removed, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT p.reply_id FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         WHERE p.ts = $2 AND p.state = 'posted' AND r.channel_id = $1 AND r.state = 'written' AND r.taken_back = 0")
        .bind(removed.channel.as_str()).bind(removed.ts.as_micros()).fetch_all(c).await)?;
    for (reply,) in rows {
        on!(&mut *tx, c => sqlx::query(
            "UPDATE reply_parts SET state = 'dropped', text = NULL WHERE reply_id = $1 AND state = 'ready'")
            .bind(reply).execute(c).await.map(drop))?;
        finish_if_posted(tx, ReplyId(reply), now).await?;
    }
    Ok(())
}

/// Has our posts leave that hold a word of what people removed which nobody says any more, as far as they were made from
/// it. Grammar, ordinary words and numbers stand in every answer and tell nothing. They never come back, whatever a history
/// lists.
async fn withdraw_posts_with_words(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<(), StoreError> {
    let followed = || removed.iter().filter(|one| one.do_posts_follow);
    let lost = followed().flat_map(|one| one.terms.iter().filter(|term| is_telling(term)).cloned()).collect();
    let telling = word_counts::said_by_nobody(tx, &lost).await?;
    if telling.is_empty() {
        return Ok(());
    }
    let mut gone: BTreeSet<MessageAddress> = followed().map(|one| (one.channel.clone(), one.ts)).collect();
    let mut left = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let mut replies = made_from_texts_wiped(tx, now).await?;
        for address in &gone {
            replies.extend(made_from_message(tx, address).await?);
        }
        let mut found = BTreeSet::new();
        for reply in replies {
            found.extend(posts_with(tx, reply, &telling).await?);
        }
        gone = found.difference(&left).cloned().collect();
        if gone.is_empty() {
            return Ok(());
        }
        left.extend(gone.iter().cloned());
        delete_within(tx, gone.iter().cloned(), EventGrounds::Told, now).await?;
    }
    Ok(())
}

/// A message's address: channel and time stamp.
type MessageAddress = (ChannelId, MessageTs);

/// The replies that were shown a message.
async fn made_from_message(tx: &mut Tx, (channel, ts): &MessageAddress) -> Result<Vec<i64>, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT DISTINCT i.reply_id FROM reply_inputs i
         WHERE i.kind = 'talk' AND i.channel_id = $1 AND i.to_ts >= $2 AND i.from_ts <= $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(reply,)| reply).collect())
}

/// The replies that were shown a text that is wiped in this transaction: a memory, or a memo.
async fn made_from_texts_wiped(tx: &mut Tx, now: Timestamp) -> Result<BTreeSet<i64>, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT i.reply_id FROM memory_steps s JOIN reply_inputs i
            ON i.kind = 'memory' AND i.about = CAST(s.id AS TEXT) WHERE s.wiped_at = $1
         UNION
         SELECT i.reply_id FROM memo_log l JOIN reply_inputs i ON i.kind = 'memo' AND i.about = l.memo_id
         WHERE l.at = $1 AND l.deed = 'gone'")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(reply,)| reply).collect())
}

/// The posts of a reply that stand in the archive and hold one of these terms.
async fn posts_with(
    tx: &mut Tx,
    reply: i64,
    telling: &BTreeSet<String>,
) -> Result<Vec<MessageAddress>, StoreError> {
    let rows: Vec<(String, i64, String)> = on!(tx, c => query_as(
        "SELECT m.channel_id, m.ts, m.text FROM replies r JOIN reply_parts p ON p.reply_id = r.id
         JOIN messages m ON m.channel_id = r.channel_id AND m.ts = p.ts
         WHERE r.id = $1 AND p.state = 'posted' AND p.reacts_to IS NULL AND m.deleted = 0")
        .bind(reply).fetch_all(c).await)?;
    let holding = rows.into_iter().filter(|(.., text)| !terms_of_text(text).is_disjoint(telling));
    Ok(holding.map(|(channel, ts, _)| (ChannelId::new(channel), MessageTs::from_micros(ts))).collect())
}

/// Has posts deleted on the platform that were made from forgotten messages and left the archive before, for other words:
/// nobody knows any more what they say.
pub(crate) async fn withdraw_left(
    tx: &mut Tx,
    forgotten: &BTreeSet<MessageAddress>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut replies = made_from_texts_wiped(tx, now).await?;
    for address in forgotten {
        replies.extend(made_from_message(tx, address).await?);
    }
    for reply in replies {
        on!(&mut *tx, c => sqlx::query(
            "UPDATE reply_parts SET state = 'withdrawing', text = NULL
             WHERE reply_id = $1 AND state = 'posted' AND reacts_to IS NULL AND EXISTS (
                SELECT 1 FROM replies r JOIN messages m ON m.channel_id = r.channel_id
                WHERE r.id = $1 AND m.ts = reply_parts.ts AND m.deleted = 1)")
            .bind(reply).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Has posts of ours deleted on the platform, by whichever process answers there.
pub(crate) async fn withdraw_posts(tx: &mut Tx, posts: &BTreeSet<MessageAddress>) -> Result<(), StoreError> {
    for (channel, ts) in posts {
        on!(&mut *tx, c => sqlx::query(
            "UPDATE reply_parts SET state = 'withdrawing', text = NULL
             WHERE ts = $2 AND state = 'posted' AND reacts_to IS NULL
               AND reply_id IN (SELECT r.id FROM replies r WHERE r.channel_id = $1)")
            .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    }
    Ok(())
}
