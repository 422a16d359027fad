//! Reads which lines of a channel's versions no longer hold, and what replaced them.

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::StepId,
};

use super::lines::{day_of_row, line_texts_by_number};
use crate::{
    RecallHandle, StoreError,
    db::{
        query_as,
        values::{row, version_number},
    },
};

/// The end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEnd {
    /// The day of the line that replaced it.
    pub day: Date,
    /// The version of the same channel that holds that line.
    pub version: u32,
    /// The words of that line.
    pub words: String,
}

/// A line that a later one replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndedLine {
    /// The step that the line's text came with.
    pub step: StepId,
    /// Its number in the text, from 0.
    pub nth: usize,
    /// Its end.
    pub end: LineEnd,
}

row! {
    /// A line, since when another one holds, and which one that is.
    struct EndRow {
        line: i64,
        ended_on: i64,
        by_step: i64,
        by_line: i64,
        by_version: i64,
    }
}

impl RecallHandle<'_> {
    /// The lines of a channel's versions, given by the steps of their texts, that later lines replaced. Empty if the
    /// channel may not be seen.
    #[boxed]
    pub async fn ended_lines_of(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        steps: &[StepId],
    ) -> Result<Vec<EndedLine>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(Vec::new());
        }
        let mut ended = Vec::new();
        for step in steps {
            let rows: Vec<EndRow> = on!(&mut tx, c => query_as(
                "SELECT l.line, l.ended_on, b.step_id AS by_step, b.line AS by_line, b.version AS by_version
                 FROM memory_lines l
                 JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
                 WHERE l.step_id = $1 AND l.ended_on > 0
                   AND l.channel = (SELECT c.number FROM channels c WHERE c.id = $2) ORDER BY l.line")
                .bind(step.0).bind(channel.as_str()).fetch_all(c).await)?;
            let texts =
                line_texts_by_number(&mut tx, &rows.iter().map(|row| row.by_step).collect::<Vec<_>>())
                    .await?;
            let line = |row: EndRow| {
                let words = texts.get(&(row.by_step, row.by_line))?.clone();
                let end = LineEnd {
                    day: day_of_row(row.ended_on)?,
                    version: version_number(row.by_version),
                    words,
                };
                Some(EndedLine { step: *step, nth: usize::try_from(row.line).ok()?, end })
            };
            ended.extend(rows.into_iter().filter_map(line));
        }
        Ok(ended)
    }
}
