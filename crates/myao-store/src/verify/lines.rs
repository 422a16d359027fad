//! Checks the rows of lines against the texts that they belong to.

use myao_core::memory::lines_of_text;

use super::{
    fault::{Fault, FaultKind},
    rows::{MemoryRowKey, Rows},
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::row},
    recall::lines_are_written,
};

row! {
    /// A memory's text.
    struct HeadText {
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        step_id: i64,
        content: String,
    }
}

pub(super) async fn check_stored_lines(tx: &mut Tx, rows: &Rows) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Vec::new();
    let astray: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT DISTINCT l.step_id FROM memory_lines l WHERE NOT EXISTS (SELECT 1 FROM memories h
             WHERE h.step_id = l.step_id AND h.scope = 'channel' AND h.memory_type = 'short_term')")
        .fetch_all(c).await)?;
    let ended: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT DISTINCT l.step_id FROM memory_lines l WHERE l.ended_on > 0 AND NOT EXISTS (
             SELECT 1 FROM memory_lines b WHERE b.step_id = l.ended_by AND b.line = l.ended_by_line)")
        .fetch_all(c).await)?;
    let no_memory = astray.iter().map(|(step,)| (*step, "its lines are kept, but no memory has its text"));
    let no_end = ended.iter().map(|(step,)| (*step, "a line of it ended with a line that is not there"));
    for (step, what) in no_memory.chain(no_end) {
        if let Some(entry) = rows.steps.get(&step) {
            faults.push(rows.memory_fault(FaultKind::Orphan, &entry.key, &[step], what.to_owned()));
        }
    }
    faults.extend(of_people(tx, rows).await?);
    if lines_are_written(tx).await? {
        faults.extend(memories_without_lines(tx, rows).await?);
    }
    Ok(faults)
}

/// Finds rows that say whom a line names and do not fit the line.
async fn of_people(tx: &mut Tx, rows: &Rows) -> Result<Vec<Fault>, StoreError> {
    let astray: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT DISTINCT p.step_id FROM line_people p LEFT JOIN memory_lines l
             ON l.step_id = p.step_id AND l.line = p.line
         WHERE l.worth IS NULL OR l.worth <> p.worth").fetch_all(c).await)?;
    let fault = |(step,): (i64,)| {
        let entry = rows.steps.get(&step)?;
        let what = "whom its lines name does not fit the lines".to_owned();
        Some(rows.memory_fault(FaultKind::Differs, &entry.key, &[step], what))
    };
    Ok(astray.into_iter().filter_map(fault).collect())
}

async fn memories_without_lines(tx: &mut Tx, rows: &Rows) -> Result<Vec<Fault>, StoreError> {
    let bare: Vec<HeadText> = on!(tx, c => query_as(
        "SELECT h.scope, h.scope_id, h.memory_type, h.version, h.step_id, h.content FROM memories h
         WHERE h.scope = 'channel' AND h.memory_type = 'short_term' AND h.content <> ''
           AND EXISTS (SELECT 1 FROM channels c WHERE c.id = h.scope_id)
           AND NOT EXISTS (SELECT 1 FROM memory_lines l WHERE l.step_id = h.step_id)").fetch_all(c).await)?;
    let fault = |row: HeadText| {
        let HeadText { scope, scope_id, memory_type, version, step_id, content } = row;
        let key = MemoryRowKey { scope, scope_id, memory_type, version };
        let what = "its lines are not kept".to_owned();
        let has_lines = !lines_of_text(&content).is_empty();
        has_lines.then(|| rows.memory_fault(FaultKind::Differs, &key, &[step_id], what))
    };
    Ok(bare.into_iter().filter_map(fault).collect())
}
