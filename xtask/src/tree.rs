//! Reads the repository's files.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, ensure};
use serde_json::Value;

/// One file of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path from the repository's root, with `/` between folders.
    pub path: String,
    /// The text; empty when the file is not UTF-8.
    pub text: String,
}

impl SourceFile {
    /// A file of this path and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Its lines, each with its number from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// Whether its name ends in a point and `extension`.
    pub(crate) fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == extension)
    }
}

/// The output of `cargo metadata` for the workspace's own packages.
pub(crate) fn cargo_metadata() -> anyhow::Result<Value> {
    let text =
        output_of_command(Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).context("`cargo metadata` did not answer in JSON")
}

/// Every file that git tracks or does not ignore, and snapshots that wait to be accepted, which git ignores.
pub(crate) fn read_all_files(metadata: &Value) -> anyhow::Result<Vec<SourceFile>> {
    let root = metadata.get("workspace_root").and_then(Value::as_str);
    let root = Path::new(root.context("`cargo metadata` names no workspace root")?);
    let list = |arguments: &[&str]| {
        output_of_command(
            Command::new("git")
                .current_dir(root)
                .args(["ls-files", "-z", "--exclude-standard"])
                .args(arguments),
        )
    };
    let kept = list(&["--cached", "--others"])?;
    let waiting = list(&["--others", "--ignored", "*.snap.new", "*.pending-snap"])?;
    let mut files = Vec::new();
    for path in kept.split('\0').chain(waiting.split('\0')).filter(|path| !path.is_empty()) {
        let full = root.join(path);
        // A file may be gone from the disk but still be in the index; a link may lead to a folder.
        if full.is_file() {
            let bytes = fs::read(&full).with_context(|| format!("reading {path}"))?;
            files.push(SourceFile::new(path, String::from_utf8(bytes).unwrap_or_default()));
        }
    }
    ensure!(!files.is_empty(), "git lists no files in {}", root.display());
    Ok(files)
}

/// Every file of a commit that is Rust or a document.
pub(crate) fn read_commit(commit: &str) -> anyhow::Result<Vec<SourceFile>> {
    let list = output_of_command(Command::new("git").args([
        "ls-tree",
        "-r",
        "-z",
        "--name-only",
        "--full-tree",
        commit,
    ]))?;
    let is_wanted = |path: &&str| Path::new(path).extension().is_some_and(|end| end == "rs" || end == "md");
    let wanted = list.split('\0').filter(is_wanted);
    let read = |path: &str| {
        let text = output_of_command(Command::new("git").args(["show", &format!("{commit}:{path}")]))?;
        Ok(SourceFile::new(path, text))
    };
    wanted.map(read).collect()
}

pub(crate) fn output_of_command(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("running {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} did not answer in UTF-8"))
}
