//! Finds where terms stand: the addresses of the rows that hold them.

use async_recursion::async_recursion as boxed;
use myao_core::recall::IndexTerm;

use super::apart::TermScope;
use crate::{
    StoreError,
    db::{Tx, query_as, values::signed_size},
    hearing::visible::{VisibilityBinds, visible},
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

    /// The query text for an index. Terms consist of letters and digits only.
    fn query_text(&self, scope: &TermScope, syntax: &Syntax) -> String {
        let group = |terms: &Vec<IndexTerm>| {
            let terms = terms.iter().flat_map(|term| scope.alternatives(term, syntax.prefix));
            format!("({})", terms.collect::<Vec<_>>().join(syntax.or))
        };
        self.0.iter().map(group).collect::<Vec<_>>().join(syntax.and)
    }
}

/// How queries of an index are written.
struct Syntax {
    and: &'static str,
    or: &'static str,
    prefix: &'static str,
}

const OF_SQLITE: Syntax = Syntax { and: " AND ", or: " OR ", prefix: "*" };

const OF_POSTGRES: Syntax = Syntax { and: " & ", or: " | ", prefix: ":*" };

/// One lookup.
#[derive(Clone, Debug)]
pub(super) struct TermLookup {
    /// What a row has to hold.
    pub(super) wanted: Wanted,
    /// Whose terms these are.
    pub(super) scope: TermScope,
    /// The first address.
    pub(super) from: i64,
    /// The address after the last.
    pub(super) to: i64,
    /// How PostgreSQL carries it out.
    pub(super) plan: TermPlan,
}

/// How many of the last rows of a stretch are checked for terms that many rows hold.
const MOST_LAST: i64 = 10_000;

/// How many rows are read for terms that few rows are thought to hold.
const MOST_RARE: i64 = 20_000;

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
                lookups.iter().map(|l| (l.wanted.query_text(&l.scope, &OF_SQLITE), l.from, l.to)).collect();
            let asked = serde_json::to_string(&asked)?;
            query_as(
                // Materialised, since the bounds would else be read from the JSON again for each row that is found.
                "WITH t AS MATERIALIZED (SELECT key, value ->> 0 AS wanted, value ->> 1 AS from_id, value ->> 2 AS to_id
                     FROM json_each($1))
                 SELECT t.key, coalesce((SELECT group_concat(r.rowid) FROM (
                     SELECT rowid FROM recall WHERE recall MATCH t.wanted
                        AND rowid >= t.from_id AND rowid < t.to_id
                     ORDER BY rowid DESC LIMIT $2) AS r), '')
                 FROM t",
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
    /// Few rows hold the terms, anywhere: all of them are read, up to [`MOST_RARE`].
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

/// The addresses that each lookup finds in channels that may be seen, highest first, at most `most`. It looks at who may
/// see each row with the terms before any is left out, however many there are.
#[boxed]
pub(super) async fn look_up_visible(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    lookups: &[TermLookup],
    most: usize,
) -> Result<Vec<Vec<i64>>, StoreError> {
    let mut found = Vec::new();
    for lookup in lookups {
        let from = lookup.from;
        let to = lookup.to;
        let most = signed_size(most);
        let rows: Vec<(i64,)> = match tx {
            Tx::Sqlite(tx) => {
                query_as(concat!(
                    "SELECT r.rowid FROM recall AS r CROSS JOIN channels c
                         ON c.number = r.rowid / 35184372088832 AND c.number > 0
                     WHERE r.recall MATCH $4 AND r.rowid >= $5 AND r.rowid < $6 AND ",
                    visible!(),
                    " ORDER BY r.rowid DESC LIMIT $7"
                ))
                .bind(&seen.own)
                .bind(seen.open)
                .bind(seen.all)
                .bind(lookup.wanted.query_text(&lookup.scope, &OF_SQLITE))
                .bind(from)
                .bind(to)
                .bind(most)
                .fetch_all(&mut **tx)
                .await?
            }
            Tx::Postgres(tx) => {
                query_as(concat!(
                    "SELECT h.id FROM (SELECT id FROM recall WHERE terms @@ cast($4 AS tsquery) OFFSET 0) AS h
                     JOIN channels c ON c.number = h.id / 35184372088832 AND c.number > 0
                     WHERE h.id >= $5 AND h.id < $6 AND ",
                    visible!(),
                    " ORDER BY h.id DESC LIMIT $7"
                ))
                .bind(&seen.own)
                .bind(seen.open)
                .bind(seen.all)
                .bind(lookup.wanted.query_text(&lookup.scope, &OF_POSTGRES))
                .bind(from)
                .bind(to)
                .bind(most)
                .fetch_all(&mut *tx)
                .await?
            }
        };
        found.push(rows.into_iter().map(|(address,)| address).collect());
    }
    Ok(found)
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
        let wanted: Vec<String> =
            planned.iter().map(|(_, l)| l.wanted.query_text(&l.scope, &OF_POSTGRES)).collect();
        let from: Vec<i64> = planned.iter().map(|(_, l)| l.from).collect();
        let to: Vec<i64> = planned.iter().map(|(_, l)| l.to).collect();
        let sql = match plan {
            TermPlan::Rare => {
                "SELECT t.nth - 1, coalesce((SELECT string_agg(cast(r.id AS text), ',') FROM (
                     SELECT h.id FROM (SELECT id FROM recall WHERE terms @@ cast(t.wanted AS tsquery) LIMIT $5) AS h
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
        let query = match plan {
            TermPlan::Rare => query.bind(MOST_RARE),
            TermPlan::Last => query.bind(MOST_LAST),
            TermPlan::Some | TermPlan::Between => query,
        };
        let rows: Vec<(i64, String)> = query.fetch_all(&mut *tx).await?;
        let place = |nth: i64| usize::try_from(nth).ok().and_then(|nth| planned.get(nth));
        all.extend(rows.into_iter().filter_map(|(nth, found)| Some((place(nth)?.0, found))));
    }
    Ok(all)
}
