//! Lists the files of an export that is a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    ExportError,
    names::{FileName, unsafe_path},
    organisation,
    source::{ExportFile, Listing, is_junk},
};

/// Levels of folders that are read: `<enclosing>/<enclosing>/<channel>/<day>.json`. Nothing of an export is deeper, and
/// a wrong path such as `/` is not walked to its end.
const MOST_LEVELS: usize = 4;
/// In an organisation's export: `<enclosing>/teams/<workspace>/<channel>/<day>.json`, and one more.
const MOST_LEVELS_OF_AN_ORGANISATION: usize = 6;

/// Lists the files below `root`. Links and special files are refused: they may lead elsewhere, or have no end.
pub(super) fn list_files_below(root: &Path) -> Result<Listing, ExportError> {
    let mut listing = Listing::default();
    let mut open = vec![(root.to_owned(), PathBuf::new(), 1)];
    while let Some((folder, below, level)) = open.pop() {
        let failed = |source: io::Error| ExportError::Io { path: folder.clone(), source };
        for item in fs::read_dir(&folder).map_err(failed)? {
            let item = item.map_err(failed)?;
            let kind = item.file_type().map_err(failed)?;
            let inside = below.join(item.file_name());
            let FileName { path, others } = FileName::read(inside.as_os_str().as_encoded_bytes(), None);
            if path.rsplit('/').next().is_some_and(is_junk) {
                continue;
            }
            if let Some(reason) = unsafe_path(&path) {
                listing.refused.push(format!("{}: {reason}, refused", path.escape_debug()));
            } else if kind.is_dir() {
                let most = if path.split('/').any(|part| part == organisation::FOLDER) {
                    MOST_LEVELS_OF_AN_ORGANISATION
                } else {
                    MOST_LEVELS
                };
                if level < most {
                    open.push((item.path(), inside, level + 1));
                }
            } else if kind.is_file() {
                let about = item.metadata().map_err(failed)?;
                let modified = about.modified().map_err(failed)?;
                listing.entries.push(ExportFile {
                    path,
                    others,
                    inside,
                    bytes: about.len(),
                    modified: Timestamp::try_from(modified).ok(),
                    at: 0,
                });
            } else {
                listing.refused.push(format!("{path}: a link or special file, refused"));
            }
        }
    }
    Ok(listing)
}
