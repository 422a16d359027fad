//! Tells which chapters had ended by an instant of talk, and which of their lines held then (ADR 135).

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{ChapterEnd, MemoryType},
};

use super::{
    ends::{EndedLine, LineEnd},
    lines::{day_of_row, line_texts_by_number},
    request::Recalled,
    texts::RecalledText,
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{parse_column, row, version_number},
    },
};

/// The chapters of a channel that had ended by an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndedChapters {
    /// The number of the last of them; 0 if there is none.
    pub(crate) through: u32,
    /// The last message that they hold: what was said after it is in no chapter yet.
    pub(crate) until: MessageTs,
}

row! {
    /// The end of a chapter.
    struct ChapterEndRow {
        version: i64,
        to_ts: i64,
        closed_by: String,
        idle: i64,
    }
}

/// The chapters of a channel that had ended by `instant`; those that were taken over without borders by their last message.
#[boxed]
pub(crate) async fn ended_chapters(
    tx: &mut Tx,
    channel: &ChannelId,
    instant: MessageTs,
) -> Result<EndedChapters, StoreError> {
    // The chapter under way at the instant may begin before it, and then the one before that may have ended later: the
    // third has ended by then, since somebody spoke after the silence that ended it.
    let rows: Vec<ChapterEndRow> = on!(&mut *tx, c => query_as(
        "SELECT k.version, k.to_ts, k.closed_by, k.conversation_idle_seconds AS idle FROM chapters k
         WHERE k.channel_id = $1 AND k.from_ts < $2 ORDER BY k.from_ts DESC LIMIT 3")
        .bind(channel.as_str()).bind(instant.as_micros()).fetch_all(c).await)?;
    for row in rows {
        let end = ChapterEnd {
            to: MessageTs::from_micros(row.to_ts),
            closed_by: parse_column(&row.closed_by, "chapters.closed_by", format_args!("{channel}"))?,
            conversation_idle_seconds: u64::try_from(row.idle).unwrap_or(u64::MAX),
        };
        if end.had_ended_by(instant) {
            return Ok(EndedChapters { through: version_number(row.version), until: end.to });
        }
    }
    let (through, until): (i64, i64) = on!(tx, c => query_as(
        "SELECT coalesce(max(h.version), 0), coalesce(max(h.source_latest_message_ts), 0) FROM memories h
         WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'short_term'
           AND h.source_latest_message_ts <= $2
           AND NOT EXISTS (SELECT 1 FROM chapters k WHERE k.channel_id = $1 AND k.version = h.version)")
        .bind(channel.as_str()).bind(instant.as_micros()).fetch_one(c).await)?;
    Ok(EndedChapters { through: version_number(through), until: MessageTs::from_micros(until) })
}

row! {
    /// A line that another replaced, and which one that is.
    struct ReplacedRow {
        line: i64,
        ended_on: i64,
        by_step: i64,
        by_line: i64,
        by_version: i64,
    }
}

/// The lines of these texts that lines of chapters up to number `through` have replaced: a line that a later chapter
/// replaced still held then.
#[boxed]
pub(crate) async fn ends_as_of(
    tx: &mut Tx,
    steps: &[i64],
    through: u32,
) -> Result<Vec<EndedLine>, StoreError> {
    let mut ended = Vec::new();
    for step in steps {
        let rows: Vec<ReplacedRow> = on!(&mut *tx, c => query_as(
            "SELECT l.line, l.ended_on, b.step_id AS by_step, b.line AS by_line, b.version AS by_version
             FROM memory_lines l
             JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
             WHERE l.step_id = $1 AND l.ended_on > 0 AND b.version <= $2 ORDER BY l.line")
            .bind(*step).bind(i64::from(through)).fetch_all(c).await)?;
        let by: BTreeSet<i64> = rows.iter().map(|row| row.by_step).collect();
        let texts = line_texts_by_number(tx, &by.into_iter().collect::<Vec<_>>()).await?;
        let line = |row: ReplacedRow| {
            let words = texts.get(&(row.by_step, row.by_line))?.clone();
            let day = day_of_row(row.ended_on)?;
            let end = LineEnd { day, version: version_number(row.by_version), words };
            let step = myao_core::memory::StepId(*step);
            Some(EndedLine { step, nth: usize::try_from(row.line).ok()?, end })
        };
        ended.extend(rows.into_iter().filter_map(line));
    }
    Ok(ended)
}

/// Keeps, of what was found, what was known by `instant`: messages were bounded already; of lines those of chapters that
/// had ended by then, each as it stood then.
pub(super) async fn keep_as_of(
    tx: &mut Tx,
    found: &mut Vec<Recalled>,
    instant: MessageTs,
) -> Result<(), StoreError> {
    let mut through: BTreeMap<ChannelId, u32> = BTreeMap::new();
    let mut ended: BTreeSet<(i64, usize)> = BTreeSet::new();
    let mut steps: BTreeSet<i64> = BTreeSet::new();
    for found in found.iter() {
        let RecalledText::Line(line) = &found.text else { continue };
        let last = match through.get(&line.channel) {
            Some(last) => *last,
            None => ended_chapters(tx, &line.channel, instant).await?.through,
        };
        through.insert(line.channel.clone(), last);
        if line.ended.is_some() && steps.insert(line.step.0) {
            let ends = ends_as_of(tx, &[line.step.0], last).await?;
            ended.extend(ends.into_iter().map(|end| (end.step.0, end.nth)));
        }
    }
    found.retain(|found| match &found.text {
        RecalledText::Message(message) => message.ts <= instant,
        RecalledText::Line(line) => match line.memory_type {
            MemoryType::ShortTerm => through.get(&line.channel).is_some_and(|last| line.version <= *last),
            MemoryType::LongTerm => line.until.is_some_and(|until| until <= instant),
        },
    });
    for found in found {
        if let RecalledText::Line(line) = &mut found.text
            && !ended.contains(&(line.step.0, line.nth))
        {
            line.ended = None;
        }
    }
    Ok(())
}
