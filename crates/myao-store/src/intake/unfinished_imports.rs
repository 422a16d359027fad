//! Notes which imports have begun and not ended, so that one that was killed is not taken for whole.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;

use crate::{
    IntakeHandle, StoreError,
    db::{Tx, query_as},
};

/// An import that has begun and not ended: it is under way, or was cut short.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UnfinishedImport {
    /// What was given to be imported.
    pub path: String,
    /// About how many of its messages were taken in.
    pub messages: u64,
}

/// The imports by the names of their exports.
type ImportsByName = BTreeMap<String, UnfinishedImport>;

impl IntakeHandle<'_> {
    /// Notes how far the import of the export called `name` is.
    #[boxed]
    pub async fn note_import(&self, name: &str, import: &UnfinishedImport) -> Result<(), StoreError> {
        self.change_imports(name, Some(import)).await
    }

    /// Notes that the import of the export called `name` ended.
    #[boxed]
    pub async fn end_import(&self, name: &str) -> Result<(), StoreError> {
        self.change_imports(name, None).await
    }

    /// The imports that have not ended.
    #[boxed]
    pub async fn unfinished_imports(&self) -> Result<Vec<UnfinishedImport>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'imports'")
            .fetch_optional(c).await)?;
        Ok(imports_of_row(row)?.into_values().collect())
    }

    async fn change_imports(&self, name: &str, import: Option<&UnfinishedImport>) -> Result<(), StoreError> {
        let store = self.store.clone();
        let name = name.to_owned();
        let import = import.cloned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut imports = lock_imports(&mut tx).await?;
            match &import {
                Some(import) => imports.insert(name.clone(), import.clone()),
                None => imports.remove(&name),
            };
            let imports = serde_json::to_string(&imports)?;
            on!(&mut tx, c => sqlx::query("UPDATE settings SET value = $1 WHERE key = 'imports'")
                .bind(imports).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}

/// The imports that have not ended. Whoever changes them next waits until this transaction ends.
async fn lock_imports(tx: &mut Tx) -> Result<ImportsByName, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "INSERT INTO settings (key, value) VALUES ('imports', '{}')
         ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value").fetch_optional(c).await)?;
    imports_of_row(row)
}

fn imports_of_row(row: Option<(String,)>) -> Result<ImportsByName, StoreError> {
    let Some((json,)) = row else { return Ok(ImportsByName::new()) };
    serde_json::from_str(&json).map_err(|error| StoreError::Content(format!("settings.imports: {error}")))
}
