//! Small exports, written for one test.

use std::{collections::BTreeMap, fs, io::Write, path::PathBuf};

use jiff::Timestamp;
use myao_core::chat::{Event, Message, MessageTs};
use myao_slack::export::{Export, ExportLimits, ImportReport, Step};
use serde_json::{Value, json};
use tempfile::TempDir;
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// Well after everything in the samples.
pub(crate) const NOW: &str = "2026-06-01T00:00:00Z";

/// The files of an export.
#[derive(Clone, Default)]
pub(crate) struct Sample {
    files: BTreeMap<String, Vec<u8>>,
}

/// An export on disk, as long as this lives.
pub(crate) struct OnDisk {
    pub(crate) path: PathBuf,
    _dir: TempDir,
}

/// All that an import gave.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) events: Vec<Event>,
    pub(crate) report: ImportReport,
}

impl Sample {
    /// Two people, one public channel (`general`, `C1`), no messages.
    pub(crate) fn new() -> Self {
        Self::default()
            .with("users.json", &json!([person("U1", "aki"), person("U2", "ben")]))
            .with("channels.json", &json!([{"id": "C1", "name": "general", "members": ["U1", "U2"]}]))
    }

    pub(crate) fn with(self, path: &str, content: &Value) -> Self {
        self.with_raw(path, content.to_string())
    }

    pub(crate) fn with_raw(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }

    /// A day of `general`.
    pub(crate) fn day(self, messages: &Value) -> Self {
        self.with("general/2026-03-02.json", messages)
    }

    /// The files of both.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self
    }

    /// Everything one folder deeper.
    pub(crate) fn inside(self, folder: &str) -> Self {
        Self { files: self.files.into_iter().map(|(path, c)| (format!("{folder}/{path}"), c)).collect() }
    }

    pub(crate) fn folder(&self) -> OnDisk {
        let dir = TempDir::new().unwrap();
        for (path, content) in &self.files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        OnDisk { path: dir.path().to_owned(), _dir: dir }
    }

    /// A zip whose entries bear no time.
    pub(crate) fn zip(&self) -> OnDisk {
        self.zip_of(DateTime::default())
    }

    pub(crate) fn zip_of(&self, time: DateTime) -> OnDisk {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("export.zip");
        let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1))
            .last_modified_time(time);
        for (path, content) in &self.files {
            zip.start_file(path, options).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
        OnDisk { path, _dir: dir }
    }

    /// What the zip of it gives.
    pub(crate) fn read(&self) -> Outcome {
        self.zip().read()
    }
}

impl OnDisk {
    pub(crate) fn read(&self) -> Outcome {
        self.read_within(ExportLimits::default())
    }

    pub(crate) fn read_within(&self, limits: ExportLimits) -> Outcome {
        let export = Export::open_within(&self.path, limits).unwrap();
        let mut outcome = Outcome { events: Vec::new(), report: ImportReport::default() };
        for Step { events, report, .. } in export.steps(now()) {
            outcome.events.extend(events);
            outcome.report += report;
        }
        outcome
    }

    /// A copy of a zip with its bytes changed.
    pub(crate) fn clone_with(zip: &Self, change: impl FnOnce(&mut Vec<u8>)) -> Self {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("export.zip");
        let mut bytes = fs::read(&zip.path).unwrap();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        Self { path, _dir: dir }
    }

    /// Why it cannot be opened, with the path replaced.
    pub(crate) fn refusal(&self) -> String {
        let error = Export::open(&self.path).unwrap_err().to_string();
        error.replace(self.path.to_str().unwrap(), "EXPORT")
    }
}

impl Outcome {
    pub(crate) fn messages(&self) -> Vec<&Message> {
        let mut all = Vec::new();
        for event in &self.events {
            all.extend(event.message());
        }
        all
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        self.messages().into_iter().map(|message| message.text.as_str()).collect()
    }

    pub(crate) fn unread(&self) -> Vec<(&str, &str)> {
        let mut all = Vec::new();
        for event in &self.events {
            if let Event::Unread { key, error, .. } = event {
                all.push((key.as_str(), error.as_str()));
            }
        }
        all
    }

    /// How far every channel is heard; they all must agree.
    pub(crate) fn heard_until(&self) -> Option<MessageTs> {
        let mut all = Vec::new();
        for event in &self.events {
            if let Event::HeardUntil { until, .. } = event {
                all.push(*until);
            }
        }
        let first = all.first().copied();
        assert!(all.iter().all(|until| Some(*until) == first), "{all:?}");
        first
    }
}

pub(crate) fn now() -> Timestamp {
    NOW.parse().unwrap()
}

pub(crate) fn ts(text: &str) -> MessageTs {
    text.parse().unwrap()
}

pub(crate) fn person(id: &str, name: &str) -> Value {
    json!({"id": id, "name": format!("{name}.account"), "profile": {"display_name": name}})
}

pub(crate) fn said(ts: &str, user: &str, text: &str) -> Value {
    json!({"type": "message", "ts": ts, "user": user, "text": text})
}
