//! Writes the rows of the counts, and knows where they lie: for every sixteen channels together.

use std::{collections::BTreeSet, fmt::Write as _};

use serde_json::Value;

use super::{ChannelWords, WordChange, numbers_as_json};
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

pub(super) async fn add_changes(tx: &mut Tx, changes: &[ChannelWords]) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            // The key of a count says the term and, after a blank, the word: SQLite reads a number up to there, and writing
            // each count as a list would take as long as counting it. One statement for all: what a statement may have to
            // undo is copied, page by page.
            sqlx::query(
                "INSERT INTO words (block, term, channel_id, messages, word)
                 SELECT c.number / 16, cast(w.key AS INTEGER), c.id, w.value,
                     CASE WHEN instr(w.key, ' ') > 0 THEN substr(w.key, instr(w.key, ' ') + 1) END
                 FROM json_each($1) AS said CROSS JOIN channels c ON c.id = said.key CROSS JOIN json_each(said.value) AS w
                 WHERE true
                 ON CONFLICT (block, term, channel_id) DO UPDATE SET messages = words.messages + excluded.messages",
            )
            .bind(changes_as_json(changes))
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            let each = || changes.iter().flat_map(|of| of.words.iter().map(|word| (&of.channel, word)));
            let terms: Vec<i64> = each().map(|(_, word)| word.term).collect();
            let channels: Vec<&str> = each().map(|(channel, _)| channel.as_str()).collect();
            let by: Vec<i64> = each().map(|(_, word)| word.by).collect();
            let words: Vec<Option<&str>> = each().map(|(_, word)| word.word.as_deref()).collect();
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

/// The changes by channel: `{"C1": {"123": 1, "456 word": 2}}`. Words have letters only, so that only ids of channels may
/// need escapes.
fn changes_as_json(changes: &[ChannelWords]) -> String {
    let mut json = String::from("{");
    for ChannelWords { channel, words } in changes {
        json.push_str(if json.len() > 1 { "," } else { "" });
        json.push_str(&Value::from(channel.as_str()).to_string());
        json.push_str(":{");
        let mut between = "";
        for WordChange { term, by, word } in words {
            let blank = if word.is_some() { " " } else { "" };
            let word = word.as_deref().unwrap_or_default();
            // Writing to a text cannot fail.
            let _written = write!(json, "{between}\"{term}{blank}{word}\":{by}");
            between = ",";
        }
        json.push('}');
    }
    json.push('}');
    json
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
