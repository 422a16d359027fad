//! The folder that an export is written to: nothing outside of it is touched, only its owner can read it, and every
//! file in it is complete.

use std::{
    collections::BTreeSet,
    fs, io,
    io::{BufWriter, Write as _},
    path::{Component, Path, PathBuf},
};

use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::cli::Failure;

/// The file that says what the folder is, and which files in it are ours.
const MANIFEST: &str = "export.json";
const FORMAT: &str = "myao memory export";
/// Increased when the format changes in a way that readers must know.
const FORMAT_VERSION: u32 = 1;

/// A folder that is being filled.
pub(super) struct Folder {
    root: PathBuf,
    /// The files of an earlier export.
    before: BTreeSet<String>,
    written: BTreeSet<String>,
}

/// A file of JSON lines that is being written.
pub(super) struct Lines {
    name: &'static str,
    file: BufWriter<NamedTempFile>,
}

impl Folder {
    /// Creates the folder, or uses an existing one.
    ///
    /// # Errors
    /// When it is no folder, or is not empty and `overwrite` is not set.
    pub(super) fn open(root: &Path, overwrite: bool) -> Result<Self, Failure> {
        // The folder itself may be a symbolic link; below it links are refused, since they may lead outside.
        make_real_folder(root, true)?;
        let mut entries = fs::read_dir(root).map_err(|error| unusable_path(root, &error))?;
        if entries.next().is_some() && !overwrite {
            return Err(Failure::usage(format!(
                "{} is not empty; name another folder, or give --overwrite",
                root.display()
            )));
        }
        Ok(Self { root: root.to_owned(), before: files_of_manifest(root), written: BTreeSet::new() })
    }

    /// Writes a text file. `name` has to be safe: see [`names`](super::names).
    pub(super) fn text(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        let mut file = self.temporary(name)?;
        file.write_all(text.as_bytes()).map_err(|error| unusable_path(&self.root, &error))?;
        self.put(file, name)
    }

    /// Begins a file of JSON lines.
    pub(super) fn lines(&self, name: &'static str) -> Result<Lines, Failure> {
        Ok(Lines { name, file: BufWriter::new(self.temporary(name)?) })
    }

    /// Completes a file of JSON lines.
    pub(super) fn finish(&mut self, lines: Lines) -> Result<(), Failure> {
        let file = lines.file.into_inner().map_err(|error| unusable_path(&self.root, error.error()))?;
        self.put(file, lines.name)
    }

    /// Writes the manifest and removes files of an earlier export that this one does not have. Returns the number of
    /// files.
    pub(super) fn close(mut self, now: Timestamp) -> Result<usize, Failure> {
        self.written.insert(MANIFEST.to_owned());
        let manifest = json!({
            "format": FORMAT, "format_version": FORMAT_VERSION, "exported_at": now, "files": self.written,
        });
        let text = serde_json::to_string_pretty(&manifest).map_err(anyhow::Error::from)?;
        self.text(MANIFEST, &text)?;
        for stale in self.before.difference(&self.written) {
            match fs::remove_file(self.root.join(stale)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(unusable_path(&self.root.join(stale), &error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(self.written.len())
    }

    /// A temporary file in the folder of the final one, which only its owner can read.
    fn temporary(&self, name: &str) -> Result<NamedTempFile, Failure> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        if folder != self.root {
            make_real_folder(folder, false)?;
        }
        NamedTempFile::new_in(folder).map_err(|error| unusable_path(folder, &error))
    }

    fn put(&mut self, file: NamedTempFile, name: &str) -> Result<(), Failure> {
        let path = self.root.join(name);
        // It replaces whatever is there; a link is not written through.
        file.persist(&path).map_err(|error| unusable_path(&path, &error.error))?;
        self.written.insert(name.to_owned());
        Ok(())
    }
}

impl Lines {
    /// Writes one line.
    pub(super) fn write(&mut self, value: &Value) -> Result<(), Failure> {
        let name = Path::new(self.name);
        serde_json::to_writer(&mut self.file, value).map_err(anyhow::Error::from)?;
        self.file.write_all(b"\n").map_err(|error| unusable_path(name, &error))
    }
}

/// The files of an earlier export, without names that lead out of the folder.
fn files_of_manifest(root: &Path) -> BTreeSet<String> {
    let read = || -> Option<Vec<String>> {
        let text = fs::read_to_string(root.join(MANIFEST)).ok()?;
        let manifest: Value = serde_json::from_str(&text).ok()?;
        (manifest.get("format")?.as_str()? == FORMAT).then_some(())?;
        serde_json::from_value(manifest.get("files")?.clone()).ok()
    };
    let keeps_inside =
        |name: &String| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    read().unwrap_or_default().into_iter().filter(keeps_inside).collect()
}

fn make_real_folder(folder: &Path, may_be_link: bool) -> Result<(), Failure> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) if may_be_link && folder.is_dir() => return Ok(()),
        Ok(_) => return Err(Failure::usage(format!("{} is no folder", folder.display()))),
        Err(_) => {}
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| unusable_path(folder, &error))
}

fn unusable_path(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}
