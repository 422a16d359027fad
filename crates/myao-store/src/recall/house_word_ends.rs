//! Meanings of words of the house that a person ended by hand. A row holds no words; it goes with its message, and once
//! the message no longer says it.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    recall::{HouseWord, HouseWordForm, house_words_in},
};

use super::house_words::HouseWordQuery;
use crate::{
    RecallHandle, StoreError,
    db::{Tx, query_as, values::rows_from_json},
};

/// A meaning that a message gives a word, to be ended or to count again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseWordEnd {
    /// It counts no more, whoever said it up to now.
    Ended,
    /// It counts again.
    TakenBack,
}

/// An ended meaning: the channel, the message's time, and the key of the pair.
type EndedPairRow = (String, i64, i64);

impl RecallHandle<'_> {
    /// Ends a meaning of a word in a channel by hand, or takes that back: of every message there that says it. A message that
    /// says it later counts. How many messages that were.
    #[boxed]
    pub async fn end_house_word(
        &self,
        channel: &ChannelId,
        word: &str,
        meaning: &str,
        end: HouseWordEnd,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let query = HouseWordQuery { channel: Some(channel.clone()), word: Some(word.to_owned()) };
        let said = self.house_words(&Visibility::Owner, &query).await?;
        let is_meant = |said: &HouseWord| said.form != HouseWordForm::Denied && said.is_meaning(meaning);
        let meant: Vec<(i64, i64)> = said
            .into_iter()
            .filter(|one| is_meant(&one.said.said))
            .map(|one| (one.message.ts.as_micros(), one.said.said.key()))
            .collect();
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut changed = 0;
            for (ts, pair) in &meant {
                changed += write_end(&mut tx, (&channel, *ts, *pair), end, now).await?;
            }
            tx.commit().await?;
            Ok(changed)
        })
        .await
    }
}

/// Writes or removes a row, if the message still stands; how many that were.
async fn write_end(
    tx: &mut Tx,
    (channel, ts, pair): (&ChannelId, i64, i64),
    end: HouseWordEnd,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let done = match end {
        HouseWordEnd::Ended => on!(tx, c => sqlx::query(
            "INSERT INTO house_word_ends (channel_id, message_ts, pair, ended_at)
             SELECT channel_id, ts, $3, $4 FROM messages WHERE channel_id = $1 AND ts = $2 AND deleted = 0
             ON CONFLICT (channel_id, message_ts, pair) DO NOTHING")
            .bind(channel.as_str()).bind(ts).bind(pair).bind(now.as_microsecond())
            .execute(c).await.map(|done| done.rows_affected()))?,
        HouseWordEnd::TakenBack => on!(tx, c => sqlx::query(
            "DELETE FROM house_word_ends WHERE channel_id = $1 AND message_ts = $2 AND pair = $3")
            .bind(channel.as_str()).bind(ts).bind(pair)
            .execute(c).await.map(|done| done.rows_affected()))?,
    };
    Ok(done)
}

/// Removes the ends in these stretches, each a channel with its first time and the one after its last, that no standing
/// message says any more.
pub(super) async fn follow_messages(
    tx: &mut Tx,
    stretches: &[(&str, i64, i64)],
    standing: &[Message],
) -> Result<(), StoreError> {
    let rows = ends_in(tx, stretches).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut said: BTreeSet<EndedPairRow> = BTreeSet::new();
    for message in standing {
        let keys = house_words_in(&message.text).into_iter().map(|one| one.key());
        said.extend(keys.map(|key| (message.channel.to_string(), message.ts.as_micros(), key)));
    }
    for row in rows.into_iter().filter(|row| !said.contains(row)) {
        let (channel, ts, pair) = row;
        on!(&mut *tx, c => sqlx::query(
            "DELETE FROM house_word_ends WHERE channel_id = $1 AND message_ts = $2 AND pair = $3")
            .bind(&channel).bind(ts).bind(pair).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The ended meanings of the messages in these stretches.
#[boxed]
async fn ends_in(tx: &mut Tx, stretches: &[(&str, i64, i64)]) -> Result<Vec<EndedPairRow>, StoreError> {
    if stretches.is_empty() {
        return Ok(Vec::new());
    }
    Ok(match tx {
        Tx::Sqlite(tx) => {
            let stretches = serde_json::to_string(stretches)?;
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(e.channel_id, e.message_ts, e.pair)) FROM json_each($1) AS s
                 CROSS JOIN house_word_ends e ON e.channel_id = s.value ->> 0
                    AND e.message_ts >= s.value ->> 1 AND e.message_ts < s.value ->> 2",
            )
            .bind(stretches)
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let channels: Vec<&str> = stretches.iter().map(|stretch| stretch.0).collect();
            let from: Vec<i64> = stretches.iter().map(|stretch| stretch.1).collect();
            let to: Vec<i64> = stretches.iter().map(|stretch| stretch.2).collect();
            query_as(
                "SELECT e.channel_id, e.message_ts, e.pair
                 FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (channel_id, from_ts, to_ts)
                 CROSS JOIN LATERAL (SELECT * FROM house_word_ends t WHERE t.channel_id = s.channel_id
                    AND t.message_ts >= s.from_ts AND t.message_ts < s.to_ts OFFSET 0) AS e",
            )
            .bind(channels)
            .bind(from)
            .bind(to)
            .fetch_all(&mut *tx)
            .await?
        }
    })
}

/// The ended meanings of these messages.
pub(super) async fn ends_of_messages(
    tx: &mut Tx,
    messages: &[Message],
) -> Result<BTreeSet<(ChannelId, MessageTs, i64)>, StoreError> {
    let stretch = |message: &'_ Message| {
        let ts = message.ts.as_micros();
        (message.channel.to_string(), ts, ts.saturating_add(1))
    };
    let stretches: Vec<(String, i64, i64)> = messages.iter().map(stretch).collect();
    let stretches: Vec<(&str, i64, i64)> =
        stretches.iter().map(|(channel, from, to)| (channel.as_str(), *from, *to)).collect();
    let rows = ends_in(tx, &stretches).await?;
    let row = |(channel, ts, pair): EndedPairRow| (ChannelId::new(channel), MessageTs::from_micros(ts), pair);
    Ok(rows.into_iter().map(row).collect())
}
