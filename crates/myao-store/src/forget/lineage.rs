//! Finds what was made from messages, by the same rules by which removing them reaches it.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{is_telling, make_thread_scope_id},
    text::{key_of_term, terms_of_text},
};

use super::{
    preview::{ForgetPreview, ForgottenMemory},
    said::SaidTerms,
    texts::TextPlace,
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{parse_column, version_number},
    },
    memos::removal::{logged_in, written_in},
};

/// How many numbers or names are looked up in one query.
const ASKED_AT_ONCE: usize = 500;

/// A message that would go, as far as it matters to what was made from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoneMessage {
    pub(super) ts: i64,
    /// The root of its thread.
    pub(super) thread: MessageTs,
    /// The channel's revision when it was said.
    pub(super) revision: i64,
    /// Whether it is talk, or was before it expired. A notice stands in no memory.
    pub(super) is_talk: bool,
    pub(super) is_expired: bool,
}

/// Runs a query with a list of ids or names as `$1`, which ends with the column that has to be among them.
macro_rules! among_of_type {
    ($tx:expr, $list:expr, $type:literal, $query:expr) => {
        match $tx {
            Tx::Sqlite(tx) => {
                let list = serde_json::to_string(&$list)?;
                query_as(concat!($query, " IN (SELECT value FROM json_each($1))"))
                    .bind(list)
                    .fetch_all(&mut **tx)
                    .await?
            }
            Tx::Postgres(tx) => {
                query_as(concat!($query, " = ANY(cast($1 AS ", $type, "[]))"))
                    .bind($list)
                    .fetch_all(&mut *tx)
                    .await?
            }
        }
    };
}

/// The steps of the journal that were made from messages of a channel themselves: chapters whose range holds one, and
/// memories of their threads. `gone` is in the order of time.
pub(super) async fn steps_made_from(
    tx: &mut Tx,
    channel: &ChannelId,
    gone: &[GoneMessage],
) -> Result<BTreeSet<i64>, StoreError> {
    let rows: Vec<(i64, i64, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT id, from_ts, to_ts, read_revision FROM memory_steps
         WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'short_term' AND content IS NOT NULL
           AND from_ts IS NOT NULL AND to_ts IS NOT NULL")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let mut found = BTreeSet::new();
    for (id, from, to, read) in rows {
        let begin = gone.partition_point(|message| message.ts <= from);
        let within = gone.iter().skip(begin).take_while(|message| message.ts <= to);
        if within.into_iter().any(|message| message.is_talk && message.revision <= read) {
            found.insert(id);
        }
    }
    let mut threads: BTreeMap<String, i64> = BTreeMap::new();
    for message in gone.iter().filter(|message| message.is_talk) {
        let scope = make_thread_scope_id(channel, message.thread).as_str().to_owned();
        let first = threads.entry(scope).or_insert(i64::MAX);
        *first = message.revision.min(*first);
    }
    let scopes: Vec<&String> = threads.keys().collect();
    for some in scopes.chunks(ASKED_AT_ONCE) {
        let some: Vec<String> = some.iter().map(|&scope| scope.clone()).collect();
        let rows: Vec<(i64, String, i64)> = among_of_type!(
            tx,
            some,
            "text",
            "SELECT id, scope_id, read_revision FROM memory_steps
             WHERE scope = 'thread' AND memory_type = 'short_term' AND content IS NOT NULL AND scope_id"
        );
        let reads = |scope: &String, read: i64| threads.get(scope).is_some_and(|first| *first <= read);
        found.extend(rows.into_iter().filter(|(_, scope, read)| reads(scope, *read)).map(|(id, ..)| id));
    }
    Ok(found)
}

/// These steps, and those made from them, and so on, as far as they hold a text.
#[boxed]
pub(super) async fn with_what_was_made(
    tx: &mut Tx,
    steps: &BTreeSet<i64>,
) -> Result<BTreeSet<i64>, StoreError> {
    let rows: Vec<(i64,)> = match tx {
        Tx::Sqlite(tx) => {
            let seeds = steps.iter().copied().collect::<serde_json::Value>().to_string();
            query_as(
                "WITH RECURSIVE gone (id) AS (
                    SELECT value FROM json_each($1)
                    UNION SELECT i.step_id FROM step_inputs i JOIN gone g ON i.input_id = g.id WHERE i.hard = 1)
                 SELECT s.id FROM gone g JOIN memory_steps s ON s.id = g.id WHERE s.content IS NOT NULL",
            )
            .bind(seeds)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(
                "WITH RECURSIVE gone (id) AS (
                    SELECT * FROM unnest($1::bigint[])
                    UNION SELECT i.step_id FROM step_inputs i JOIN gone g ON i.input_id = g.id WHERE i.hard = 1)
                 SELECT s.id FROM gone g JOIN memory_steps s ON s.id = g.id WHERE s.content IS NOT NULL",
            )
            .bind(steps.iter().copied().collect::<Vec<_>>())
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The memories to which steps belong, with how many of the steps are theirs.
pub(super) async fn memories_of(
    tx: &mut Tx,
    steps: &BTreeSet<i64>,
) -> Result<Vec<ForgottenMemory>, StoreError> {
    let mut entries: BTreeMap<(String, String, String, i64), u64> = BTreeMap::new();
    let steps: Vec<i64> = steps.iter().copied().collect();
    for some in steps.chunks(ASKED_AT_ONCE) {
        let rows: Vec<(String, String, String, i64)> = among_of_type!(
            tx,
            some.to_vec(),
            "bigint",
            "SELECT scope, scope_id, memory_type, version FROM memory_steps WHERE id"
        );
        for row in rows {
            *entries.entry(row).or_default() += 1;
        }
    }
    let memory = |((scope, scope_id, memory_type, number), entries): ((String, String, String, i64), u64)| {
        Ok(ForgottenMemory {
            scope: parse_column(&scope, "memory_steps.scope", &scope_id)?,
            scope_id,
            memory_type: parse_column(&memory_type, "memory_steps.memory_type", number)?,
            version: version_number(number),
            entries,
        })
    };
    entries.into_iter().map(memory).collect()
}

/// Adds the reasons in the ledger that go with messages of a channel: those about one of them, those that hold a term
/// which nobody else says there, and where words have expired, all since.
pub(super) async fn add_reasons(
    tx: &mut Tx,
    (channel, gone): (&ChannelId, &[GoneMessage]),
    (said, only_theirs): (&SaidTerms, &BTreeSet<i64>),
    preview: &mut ForgetPreview,
) -> Result<(), StoreError> {
    let rows: Vec<(i64, i64, i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, latest_ts, at, reason FROM verdicts WHERE channel_id = $1 AND reason <> ''")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let expired = gone.iter().filter(|message| message.is_expired).map(|message| message.ts).min();
    for (id, about, at, reason) in rows {
        let is_about = gone.binary_search_by_key(&about, |message| message.ts).is_ok();
        let is_after_expired = expired.is_some_and(|first| at >= first);
        let tells = |term: &String| {
            let key = key_of_term(term);
            is_telling(term)
                && only_theirs.contains(&key)
                && said.0.get(&key).is_some_and(|said| said.first <= at)
        };
        if is_about || is_after_expired || terms_of_text(&reason).iter().any(tells) {
            preview.add(TextPlace::Verdicts, id.to_string());
        }
    }
    Ok(())
}

/// Adds the memos that were made from messages of a channel, and the entries of the memo log about such memos.
pub(super) async fn add_memos(
    tx: &mut Tx,
    (channel, gone): (&ChannelId, &[GoneMessage]),
    (said, only_theirs): (&SaidTerms, &BTreeSet<i64>),
    preview: &mut ForgetPreview,
) -> Result<(), StoreError> {
    let goes = |ts: &i64| {
        gone.binary_search_by_key(ts, |message| message.ts)
            .is_ok_and(|at| gone.get(at).is_some_and(|message| message.is_talk))
    };
    let says = |text: &str, read: i64| {
        terms_of_text(text).iter().map(|term| key_of_term(term)).any(|key| {
            only_theirs.contains(&key) && said.0.get(&key).is_some_and(|said| said.revision <= read)
        })
    };
    let sources: Vec<(String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT s.memo_id, s.ts FROM memo_sources s JOIN memos m ON m.id = s.memo_id WHERE m.channel_id = $1")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let sources: BTreeSet<String> =
        sources.into_iter().filter(|(_, ts)| goes(ts)).map(|(memo, _)| memo).collect();
    for memo in written_in(tx, channel).await? {
        if sources.contains(memo.id.as_str()) || says(&memo.text, memo.read_revision) {
            add_memo(tx, memo.id.as_str(), preview).await?;
        }
    }
    let sources: Vec<(String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT l.memo_id, s.ts FROM memo_log_sources s JOIN memo_log l ON l.id = s.entry_id
         WHERE l.memo_id IN (SELECT memo_id FROM memo_log WHERE channel_id = $1)")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let sources: BTreeSet<String> =
        sources.into_iter().filter(|(_, ts)| goes(ts)).map(|(memo, _)| memo).collect();
    for memo in logged_in(tx, channel).await? {
        if sources.contains(memo.id.as_str()) || says(&memo.text, memo.read_revision) {
            add_log_of(tx, memo.id.as_str(), preview).await?;
        }
    }
    Ok(())
}

/// Adds a memo that goes, and what the log holds of it.
pub(super) async fn add_memo(tx: &mut Tx, memo: &str, preview: &mut ForgetPreview) -> Result<(), StoreError> {
    preview.add(TextPlace::Memos, memo.to_owned());
    add_log_of(tx, memo, preview).await
}

async fn add_log_of(tx: &mut Tx, memo: &str, preview: &mut ForgetPreview) -> Result<(), StoreError> {
    let entries: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT id FROM memo_log WHERE memo_id = $1 AND wiped_at IS NULL").bind(memo).fetch_all(c).await)?;
    for (entry,) in entries {
        preview.add(TextPlace::MemoLog, entry.to_string());
    }
    Ok(())
}

/// The time stamps that stand in a raw copy, and could be those of messages.
pub(super) fn stamps_in(raw: &str) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for (at, _) in raw.match_indices('.') {
        let before = raw.get(..at).unwrap_or_default();
        let micros: String = raw.get(at + 1..).unwrap_or_default().chars().take(6).collect();
        let whole = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
        if micros.len() == 6 && micros.bytes().all(|byte| byte.is_ascii_digit()) {
            // A copy is matched wherever the time stamp stands in it, also inside a longer number.
            for start in whole..at {
                let stamp = before.get(start..).map(|seconds| format!("{seconds}.{micros}"));
                found.extend(
                    stamp.and_then(|stamp| stamp.parse::<MessageTs>().ok()).map(MessageTs::as_micros),
                );
            }
        }
    }
    found
}
