//! Writes the rows of the counts, and knows where they lie: for every sixteen channels together.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::chat::ChannelId;

use super::{WordChange, numbers_as_json};
use crate::{StoreError, db::Tx};

/// The blocks in which counts lie: one for every sixteen numbers of channels, as many as were given.
macro_rules! blocks_of_sqlite {
    () => {
        "(WITH RECURSIVE blocks (block) AS (
             SELECT 0 UNION ALL SELECT block + 1 FROM blocks WHERE block < (
                 SELECT cast(value AS INTEGER) / 16 FROM settings WHERE key = 'last_channel_number'))
          SELECT block FROM blocks)"
    };
}
pub(in super::super) use blocks_of_sqlite;

/// The same for PostgreSQL, as an array.
macro_rules! blocks_of_postgres {
    () => {
        "ARRAY(SELECT generate_series(0, coalesce((
             SELECT cast(value AS BIGINT) / 16 FROM settings WHERE key = 'last_channel_number'), 0)))"
    };
}
pub(in super::super) use blocks_of_postgres;

pub(super) async fn add_changes(
    tx: &mut Tx,
    changes: Vec<((ChannelId, i64), WordChange)>,
) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let mut by_channel: BTreeMap<&str, Vec<_>> = BTreeMap::new();
            for ((channel, term), change) in &changes {
                by_channel.entry(channel.as_str()).or_default().push((*term, change.by, &change.word));
            }
            sqlx::query(
                "INSERT INTO words (block, term, channel_id, messages, word)
                 SELECT c.number / 16, w.value ->> 0, c.id, w.value ->> 1, w.value ->> 2
                 FROM json_each($1) AS said CROSS JOIN channels c ON c.id = said.key CROSS JOIN json_each(said.value) AS w
                 WHERE true
                 ON CONFLICT (block, term, channel_id) DO UPDATE SET messages = words.messages + excluded.messages",
            )
            .bind(serde_json::to_string(&by_channel)?)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            let terms: Vec<i64> = changes.iter().map(|((_, term), _)| *term).collect();
            let by: Vec<i64> = changes.iter().map(|(_, change)| change.by).collect();
            let (channels, words): (Vec<String>, Vec<Option<String>>) = changes
                .into_iter()
                .map(|((channel, _), change)| (channel.as_str().to_owned(), change.word))
                .unzip();
            sqlx::query(
                "INSERT INTO words (block, term, channel_id, messages, word)
                 SELECT c.number / 16, w.term, c.id, w.messages, w.word
                 FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) AS w (term, channel_id, messages, word)
                 JOIN channels c ON c.id = w.channel_id
                 ON CONFLICT (block, term, channel_id) DO UPDATE SET messages = words.messages + excluded.messages",
            )
            .bind(terms)
            .bind(channels)
            .bind(by)
            .bind(words)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

pub(super) async fn drop_unsaid(tx: &mut Tx, terms: &BTreeSet<i64>) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            sqlx::query(concat!(
                "DELETE FROM words WHERE messages <= 0 AND block IN ",
                blocks_of_sqlite!(),
                " AND term IN (SELECT value FROM json_each($1))"
            ))
            .bind(numbers_as_json(terms))
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(concat!(
                "DELETE FROM words WHERE messages <= 0 AND block = ANY(",
                blocks_of_postgres!(),
                ") AND term = ANY($1)"
            ))
            .bind(terms.iter().copied().collect::<Vec<_>>())
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}
