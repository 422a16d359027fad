//! Finds the workspaces in the export of an organisation (Enterprise Grid): each is a folder in `teams`, beside which
//! stands what belongs to all of them: people, channels that several workspaces share, direct messages.

use std::{collections::BTreeSet, path::Path};

use super::{
    ExportError,
    layout::{INDEX_FILES, day_of},
    source::ExportFile,
};

/// The folder of the workspaces.
pub(super) const FOLDER: &str = "teams";

/// The workspaces of an organisation's export.
#[derive(Debug)]
pub(super) struct Workspaces {
    /// The folder that the export is in, with a `/` at its end; empty for the top.
    root: String,
    names: BTreeSet<String>,
}

impl Workspaces {
    /// The workspaces among these files; `None` if it is no organisation's export.
    pub(super) fn of(entries: &[ExportFile]) -> Option<Self> {
        let mut found: Option<Self> = None;
        for (root, name) in entries.iter().filter_map(|entry| workspace_of(&entry.path)) {
            match &mut found {
                Some(known) if known.root == root => drop(known.names.insert(name.to_owned())),
                Some(known) if known.root.len() <= root.len() => {}
                _ => found = Some(Self { root: root.to_owned(), names: [name.to_owned()].into() }),
            }
        }
        found
    }

    /// The folder of what belongs to all workspaces, and that of one of them: the `wanted` one, or the only one.
    pub(super) fn folders(self, path: &Path, wanted: Option<&str>) -> Result<(String, String), ExportError> {
        let mut names = self.names.iter();
        let name = match (wanted, names.next(), names.next()) {
            (Some(wanted), ..) if self.names.contains(wanted) => wanted,
            (None, Some(only), None) => only,
            (wanted, ..) => {
                let path = path.to_owned();
                let workspaces = self.names.into_iter().collect();
                return Err(match wanted {
                    Some(wanted) => ExportError::NoWorkspace { path, wanted: wanted.to_owned(), workspaces },
                    None => ExportError::Organisation { path, workspaces },
                });
            }
        };
        let own = format!("{}{FOLDER}/{name}/", self.root);
        Ok((self.root, own))
    }
}

/// The root of an organisation's export and the workspace that a file belongs to, as in `teams/NAME/channels.json` and
/// `teams/NAME/general/2026-03-02.json`.
fn workspace_of(path: &str) -> Option<(&str, &str)> {
    let rest_at = match path.find("teams/") {
        Some(0) => 0,
        _ => path.find("/teams/")?.checked_add(1)?,
    };
    let (root, rest) = path.split_at_checked(rest_at)?;
    let (name, file) = rest.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('/')?;
    let is_of_an_export =
        INDEX_FILES.contains(&file) || day_of(file).is_some_and(|(folder, _)| !folder.contains('/'));
    (is_of_an_export && !name.is_empty()).then_some((root, name))
}
