//! Slack exports on disk: the samples of `examples/`, and such as a test writes.

use std::{collections::BTreeMap, fs, io::Write, path::Path, path::PathBuf, time::SystemTime};

use serde_json::{Value, json};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::binary::Home;

/// A sample workspace of `examples/`.
pub(crate) fn sample(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(language)
}

/// The files of an export, by their paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Export {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Export {
    /// Two people and one public channel, `general` (C1), without messages.
    pub(crate) fn new() -> Self {
        let person =
            |id: &str, name: &str| json!({"id": id, "name": name, "profile": {"display_name": name}});
        Self::default()
            .with("users.json", &json!([person("U1", "aki"), person("U2", "ben")]))
            .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
    }

    /// Everything below a folder.
    pub(crate) fn read(root: &Path) -> Self {
        let mut export = Self::default();
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("listed") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned();
                    export.files.insert(name, fs::read(&path).expect("read"));
                }
            }
        }
        export
    }

    pub(crate) fn with(self, path: &str, content: &Value) -> Self {
        self.with_raw(path, content.to_string())
    }

    pub(crate) fn with_raw(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }

    /// Written into a folder of `home`; every file was last changed at `taken`, when one is given.
    pub(crate) fn folder(&self, home: &Home, name: &str, taken: Option<SystemTime>) -> PathBuf {
        for (path, content) in &self.files {
            let path = home.write(&format!("{name}/{path}"), content);
            if let Some(taken) = taken {
                let file = fs::File::options().append(true).open(path).expect("opened");
                file.set_modified(taken).expect("its time is set");
            }
        }
        home.path(name)
    }

    /// Written as a zip into `home`, taken in June 2026.
    pub(crate) fn zip(&self, home: &Home, name: &str) -> PathBuf {
        let path = home.write(name, "");
        let mut zip = ZipWriter::new(fs::File::create(&path).expect("made"));
        let taken = DateTime::from_date_and_time(2026, 6, 1, 0, 0, 0).expect("a time");
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(taken);
        for (path, content) in &self.files {
            zip.start_file(path, options).expect("begun");
            zip.write_all(content).expect("written");
        }
        zip.finish().expect("finished");
        path
    }
}

pub(crate) fn said(ts: &str, user: &str, text: &str) -> Value {
    json!({"type": "message", "ts": ts, "user": user, "text": text})
}
