//! Reads what stands around messages that were found: what was said before and after each in its thread, or else in its
//! channel (ADR 97). It is all of the same channels, so whoever was shown the messages may see it.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{EXCHANGE_SECONDS, LOOKED_AT},
};

use super::{texts, units};
use crate::{
    StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{rows_from_json, signed_size},
    },
};

/// The most messages whose surroundings are read: more than a prompt has room for.
const MOST_HITS: usize = 40;

/// A channel, a first time, and the time after a last one.
type TimeStretch<'a> = (&'a str, i64, i64);

/// What stands around these messages, which were found for a question, as far as it was said before `question`; oldest
/// first.
#[boxed]
pub(crate) async fn surroundings_of_hits(
    tx: &mut Tx,
    hits: &[&Message],
    question: Option<&Message>,
) -> Result<Vec<Message>, StoreError> {
    let before = question.map_or(MessageTs::MAX, |message| message.ts);
    if hits.is_empty() {
        return Ok(Vec::new());
    }
    let hits = hits.get(..MOST_HITS).unwrap_or(hits);
    let threads = hits.iter().map(|hit| (hit.channel.clone(), hit.thread())).collect();
    let mut said: BTreeSet<(ChannelId, MessageTs, MessageTs)> = BTreeSet::new();
    for (channel, root, ts) in units::replies_of(tx, &threads, Some(before)).await? {
        let channel = ChannelId::new(channel);
        let root = MessageTs::from_micros(root);
        said.insert((channel.clone(), root, root));
        said.insert((channel, root, MessageTs::from_micros(ts)));
    }
    let mut in_threads: BTreeSet<(&str, i64)> = BTreeSet::new();
    let (mut earlier, mut later): (Vec<TimeStretch<'_>>, Vec<TimeStretch<'_>>) = Default::default();
    for hit in hits {
        let of_thread = |ts| (hit.channel.clone(), hit.thread(), ts);
        let low = of_thread(MessageTs::MIN);
        let high = of_thread(MessageTs::MAX);
        let channel = hit.channel.as_str();
        let at = hit.ts.as_micros();
        let after = at.saturating_add(1);
        if said.range(low.clone()..=high.clone()).next().is_none() && hit.thread() == hit.ts {
            earlier.push((channel, hit.ts.plus_seconds(-EXCHANGE_SECONDS).as_micros(), at));
            let end = hit.ts.plus_seconds(EXCHANGE_SECONDS).min(before).as_micros();
            later.push((channel, after, end));
            continue;
        }
        let preceding = said.range(low..of_thread(hit.ts)).rev().take(LOOKED_AT);
        let following = said.range(of_thread(MessageTs::from_micros(after))..=high).take(LOOKED_AT);
        let near = preceding.chain(following).map(|(_, _, ts)| ts.as_micros());
        in_threads.extend(near.chain([hit.thread().as_micros()]).map(|ts| (channel, ts)));
    }
    let in_threads: Vec<TimeStretch<'_>> =
        in_threads.into_iter().map(|(channel, ts)| (channel, ts, ts.saturating_add(1))).collect();
    let mut around = texts::messages_of_stretches(tx, &in_threads).await?;
    around.extend(last_of(tx, &earlier).await?);
    around.extend(first_of(tx, &later).await?);
    around.sort_by(|a, b| (&a.channel, a.ts).cmp(&(&b.channel, b.ts)));
    around.dedup_by(|a, b| a.channel == b.channel && a.ts == b.ts);
    Ok(around)
}

/// The talk `m` at top level that comes first in each stretch of $1, in an order of time; $2 is how many messages of each.
macro_rules! first_on_sqlite {
    ($order:literal) => {
        concat!(
            "SELECT json_group_array(json_array(",
            message_columns!(),
            ")) FROM json_each($1) AS s CROSS JOIN messages m ON m.channel_id = s.value ->> 0 AND m.ts IN (
                SELECT t.ts FROM messages t WHERE t.channel_id = s.value ->> 0 AND t.ts >= s.value ->> 1
                    AND t.ts < s.value ->> 2 AND (t.thread_ts = 0 OR t.thread_ts = t.ts)
                    AND t.kind = 'talk' AND t.deleted = 0 ORDER BY t.ts ",
            $order,
            " LIMIT $2)"
        )
    };
}

/// The same with the stretches as columns, $1 to $3, and the number as $4.
macro_rules! first_on_postgres {
    ($order:literal) => {
        concat!(
            "SELECT ",
            message_columns!(),
            " FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (channel_id, from_ts, to_ts)
              CROSS JOIN LATERAL (SELECT * FROM messages t WHERE t.channel_id = s.channel_id
                AND t.ts >= s.from_ts AND t.ts < s.to_ts AND (t.thread_ts = 0 OR t.thread_ts = t.ts)
                AND t.kind = 'talk' AND t.deleted = 0 ORDER BY t.ts ",
            $order,
            " LIMIT $4) AS m"
        )
    };
}

/// The last messages of each stretch.
async fn last_of(tx: &mut Tx, stretches: &[TimeStretch<'_>]) -> Result<Vec<Message>, StoreError> {
    let most = signed_size(LOOKED_AT);
    let rows: Vec<MessageRow> = match tx {
        Tx::Sqlite(tx) => {
            let (rows,): (String,) = query_as(first_on_sqlite!("DESC"))
                .bind(as_json(stretches)?)
                .bind(most)
                .fetch_one(&mut **tx)
                .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let (channels, from, to) = as_columns(stretches);
            query_as(first_on_postgres!("DESC"))
                .bind(channels)
                .bind(from)
                .bind(to)
                .bind(most)
                .fetch_all(&mut *tx)
                .await?
        }
    };
    rows.into_iter().map(message_of_row).collect()
}

/// The first messages of each stretch.
async fn first_of(tx: &mut Tx, stretches: &[TimeStretch<'_>]) -> Result<Vec<Message>, StoreError> {
    let most = signed_size(LOOKED_AT);
    let rows: Vec<MessageRow> = match tx {
        Tx::Sqlite(tx) => {
            let (rows,): (String,) = query_as(first_on_sqlite!("ASC"))
                .bind(as_json(stretches)?)
                .bind(most)
                .fetch_one(&mut **tx)
                .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let (channels, from, to) = as_columns(stretches);
            query_as(first_on_postgres!("ASC"))
                .bind(channels)
                .bind(from)
                .bind(to)
                .bind(most)
                .fetch_all(&mut *tx)
                .await?
        }
    };
    rows.into_iter().map(message_of_row).collect()
}

fn as_json(stretches: &[TimeStretch<'_>]) -> Result<String, StoreError> {
    Ok(serde_json::to_string(stretches)?)
}

fn as_columns<'a>(stretches: &[TimeStretch<'a>]) -> (Vec<&'a str>, Vec<i64>, Vec<i64>) {
    let channels = stretches.iter().map(|stretch| stretch.0).collect();
    let from = stretches.iter().map(|stretch| stretch.1).collect();
    (channels, from, stretches.iter().map(|stretch| stretch.2).collect())
}
