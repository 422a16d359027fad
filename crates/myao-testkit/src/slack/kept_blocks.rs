//! Keeps what the program would have drawn, so that Slack's own models can look at it (`scripts/slack/models.py`): each
//! view and each list of blocks that is sent here becomes a file of the folder that `MYAO_KEEP_BLOCKS` names.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use serde_json::{Value, json};

const FOLDER: &str = "MYAO_KEEP_BLOCKS";
/// The fields of a call, an answer or an acknowledgement that are drawn.
const FIELDS: [&str; 2] = ["view", "blocks"];

/// What sets files apart that are being written at once.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

/// Where it is kept, if at all.
pub(super) struct KeptBlocks(Option<PathBuf>);

impl KeptBlocks {
    /// Keeps it where the environment says. Nothing in the tests of this crate: they send what is wrong on purpose, by
    /// clients of their own.
    ///
    /// # Panics
    /// When the folder is not there and cannot be made.
    pub(super) fn where_environment_says() -> Self {
        let is_test_of_fake = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == env!("CARGO_PKG_NAME"));
        let folder = env::var_os(FOLDER).filter(|folder| !folder.is_empty() && !is_test_of_fake);
        let folder = folder.map(PathBuf::from);
        if let Some(folder) = &folder {
            fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
        Self(folder)
    }

    /// Keeps what is drawn of the fields that came with a call, whatever becomes of it.
    ///
    /// # Panics
    /// When a file cannot be written: what is missing would not be looked at.
    pub(super) fn keep(&self, method: &str, field: impl Fn(&str) -> Option<Value>) {
        let Some(folder) = &self.0 else { return };
        for key in FIELDS {
            if let Some(value) = field(key) {
                let text = json!({"method": method, key: value}).to_string();
                write_once(folder, method, &text).unwrap_or_else(|error| panic!("{FOLDER}: {error}"));
            }
        }
    }
}

/// Writes a file under a name that its content has, so that what is the same is one file.
fn write_once(folder: &Path, method: &str, text: &str) -> std::io::Result<()> {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let path = folder.join(format!("{method}-{:016x}.json", hasher.finish()));
    if path.exists() {
        return Ok(());
    }
    let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!(".{}-{number}", process::id()));
    fs::write(&unfinished, text)?;
    fs::rename(&unfinished, &path)
}
