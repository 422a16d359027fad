//! Notes how far an import is, and says which imports have not ended.

use std::path::Path;

use myao_store::UnfinishedImport;
use serde_json::{Value, json};

use super::output;
use crate::{app::App, failure::Failure};

/// How many messages are taken in between two notes of how far it is.
const NOTED_EVERY: u64 = 20_000;

/// An import that is under way.
pub(super) struct ImportProgress {
    /// The name of the export: given again from elsewhere, it is the same.
    name: String,
    path: String,
    messages: u64,
    noted: u64,
}

impl ImportProgress {
    /// Notes that an import has begun.
    pub(super) async fn begin(app: &App, path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let begun = Self { name, path: path.display().to_string(), messages: 0, noted: 0 };
        begun.note(app).await?;
        Ok(begun)
    }

    /// Adds messages that are stored, and notes now and then how many there are.
    pub(super) async fn add(&mut self, app: &App, messages: u64) -> Result<(), Failure> {
        self.messages += messages;
        if self.messages - self.noted < NOTED_EVERY {
            return Ok(());
        }
        self.noted = self.messages;
        self.note(app).await
    }

    async fn note(&self, app: &App) -> Result<(), Failure> {
        let import = UnfinishedImport { path: self.path.clone(), messages: self.messages };
        Ok(app.store.intake().note_import(&self.name, &import).await?)
    }

    /// Notes that it ended.
    pub(super) async fn end(self, app: &App) -> Result<(), Failure> {
        Ok(app.store.intake().end_import(&self.name).await?)
    }
}

/// Says which imports have not ended, one on each line.
pub(super) async fn print_unfinished(app: &App, print: fn(&str)) -> Result<(), Failure> {
    for UnfinishedImport { path, messages } in app.store.intake().unfinished_imports().await? {
        let name =
            Path::new(&path).file_name().map_or(path.clone(), |name| name.to_string_lossy().into_owned());
        print(&format!(
            "the import of {name} was cut short at about {}, unless it is under way: `myao import slack '{path}'` takes in \
             the rest",
            output::count_with_noun(messages, "message")
        ));
    }
    Ok(())
}

/// The same as JSON.
pub(super) async fn unfinished_as_json(app: &App) -> Result<Value, Failure> {
    let imports = app.store.intake().unfinished_imports().await?;
    let import = |import: &UnfinishedImport| json!({"path": import.path, "messages": import.messages});
    Ok(imports.iter().map(import).collect())
}
