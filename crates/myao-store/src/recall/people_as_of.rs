//! Reads the lines about somebody as of an instant of talk, through a visibility as it is now (ADR 135).

use std::{cmp::Reverse, collections::BTreeMap};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId, Visibility},
    worth::WORTH,
};

use super::{
    as_of::ended_chapters,
    people::{PersonLine, PersonLineRow, PersonLines, line_columns, with_words},
};
use crate::{
    RecallHandle, StoreError,
    db::{Tx, query_as, values::version_number},
    hearing::visible::{VisibilityBinds, visible},
};

/// The most lines about a person that are read, the newest: more than somebody is named in for years.
const MOST_READ: i64 = 20_000;

impl RecallHandle<'_> {
    /// At most `most` visible lines of versions that name a person, as of `instant`: of chapters that had ended by then,
    /// first those that held then, also if they ended later, then those that had ended; each newest first.
    #[boxed]
    pub async fn lines_of_person_as_of(
        &self,
        visibility: &Visibility,
        person: &UserId,
        most: usize,
        instant: MessageTs,
    ) -> Result<PersonLines, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut rows = rows_as_of(&mut tx, &seen, person, instant).await?;
        rows.sort_by_key(|row| row.ended_on > 0);
        let all = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        rows.truncate(most);
        let rows = rows.into_iter().map(|row| (person.clone(), row)).collect();
        Ok(PersonLines { lines: with_words(&mut tx, rows).await?, all })
    }
}

/// For each of these people, the `most` best lines that held at `instant` and are worth keeping, best first.
pub(crate) async fn best_lines_as_of(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    people: &[UserId],
    most: usize,
    instant: MessageTs,
) -> Result<Vec<PersonLine>, StoreError> {
    let mut best = Vec::new();
    for person in people {
        let mut rows = rows_as_of(tx, seen, person, instant).await?;
        rows.retain(|row| row.ended_on == 0 && row.worth >= WORTH);
        rows.sort_by_key(|row| (Reverse(row.worth), Reverse(row.day)));
        rows.truncate(most);
        best.extend(rows.into_iter().map(|row| (person.clone(), row)));
    }
    with_words(tx, best).await
}

/// The visible lines about a person of chapters that had ended by `instant`, newest first, each with its end if it had
/// ended by then.
async fn rows_as_of(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    person: &UserId,
    instant: MessageTs,
) -> Result<Vec<PersonLineRow>, StoreError> {
    let rows: Vec<PersonLineRow> = on!(&mut *tx, c => query_as(concat!(
        line_columns!(), " FROM line_people p
         JOIN memory_lines l ON l.step_id = p.step_id AND l.line = p.line
         JOIN channels c ON c.number = l.channel AND c.number > 0
         LEFT JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
         WHERE p.user_id = $4 AND ", visible!(), " ORDER BY l.day DESC, l.step_id DESC, l.line LIMIT $5"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(person.as_str()).bind(MOST_READ)
        .fetch_all(c).await)?;
    let mut through: BTreeMap<String, u32> = BTreeMap::new();
    let mut known = Vec::new();
    for mut row in rows {
        let last = match through.get(&row.channel_id) {
            Some(last) => *last,
            None => ended_chapters(tx, &ChannelId::new(row.channel_id.clone()), instant).await?.through,
        };
        through.insert(row.channel_id.clone(), last);
        if version_number(row.version) > last {
            continue;
        }
        if row.by_version.is_none_or(|by| version_number(by) > last) {
            (row.ended_on, row.by_step, row.by_line, row.by_version) = (0, None, None, None);
        }
        known.push(row);
    }
    Ok(known)
}
