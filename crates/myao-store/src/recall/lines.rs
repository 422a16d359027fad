//! Stores the lines of a channel's short-term memories: what each is worth, and which a later one has replaced
//! (ADR 46).
//!
//! A line's row says where it stands and holds no words. It is written with the text that the line is part of, and
//! removed with it. The ends that it gave to other lines are removed too, and another line is looked for that ends
//! these.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::MessageTs,
    memory::{
        AnnouncedChanges, Line, StepId, announces_change, lines_of_text, subjects_if_replaced, words_of_end,
    },
    recall::{IndexTerm, terms_to_index},
    worth::WORTH,
};

use super::{
    address,
    apart::TermScope,
    damage, people,
    postings::{self, TermLookup, TermPlan, Wanted},
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, signed_size},
    },
};

/// The most memories of a channel that may hold a word for it to tell what a statement is about: a word in more of them
/// is said every day there.
const RARE: usize = 12;

/// A line of a chapter, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct PlacedLine {
    pub(super) step: i64,
    version: i64,
    pub(super) line: Line,
    day: i64,
}

/// Which memories of a channel are looked at for lines that end another, or are ended by it.
#[derive(Clone, Copy, Debug)]
pub(super) enum LookedAtMemories {
    /// All that the index holds.
    All,
    /// Those up to this step: the index already holds some that come after it.
    UpTo(StepId),
}

/// Writes the lines of a version of the short-term memory of channel number `channel`, which was made from messages up
/// to `until`.
pub(super) async fn put_version_lines(
    tx: &mut Tx,
    channel: i64,
    (version, until): (i64, Option<MessageTs>),
    step: StepId,
    text: &str,
    memories: LookedAtMemories,
) -> Result<(), StoreError> {
    let placed = lines_of_version(step.0, version, text, until);
    // If a chapter is written anew, later chapters exist already.
    let newest: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT version FROM memory_lines WHERE channel = $1 ORDER BY version DESC LIMIT 1")
        .bind(channel).fetch_optional(c).await)?;
    let is_newest = newest.is_none_or(|(newest,)| newest <= version);
    insert_placed_lines(tx, channel, &placed).await?;
    people::store_people_named(tx, channel, &placed).await?;
    for line in &placed {
        end_earlier(tx, channel, line, &placed, memories).await?;
        if !is_newest {
            end_by_later(tx, channel, line, memories).await?;
        }
    }
    Ok(())
}

/// The lines of a text; a line without a day gets the day of the last message.
fn lines_of_version(step: i64, version: i64, text: &str, until: Option<MessageTs>) -> Vec<PlacedLine> {
    let last =
        until.map_or(0, |until| day_number(until.to_timestamp().to_zoned(jiff::tz::TimeZone::UTC).date()));
    let place = |line: Line| PlacedLine { step, version, day: line.day.map_or(last, day_number), line };
    lines_of_text(text).into_iter().map(place).collect()
}

/// 13 March 2026 as 20260313.
fn day_number(day: Date) -> i64 {
    (i64::from(day.year()) * 100 + i64::from(day.month())) * 100 + i64::from(day.day())
}

/// The day of a row; `None` for 0.
pub(crate) fn day_of_row(number: i64) -> Option<Date> {
    let part = |number: i64| i8::try_from(number % 100).ok();
    Date::new(i16::try_from(number / 10_000).ok()?, part(number / 100)?, part(number)?).ok()
}

async fn insert_placed_lines(tx: &mut Tx, channel: i64, lines: &[PlacedLine]) -> Result<(), StoreError> {
    let rows =
        lines.iter().map(|l| [l.step, signed_size(l.line.nth), channel, l.version, l.day, l.line.worth()]);
    let rows: Vec<[i64; 6]> = rows.collect();
    let rows = serde_json::to_string(&rows)?;
    match tx {
        Tx::Sqlite(tx) => {
            sqlx::query(
                "INSERT INTO memory_lines (step_id, line, channel, version, day, worth)
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
                 FROM json_each($1) WHERE true ON CONFLICT (step_id, line) DO NOTHING",
            )
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO memory_lines (step_id, line, channel, version, day, worth)
                 SELECT cast(r ->> 0 AS BIGINT), cast(r ->> 1 AS BIGINT), cast(r ->> 2 AS BIGINT),
                    cast(r ->> 3 AS BIGINT), cast(r ->> 4 AS BIGINT), cast(r ->> 5 AS BIGINT)
                 FROM json_array_elements(cast($1 AS json)) AS e (r) ON CONFLICT (step_id, line) DO NOTHING",
            )
            .bind(rows)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

/// Drops the lines of texts that no memory has any more.
pub(super) async fn drop_lines_of_steps(tx: &mut Tx, steps: &[i64]) -> Result<(), StoreError> {
    for step in steps {
        on!(&mut *tx, c => sqlx::query("DELETE FROM memory_lines WHERE step_id = $1")
            .bind(*step).execute(c).await.map(drop))?;
    }
    for step in steps {
        let held_again: Vec<(i64, i64, i64)> = on!(&mut *tx, c => query_as(
            "UPDATE memory_lines SET ended_on = 0, ended_by = NULL, ended_by_line = NULL
             WHERE ended_by = $1 AND ended_on > 0 RETURNING step_id, line, channel")
            .bind(*step).fetch_all(c).await)?;
        for (of, nth, channel) in held_again {
            let lines = lines_of_chapters(tx, &[of]).await?;
            for line in lines.iter().filter(|line| signed_size(line.line.nth) == nth) {
                end_by_later(tx, channel, line, LookedAtMemories::All).await?;
            }
        }
    }
    Ok(())
}

/// Drops the lines of a channel.
pub(super) async fn drop_channel(tx: &mut Tx, channel: i64) -> Result<(), StoreError> {
    Ok(on!(tx, c => sqlx::query("DELETE FROM memory_lines WHERE channel = $1")
        .bind(channel).execute(c).await.map(drop))?)
}

/// Ends the earlier lines that this line replaces, in its own text and in others.
async fn end_earlier(
    tx: &mut Tx,
    channel: i64,
    line: &PlacedLine,
    own: &[PlacedLine],
    memories: LookedAtMemories,
) -> Result<(), StoreError> {
    let Some(subject) = announces_change(&line.line.words) else { return Ok(()) };
    let (rare, found) = lines_about_subject(tx, channel, &subject, memories).await?;
    if rare.is_empty() {
        return Ok(());
    }
    let is_rare = |shared: &BTreeSet<String>| shared.iter().any(|word| rare.contains(word));
    let changes = AnnouncedChanges::of(&line.line.words);
    for earlier in found.iter().chain(own).filter(|earlier| is_before(earlier, line)) {
        let shared = changes.subjects_if_replaced(&earlier.line.words);
        // What a line is worth takes longest to find out, and hardly one is replaced.
        if shared.is_some_and(|shared| is_rare(&shared)) && may_end(earlier) {
            note_line_end(tx, earlier, line).await?;
        }
    }
    Ok(())
}

/// Ends this line by the first later line that replaces it.
async fn end_by_later(
    tx: &mut Tx,
    channel: i64,
    line: &PlacedLine,
    memories: LookedAtMemories,
) -> Result<(), StoreError> {
    if !may_end(line) {
        return Ok(());
    }
    let subject = words_of_end(&line.line.words);
    let (rare, found) = lines_about_subject(tx, channel, &subject, memories).await?;
    let is_rare = |shared: &BTreeSet<String>| shared.iter().any(|word| rare.contains(word));
    for later in found.iter().filter(|later| is_before(line, later)) {
        if subjects_if_replaced(&later.line.words, &line.line.words).is_some_and(|shared| is_rare(&shared)) {
            note_line_end(tx, line, later).await?;
        }
    }
    Ok(())
}

/// Whether a line says something that can end: a line of little worth is mostly talk of the moment.
fn may_end(line: &PlacedLine) -> bool {
    line.line.worth() >= WORTH
}

fn is_before(a: &PlacedLine, b: &PlacedLine) -> bool {
    (a.version, a.line.nth) < (b.version, b.line.nth)
}

/// Notes the end of a line, unless an earlier line ended it already.
async fn note_line_end(tx: &mut Tx, earlier: &PlacedLine, later: &PlacedLine) -> Result<(), StoreError> {
    Ok(on!(tx, c => sqlx::query(
        "UPDATE memory_lines SET ended_on = $3, ended_by = $4, ended_by_line = $5
         WHERE step_id = $1 AND line = $2 AND (ended_on = 0 OR $6 < (
            SELECT b.version FROM memory_lines b WHERE b.step_id = memory_lines.ended_by
                AND b.line = memory_lines.ended_by_line))")
        .bind(earlier.step).bind(signed_size(earlier.line.nth)).bind(later.day.max(1)).bind(later.step)
        .bind(signed_size(later.line.nth)).bind(later.version).execute(c).await.map(drop))?)
}

/// Those words of a subject that few memories of the channel hold, and the lines of these memories.
#[boxed]
async fn lines_about_subject(
    tx: &mut Tx,
    channel: i64,
    subject: &BTreeSet<String>,
    memories: LookedAtMemories,
) -> Result<(BTreeSet<String>, Vec<PlacedLine>), StoreError> {
    let (from, end) = address::memories_of(channel);
    let to = match memories {
        LookedAtMemories::All => end,
        LookedAtMemories::UpTo(step) => address::of_memory(channel, step).saturating_add(1).min(end),
    };
    let words: Vec<(&String, IndexTerm)> =
        subject.iter().filter_map(|word| Some((word, terms_to_index(word).into_iter().next()?))).collect();
    let lookup = |(_, term): &(&String, IndexTerm)| TermLookup {
        wanted: Wanted::default().and(vec![*term]),
        scope: TermScope::either(channel),
        from,
        to,
        plan: TermPlan::Between,
    };
    let lookups: Vec<TermLookup> = words.iter().map(lookup).collect();
    let found = match postings::look_up(tx, &lookups, RARE + 1).await {
        // A memory is written without ends; when the index is made anew, so are the ends.
        Err(StoreError::Damaged(damage)) => {
            damage::set_stale(tx, &damage).await?;
            return Ok(Default::default());
        }
        found => found?,
    };
    let mut rare = BTreeSet::new();
    let mut steps = BTreeSet::new();
    for ((word, _), found) in words.iter().zip(found).filter(|(_, found)| found.len() <= RARE) {
        rare.insert((*word).clone());
        steps.extend(found.into_iter().filter_map(|address| match address::indexed_row(address) {
            address::IndexedRow::Memory(step) => Some(step.0),
            address::IndexedRow::Messages { .. } => None,
        }));
    }
    let lines = lines_of_chapters(tx, &steps.into_iter().collect::<Vec<_>>()).await?;
    Ok((rare, lines))
}

/// Which lines of the texts of these steps later lines have replaced: step, line, day.
pub(crate) async fn ended_lines_of_steps(
    tx: &mut Tx,
    steps: &[i64],
) -> Result<Vec<(i64, i64, i64)>, StoreError> {
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let query =
        match tx {
            Tx::Sqlite(tx) => {
                let steps = steps.iter().copied().collect::<serde_json::Value>().to_string();
                query_as(
                    "SELECT l.step_id, l.line, l.ended_on FROM json_each($1) AS s
                 CROSS JOIN memory_lines l ON l.step_id = s.value WHERE l.ended_on > 0",
                )
                .bind(steps)
                .fetch_all(&mut **tx)
                .await
            }
            Tx::Postgres(tx) => query_as(
                "SELECT step_id, line, ended_on FROM memory_lines WHERE step_id = ANY($1) AND ended_on > 0",
            )
            .bind(steps.to_vec())
            .fetch_all(&mut *tx)
            .await,
        };
    Ok(query?)
}

/// The words of the lines of these texts, by step and line number.
pub(crate) async fn line_texts_by_number(
    tx: &mut Tx,
    steps: &[i64],
) -> Result<BTreeMap<(i64, i64), String>, StoreError> {
    let placed = lines_of_chapters(tx, steps).await?;
    Ok(placed.into_iter().map(|l| ((l.step, signed_size(l.line.nth)), l.line.words)).collect())
}

/// The lines of those of these texts that are chapters'.
async fn lines_of_chapters(tx: &mut Tx, steps: &[i64]) -> Result<Vec<PlacedLine>, StoreError> {
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(i64, i64, String, Option<i64>)> = match tx {
        Tx::Sqlite(tx) => {
            let steps = steps.iter().copied().collect::<serde_json::Value>().to_string();
            query_as(
                "SELECT h.step_id, h.version, h.content, h.source_latest_message_ts
                 FROM json_each($1) AS s CROSS JOIN memories h ON h.step_id = s.value
                 WHERE h.scope = 'channel' AND h.memory_type = 'short_term' ORDER BY h.step_id",
            )
            .bind(steps)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(
                "SELECT h.step_id, h.version, h.content, h.source_latest_message_ts FROM memories h
                 WHERE h.step_id = ANY($1) AND h.scope = 'channel' AND h.memory_type = 'short_term'
                 ORDER BY h.step_id",
            )
            .bind(steps.to_vec())
            .fetch_all(&mut *tx)
            .await?
        }
    };
    let lines = rows.iter().flat_map(|(step, version, text, until)| {
        lines_of_version(*step, *version, text, until.and_then(opt_ts))
    });
    Ok(lines.collect())
}
