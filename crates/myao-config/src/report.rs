//! Collects what is found out while a file is read: problems, notes, and the known keys.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use super::error::{ConfigError, ConfigFault, Problem};

/// What somebody should know of a configuration in which nothing is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigNotes {
    /// Keys that are left out and matter, as in `locale.timezone`: their defaults hold.
    pub defaults: Vec<String>,
    /// Values that others overrule, or that were replaced by the nearest ones of ours, each with its key.
    pub remarks: Vec<String>,
}

impl ConfigNotes {
    /// All of it in one line; `None` where there is nothing to say.
    pub fn in_one_line(&self) -> Option<String> {
        let defaults = match &self.defaults[..] {
            [] => None,
            [key] => Some(format!("{key} is left out, so its default holds")),
            keys => Some(format!("{} are left out, so their defaults hold", keys.join(", "))),
        };
        let all: Vec<String> = defaults.into_iter().chain(self.remarks.iter().cloned()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// Collects problems instead of stopping at the first one, so that one run reports all of them.
#[derive(Debug)]
pub(super) struct ProblemReport {
    file: PathBuf,
    problems: Vec<Problem>,
    /// The same as a set, to report each only once.
    told: HashSet<Problem>,
    notes: ConfigNotes,
    has_secret: bool,
    known: Vec<String>,
}

impl ProblemReport {
    pub(super) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            problems: Vec::new(),
            told: HashSet::new(),
            notes: ConfigNotes::default(),
            has_secret: false,
            known: Vec::new(),
        }
    }

    /// The file that is read.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Adds a problem of the key `path`; the empty path is the file as a whole.
    pub(super) fn problem(&mut self, line: Option<u64>, path: &str, fault: ConfigFault) {
        let key = (!path.is_empty()).then(|| path.to_owned());
        let problem = Problem { file: self.file.clone(), line, key, fault };
        if self.told.insert(problem.clone()) {
            self.problems.push(problem);
        }
    }

    /// Adds a note, which is no problem.
    pub(super) fn note(&mut self, note: String) {
        self.notes.remarks.push(note);
    }

    /// Notes a key whose default holds.
    pub(super) fn note_default(&mut self, key: String) {
        self.notes.defaults.push(key);
    }

    /// Notes that the file itself holds a secret.
    pub(super) fn holds_secret(&mut self) {
        self.has_secret = true;
    }

    /// Whether the file itself holds a secret.
    pub(super) fn has_secret(&self) -> bool {
        self.has_secret
    }

    /// Registers the key `pattern`, in which list items are written `[]`.
    pub(super) fn knows(&mut self, pattern: String) {
        if !self.known.contains(&pattern) {
            self.known.push(pattern);
        }
    }

    /// All keys that are read, sections included, in the order of reading.
    pub(super) fn into_known(self) -> Vec<String> {
        self.known
    }

    /// The notes, when nothing is wrong.
    ///
    /// # Errors
    /// All problems, in the order of the file.
    pub(super) fn finish(mut self) -> Result<ConfigNotes, ConfigError> {
        if self.problems.is_empty() {
            return Ok(self.notes);
        }
        let known = std::mem::take(&mut self.known);
        for problem in &mut self.problems {
            look_elsewhere(problem, &known);
        }
        self.problems.sort_by_key(|problem| problem.line);
        Err(ConfigError::Faulty(self.problems))
    }
}

/// Adds a suggestion to an unknown key that has none: the key of the same name in another section, if there is exactly
/// one.
fn look_elsewhere(problem: &mut Problem, known: &[String]) {
    let (ConfigFault::Unknown { suggestion }, Some(key)) = (&mut problem.fault, &problem.key) else { return };
    if suggestion.is_some() {
        return;
    }
    let leaf = key.rsplit('.').next().unwrap_or(key);
    // Rules for places repeat keys that stand elsewhere for all places.
    let is_for_all = |path: &&String| !path.starts_with("places.");
    let mut places = known.iter().filter(is_for_all).filter(|path| path.rsplit('.').next() == Some(leaf));
    if let (Some(only), None) = (places.next(), places.next()) {
        *suggestion = Some(only.clone());
    }
}
