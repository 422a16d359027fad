//! The errors of opening an export, worded for people.

use std::{io, path::PathBuf};

use super::slackdump::SlackdumpFormat;

/// Why an export could not be opened. None of its messages have been read then.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is nothing at the path.
    #[error("there is nothing at `{}`; expected a Slack export, as a folder or a .zip", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The path, or something below it, cannot be read.
    #[error("`{}` cannot be read: {source}", path.display())]
    Io {
        /// What could not be read.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file, but no zip.
    #[error("`{}` is neither a folder nor a whole zip file ({reason}); expected a Slack export", path.display())]
    NotAZip {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder or zip that holds no export.
    #[error(
        "`{}` is no Slack export: it has neither channels.json nor users.json nor any \
         <channel>/<YYYY-MM-DD>.json{}", path.display(), refused_note(*refused)
    )]
    NotAnExport {
        /// The path.
        path: PathBuf,
        /// How many entries were refused because of their names.
        refused: usize,
    },
    /// More than one export side by side.
    #[error("`{}` holds several exports ({}); import one at a time", path.display(), roots.join(", "))]
    Several {
        /// The path.
        path: PathBuf,
        /// The folders they are in.
        roots: Vec<String>,
    },
    /// An organisation's export with several workspaces, of which none was chosen.
    #[error(
        "`{}` is the export of an organisation with several workspaces ({}). Each is an installation of its own: import \
         one with --workspace NAME", path.display(), workspaces.join(", ")
    )]
    Organisation {
        /// The path.
        path: PathBuf,
        /// The names of the workspaces' folders.
        workspaces: Vec<String>,
    },
    /// The workspace that was chosen is not there.
    #[error("`{}` has no workspace `{wanted}`{}", path.display(), list_of_workspaces(workspaces))]
    NoWorkspace {
        /// The path.
        path: PathBuf,
        /// The workspace that was chosen.
        wanted: String,
        /// Those that are there; empty if it is no organisation's export.
        workspaces: Vec<String>,
    },
    /// An archive of slackdump's in a format of its own.
    #[error(
        "`{0}` is in slackdump's own {1} format, and no Slack export. Convert it, and import what comes of it: \
         slackdump convert -f export -o export.zip {0}", path.display(), format.as_str()
    )]
    Slackdump {
        /// The path.
        path: PathBuf,
        /// The format.
        format: SlackdumpFormat,
    },
    /// A broken index file.
    #[error("`{file}` of the export `{}` cannot be read: {reason}; nothing was imported", path.display())]
    Index {
        /// The export.
        path: PathBuf,
        /// The file inside it.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn list_of_workspaces(workspaces: &[String]) -> String {
    if workspaces.is_empty() {
        return ": it is no organisation's export".to_owned();
    }
    format!("; it has {}", workspaces.join(", "))
}

fn refused_note(refused: usize) -> String {
    if refused == 0 { String::new() } else { format!(" ({refused} entries were refused for unsafe names)") }
}
