//! Estimates from a part of the rows how common each term is, so that common terms are known before they are looked up.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::recall::IndexTerm;

use super::address::{self, IndexedRow};
use crate::{StoreError, db::Tx};

/// One row in this many is counted.
pub(super) const SAMPLED: i64 = 64;
/// Mixes the bits of a number.
const MIXER: i64 = 0x9e37_79b9_7f4a_7c15_u64.cast_signed();

/// Terms of sampled rows that are not written to `recall_samples` yet, each with the number of rows that hold it.
#[derive(Debug, Default)]
pub(super) struct Samples(BTreeMap<String, i64>);

impl Samples {
    /// Counts `by` more for each term of a row if the row is in the sample; `apart` is the number of a closed channel.
    pub(super) fn count(&mut self, address: i64, terms: &BTreeSet<IndexTerm>, apart: Option<i64>, by: i64) {
        if !is_sampled(address, terms) {
            return;
        }
        for term in terms.iter().chain([&IndexTerm::of_every_row()]) {
            match apart {
                Some(number) => {
                    self.add(&term.apart(number), by);
                    self.add(&term.apart_anywhere(), by);
                }
                None => self.add(term, by),
            }
        }
    }

    fn add(&mut self, term: &IndexTerm, by: i64) {
        *self.0.entry(term.as_str().to_owned()).or_default() += by;
    }

    /// How many terms wait to be written.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds what was counted to the table.
    pub(super) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.retain(|_, by| *by != 0);
        if self.0.is_empty() {
            return Ok(());
        }
        // Written in the order of the terms, so that two writers never wait for each other.
        let (terms, sampled): (Vec<String>, Vec<i64>) = std::mem::take(&mut self.0).into_iter().unzip();
        match tx {
            Tx::Sqlite(tx) => {
                let rows: Vec<(String, i64)> = terms.into_iter().zip(sampled).collect();
                let rows = serde_json::to_string(&rows).map_err(|e| StoreError::Content(e.to_string()))?;
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
}

/// Whether a row is in the sample, which has the same rows for every writer. It goes by when something was said, and by
/// what a memory holds: numbers of channels and steps tell of places that not everybody sees.
fn is_sampled(address: i64, terms: &BTreeSet<IndexTerm>) -> bool {
    let key = match address::place(address) {
        IndexedRow::Messages { from, .. } => from,
        IndexedRow::Memory(_) => {
            let letters = terms.iter().flat_map(|term| term.as_str().bytes());
            letters.fold(0, |key: i64, letter| key.wrapping_mul(31).wrapping_add(i64::from(letter)))
        }
    };
    (key.wrapping_mul(MIXER) >> 32).rem_euclid(SAMPLED) == 0
}
