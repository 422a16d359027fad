//! Reads the keys of a section: a key's type, range and default are in one place, where it is read.
//!
//! Every read registers its key, so that no list of known keys is needed: an unknown key is one that was not read, and
//! [`Config::known_keys`](super::Config::known_keys) gives the keys that are read of an absent file. (serde is not used
//! for this, since it stops at the first problem and loses the lines.)

mod values;

use super::{
    error::ConfigFault,
    expand::join_keys,
    node::{Node, NodeEntry, Value},
    predecessor::instead_of_key,
    report::ProblemReport,
};

/// How alike two keys must be for one to be suggested (1 = equal).
const ALIKE: f64 = 0.6;

/// What messages expect where a text is expected and a number or switch was found.
const TEXT: &str = "text (what looks like a number needs quotes)";

/// A section of the file, present or absent.
pub(super) struct Section<'a> {
    report: &'a mut ProblemReport,
    path: String,
    pattern: String,
    line: Option<u64>,
    entries: Option<&'a [NodeEntry]>,
    asked: Vec<&'static str>,
}

impl<'a> Section<'a> {
    /// The file itself, as a section.
    pub(super) fn root(node: Option<&'a Node>, report: &'a mut ProblemReport) -> Self {
        let line = node.map(|node| node.line);
        let value = node.map(|node| &node.value);
        let entries = value.and_then(Value::as_map);
        if let (Some(value), None) = (value, entries) {
            report.problem(line, "", unexpected_value("sections such as `persona:` and `memory:`", value));
        }
        Self { report, path: String::new(), pattern: String::new(), line, entries, asked: Vec::new() }
    }

    /// Whether the file has this section.
    pub(super) fn is_present(&self) -> bool {
        self.entries.is_some()
    }

    /// The line in which it starts.
    pub(super) fn line(&self) -> Option<u64> {
        self.line
    }

    /// Adds a note about `key`.
    pub(super) fn note(&mut self, key: &str, text: &str) {
        let note = format!("{}: {text}", join_keys(&self.path, key));
        self.report.note(note);
    }

    /// Notes that `key` is left out, and that people should know that its default holds.
    pub(super) fn note_default(&mut self, key: &str) {
        self.report.note_default(join_keys(&self.path, key));
    }

    /// Reports that the value of `key` contradicts something else.
    pub(super) fn contradiction(&mut self, key: &str, text: &str) {
        let line = self.entry(key).map_or(self.line, |entry| Some(entry.line));
        self.report.problem(line, &join_keys(&self.path, key), ConfigFault::Contradiction(text.to_owned()));
    }

    /// Reads a section inside this one. Keys of it that `read` does not read are reported.
    pub(super) fn section<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Section<'_>) -> T) -> T {
        let entries = self.parsed(key, "a map of keys", Value::as_map);
        let line = self.entry(key).map(|entry| entry.line);
        let mut section = Section {
            path: join_keys(&self.path, key),
            pattern: join_keys(&self.pattern, key),
            line,
            entries,
            asked: Vec::new(),
            report: self.report,
        };
        let value = read(&mut section);
        section.close();
        value
    }

    /// A list of maps, each read by `read`, in the order of the file; `default` when it is not given.
    pub(super) fn items<T>(
        &mut self,
        key: &'static str,
        default: Vec<T>,
        read: impl Fn(&mut Section<'_>) -> Option<T>,
    ) -> Vec<T> {
        // Read once without an item, to register the keys that an item has.
        self.item(key, None, &read);
        let Some(items) = self.parsed(key, "a list of maps", Value::as_list) else { return default };
        let items = items.iter().enumerate().filter_map(|item| self.item(key, Some(item), &read));
        items.collect()
    }

    fn item<T>(
        &mut self,
        key: &'static str,
        item: Option<(usize, &'a Node)>,
        read: &impl Fn(&mut Section<'_>) -> Option<T>,
    ) -> Option<T> {
        let index = item.map(|(index, _)| index.to_string()).unwrap_or_default();
        let path = format!("{}[{index}]", join_keys(&self.path, key));
        let line = item.map(|(_, node)| node.line);
        let value = item.map(|(_, node)| &node.value).filter(|value| **value != Value::Faulty);
        let entries = value.and_then(Value::as_map);
        if let (Some(value), None) = (value, entries) {
            self.report.problem(line, &path, unexpected_value("a map of keys", value));
        }
        let pattern = format!("{}[]", join_keys(&self.pattern, key));
        let mut section = Section { path, pattern, line, entries, asked: Vec::new(), report: self.report };
        let value = read(&mut section);
        section.close();
        value
    }

    /// A map whose keys people choose, each entry a map that is read by `read`, in the order of the file. The keys that an
    /// entry has are known under the entry `example`.
    pub(super) fn entries<T>(
        &mut self,
        key: &'static str,
        example: &str,
        read: impl Fn(&mut Section<'_>, &str) -> Option<T>,
    ) -> Vec<T> {
        let pattern = join_keys(&join_keys(&self.pattern, key), example);
        let entries = self.map(key);
        // Read once without an entry, to register the keys that one has.
        let mut found = Vec::with_capacity(entries.len());
        for entry in std::iter::once(None).chain(entries.iter().map(Some)) {
            let name = entry.map_or(example, |entry| &entry.key);
            let path = join_keys(&join_keys(&self.path, key), name);
            let line = entry.map(|entry| entry.line);
            let value = entry.map(|entry| &entry.node.value);
            let given = value.filter(|value| !matches!(value, Value::Faulty | Value::Null));
            let map = given.and_then(Value::as_map);
            if let (Some(value), None) = (given, map) {
                self.report.problem(line, &path, unexpected_value("a map of keys", value));
            }
            let pattern = pattern.clone();
            let mut section =
                Section { path, pattern, line, entries: map, asked: Vec::new(), report: self.report };
            let value = read(&mut section, name);
            section.close();
            found.extend(value.filter(|_| entry.is_some()));
        }
        found
    }

    /// Reports that this section has a key that none can have.
    pub(super) fn refuse(&mut self, expected: &str) {
        let fault = ConfigFault::Unexpected {
            expected: format!("a key that is {expected}"),
            found: "another one".to_owned(),
            suggestion: None,
        };
        self.report.problem(self.line, &self.path, fault);
    }

    /// A list of texts; empty when it is not given.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<String> {
        let items = self.parsed(key, "a list of texts", Value::as_list).unwrap_or_default();
        let mut texts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            if let Some(text) = item.value.as_text().filter(|text| !text.is_empty()) {
                texts.push(text.to_owned());
            } else if item.value != Value::Faulty {
                let path = format!("{}[{index}]", join_keys(&self.path, key));
                self.report.problem(Some(item.line), &path, unexpected_value(TEXT, &item.value));
            }
        }
        texts
    }

    /// A map with arbitrary keys.
    pub(super) fn map(&mut self, key: &'static str) -> &'a [NodeEntry] {
        self.parsed(key, "a map of keys", Value::as_map).unwrap_or_default()
    }

    /// Reports `key` as missing when the section is present without a value for it.
    pub(super) fn require(&mut self, key: &'static str, expected: &str) {
        if self.is_present() && self.is_silent_about(key) {
            let fault = ConfigFault::Missing { expected: expected.to_owned() };
            self.report.problem(self.line, &join_keys(&self.path, key), fault);
        }
    }

    /// Whether `key` has no value; a faulty one counts as a value.
    pub(super) fn is_silent_about(&self, key: &str) -> bool {
        match self.entry(key).map(|entry| &entry.node.value) {
            None | Some(Value::Null) => true,
            Some(Value::Text(text) | Value::Filled(text)) => text.is_empty(),
            Some(_) => false,
        }
    }

    /// The value of `key`, parsed; a value that `parse` rejects is reported.
    pub(super) fn parsed<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.given(key)?;
        let parsed = parse(value);
        if parsed.is_none() {
            self.unexpected(key, expected, value, None);
        }
        parsed
    }

    /// Reports the value of `key` as unexpected.
    pub(super) fn unexpected(
        &mut self,
        key: &str,
        expected: &str,
        value: &Value,
        suggestion: Option<String>,
    ) {
        let line = self.entry(key).map(|entry| entry.line);
        let fault =
            ConfigFault::Unexpected { expected: expected.to_owned(), found: value.found(), suggestion };
        self.report.problem(line, &join_keys(&self.path, key), fault);
    }

    /// Reports an entry of the map `key` as unexpected.
    pub(super) fn unexpected_in(
        &mut self,
        key: &str,
        entry: &NodeEntry,
        expected: &str,
        suggestion: Option<String>,
    ) {
        let path = join_keys(&join_keys(&self.path, key), &entry.key);
        let found = entry.node.value.found();
        let fault = ConfigFault::Unexpected { expected: expected.to_owned(), found, suggestion };
        self.report.problem(Some(entry.line), &path, fault);
    }

    /// The value of `key`, unless it is empty or was reported already.
    pub(super) fn given(&mut self, key: &'static str) -> Option<&'a Value> {
        let entry = self.ask(key)?;
        let silent = matches!(entry.node.value, Value::Faulty) || self.is_silent_about(key);
        (!silent).then_some(&entry.node.value)
    }

    /// Reports the keys that were not read.
    pub(super) fn close(self) {
        for entry in self.entries.unwrap_or_default() {
            if self.asked.contains(&entry.key.as_str()) {
                continue;
            }
            let path = join_keys(&self.path, &entry.key);
            let suggestion = || most_similar_word(&entry.key, self.asked.iter().copied(), ALIKE);
            let fault = match instead_of_key(&path) {
                Some(instead) => ConfigFault::Superseded { instead },
                None => {
                    ConfigFault::Unknown { suggestion: suggestion().map(|key| join_keys(&self.path, key)) }
                }
            };
            self.report.problem(Some(entry.line), &path, fault);
        }
    }

    fn ask(&mut self, key: &'static str) -> Option<&'a NodeEntry> {
        self.report.knows(join_keys(&self.pattern, key));
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.entry(key)
    }

    fn entry(&self, key: &str) -> Option<&'a NodeEntry> {
        self.entries?.iter().find(|entry| entry.key == key)
    }
}

fn unexpected_value(expected: &str, value: &Value) -> ConfigFault {
    ConfigFault::Unexpected { expected: expected.to_owned(), found: value.found(), suggestion: None }
}

/// The one of `known` that is most similar to `word`, if the similarity is at least `alike`.
pub(super) fn most_similar_word<'k>(
    word: &str,
    known: impl Iterator<Item = &'k str>,
    alike: f64,
) -> Option<&'k str> {
    let scored = known.map(|key| (strsim::normalized_damerau_levenshtein(word, key), key));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= alike).then_some(best.1)
}
