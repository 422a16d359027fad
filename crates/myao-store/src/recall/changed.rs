//! Reads what changed in what is remembered between two instants of talk: which lines came, and which ended by them
//! (ADR 135).

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::StepId,
};

use super::{
    as_of::ended_chapters,
    lines::{day_of_row, line_texts_by_number},
};
use crate::{
    RecallHandle, StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, row, version_number},
    },
};

/// The most lines of a channel that are read: what some years bring.
const MOST_LINES: i64 = 20_000;

/// A line of a channel's versions that came between two instants, or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineChange {
    /// The channel whose memory it is.
    pub channel: ChannelId,
    /// The version that it stands in.
    pub version: u32,
    /// The step that the text came with.
    pub step: StepId,
    /// Its number in the text, from 0.
    pub nth: usize,
    /// The day that it tells of.
    pub day: Option<Date>,
    /// Its words.
    pub words: String,
    /// What it is worth by its own words ([`myao_core::worth`]).
    pub worth: i64,
    /// The last message that its version was made from.
    pub until: Option<MessageTs>,
}

/// What changed in what is remembered of a channel between two instants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineChanges {
    /// The lines of the chapters that ended between them, in their order.
    pub new: Vec<LineChange>,
    /// The lines that these replaced, each with the line that holds instead, in the order of the latter. A line may have
    /// come and ended between the two instants.
    pub replaced: Vec<(LineChange, LineChange)>,
}

row! {
    /// A line and where it stands.
    struct ChangedLineRow {
        step_id: i64,
        line: i64,
        version: i64,
        day: i64,
        worth: i64,
        latest_ts: Option<i64>,
        ended_by: i64,
        ended_by_line: i64,
    }
}

/// The columns of [`ChangedLineRow`] for a line `l`.
macro_rules! changed_line_columns {
    () => {
        "SELECT l.step_id, l.line, l.version, l.day, l.worth,
            (SELECT h.source_latest_message_ts FROM memories h WHERE h.step_id = l.step_id) AS latest_ts,
            coalesce(l.ended_by, 0) AS ended_by, coalesce(l.ended_by_line, 0) AS ended_by_line
         FROM memory_lines l "
    };
}

impl RecallHandle<'_> {
    /// What changed in what is remembered of a channel after `since` and up to `until`: by the chapters that ended then.
    /// Empty if the channel may not be seen.
    #[boxed]
    pub async fn lines_changed(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        (since, until): (MessageTs, MessageTs),
    ) -> Result<LineChanges, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(LineChanges::default());
        }
        let before = ended_chapters(&mut tx, channel, since).await?.through;
        let through = ended_chapters(&mut tx, channel, until).await?.through;
        let new: Vec<ChangedLineRow> = on!(&mut tx, c => query_as(concat!(changed_line_columns!(),
            "WHERE l.channel = (SELECT c.number FROM channels c WHERE c.id = $1) AND l.version > $2 AND l.version <= $3
             ORDER BY l.version, l.step_id, l.line LIMIT $4"))
            .bind(channel.as_str()).bind(i64::from(before)).bind(i64::from(through)).bind(MOST_LINES)
            .fetch_all(c).await)?;
        let steps: BTreeSet<i64> = new.iter().map(|row| row.step_id).collect();
        let mut ended: Vec<ChangedLineRow> = Vec::new();
        for step in &steps {
            let rows: Vec<ChangedLineRow> = on!(&mut tx, c => query_as(concat!(changed_line_columns!(),
                "WHERE l.ended_by = $1 AND l.ended_on > 0 ORDER BY l.ended_by_line, l.version, l.line"))
                .bind(*step).fetch_all(c).await)?;
            ended.extend(rows);
        }
        let new = with_words(&mut tx, channel, new).await?;
        let by_place: BTreeMap<(i64, i64), &LineChange> =
            new.iter().map(|(place, _, line)| (*place, line)).collect();
        let mut replaced = Vec::new();
        for (_, by, line) in with_words(&mut tx, channel, ended).await? {
            replaced.extend(by_place.get(&by).map(|instead| (line, (*instead).clone())));
        }
        replaced.sort_by_key(|(_, by)| (by.version, by.nth));
        Ok(LineChanges { replaced, new: new.into_iter().map(|(_, _, line)| line).collect() })
    }
}

/// The step and the number of a line.
type LinePlace = (i64, i64);

/// The lines of these rows, each with its place and that of the line that replaced it.
async fn with_words(
    tx: &mut Tx,
    channel: &ChannelId,
    rows: Vec<ChangedLineRow>,
) -> Result<Vec<(LinePlace, LinePlace, LineChange)>, StoreError> {
    let steps: BTreeSet<i64> = rows.iter().map(|row| row.step_id).collect();
    let texts = line_texts_by_number(tx, &steps.into_iter().collect::<Vec<_>>()).await?;
    let line = |row: ChangedLineRow| {
        let place = (row.step_id, row.line);
        let change = LineChange {
            channel: channel.clone(),
            version: version_number(row.version),
            step: StepId(row.step_id),
            nth: usize::try_from(row.line).ok()?,
            day: day_of_row(row.day),
            words: texts.get(&place)?.clone(),
            worth: row.worth,
            until: row.latest_ts.and_then(opt_ts),
        };
        Some((place, (row.ended_by, row.ended_by_line), change))
    };
    Ok(rows.into_iter().filter_map(line).collect())
}
