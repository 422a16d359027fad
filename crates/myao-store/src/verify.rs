//! Checks whether the memories fit together: coverage and lineage are computed anew from the rows (specification §10
//! `verify`).
//!
//! Read in this order: `integrity` asks SQLite whether its file is whole; `rows` reads everything that is checked, one
//! state of the database without its texts; `chapters`, `heads`, `fold` and `lineage` each look for one sort of fault,
//! as pure functions of those rows. Work that the keeper still has to do is no fault: a chapter without a text, or one
//! that is to be merged.

mod chapters;
mod fault;
mod fold;
mod heads;
mod integrity;
mod lineage;
mod lines;
mod rows;

use async_recursion::async_recursion as boxed;

use self::{chapters::CoverageFault, rows::Rows};
use crate::{
    Store, StoreError,
    db::{Tx, query_as, values::unsigned_count},
};
pub use fault::{Fault, FaultKind};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// How much was checked.
    pub checked: Checked,
    /// What does not hold, ordered by place.
    pub faults: Vec<Fault>,
}

/// How much was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Channels.
    pub channels: u64,
    /// Messages of talk that are not deleted.
    pub messages: u64,
    /// Chapters.
    pub chapters: u64,
    /// Memories; each version counts.
    pub memories: u64,
    /// Steps of the journal.
    pub entries: u64,
}

impl Store {
    /// Recomputes coverage and lineage and reports what does not hold. If the file is damaged, only that is reported,
    /// since its rows mean nothing then.
    ///
    /// # Errors
    /// If the database cannot be read for another reason than damage to its file.
    #[boxed]
    pub async fn verify(&self) -> Result<Verification, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let damage = integrity::check_database_file(&mut tx).await?;
        if !damage.is_empty() {
            return Ok(Verification { checked: Checked::default(), faults: damage });
        }
        let rows = Rows::read(&mut tx).await?;
        let mut faults = Vec::new();
        let mut stretches = Vec::new();
        for channel in rows.chapters.keys() {
            let found = chapters::check_channel(&rows, channel);
            faults.extend(found.faults);
            stretches.extend(found.stretches);
        }
        for stretch in stretches {
            let talk = talk_in(&mut tx, &stretch).await?;
            faults.push(stretch.fault(&rows, talk));
        }
        faults.extend(heads::check_all_heads(&rows));
        faults.extend(fold::check_all_folds(&rows));
        faults.extend(lineage::check_all_steps(&rows));
        faults.extend(lines::check_stored_lines(&mut tx, &rows).await?);
        faults.sort();
        faults.dedup();
        let checked = Checked {
            channels: length_as_u64(rows.channels.len()),
            messages: rows.messages,
            chapters: length_as_u64(rows.chapters.values().map(Vec::len).sum()),
            memories: length_as_u64(rows.heads.len()),
            entries: length_as_u64(rows.steps.len()),
        };
        Ok(Verification { checked, faults })
    }
}

fn length_as_u64(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

async fn talk_in(tx: &mut Tx, stretch: &CoverageFault) -> Result<u64, StoreError> {
    let (talk,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages
         WHERE channel_id = $1 AND ts > $2 AND ts <= $3 AND kind = 'talk' AND deleted = 0")
        .bind(&stretch.channel).bind(stretch.after).bind(stretch.until).fetch_one(c).await)?;
    Ok(unsigned_count(talk))
}
