//! Makes file names from channel names: readable, safe on every system, and unique.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

/// The most characters of a name. With four bytes each, that is well below the 255 bytes that file systems allow.
const LENGTH: usize = 40;
/// Names of devices on Windows, where the folder may be copied to.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The file names in use.
#[derive(Default)]
pub(super) struct FileNames {
    /// In lower case, since some file systems ignore case.
    taken: BTreeSet<String>,
}

impl FileNames {
    /// A file name for a channel, without folder and extension.
    pub(super) fn of(&mut self, name: &str, id: &str) -> String {
        let plain = harmless_file_name(name);
        let is_device = DEVICES.iter().any(|device| {
            let rest = plain.to_lowercase().strip_prefix(device).map(str::to_owned);
            rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        });
        let mut wanted =
            if plain.is_empty() || is_device { format!("channel-{}", harmless_file_name(id)) } else { plain };
        let mut number = 1_u32;
        while !self.taken.insert(wanted.to_lowercase()) {
            wanted = format!("{}-{}", harmless_file_name(name), harmless_file_name(id));
            if number > 1 {
                wanted = format!("{wanted}-{number}");
            }
            number = number.saturating_add(1);
        }
        wanted
    }
}

/// Keeps letters, digits, `-` and `_`; a run of anything else, dots and slashes included, becomes one `-`.
fn harmless_file_name(name: &str) -> String {
    let mut plain = String::new();
    for c in name.nfc().take(LENGTH) {
        if c.is_alphanumeric() || c == '_' {
            plain.push(c);
        } else if !plain.ends_with('-') {
            plain.push('-');
        }
    }
    plain.trim_matches('-').to_owned()
}
