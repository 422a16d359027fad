//! Whether a demo may use a database: only one that a demo made, with the sample or export that it was made with, and one
//! demo at a time. Otherwise its made-up people would stand among real ones.

use std::path::Path;

use myao_companion::{keeper::Lease, live::local::LocalWorkspace};
use myao_config::Database;
use myao_core::{chat::Visibility, text::Language};
use myao_store::{Store, StoreError, Target};

use super::{
    super::{Failure, run::claim_database_file},
    OwnPast, Sample,
};
use crate::app::App;

/// What a demo begins with.
pub(super) enum DemoPast<'a> {
    Sample(&'a Sample),
    Own(&'a OwnPast),
}

/// The beginning of a [`DemoPast::mark`] of an export.
const EXPORT: &str = "export ";

impl DemoPast<'_> {
    /// What the database notes: `sample en`, or the first message of an export, as in `export C1/1770000000.000100`.
    fn mark(&self) -> String {
        match self {
            Self::Sample(sample) => sample_mark(sample.language),
            Self::Own(own) => {
                let (channel, ts) = own.first();
                format!("{EXPORT}{channel}/{ts}")
            }
        }
    }
}

fn sample_mark(language: Language) -> String {
    format!("sample {}", language.as_str())
}

/// The language of the sample that a kept database was made with; `None` where there is none, or another past.
pub(super) async fn language_of_sample(database: &Path) -> Option<Language> {
    let store = Store::open_to_read(&Target::Sqlite(database.to_owned())).await.ok()?;
    let noted = store.local().kind_of_past().await;
    store.close().await;
    [Language::Ja, Language::En]
        .into_iter()
        .find(|language| noted.as_ref().is_ok_and(|noted| noted.as_ref() == Some(&sample_mark(*language))))
}

/// Refuses a database that was not made with this past. Writes nothing.
pub(super) async fn refuse_other_past(database: &Database, past: &DemoPast<'_>) -> Result<(), Failure> {
    let Database::Sqlite(path) = database else { return Ok(()) };
    let store = match Store::open_to_read(&Target::Sqlite(path.clone())).await {
        Ok(store) => store,
        Err(StoreError::Missing(_)) => return Ok(()),
        Err(error) => {
            let instead = "the demo cannot use this folder; name another one with --keep";
            return Err(Failure::database(anyhow::Error::from(error).context(instead)));
        }
    };
    let held = held_mark(&store, past).await;
    let is_empty = is_empty(&store).await;
    store.close().await;
    match held? {
        Some(held) if held == past.mark() => Ok(()),
        // A demo was killed right after it had made the database.
        None if is_empty? => Ok(()),
        held => Err(refusal_of_database(path, held.as_deref())),
    }
}

/// Whether a database belongs to no workspace and nothing is in it.
async fn is_empty(store: &Store) -> Result<bool, StoreError> {
    Ok(store.archive().team().await?.is_none()
        && store.archive().channels(&Visibility::Owner).await?.is_empty())
}

/// Takes an admitted database for this demo alone, and notes what it is made with.
pub(super) async fn claim_and_note(app: &App, past: &DemoPast<'_>) -> Result<Option<Lease>, Failure> {
    let lease = claim_database_file(app).await?;
    let held = app.store.local().note_past(&past.mark()).await?;
    match app.store.database() {
        // Another demo may have been the first to use it.
        Some(path) if held != past.mark() => Err(refusal_of_database(path, Some(&held))),
        _ => Ok(lease),
    }
}

/// The mark of what a database was made with; `None` if no demo made it.
async fn held_mark(store: &Store, past: &DemoPast<'_>) -> Result<Option<String>, StoreError> {
    if let Some(noted) = store.local().kind_of_past().await? {
        return Ok(Some(noted));
    }
    // Demos of older versions noted nothing. A database in which they served the page is known by its workspace.
    if !LocalWorkspace::was_opened(store).await? {
        return Ok(None);
    }
    for language in [Language::Ja, Language::En] {
        let channel = Sample::of(language).channel.trim_start_matches('#');
        if !store.archive().channels_named(channel).await?.is_empty() {
            return Ok(Some(sample_mark(language)));
        }
    }
    if let DemoPast::Own(own) = past {
        let (channel, ts) = own.first();
        if store.archive().message(&Visibility::Owner, channel, ts).await?.is_some() {
            return Ok(Some(past.mark()));
        }
    }
    Ok(Some(EXPORT.to_owned()))
}

/// Says why a database is not used, and what to do.
fn refusal_of_database(path: &Path, held: Option<&str>) -> Failure {
    let database = path.display();
    let folder = path.parent().unwrap_or(path).display();
    let why = match held.map(|mark| (mark, mark.strip_prefix(EXPORT))) {
        None => {
            "is not known to be a demo's, and made-up people are written into no other database".to_owned()
        }
        Some((_, Some(""))) => "holds another export, and `--import` goes on only with that one".to_owned(),
        Some((_, Some(first))) => format!(
            "holds the export that begins with the message {first}, and `--import` goes on only with that one"
        ),
        Some((mark, None)) => {
            let language = mark.rsplit(' ').next().unwrap_or(mark);
            format!("holds a sample, and `myao demo --lang {language} --keep {folder}` goes on with it")
        }
    };
    Failure::usage(format!("{database} {why}; name another folder with --keep"))
}
