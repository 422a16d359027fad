//! Reads the files of an export from a folder or a zip.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use zip::result::ZipError;

use super::{ExportError, folder, slackdump::SlackdumpFormat, zipped};

/// A folder or an open zip.
#[derive(Debug)]
pub(super) enum Source {
    /// A folder, by its path.
    Folder(PathBuf),
    /// A zip.
    Zip(Box<zipped::Archive>),
}

/// One file of an export.
#[derive(Clone, Debug)]
pub(super) struct ExportFile {
    /// Its path, with `/` between the parts.
    pub(super) path: String,
    /// What its path is by other readings of its name (`names`).
    pub(super) others: Vec<String>,
    /// Where it is below a folder, as the system names it; empty in a zip.
    pub(super) inside: PathBuf,
    /// Its length in bytes, as far as a zip tells.
    pub(super) bytes: u64,
    /// When it was last changed.
    pub(super) modified: Option<Timestamp>,
    /// Its index in the zip.
    pub(super) at: usize,
}

/// The files in a folder or zip.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The files, by path.
    pub(super) entries: Vec<ExportFile>,
    /// A line for each entry that was refused.
    pub(super) refused: Vec<String>,
    /// Further lines for people.
    pub(super) remarks: Vec<String>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnreadableFile {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Zip(#[from] ZipError),
    #[error("larger than {0} bytes, refused")]
    TooLarge(u64),
}

impl Source {
    /// Opens what is at `path` and lists it.
    pub(super) fn open(path: &Path) -> Result<(Self, Listing), ExportError> {
        let failed = |source: io::Error| {
            let path = path.to_owned();
            if source.kind() == io::ErrorKind::NotFound {
                ExportError::Missing { path }
            } else {
                ExportError::Io { path, source }
            }
        };
        let kind = fs::metadata(path).map_err(failed)?;
        let (source, mut listing) = if kind.is_dir() {
            (Self::Folder(path.to_owned()), folder::list_files_below(path)?)
        } else if kind.is_file() && SlackdumpFormat::is_database(path) {
            return Err(ExportError::Slackdump { path: path.to_owned(), format: SlackdumpFormat::Database });
        } else if kind.is_file() {
            let (archive, listing) = zipped::open_zip(path, File::open(path).map_err(failed)?)?;
            (Self::Zip(Box::new(archive)), listing)
        } else {
            let reason = "it is no regular file".to_owned();
            return Err(ExportError::NotAZip { path: path.to_owned(), reason });
        };
        listing.entries.sort_by(|a, b| a.path.cmp(&b.path));
        listing.refused.sort();
        Ok((source, listing))
    }

    /// The content of a file, if it has at most `limit` bytes.
    pub(super) fn read(&mut self, entry: &ExportFile, limit: u64) -> Result<Vec<u8>, UnreadableFile> {
        match self {
            Self::Folder(root) => read_within(File::open(root.join(&entry.inside))?, limit),
            Self::Zip(archive) => read_within(archive.by_index(entry.at)?, limit),
        }
    }
}

fn read_within(file: impl Read, limit: u64) -> Result<Vec<u8>, UnreadableFile> {
    let mut content = Vec::new();
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut content)?;
    if u64::try_from(read).unwrap_or(u64::MAX) > limit {
        return Err(UnreadableFile::TooLarge(limit));
    }
    Ok(content)
}

/// Whether a file or folder of this name is no part of an export: hidden ones (`.DS_Store`, `._…`, `.git`) and those
/// that macOS adds to zips.
pub(super) fn is_junk(name: &str) -> bool {
    name.starts_with('.') || name == "__MACOSX"
}
