//! Reads the names of an export's files, however they were written.
//!
//! Slack writes UTF-8 into a zip and does not say so. Programs of Windows put `\` between the parts of a path, and write
//! names in the encoding of the machine, which a zip cannot tell. Of such a name every reading is kept: an index file
//! says in UTF-8 what the channels are called, and so which reading is right.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// The encodings in which names may be written, the likeliest first. `SHIFT_JIS` is what Windows calls CP932.
const ENCODINGS: [&Encoding; 5] = [SHIFT_JIS, EUC_JP, GBK, EUC_KR, BIG5];

/// The name of a file of an export, as a path with `/` between its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    /// The path, by the likeliest reading.
    pub(super) path: String,
    /// The path by every other reading; empty if there is no doubt.
    pub(super) others: Vec<String>,
}

impl FileName {
    /// Reads a name as it is written. `declared` is what the zip itself makes of it.
    pub(super) fn read(raw: &[u8], declared: Option<&str>) -> Self {
        if let Ok(name) = std::str::from_utf8(raw) {
            return Self { path: path_with_slashes(name), others: Vec::new() };
        }
        let decoded = ENCODINGS.iter().filter_map(|encoding| {
            encoding
                .decode_without_bom_handling_and_without_replacement(raw)
                .map(|name| path_with_slashes(&name))
        });
        let mut readings: Vec<String> = Vec::new();
        for reading in decoded.chain(declared.map(path_with_slashes)) {
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        let mut readings = readings.into_iter();
        let path = readings.next().unwrap_or_else(|| path_with_slashes(&String::from_utf8_lossy(raw)));
        Self { path, others: readings.collect() }
    }
}

/// A path with `/` between its parts. Only a decoded name has `\` as a character of its own: in some encodings it is
/// half of another one.
fn path_with_slashes(name: &str) -> String {
    name.replace('\\', "/")
}

/// Why a path is refused: it could lead out of the export. `None` for a safe one.
pub(super) fn unsafe_path(path: &str) -> Option<&'static str> {
    let mut letters = path.chars();
    let drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':');
    if path.starts_with('/') || drive {
        Some("an absolute path")
    } else if path.split('/').any(|part| part == "..") {
        Some("a path that leads out of the export")
    } else if path.contains('\0') {
        Some("a path with NUL")
    } else {
        None
    }
}
