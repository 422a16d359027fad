//! Lists the files of an export that is a folder.

use std::{fs, io, path::Path};

use jiff::Timestamp;

use super::{
    ExportError,
    source::{ExportFile, Listing, is_junk},
};

/// Levels of folders that are read: `<enclosing>/<enclosing>/<channel>/<day>.json`. Nothing of an export is deeper, and
/// a wrong path such as `/` is not walked to its end.
const MOST_LEVELS: usize = 4;

/// Lists the files below `root`. Links and special files are refused: they may lead elsewhere, or have no end.
pub(super) fn list(root: &Path) -> Result<Listing, ExportError> {
    let mut listing = Listing::default();
    let mut open = vec![(root.to_owned(), String::new(), 1)];
    while let Some((folder, prefix, level)) = open.pop() {
        let failed = |source: io::Error| ExportError::Io { path: folder.clone(), source };
        for item in fs::read_dir(&folder).map_err(failed)? {
            let item = item.map_err(failed)?;
            let kind = item.file_type().map_err(failed)?;
            let Some(name) = item.file_name().to_str().map(str::to_owned) else {
                listing.refused.push(format!("{}: its name is not UTF-8", item.path().display()));
                continue;
            };
            let path = format!("{prefix}{name}");
            if is_junk(&name) {
                continue;
            }
            if kind.is_dir() {
                if level < MOST_LEVELS {
                    open.push((item.path(), format!("{path}/"), level + 1));
                }
            } else if kind.is_file() {
                let modified = item.metadata().and_then(|about| about.modified()).map_err(failed)?;
                listing.entries.push(ExportFile {
                    path,
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
