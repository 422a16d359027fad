//! Checks with SQLite's own check whether the file is whole. A server keeps its own files, and their checksums.

use super::fault::{Fault, FaultKind};
use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// The most findings that are reported: one bad page can cause a line for each row of an index.
const MOST_FINDINGS: usize = 20;

/// What SQLite reports for a file in which it finds nothing wrong.
const WHOLE: &str = "ok";

/// What SQLite finds wrong with its file; empty on PostgreSQL.
pub(super) async fn check_database_file(tx: &mut Tx) -> Result<Vec<Fault>, StoreError> {
    let Tx::Sqlite(tx) = tx else { return Ok(Vec::new()) };
    // The check looks at a full-text index as the connection last read it, and takes anything written since for damage.
    // A query makes the connection read it again; if the index is damaged, the check reports that.
    let asked = sqlx::query("SELECT count(*) FROM recall WHERE recall MATCH 'a'").execute(&mut **tx).await;
    if let Err(error) = asked {
        tracing::debug!(%error, "the index for recall cannot be asked");
    }
    let found: Result<Vec<(String,)>, StoreError> =
        query_as("PRAGMA integrity_check").fetch_all(&mut **tx).await.map_err(StoreError::from);
    let lines = match found {
        Ok(lines) => lines.into_iter().map(|(line,)| line).filter(|line| line != WHOLE).collect(),
        // The file is too damaged to be checked to the end.
        Err(StoreError::Damaged(what)) => vec![what],
        Err(other) => return Err(other),
    };
    Ok(lines.into_iter().take(MOST_FINDINGS).map(fault_of_file).collect())
}

fn fault_of_file(what: String) -> Fault {
    Fault {
        place: "the database file".to_owned(),
        kind: FaultKind::Damaged,
        channel: None,
        entries: Vec::new(),
        what,
    }
}
