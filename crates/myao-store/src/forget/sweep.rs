//! Does the second stage: reads every other text once, and removes it if it says what nobody else says.
//!
//! Lineage has already wiped what was made from the forgotten messages. This catches what lineage does not lead to: a
//! word that a model repeated from its auxiliary information, a memo, our own posts elsewhere, a name.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::ChannelId,
    context::Place,
    forget::SoughtWords,
    memory::{parse_thread_scope_id, term_key},
};

use super::{
    ForgetStage, pass,
    targets::{self, Address},
    texts::{ForgottenMarks, TextPlace},
    wipe::wiped_texts,
};
use crate::{
    MemoId, Store, StoreError,
    archive::{self, EventGrounds, delete_within, message_columns},
    db::{Tx, query_as},
    judgments, memos,
    replies::{self, ReplyId},
    rows::{MessageRow, message_as_stored, opt_ts, signed_size},
    team,
    unread_events::{self, RawCopies},
    word_counts::counted_terms,
};

/// Our own messages read in one query.
const LOOKED_AT: i64 = 2_000;

impl Store {
    /// Searches every text and moves to the next stage. The words of a resumed forgetting are no longer known: the
    /// messages listed because of them are gone, and their terms are searched for instead.
    pub(super) async fn sweep(
        &self,
        id: i64,
        words: Option<&SoughtWords>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        // Of a term that is not counted yet it is unknown whether anybody says it.
        while !self.count_words().await? {}
        let mut snapshot = self.db.snapshot().await?;
        let marks = marks(&mut snapshot, id, words).await?;
        let mut found = Vec::new();
        for place in TextPlace::ALL {
            found.push((place, marks.find(&mut snapshot, place).await?));
        }
        let posts = own_posts(&mut snapshot, &marks).await?;
        drop(snapshot);
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let before = wiped_texts(&mut tx, now).await?;
            let mut memos = 0;
            for (place, keys) in found.clone() {
                memos += if place == TextPlace::Memos { keys.len() } else { 0 };
                take_out(&mut tx, place, &keys, now).await?;
            }
            delete_within(&mut tx, posts.iter().cloned(), EventGrounds::Forgotten, now).await?;
            forget_person(&mut tx, id).await?;
            drop_terms(&mut tx, id).await?;
            let texts = wiped_texts(&mut tx, now).await?.saturating_sub(before);
            on!(&mut tx, c => sqlx::query("UPDATE forgettings SET texts = texts + $2, memos = memos + $3 WHERE id = $1")
                .bind(id).bind(texts).bind(signed_size(memos)).execute(c).await.map(drop))?;
            pass(&mut tx, id, ForgetStage::Cleaning).await?;
            tx.commit().await
        })
        .await
    }
}

/// What is searched for: terms of the wiped messages that nobody says any more and no model writes by itself; the words
/// that were looked for; the name of a person of whom everything is forgotten.
async fn marks(tx: &mut Tx, id: i64, words: Option<&SoughtWords>) -> Result<ForgottenMarks, StoreError> {
    let terms: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT t.term FROM forgetting_terms t WHERE t.forgetting_id = $1
           AND NOT EXISTS (SELECT 1 FROM words w WHERE w.term = t.term)
           AND NOT EXISTS (SELECT 1 FROM model_words m WHERE m.term = t.term)")
        .bind(id).fetch_all(c).await)?;
    let person = targets::scope(&mut *tx, id).await?.filter(myao_core::forget::ForgetScope::is_whole_person);
    let name: Option<(String,)> = match person.and_then(|scope| scope.user) {
        Some(user) => on!(tx, c => query_as("SELECT called FROM users WHERE id = $1 AND called <> id")
            .bind(user.as_str()).fetch_optional(c).await)?,
        None => None,
    };
    Ok(ForgottenMarks {
        terms: terms.into_iter().map(|(term,)| term).collect(),
        words: words.cloned(),
        name: name.and_then(|(name,)| SoughtWords::name(&name)),
    })
}

/// Our own posts that say what nobody else says: answers elsewhere that were made from memories.
async fn own_posts(tx: &mut Tx, marks: &ForgottenMarks) -> Result<Vec<Address>, StoreError> {
    let Some(own) = team::own(&mut *tx).await? else { return Ok(Vec::new()) };
    let bot = own.bot.as_ref().unwrap_or(&own.user).clone();
    let (mut found, mut after) = (Vec::new(), (String::new(), i64::MIN));
    loop {
        let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m WHERE (m.channel_id, m.ts) > ($1, $2) AND m.user_id IN ($3, $4) AND m.deleted = 0
              ORDER BY m.channel_id, m.ts LIMIT $5"))
            .bind(&after.0).bind(after.1).bind(own.user.as_str()).bind(bot.as_str()).bind(LOOKED_AT)
            .fetch_all(c).await)?;
        let Some(last) = rows.last() else { return Ok(found) };
        after = (last.0.clone(), last.1);
        for row in rows {
            let post = message_as_stored(row)?;
            let terms = counted_terms(&post.text, &post.files);
            let says = terms.iter().any(|term| marks.terms.contains(&term_key(term)));
            if says || marks.words.as_ref().is_some_and(|words| words.stand_in(&post.text)) {
                found.push((post.channel, post.ts));
            }
        }
    }
}

/// Removes texts, each in the way of its table.
async fn take_out(tx: &mut Tx, place: TextPlace, keys: &[String], now: Timestamp) -> Result<(), StoreError> {
    if place == TextPlace::Steps {
        return wipe_steps(tx, keys, now).await;
    }
    for key in keys {
        let number: i64 = key.parse().unwrap_or_default();
        match place {
            TextPlace::Steps => {}
            TextPlace::Verdicts => judgments::wipe_reason(tx, number, now).await?,
            TextPlace::Memos => {
                let channel: Option<(Option<String>,)> = on!(&mut *tx, c => query_as(
                    "SELECT channel_id FROM memos WHERE id = $1").bind(key).fetch_optional(c).await)?;
                let channel = channel.and_then(|(channel,)| channel).map(ChannelId::new);
                memos::removal::go(tx, &MemoId::of(key), channel.as_ref(), now).await?;
            }
            TextPlace::MemoLog => memos::log::wipe_entry(tx, number, now).await?,
            TextPlace::Replies => {
                on!(&mut *tx, c => sqlx::query("UPDATE replies SET reason = '' WHERE id = $1")
                    .bind(number).execute(c).await.map(drop))?;
            }
            TextPlace::ReplyParts => unsay(tx, number, now).await?,
            TextPlace::Setbacks => {
                on!(&mut *tx, c => sqlx::query("UPDATE setbacks SET reason = '' WHERE subject = $1")
                    .bind(key).execute(c).await.map(drop))?;
            }
            TextPlace::Raw => {
                unread_events::forget(tx, &RawCopies::Keyed(key.clone())).await?;
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
    archive::spread(tx, now).await?;
    for channel in &channels {
        archive::note_removal(tx, channel, now).await?;
    }
    Ok(())
}

/// Has a reply that is written but not posted written anew.
async fn unsay(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    let row: Option<(String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT channel_id, thread_ts FROM replies WHERE id = $1 AND state = 'written'")
        .bind(reply).fetch_optional(c).await)?;
    let Some((channel, thread)) = row else { return Ok(()) };
    let place = Place { channel: ChannelId::new(channel), thread: opt_ts(thread) };
    replies::compose_anew(tx, &place, ReplyId(reply), now).await
}

/// Removes the name of a person of whom everything is forgotten, and who the forgetting is about.
async fn forget_person(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    let person = targets::scope(&mut *tx, id).await?.filter(myao_core::forget::ForgetScope::is_whole_person);
    if let Some(user) = person.and_then(|scope| scope.user) {
        on!(&mut *tx, c => sqlx::query("DELETE FROM users WHERE id = $1")
            .bind(user.as_str()).execute(c).await.map(drop))?;
        on!(&mut *tx, c => sqlx::query("DELETE FROM misnamings WHERE user_id = $1")
            .bind(user.as_str()).execute(c).await.map(drop))?;
        unread_events::forget(tx, &RawCopies::Holding(user.as_str().to_owned())).await?;
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
