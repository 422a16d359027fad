//! Does the second stage: reads every other text once, and removes it if it says what nobody else says.
//!
//! Lineage has already wiped what was made from the forgotten messages. This catches what lineage does not lead to: a
//! word that a model repeated from its auxiliary information, a memo, our own posts elsewhere, a name.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Place, UserId},
    forget::SoughtWords,
    memory::parse_thread_scope_id,
};

use super::{
    said,
    stage::{ForgetStage, enter_stage},
    targets,
    texts::{ForgottenMarks, TextPlace, post_of_key},
    wipe::wiped_texts,
};
use crate::{
    ForgetHandle, StoreError,
    archive::EventGrounds,
    db::{
        Tx, query_as,
        values::{opt_ts, signed_size},
    },
    hearing::unread_events::{self, RawCopies},
    intake::{arrive::delete_within, follow, removal, take_back},
    memory::{journal, memo_id::MemoId},
    memos::{self, log},
    recall::word_counts,
    replies::{ReplyId, judgments},
};

impl ForgetHandle<'_> {
    /// Searches every text and moves to the next stage. The words of a resumed forgetting are no longer known: the
    /// messages listed because of them are gone, and their terms are searched for instead.
    pub(super) async fn sweep_all_texts(
        &self,
        id: i64,
        words: Option<&SoughtWords>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut snapshot = self.store.db.snapshot().await?;
        let marks = marks_to_find(&mut snapshot, id, words).await?;
        let found = said::texts_that_go(marks.find_all(&mut snapshot).await?, &marks.terms);
        drop(snapshot);
        let mut by_place: BTreeMap<TextPlace, Vec<String>> = BTreeMap::new();
        for text in found {
            by_place.entry(text.place).or_default().push(text.key);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            // Else a text could be written from one that is wiped here, after it was looked for what was made from it.
            journal::hold_still(&mut tx, None).await?;
            let before = wiped_texts(&mut tx, now).await?;
            for (place, keys) in &by_place {
                take_out(&mut tx, *place, keys, now).await?;
            }
            forget_person_name(&mut tx, id).await?;
            drop_terms(&mut tx, id).await?;
            let texts = wiped_texts(&mut tx, now).await?.saturating_sub(before);
            let of = |place| signed_size(by_place.get(&place).map_or(0, Vec::len));
            on!(&mut tx, c => sqlx::query(
                "UPDATE forgettings SET texts = texts + $2, memos = memos + $3, messages = messages + $4 WHERE id = $1")
                .bind(id).bind(texts).bind(of(TextPlace::Memos)).bind(of(TextPlace::Posts))
                .execute(c).await.map(drop))?;
            enter_stage(&mut tx, id, ForgetStage::Cleaning).await?;
            tx.commit().await
        })
        .await
    }
}

/// What is searched for: terms of the wiped messages that nobody says any more and that are not our way to write; the
/// words that were looked for; the name of a person of whom everything is forgotten.
async fn marks_to_find(
    tx: &mut Tx,
    id: i64,
    words: Option<&SoughtWords>,
) -> Result<ForgottenMarks, StoreError> {
    let mut terms: BTreeMap<i64, i64> = on!(&mut *tx, c => query_as(
        "SELECT term, said_at FROM forgetting_terms WHERE forgetting_id = $1").bind(id).fetch_all(c).await)?
    .into_iter()
    .collect();
    let still_said = word_counts::messages_with(&mut *tx, None, &terms.keys().copied().collect()).await?;
    terms.retain(|term, _| !still_said.contains_key(term));
    let person = targets::scope_in_progress(&mut *tx, id)
        .await?
        .filter(myao_core::forget::ForgetScope::is_whole_person);
    let person = person.and_then(|scope| scope.user);
    said::without_ours(tx, &mut terms, person.as_ref()).await?;
    let names = match &person {
        Some(person) => names_of(tx, person).await?,
        None => Vec::new(),
    };
    Ok(ForgottenMarks { terms, words: words.cloned(), names })
}

/// What a person is called, unless that is only the id, and was called before, unless others are called so now.
pub(super) async fn names_of(tx: &mut Tx, person: &UserId) -> Result<Vec<SoughtWords>, StoreError> {
    let names: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT called FROM users WHERE id = $1 AND called <> id
         UNION SELECT f.called FROM former_names f WHERE f.user_id = $1
             AND NOT EXISTS (SELECT 1 FROM users o WHERE o.called = f.called AND o.id <> $1)")
        .bind(person.as_str()).fetch_all(c).await)?;
    Ok(names.iter().filter_map(|(name,)| SoughtWords::name(name)).collect())
}

/// Removes texts, each in the way of its table.
async fn take_out(tx: &mut Tx, place: TextPlace, keys: &[String], now: Timestamp) -> Result<(), StoreError> {
    if place == TextPlace::Steps {
        return wipe_steps(tx, keys, now).await;
    }
    if place == TextPlace::Posts {
        let posts = keys.iter().filter_map(|key| post_of_key(key)).collect();
        follow::withdraw_posts(tx, &posts).await?;
        return delete_within(tx, posts, EventGrounds::Forgotten, now).await.map(drop);
    }
    for key in keys {
        let number: i64 = key.parse().unwrap_or_default();
        match place {
            TextPlace::Steps | TextPlace::Posts => {}
            TextPlace::Verdicts => judgments::wipe_reason(tx, number, now).await?,
            TextPlace::Memos => {
                let channel: Option<(Option<String>,)> = on!(&mut *tx, c => query_as(
                    "SELECT channel_id FROM memos WHERE id = $1").bind(key).fetch_optional(c).await)?;
                let channel = channel.and_then(|(channel,)| channel).map(ChannelId::new);
                memos::removal::remove_and_wipe_log(tx, &MemoId::of(key), channel.as_ref(), now).await?;
            }
            TextPlace::MemoLog => log::wipe_entry(tx, number, now).await?,
            TextPlace::Replies => {
                on!(&mut *tx, c => sqlx::query("UPDATE replies SET reason = '' WHERE id = $1")
                    .bind(number).execute(c).await.map(drop))?;
            }
            TextPlace::ReplyParts => have_reply_rewritten(tx, number, now).await?,
            TextPlace::Setbacks => {
                on!(&mut *tx, c => sqlx::query("UPDATE setbacks SET reason = '' WHERE subject = $1")
                    .bind(key).execute(c).await.map(drop))?;
            }
            TextPlace::Raw => {
                unread_events::forget_raw_copies(tx, &RawCopies::Keyed(key.clone())).await?;
            }
        }
    }
    Ok(())
}

/// Wipes steps of the journal and what was made from them; the keeper writes their memories anew.
async fn wipe_steps(tx: &mut Tx, keys: &[String], now: Timestamp) -> Result<(), StoreError> {
    let mut channels = BTreeSet::new();
    for key in keys {
        let wiped: Option<(String, String)> = on!(&mut *tx, c => query_as(
            "UPDATE memory_steps SET content = NULL, wiped_at = $2 WHERE id = $1 AND content IS NOT NULL
             RETURNING scope, scope_id")
            .bind(key.parse::<i64>().unwrap_or_default()).bind(now.as_microsecond())
            .fetch_optional(c).await)?;
        match wiped {
            Some((scope, id)) if scope == "channel" => {
                channels.insert(ChannelId::new(id));
            }
            Some((scope, id)) if scope == "thread" => {
                channels.extend(parse_thread_scope_id(&id).ok().map(|(channel, _)| channel));
            }
            Some(_) | None => {}
        }
    }
    removal::spread_wiping(tx, now).await?;
    for channel in &channels {
        removal::mark_words_removed(tx, channel, now).await?;
    }
    Ok(())
}

/// Has a reply that is written but not posted written anew.
async fn have_reply_rewritten(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    let row: Option<(String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT channel_id, thread_ts FROM replies WHERE id = $1 AND state = 'written'")
        .bind(reply).fetch_optional(c).await)?;
    let Some((channel, thread)) = row else { return Ok(()) };
    let place = Place { channel: ChannelId::new(channel), thread: opt_ts(thread) };
    take_back::take_back(tx, &place, ReplyId(reply), now).await
}

/// Removes the name of a person of whom everything is forgotten, and who the forgetting is about.
async fn forget_person_name(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    let person = targets::scope_in_progress(&mut *tx, id)
        .await?
        .filter(myao_core::forget::ForgetScope::is_whole_person);
    if let Some(user) = person.and_then(|scope| scope.user) {
        on!(&mut *tx, c => sqlx::query("DELETE FROM users WHERE id = $1")
            .bind(user.as_str()).execute(c).await.map(drop))?;
        on!(&mut *tx, c => sqlx::query("DELETE FROM misnamings WHERE user_id = $1")
            .bind(user.as_str()).execute(c).await.map(drop))?;
        unread_events::forget_raw_copies(tx, &RawCopies::Holding(user.as_str().to_owned())).await?;
    }
    on!(tx, c => sqlx::query("UPDATE forgettings SET user_id = NULL WHERE id = $1")
        .bind(id).execute(c).await.map(drop))?;
    Ok(())
}

async fn drop_terms(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM forgetting_terms WHERE forgetting_id = $1")
        .bind(id).execute(c).await.map(drop))?;
    Ok(())
}
