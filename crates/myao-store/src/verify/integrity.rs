//! Whether the file itself is whole, by SQLite's own check. A server keeps its own files, and checksums of them.

use super::{Fault, FaultKind};
use crate::{StoreError, db::Tx};

/// So many findings are told: one bad page can cause a line for each row of an index.
const MOST_FINDINGS: usize = 20;
/// What SQLite says of a file in which it finds nothing.
const WHOLE: &str = "ok";

/// What SQLite finds wrong with its file; nothing on PostgreSQL.
pub(super) async fn check(tx: &mut Tx) -> Result<Vec<Fault>, StoreError> {
    let Tx::Sqlite(tx) = tx else { return Ok(Vec::new()) };
    let found: Result<Vec<(String,)>, StoreError> =
        sqlx::query_as("PRAGMA integrity_check").fetch_all(&mut **tx).await.map_err(StoreError::from);
    let lines = match found {
        Ok(lines) => lines.into_iter().map(|(line,)| line).filter(|line| line != WHOLE).collect(),
        // Too damaged to be checked to the end.
        Err(StoreError::Damaged(what)) => vec![what],
        Err(other) => return Err(other),
    };
    Ok(lines.into_iter().take(MOST_FINDINGS).map(fault).collect())
}

fn fault(what: String) -> Fault {
    Fault {
        place: "the database file".to_owned(),
        kind: FaultKind::Damaged,
        channel: None,
        entries: Vec::new(),
        what,
    }
}
