//! Recognises archives of slackdump that are no Slack exports, to say how they become one.

use std::{fs::File, io::Read as _, path::Path};

use super::source::ExportFile;

/// The first bytes of every SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// The database in an archive of slackdump's.
const DATABASE: &str = "slackdump.sqlite";

/// A format of slackdump's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlackdumpFormat {
    /// A folder with `slackdump.sqlite`, or that file.
    Database,
    /// A folder of `*.json.gz`.
    Chunk,
    /// A file of messages for each channel, named by its id: `C0123ABCD.json`.
    Dump,
}

impl SlackdumpFormat {
    /// Slackdump's own word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Chunk => "chunk",
            Self::Dump => "dump",
        }
    }

    /// Whether a file is a database. One that cannot be read is none.
    pub(super) fn is_database(path: &Path) -> bool {
        let mut begin = [0; SQLITE.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == SQLITE
    }

    /// The format of these files; `None` if they are not slackdump's.
    pub(super) fn of(entries: &[ExportFile]) -> Option<Self> {
        let names = || entries.iter().map(|entry| entry.path.rsplit('/').next().unwrap_or(&entry.path));
        if names().any(|name| name == DATABASE) {
            Some(Self::Database)
        } else if names().any(|name| name.strip_suffix(".json.gz").is_some()) {
            Some(Self::Chunk)
        } else {
            names().any(is_dump).then_some(Self::Dump)
        }
    }
}

/// Whether a file is named as slackdump names what it dumps: by the id of a channel, and the thread if it is one.
fn is_dump(name: &str) -> bool {
    /// The fewest characters of an id: `C` and eight more.
    const SHORTEST_ID: usize = 9;
    let Some(name) = name.strip_suffix(".json") else { return false };
    let id = name.split('-').next().unwrap_or(name);
    id.len() >= SHORTEST_ID
        && id.starts_with(['C', 'D', 'G'])
        && id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}
