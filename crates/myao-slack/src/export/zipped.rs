//! Lists the files of an export that is a zip.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, civil, tz::TimeZone};
use zip::{DateTime, ZipArchive, result::ZipResult};

use super::{
    ExportError,
    names::{FileName, unsafe_path},
    source::{ExportFile, Listing, is_junk},
};

/// An open zip file.
pub(super) type Archive = ZipArchive<BufReader<File>>;

/// The year in a zip that means an unknown time.
const NO_YEAR: u16 = 1980;

/// Opens a zip and lists its files.
pub(super) fn open_zip(path: &Path, file: File) -> Result<(Archive, Listing), ExportError> {
    let not_a_zip = |error: zip::result::ZipError| ExportError::NotAZip {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let archive = ZipArchive::new(BufReader::new(file)).map_err(not_a_zip)?;
    let listing = list_zip(&archive).map_err(not_a_zip)?;
    Ok((archive, listing))
}

fn list_zip(archive: &Archive) -> ZipResult<Listing> {
    let mut listing = Listing::default();
    if archive.has_duplicate_names() {
        listing.remarks.push("the zip has entries of the same name; the last of each is read".to_owned());
    }
    let contents = archive.metadata();
    for at in 0..contents.len() {
        let entry = contents.entry(at)?;
        let FileName { path, others } = FileName::read(entry.name_raw(), entry.name().ok().as_deref());
        let reason = if entry.is_symlink() { Some("a link") } else { unsafe_path(&path) };
        if let Some(reason) = reason {
            listing.refused.push(format!("{}: {reason}, refused", path.escape_debug()));
        } else if entry.is_file() && !path.ends_with('/') && !path.split('/').any(is_junk) {
            let modified = entry.last_modified().and_then(instant_as_utc);
            let inside = PathBuf::new();
            let bytes = entry.size();
            listing.entries.push(ExportFile { path, others, inside, bytes, modified, at });
        }
    }
    Ok(listing)
}

/// A zip's local time without a zone, read as UTC.
fn instant_as_utc(time: DateTime) -> Option<Timestamp> {
    if time.year() == NO_YEAR {
        return None;
    }
    let part = |number: u8| i8::try_from(number).ok();
    let civil = civil::DateTime::new(
        i16::try_from(time.year()).ok()?,
        part(time.month())?,
        part(time.day())?,
        part(time.hour())?,
        part(time.minute())?,
        part(time.second())?,
        0,
    );
    Some(civil.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}
