//! Estimates from a part of the rows how common each term is, so that common terms are known before they are looked up.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::recall::IndexTerm;

use super::{
    address::{self, IndexedRow},
    apart::TermScope,
};
use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// One row in this many is counted.
const SAMPLED: i64 = 64;

/// Mixes the bits of a number.
const MIXER: i64 = 0x9e37_79b9_7f4a_7c15_u64.cast_signed();

/// Changes of the sample that are not written to the tables yet.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Terms, each with how many more rows of the sample hold it.
    counts: BTreeMap<String, i64>,
    /// The rows that were counted, with the terms that they were counted under.
    rows: BTreeMap<i64, String>,
}

impl Samples {
    /// Counts a row if it is in the sample; `apart` is the number of a closed channel.
    pub(super) fn count(&mut self, address: i64, terms: &[IndexTerm], apart: Option<i64>) {
        if !is_sampled(address, terms) {
            return;
        }
        let every = IndexTerm::of_every_row();
        let counted = terms.iter().chain([&every]).flat_map(|term| match apart {
            Some(number) => vec![term.apart(number), term.apart_anywhere()],
            None => vec![*term],
        });
        let counted: Vec<String> = counted.map(|term| term.as_str().to_owned()).collect();
        let counted = counted.join(" ");
        self.add(&counted, 1);
        self.rows.insert(address, counted);
    }

    /// Counts these rows no more.
    pub(super) async fn drop_rows(&mut self, tx: &mut Tx, addresses: &[i64]) -> Result<(), StoreError> {
        let may_be_sampled = |address: &&i64| address::is_memory(**address) || is_sampled(**address, &[]);
        let addresses: Vec<i64> = addresses.iter().filter(may_be_sampled).copied().collect();
        if addresses.is_empty() {
            return Ok(());
        }
        for address in &addresses {
            if let Some(terms) = self.rows.remove(address) {
                self.add(&terms, -1);
            }
        }
        let dropped: Vec<(String,)> = match tx {
            Tx::Sqlite(tx) => {
                let addresses = addresses.into_iter().collect::<serde_json::Value>().to_string();
                query_as(
                    "DELETE FROM recall_sampled WHERE address IN (SELECT value FROM json_each($1)) RETURNING terms",
                )
                .bind(addresses)
                .fetch_all(&mut **tx)
                .await?
            }
            Tx::Postgres(tx) => {
                query_as("DELETE FROM recall_sampled WHERE address = ANY($1) RETURNING terms")
                    .bind(addresses)
                    .fetch_all(&mut *tx)
                    .await?
            }
        };
        self.subtract(&dropped);
        Ok(())
    }

    /// Counts the rows from the first address to the second, exclusive, no more.
    pub(super) async fn drop_between(
        &mut self,
        tx: &mut Tx,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        let dropped: Vec<(String,)> = on!(tx, c => query_as(
            "DELETE FROM recall_sampled WHERE address >= $1 AND address < $2 RETURNING terms")
            .bind(from).bind(to).fetch_all(c).await)?;
        self.subtract(&dropped);
        Ok(())
    }

    fn subtract(&mut self, dropped: &[(String,)]) {
        for (terms,) in dropped {
            self.add(terms, -1);
        }
    }

    fn add(&mut self, terms: &str, by: i64) {
        for term in terms.split(' ') {
            *self.counts.entry(term.to_owned()).or_default() += by;
        }
    }

    /// How many terms wait to be written.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Writes what has changed to the tables.
    pub(super) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        write_rows(tx, std::mem::take(&mut self.rows)).await?;
        let mut counts = std::mem::take(&mut self.counts);
        counts.retain(|_, by| *by != 0);
        if counts.is_empty() {
            return Ok(());
        }
        let fewer: Vec<String> =
            counts.iter().filter(|(_, by)| **by < 0).map(|(term, _)| term.clone()).collect();
        write_counts(tx, counts).await?;
        if fewer.is_empty() { Ok(()) } else { drop_terms_of_no_row(tx, fewer).await }
    }
}

async fn write_rows(tx: &mut Tx, rows: BTreeMap<i64, String>) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    match tx {
        Tx::Sqlite(tx) => {
            let rows: Vec<(i64, String)> = rows.into_iter().collect();
            let rows = serde_json::to_string(&rows)?;
            sqlx::query(
                "INSERT OR REPLACE INTO recall_sampled (address, terms)
                 SELECT value ->> 0, value ->> 1 FROM json_each($1)",
            )
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            let (addresses, terms): (Vec<i64>, Vec<String>) = rows.into_iter().unzip();
            sqlx::query(
                "INSERT INTO recall_sampled (address, terms) SELECT * FROM unnest($1::bigint[], $2::text[])
                 ON CONFLICT (address) DO UPDATE SET terms = excluded.terms",
            )
            .bind(addresses)
            .bind(terms)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

/// Terms come in their order, so that two writers never wait for each other.
async fn write_counts(tx: &mut Tx, counts: BTreeMap<String, i64>) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let rows: Vec<(String, i64)> = counts.into_iter().collect();
            let rows = serde_json::to_string(&rows)?;
            sqlx::query(
                "INSERT INTO recall_samples (term, sampled)
                 SELECT value ->> 0, value ->> 1 FROM json_each($1) WHERE true
                 ON CONFLICT (term) DO UPDATE SET sampled = recall_samples.sampled + excluded.sampled",
            )
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            let (terms, sampled): (Vec<String>, Vec<i64>) = counts.into_iter().unzip();
            sqlx::query(
                "INSERT INTO recall_samples (term, sampled) SELECT * FROM unnest($1::text[], $2::bigint[])
                 ON CONFLICT (term) DO UPDATE SET sampled = recall_samples.sampled + excluded.sampled",
            )
            .bind(terms)
            .bind(sampled)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

/// Drops those of these terms that no row of the sample holds any more.
async fn drop_terms_of_no_row(tx: &mut Tx, terms: Vec<String>) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let terms = serde_json::to_string(&terms)?;
            sqlx::query(
                "DELETE FROM recall_samples WHERE sampled <= 0 AND term IN (SELECT value FROM json_each($1))",
            )
            .bind(terms)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query("DELETE FROM recall_samples WHERE sampled <= 0 AND term = ANY($1)")
                .bind(terms)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

/// Empties the sample, since everything is counted anew.
pub(super) async fn begin_anew(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM recall_samples").execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("DELETE FROM recall_sampled").execute(c).await.map(drop))?;
    Ok(())
}

/// Whether a row is in the sample, which has the same rows for every writer. It goes by when something was said, and by
/// what a memory holds: numbers of channels and steps tell of places that not everybody sees.
fn is_sampled(address: i64, terms: &[IndexTerm]) -> bool {
    let key = match address::indexed_row(address) {
        IndexedRow::Messages { from, .. } => from,
        IndexedRow::Memory(_) => {
            let letters = terms.iter().flat_map(|term| term.as_str().bytes());
            letters.fold(0, |key: i64, letter| key.wrapping_mul(31).wrapping_add(i64::from(letter)))
        }
    };
    (key.wrapping_mul(MIXER) >> 32).rem_euclid(SAMPLED) == 0
}

/// About how many rows of a scope hold each of these terms, by its letters. Terms that few rows hold may be missing.
#[boxed]
pub(super) async fn estimate_row_counts(
    tx: &mut Tx,
    scope: &TermScope,
    terms: &BTreeSet<&IndexTerm>,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let asked: Vec<String> =
        terms.iter().flat_map(|term| scope.counted(term)).map(|term| term.as_str().to_owned()).collect();
    let rows: Vec<(String, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let asked = serde_json::to_string(&asked)?;
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
    let mut estimates: BTreeMap<String, u64> = BTreeMap::new();
    for (term, sampled) in rows {
        let rows = u64::try_from(sampled.saturating_mul(SAMPLED)).unwrap_or(0);
        *estimates.entry(IndexTerm::base(&term).to_owned()).or_default() += rows;
    }
    Ok(estimates)
}
