//! Stores which lines of memories name whom, beside the lines' own rows, and reads lines by it, through a visibility.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::{ChannelId, MessageTs, User, UserId, Visibility},
    memory::{StepId, people_in_line, possible_names},
    worth::WORTH,
};

use super::{
    apart,
    ends::LineEnd,
    lines::{PlacedLine, day_of_row, line_texts_by_number},
};
use crate::{
    RecallHandle, StoreError,
    archive::{former_names, names},
    db::{
        Tx, query_as,
        values::{opt_ts, row, signed_size, unsigned_count, version_number},
    },
    hearing::visible::{VisibilityBinds, visible},
};

/// Lines checked per person for a prompt, the best of open channels and the best of the place's own. What is skipped of
/// these does not hold any more, or is of a channel that may be open no longer.
const LOOKED_AT: i64 = 400;

/// A line of a channel's version that names somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PersonLine {
    /// The person it names.
    pub person: UserId,
    /// The channel whose memory holds it.
    pub channel: ChannelId,
    /// The version of the channel's short-term memory.
    pub version: u32,
    /// The step that the text came with.
    pub step: StepId,
    /// Its number in the text, from 0 ([`myao_core::memory::Line::nth`]).
    pub nth: usize,
    /// The day that it tells of.
    pub day: Option<Date>,
    /// Its words ([`myao_core::memory::Line::words`]).
    pub words: String,
    /// The last message that the version was made from.
    pub until: Option<MessageTs>,
    /// Since when another line holds instead; `None` if it is in force.
    pub ended: Option<LineEnd>,
}

/// The lines of memories that name one person.
#[derive(Clone, Debug, Default)]
pub struct PersonLines {
    /// Lines in force, then lines that ended; each group newest first.
    pub lines: Vec<PersonLine>,
    /// How many there are in all.
    pub all: u64,
}

/// `line_people.apart` of a line that everybody may see.
const OF_OPEN_CHANNELS: i64 = 0;

impl RecallHandle<'_> {
    /// At most `most` visible lines of versions that name a person: those in force, then those that ended, each newest
    /// first.
    #[boxed]
    pub async fn lines_of_person(
        &self,
        visibility: &Visibility,
        person: &UserId,
        most: usize,
    ) -> Result<PersonLines, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let (all,): (i64,) = on!(&mut tx, c => query_as(concat!(
            "SELECT count(*) FROM line_people p JOIN memory_lines l ON l.step_id = p.step_id AND l.line = p.line
             JOIN channels c ON c.number = l.channel AND c.number > 0
             WHERE p.user_id = $4 AND ", visible!()))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(person.as_str()).fetch_one(c).await)?;
        let rows: Vec<PersonLineRow> = on!(&mut tx, c => query_as(concat!(
            line_columns!(), " FROM line_people p
             JOIN memory_lines l ON l.step_id = p.step_id AND l.line = p.line
             JOIN channels c ON c.number = l.channel AND c.number > 0
             LEFT JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
             WHERE p.user_id = $4 AND ", visible!(), "
             ORDER BY CASE WHEN l.ended_on = 0 THEN 0 ELSE 1 END, l.day DESC, l.step_id DESC, l.line LIMIT $5"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(person.as_str()).bind(signed_size(most))
            .fetch_all(c).await)?;
        let rows = rows.into_iter().map(|row| (person.clone(), row)).collect();
        Ok(PersonLines { lines: with_words(&mut tx, rows).await?, all: unsigned_count(all) })
    }
}

row! {
    /// A line that names a person, and the line that replaced it.
    pub(super) struct PersonLineRow {
        step_id: i64,
        line: i64,
        channel_id: String,
        version: i64,
        day: i64,
        worth: i64,
        latest_ts: Option<i64>,
        by_step: Option<i64>,
        by_line: Option<i64>,
        by_version: Option<i64>,
        ended_on: i64,
    }
}

macro_rules! line_columns {
    () => {
        "SELECT l.step_id, l.line, c.id AS channel_id, l.version, l.day, l.worth,
            (SELECT h.source_latest_message_ts FROM memories h WHERE h.step_id = l.step_id) AS latest_ts,
            b.step_id AS by_step, b.line AS by_line, b.version AS by_version, l.ended_on"
    };
}
pub(super) use line_columns;

/// For each of these people, the `most` best lines that hold and are worth keeping in a long-term memory, best first. Of
/// equals the later day comes first: the order in which memories were written tells what else there was to write.
pub(crate) async fn best_lines(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    people: &[UserId],
    most: usize,
) -> Result<Vec<PersonLine>, StoreError> {
    let own = apart::find_placed_channel(tx, seen, &ChannelId::new(seen.own.clone())).await?;
    let closed = own.filter(|own| !own.is_open).map_or(OF_OPEN_CHANNELS, |own| own.number);
    let mut rows = Vec::new();
    for person in people {
        let best: Vec<PersonLineRow> = on!(&mut *tx, c => query_as(concat!(
            line_columns!(), " FROM (SELECT * FROM (SELECT step_id, line, worth FROM line_people
                     WHERE user_id = $4 AND apart = 0 AND worth >= $5
                     ORDER BY worth DESC, step_id DESC, line DESC LIMIT $6) AS o
                 UNION ALL SELECT * FROM (SELECT step_id, line, worth FROM line_people
                     WHERE user_id = $4 AND apart = $8 AND $8 > 0 AND worth >= $5
                     ORDER BY worth DESC, step_id DESC, line DESC LIMIT $6) AS c) AS p
             JOIN memory_lines l ON l.step_id = p.step_id AND l.line = p.line
             JOIN channels c ON c.number = l.channel AND c.number > 0
             LEFT JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
             WHERE l.ended_on = 0 AND ", visible!(), "
             ORDER BY p.worth DESC, l.day DESC, c.id, l.version DESC, p.line DESC LIMIT $7"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(person.as_str()).bind(WORTH).bind(LOOKED_AT)
            .bind(signed_size(most)).bind(closed).fetch_all(c).await)?;
        rows.extend(best.into_iter().map(|row| (person.clone(), row)));
    }
    with_words(tx, rows).await
}

pub(super) async fn with_words(
    tx: &mut Tx,
    rows: Vec<(UserId, PersonLineRow)>,
) -> Result<Vec<PersonLine>, StoreError> {
    let steps = rows.iter().flat_map(|(_, row)| [Some(row.step_id), row.by_step]).flatten();
    let steps: BTreeSet<i64> = steps.collect();
    let texts = line_texts_by_number(tx, &steps.into_iter().collect::<Vec<_>>()).await?;
    let line = |(person, row): (UserId, PersonLineRow)| {
        let end = day_of_row(row.ended_on).zip(row.by_step.zip(row.by_line)).zip(row.by_version);
        let ended = end.and_then(|((day, at), number)| {
            Some(LineEnd { day, version: version_number(number), words: texts.get(&at)?.clone() })
        });
        Some(PersonLine {
            person,
            channel: ChannelId::new(row.channel_id),
            version: version_number(row.version),
            step: StepId(row.step_id),
            nth: usize::try_from(row.line).ok()?,
            day: day_of_row(row.day),
            words: texts.get(&(row.step_id, row.line))?.clone(),
            until: row.latest_ts.and_then(opt_ts),
            ended,
        })
    };
    Ok(rows.into_iter().filter_map(line).collect())
}

/// Whether lines are kept for a user: what programs say is nobody's memory, but a name under which a program posts may be
/// somebody's (ADR 78).
pub(super) fn is_somebody(user: &User) -> bool {
    !user.is_bot || user.id.through().is_some()
}

/// Notes that the lines of the channel with this number are everybody's now, or no longer.
pub(crate) async fn move_lines(tx: &mut Tx, number: i64, is_open: bool) -> Result<(), StoreError> {
    let apart = if is_open { OF_OPEN_CHANNELS } else { number };
    Ok(on!(tx, c => sqlx::query(
        "UPDATE line_people SET apart = $2
         WHERE step_id IN (SELECT l.step_id FROM memory_lines l WHERE l.channel = $1)")
        .bind(number).bind(apart).execute(c).await.map(drop))?)
}

/// Whom these names mean that stand in lines of one text: who bore them when it was written.
async fn people_called_in(
    tx: &mut Tx,
    names: &BTreeSet<&str>,
    lines: &[PlacedLine],
) -> Result<Vec<User>, StoreError> {
    let people = names::people_called(tx, names).await?;
    let about = former_names::former_names_about(tx, names, &people).await?;
    let Some(step) = lines.first().map(|line| line.step).filter(|_| !about.is_empty()) else {
        return Ok(people);
    };
    let written: Option<(i64,)> = on!(&mut *tx, c => query_as("SELECT at FROM memory_steps WHERE id = $1")
        .bind(step).fetch_optional(c).await)?;
    let at = written.map_or(i64::MAX, |(at,)| at);
    Ok(former_names::bearers_at(names, people, about, at))
}

/// Stores whom these lines of the channel with this number name.
pub(super) async fn store_people_named(
    tx: &mut Tx,
    channel: i64,
    lines: &[PlacedLine],
) -> Result<(), StoreError> {
    let possible: BTreeSet<&str> = lines.iter().flat_map(|line| possible_names(&line.line.words)).collect();
    let people = people_called_in(tx, &possible, lines).await?;
    let closed = apart::closed_channels(tx, &BTreeSet::from([channel])).await?;
    let apart = closed.first().copied().unwrap_or(OF_OPEN_CHANNELS);
    let mut rows: Vec<(i64, i64, &str, i64, i64)> = Vec::new();
    for line in lines {
        let nth = signed_size(line.line.nth);
        let worth = line.line.worth();
        let named = people_in_line(&line.line.words, &people).into_iter().filter(|user| is_somebody(user));
        rows.extend(named.map(|user| (line.step, nth, user.id.as_str(), worth, apart)));
    }
    if rows.is_empty() {
        return Ok(());
    }
    let rows = serde_json::to_string(&rows)?;
    match tx {
        Tx::Sqlite(tx) => {
            sqlx::query(
                "INSERT INTO line_people (step_id, line, user_id, worth, apart)
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each($1) WHERE true
                 ON CONFLICT (step_id, line, user_id) DO NOTHING",
            )
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO line_people (step_id, line, user_id, worth, apart)
                 SELECT cast(r ->> 0 AS BIGINT), cast(r ->> 1 AS BIGINT), r ->> 2, cast(r ->> 3 AS BIGINT),
                    cast(r ->> 4 AS BIGINT)
                 FROM json_array_elements(cast($1 AS json)) AS e (r)
                 ON CONFLICT (step_id, line, user_id) DO NOTHING",
            )
            .bind(rows)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}
