//! Finds where terms stand: the addresses of the rows that hold them.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::recall::IndexTerm;

use super::samples::SAMPLED;
use crate::{
    StoreError,
    db::{Tx, query_as},
    rows::signed_size,
};

/// What a row has to hold: one term of each group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted(Vec<Vec<IndexTerm>>);

impl Wanted {
    /// Adds the condition that a row holds one of these terms.
    pub(super) fn and(mut self, terms: Vec<IndexTerm>) -> Self {
        if !terms.is_empty() {
            self.0.push(terms);
        }
        self
    }

    /// The query text for SQLite's index or PostgreSQL's. Terms consist of letters and digits only.
    fn written(&self, and: &str, or: &str) -> String {
        let group = |terms: &Vec<IndexTerm>| {
            let terms: Vec<&str> = terms.iter().map(IndexTerm::as_str).collect();
            format!("({})", terms.join(or))
        };
        self.0.iter().map(group).collect::<Vec<_>>().join(and)
    }
}

/// One lookup.
#[derive(Clone, Debug)]
pub(super) struct TermLookup {
    /// What a row has to hold.
    pub(super) wanted: Wanted,
    /// The first address.
    pub(super) from: i64,
    /// The address after the last.
    pub(super) to: i64,
    /// How PostgreSQL carries it out.
    pub(super) plan: TermPlan,
}

/// How many of the last rows of a stretch are checked for terms that many rows hold.
const MOST_LAST: i64 = 10_000;

/// The addresses that each lookup finds, highest first, at most `most`. If there are more, these are the highest; on
/// PostgreSQL they may be any if the terms are not rare.
#[boxed]
pub(super) async fn look_up(
    tx: &mut Tx,
    lookups: &[TermLookup],
    most: usize,
) -> Result<Vec<Vec<i64>>, StoreError> {
    let mut found = vec![Vec::new(); lookups.len()];
    if lookups.is_empty() {
        return Ok(found);
    }
    let rows: Vec<(i64, String)> = match tx {
        Tx::Sqlite(tx) => {
            let asked: Vec<(String, i64, i64)> =
                lookups.iter().map(|l| (l.wanted.written(" AND ", " OR "), l.from, l.to)).collect();
            let asked = serde_json::to_string(&asked).map_err(|e| StoreError::Content(e.to_string()))?;
            query_as(
                "SELECT t.key, coalesce((SELECT group_concat(r.rowid) FROM (
                     SELECT rowid FROM recall WHERE recall MATCH t.value ->> 0
                        AND rowid >= t.value ->> 1 AND rowid < t.value ->> 2
                     ORDER BY rowid DESC LIMIT $2) AS r), '')
                 FROM json_each($1) AS t",
            )
            .bind(asked)
            .bind(signed_size(most))
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(_) => in_postgres(tx, lookups, most).await?,
    };
    for (nth, addresses) in rows {
        if let Some(found) = usize::try_from(nth).ok().and_then(|nth| found.get_mut(nth)) {
            *found = addresses.split(',').filter_map(|address| address.parse().ok()).collect();
        }
    }
    Ok(found)
}

/// How PostgreSQL finds rows. Its index knows neither their order nor their addresses, which are read from each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermPlan {
    /// Few rows hold the terms, anywhere: all of them are read.
    Rare,
    /// Many rows may hold them: as many as wanted are read, whichever come first.
    Some,
    /// Many rows may hold them, and the last of a stretch are wanted: [`MOST_LAST`] rows of the stretch are checked.
    Last,
    /// Many rows may hold them, but few in a stretch that has few rows itself.
    Between,
}

impl TermPlan {
    const ALL: [Self; 4] = [Self::Rare, Self::Some, Self::Last, Self::Between];
}

/// The addresses that each lookup finds, joined by commas.
///
/// A limit or `OFFSET 0` keeps order and bounds out of the inner search: with them the server would walk through all
/// rows backwards, or read all addresses for each term, rather than ask the index for terms alone.
async fn in_postgres(
    tx: &mut Tx,
    lookups: &[TermLookup],
    most: usize,
) -> Result<Vec<(i64, String)>, StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for plan in TermPlan::ALL {
        let planned: Vec<(i64, &TermLookup)> =
            (0..).zip(lookups).filter(|(_, lookup)| lookup.plan == plan).collect();
        if planned.is_empty() {
            continue;
        }
        let wanted: Vec<String> = planned.iter().map(|(_, l)| l.wanted.written(" & ", " | ")).collect();
        let from: Vec<i64> = planned.iter().map(|(_, l)| l.from).collect();
        let to: Vec<i64> = planned.iter().map(|(_, l)| l.to).collect();
        let sql = match plan {
            TermPlan::Rare => {
                "SELECT t.nth - 1, coalesce((SELECT string_agg(cast(r.id AS text), ',') FROM (
                     SELECT h.id FROM (SELECT id FROM recall WHERE terms @@ cast(t.wanted AS tsquery) OFFSET 0) AS h
                     WHERE h.id >= t.from_id AND h.id < t.to_id
                     ORDER BY h.id DESC LIMIT $4) AS r), '')
                 FROM unnest($1::text[], $2::bigint[], $3::bigint[])
                    WITH ORDINALITY AS t (wanted, from_id, to_id, nth)"
            }
            TermPlan::Some => {
                "SELECT t.nth - 1, coalesce((SELECT string_agg(cast(r.id AS text), ',') FROM (
                     SELECT h.id FROM (SELECT id FROM recall WHERE terms @@ cast(t.wanted AS tsquery) LIMIT $4) AS h
                     WHERE h.id >= t.from_id AND h.id < t.to_id ORDER BY h.id DESC) AS r), '')
                 FROM unnest($1::text[], $2::bigint[], $3::bigint[])
                    WITH ORDINALITY AS t (wanted, from_id, to_id, nth)"
            }
            TermPlan::Last => {
                "SELECT t.nth - 1, coalesce((SELECT string_agg(cast(r.id AS text), ',') FROM (
                     SELECT h.id FROM (SELECT id, terms FROM recall WHERE id >= t.from_id AND id < t.to_id
                        ORDER BY id DESC LIMIT $5) AS h
                     WHERE h.terms @@ cast(t.wanted AS tsquery) LIMIT $4) AS r), '')
                 FROM unnest($1::text[], $2::bigint[], $3::bigint[])
                    WITH ORDINALITY AS t (wanted, from_id, to_id, nth)"
            }
            TermPlan::Between => {
                "SELECT t.nth - 1, coalesce((SELECT string_agg(cast(r.id AS text), ',') FROM (
                     SELECT h.id FROM (SELECT id FROM recall WHERE terms @@ cast(t.wanted AS tsquery)
                        AND id >= t.from_id AND id < t.to_id OFFSET 0) AS h
                     ORDER BY h.id DESC LIMIT $4) AS r), '')
                 FROM unnest($1::text[], $2::bigint[], $3::bigint[])
                    WITH ORDINALITY AS t (wanted, from_id, to_id, nth)"
            }
        };
        let query = query_as(sql).bind(wanted).bind(from).bind(to).bind(signed_size(most));
        let query = if plan == TermPlan::Last { query.bind(MOST_LAST) } else { query };
        let rows: Vec<(i64, String)> = query.fetch_all(&mut *tx).await?;
        let place = |nth: i64| usize::try_from(nth).ok().and_then(|nth| planned.get(nth));
        all.extend(rows.into_iter().filter_map(|(nth, found)| Some((place(nth)?.0, found))));
    }
    Ok(all)
}

/// About how many rows of the index hold each of these terms. Terms that few rows hold may be missing.
#[boxed]
pub(super) async fn estimates(
    tx: &mut Tx,
    terms: &BTreeSet<&IndexTerm>,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let asked: Vec<&str> = terms.iter().map(|term| term.as_str()).collect();
    let rows: Vec<(String, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let asked = serde_json::to_string(&asked).map_err(|e| StoreError::Content(e.to_string()))?;
            query_as(
                "SELECT term, sampled FROM recall_samples WHERE term IN (SELECT value FROM json_each($1))",
            )
            .bind(asked)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT term, sampled FROM recall_samples WHERE term = ANY($1)")
                .bind(asked)
                .fetch_all(&mut *tx)
                .await?
        }
    };
    let rows = rows.into_iter();
    Ok(rows
        .map(|(term, sampled)| (term, u64::try_from(sampled.saturating_mul(SAMPLED)).unwrap_or(0)))
        .collect())
}
