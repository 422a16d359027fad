//! Reads the lines of a channel's older versions that still hold: the best by their rows first, then their words.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{context::LineInForce, memory::StepId};

use super::{
    conversation::ConversationRows,
    request::{ChapterText, GatherRequest},
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{row, signed_size},
    },
    recall::{day_of_row, ended_lines_of_steps, line_texts_by_number},
};

row! {
    /// A line that holds.
    struct LineRow {
        step_id: i64,
        line: i64,
        day: i64,
        worth: i64,
    }
}

/// The best lines of the place's channel that no later line has replaced, from versions that lie before the shown ones
/// and before the conversation; and the journal entries that they stand in.
pub(super) async fn read_best_lines(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: &ConversationRows,
) -> Result<(Vec<LineInForce>, BTreeSet<StepId>), StoreError> {
    if request.most_lines == 0 {
        return Ok(Default::default());
    }
    let channel = request.place.channel.as_str();
    let shown = conversation.versions.iter().map(|version| version.version).min().map_or(i64::MAX, i64::from);
    let rows: Vec<LineRow> = on!(&mut *tx, c => query_as(
        "SELECT l.step_id, l.line, l.day, l.worth FROM memory_lines l
         WHERE l.channel = (SELECT c.number FROM channels c WHERE c.id = $1) AND l.ended_on = 0 AND l.version < $2
           AND l.version < (SELECT coalesce(min(k.version), 9223372036854775807) FROM chapters k
                WHERE k.channel_id = $1 AND k.to_ts > $3)
         ORDER BY l.worth DESC, l.step_id DESC, l.line LIMIT $4")
        .bind(channel).bind(shown).bind(conversation.start.as_micros()).bind(signed_size(request.most_lines)).fetch_all(c).await)?;
    let steps: BTreeSet<i64> = rows.iter().map(|row| row.step_id).collect();
    let texts = line_texts_by_number(tx, &steps.into_iter().collect::<Vec<_>>()).await?;
    let in_force = |row: LineRow| {
        let words = texts.get(&(row.step_id, row.line))?.clone();
        Some(LineInForce { day: day_of_row(row.day), words, worth: row.worth })
    };
    let entries = rows.iter().map(|row| StepId(row.step_id)).collect();
    Ok((rows.into_iter().filter_map(in_force).collect(), entries))
}

/// Adds to each text which of its lines later ones have replaced.
pub(super) async fn add_ends(
    tx: &mut Tx,
    texts: impl Iterator<Item = &mut ChapterText>,
) -> Result<(), StoreError> {
    let mut texts: BTreeMap<i64, &mut ChapterText> = texts.map(|text| (text.step.0, text)).collect();
    let steps: Vec<i64> = texts.keys().copied().collect();
    for (step, nth, day) in ended_lines_of_steps(tx, &steps).await? {
        let end = usize::try_from(nth).ok().zip(day_of_row(day));
        if let Some((text, end)) = texts.get_mut(&step).zip(end) {
            text.ends.push(end);
        }
    }
    Ok(())
}
