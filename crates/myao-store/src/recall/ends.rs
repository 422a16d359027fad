//! Reads which lines of a channel's versions no longer hold, and what replaced them.

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::StepId,
};

use super::lines::{line_day, line_texts};
use crate::{Store, StoreError, db::query_as, rows::version};

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

/// Line, since when another one holds, and that one's step, line and version.
type EndRow = (i64, i64, i64, i64, i64);

impl Store {
    /// The lines of a channel's versions, given by the steps of their texts, that later lines replaced. Empty if the
    /// channel may not be seen.
    #[boxed]
    pub async fn ended_lines_of(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        steps: &[StepId],
    ) -> Result<Vec<EndedLine>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        if !self.shown(visibility).channel(&mut tx, channel).await? {
            return Ok(Vec::new());
        }
        let mut ended = Vec::new();
        for step in steps {
            let rows: Vec<EndRow> = on!(&mut tx, c => query_as(
                "SELECT l.line, l.ended_on, b.step_id, b.line, b.version FROM memory_lines l
                 JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
                 WHERE l.step_id = $1 AND l.ended_on > 0
                   AND l.channel = (SELECT c.number FROM channels c WHERE c.id = $2) ORDER BY l.line")
                .bind(step.0).bind(channel.as_str()).fetch_all(c).await)?;
            let texts = line_texts(&mut tx, &rows.iter().map(|row| row.2).collect::<Vec<_>>()).await?;
            let line = |(nth, ended_on, by, by_line, by_version): EndRow| {
                let words = texts.get(&(by, by_line))?.clone();
                let end = LineEnd { day: line_day(ended_on)?, version: version(by_version), words };
                Some(EndedLine { step: *step, nth: usize::try_from(nth).ok()?, end })
            };
            ended.extend(rows.into_iter().filter_map(line));
        }
        Ok(ended)
    }
}
