//! Sorts the files of an export into index files and day files.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use jiff::{Timestamp, civil::Date};

use super::{
    Day, ExportError,
    index::Index,
    maker,
    organisation::{self, Workspaces},
    slackdump::SlackdumpFormat,
    source::ExportFile,
};

/// The index files; `org_users.json` is what an organisation's export has for `users.json`, and `integration_logs.json`
/// tells what apps are called.
pub(super) const INDEX_FILES: [&str; 8] = [
    "channels.json",
    "groups.json",
    "file_conversations.json",
    "mpims.json",
    "dms.json",
    "users.json",
    "org_users.json",
    "integration_logs.json",
];
/// Other files of an export and what is in them, which is not read.
const NOT_READ: [(&str, &str); 4] = [
    ("canvases.json", "canvases"),
    ("lists.json", "lists"),
    ("huddle_transcripts.json", "notes of huddles"),
    ("content_flags.json", "messages that were reported"),
];
/// A file of at most so many bytes is an empty list.
const EMPTY: u64 = 8;

/// What a channel's folder may hold beside its days: the channel's canvas, in which nobody speaks.
const CANVAS: &str = "canvas_in_the_conversation.json";

/// The files of an export.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Index files by name.
    pub(super) index: BTreeMap<String, ExportFile>,
    /// Index files of an organisation, beside those of the workspace.
    pub(super) shared: BTreeMap<String, ExportFile>,
    /// Day files by folder, in order of their dates.
    folders: BTreeMap<String, ChannelFolder>,
    /// What is there and not read, in words.
    pub(super) not_read: Vec<String>,
    /// JSON files in folders that may hold messages and are named after no day, by path.
    pub(super) skipped: Vec<String>,
    /// Whether it has the file about apps that Slack writes.
    pub(super) has_app_logs: bool,
}

/// The day files of a channel.
#[derive(Debug, Default)]
struct ChannelFolder {
    days: BTreeMap<Date, ExportFile>,
    /// Other readings of the folder's name.
    others: Vec<String>,
}

impl Layout {
    /// Finds the export among the files: it is in the folder of the index files closest to the top, or else of the day
    /// files closest to the top. Of an organisation's export, the `workspace` is read and what all workspaces share.
    pub(super) fn of(
        path: &Path,
        entries: Vec<ExportFile>,
        refused: usize,
        workspace: Option<&str>,
    ) -> Result<Self, ExportError> {
        let (shared, root) = match Workspaces::of(&entries) {
            Some(workspaces) => {
                let (shared, own) = workspaces.folders(path, workspace)?;
                (Some(shared), own)
            }
            None => match workspace {
                Some(wanted) => {
                    let path = path.to_owned();
                    let wanted = wanted.to_owned();
                    return Err(ExportError::NoWorkspace { path, wanted, workspaces: Vec::new() });
                }
                None => (None, root_of_export(path, &entries, refused)?),
            },
        };
        let format = SlackdumpFormat::of(&entries);
        let mut layout = Self::default();
        for entry in entries {
            let own = entry.path.strip_prefix(&root);
            let of_all = || shared.as_ref().and_then(|shared| entry.path.strip_prefix(shared));
            let Some(rest) = own.or_else(of_all) else { continue };
            if own.is_none()
                && rest.strip_prefix(organisation::FOLDER).is_some_and(|rest| rest.starts_with('/'))
            {
                continue;
            }
            layout.has_app_logs |= rest == maker::APP_LOGS;
            if INDEX_FILES.contains(&rest) {
                let index = if own.is_some() { &mut layout.index } else { &mut layout.shared };
                index.insert(rest.to_owned(), entry);
            } else if let Some((name, what)) = NOT_READ.iter().find(|(name, _)| *name == rest) {
                if entry.bytes > EMPTY {
                    layout.not_read.push(format!("{name}: {what}, which are not read"));
                }
            } else if let Some((folder, day)) = day_of(rest)
                && !folder.contains('/')
            {
                let folder = layout.folders.entry(folder.to_owned()).or_default();
                let others = entry.others.iter().filter_map(|other| folder_of(other));
                folder.others.extend(others.map(str::to_owned));
                folder.days.insert(day, entry);
            } else if let Some((_, name)) = rest.rsplit_once('/')
                && name.strip_suffix(".json").is_some()
                && name != CANVAS
            {
                layout.skipped.push(rest.to_owned());
            }
        }
        match format {
            Some(format) if layout.folders.is_empty() => {
                Err(ExportError::Slackdump { path: path.to_owned(), format })
            }
            _ => Ok(layout),
        }
    }

    /// The newest modification time of the files.
    pub(super) fn modified(&self) -> Option<Timestamp> {
        let days = self.folders.values().flat_map(|folder| folder.days.values());
        self.index.values().chain(days).filter_map(|entry| entry.modified).max()
    }

    /// The day files channel by channel, in the order of the index, each channel's by date. Folders that no
    /// channel claims become channels of the index.
    pub(super) fn days(self, index: &mut Index) -> Vec<Day> {
        let mut days = Vec::new();
        for (folder, ChannelFolder { days: files, others }) in self.folders {
            let channel = index.channel_of(&folder, &others);
            for (date, entry) in files {
                let name = format!("{folder}/{date}.json");
                days.push((channel, date, name, entry));
            }
        }
        days.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        let owned = |(channel, date, name, entry)| {
            let channel = index.channels.get::<usize>(channel)?.id.clone();
            Some(Day { channel, date, name, entry })
        };
        days.into_iter().filter_map(owned).collect()
    }
}

/// The folder that the export is in, with a `/` at its end; empty for the top.
fn root_of_export(path: &Path, entries: &[ExportFile], refused: usize) -> Result<String, ExportError> {
    let index_roots = entries.iter().filter_map(|entry| {
        let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        INDEX_FILES.contains(&name).then_some(folder)
    });
    let day_roots = entries.iter().filter_map(|entry| {
        let (folder, _) = day_of(&entry.path)?;
        Some(folder.rsplit_once('/').map_or("", |(root, _)| root))
    });
    let mut roots = highest_folders(index_roots);
    if roots.is_empty() {
        roots = highest_folders(day_roots);
    }
    match (roots.pop_first(), roots.is_empty()) {
        (None, _) => Err(match SlackdumpFormat::of(entries) {
            Some(format) => ExportError::Slackdump { path: path.to_owned(), format },
            None => ExportError::NotAnExport { path: path.to_owned(), refused },
        }),
        (Some(""), _) => Ok(String::new()),
        (Some(root), true) => Ok(format!("{root}/")),
        (Some(root), false) => {
            let roots = [root].into_iter().chain(roots).map(str::to_owned).collect();
            Err(ExportError::Several { path: path.to_owned(), roots })
        }
    }
}

/// The folders that lie closest to the top.
fn highest_folders<'f>(folders: impl Iterator<Item = &'f str>) -> BTreeSet<&'f str> {
    let folders: BTreeSet<&str> = folders.collect();
    let depth = |folder: &&str| if folder.is_empty() { 0 } else { folder.split('/').count() };
    let top = folders.iter().map(depth).min();
    folders.into_iter().filter(|folder| Some(depth(folder)) == top).collect()
}

/// The folder that a file is in.
fn folder_of(path: &str) -> Option<&str> {
    path.rsplit('/').nth(1)
}

/// The folder and day of `general/2026-03-02.json`; `None` for any other file.
pub(super) fn day_of(path: &str) -> Option<(&str, Date)> {
    const SHAPE: usize = "2026-03-02".len();
    let (folder, name) = path.rsplit_once('/')?;
    let date = name.strip_suffix(".json").filter(|date| date.len() == SHAPE)?;
    Some((folder, date.parse().ok()?))
}
