//! Compares a configuration with the one that was read before it, and takes over what a run can follow (ADR 132).

use std::{collections::BTreeMap, fmt};

use super::{
    AgentConfig, Config, Loaded, Secret,
    expand::join_keys,
    node::{Node, Value},
};

/// The keys that a run takes over when its configuration is read again, each with all below it.
pub const FOLLOWED_KEYS: [&str; 17] = [
    "agents.judgment.system_prompt",
    "agents.memory.system_prompt",
    "agents.response.system_prompt",
    "budget.daily_tokens",
    "logging.level",
    "logging.loggers",
    "memory.auxiliary",
    "memory.long_term_summary_max_tokens",
    "memory.long_term_update_interval_seconds",
    "memory.short_term_history",
    "memory.short_term_summary_max_tokens",
    "memory.short_term_window_hours",
    "persona",
    "privacy.archive_days",
    "privacy.recordings_days",
    "prompt",
    "tools",
];
/// `response` is followed but for this key, which the way of a message into the archive goes by, too.
const NOT_FOLLOWED: &str = "response.max_message_age_seconds";
/// Keys whose values are words of a closed list, so that they can be repeated.
const WORDS: [&str; 4] =
    ["logging.level", "response.feedback", "tools.web_search.provider", "tools.web_search.search_depth"];

/// The values that the file has, key by key, with lists as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GivenValues(BTreeMap<String, GivenValue>);

#[derive(Clone, Debug, PartialEq)]
struct GivenValue {
    /// As a message may show it: numbers, switches, words of closed lists, and otherwise what kind of value it is.
    shown: String,
    whole: Secret,
    /// The line of its key.
    line: u64,
}

/// A key whose value is another one than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChange {
    /// The key.
    pub key: String,
    /// What it was, as far as that can be told.
    pub before: String,
    /// What it is.
    pub after: String,
    /// Whether a run that goes on takes it over.
    pub is_followed: bool,
}

impl fmt::Display for KeyChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, before, after, .. } = self;
        if before == after {
            write!(f, "{key}: {before} → another one")
        } else {
            write!(f, "{key}: {before} → {after}")
        }
    }
}

impl GivenValues {
    pub(super) fn of_file(root: &Node) -> Self {
        let mut values = BTreeMap::new();
        collect(root, "", root.line, &mut values);
        Self(values)
    }

    pub(super) fn line_of(&self, key: &str) -> Option<u64> {
        self.0.get(key).map(|value| value.line)
    }

    fn shown(&self, key: &str) -> String {
        self.0.get(key).map_or_else(|| "left out".to_owned(), |value| value.shown.clone())
    }
}

fn collect(node: &Node, path: &str, line: u64, values: &mut BTreeMap<String, GivenValue>) {
    match &node.value {
        Value::Map(entries) => {
            for entry in entries {
                collect(&entry.node, &join_keys(path, &entry.key), entry.line, values);
            }
        }
        Value::Null | Value::Faulty => {}
        value @ (Value::Flag(_) | Value::Number(_) | Value::Text(_) | Value::Filled(_) | Value::List(_)) => {
            let word = value.as_text().filter(|_| WORDS.contains(&path));
            let list = value.as_list().map(|items| format!("a list of {}", items.len()));
            let shown = word.map(str::to_owned).or(list).unwrap_or_else(|| value.found());
            let whole = Secret::new(value.to_json().to_string());
            values.insert(path.to_owned(), GivenValue { shown, whole, line });
        }
    }
}

/// Whether a run takes over what is changed at this key.
pub fn is_followed(key: &str) -> bool {
    let is_below =
        |known: &str| key.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let of_place = key.strip_prefix("places.").and_then(|rest| rest.split_once('.'));
    let is_place_followed =
        of_place.is_some_and(|(_, value)| matches!(value.split('.').next(), Some("budget" | "manners")));
    is_place_followed
        || (is_below("response") && key != NOT_FOLLOWED)
        || FOLLOWED_KEYS.iter().any(|known| is_below(known))
}

impl Loaded {
    /// The keys whose values differ from those of `before`, in the order of their names.
    pub fn changes_since(&self, before: &Self) -> Vec<KeyChange> {
        let (old, new) = (&before.given, &self.given);
        let mut keys: Vec<&String> = old.0.keys().chain(new.0.keys()).collect();
        keys.sort();
        keys.dedup();
        let whole = |values: &GivenValues, key: &str| values.0.get(key).map(|value| value.whole.clone());
        let is_changed = |key: &&String| whole(old, key) != whole(new, key);
        keys.into_iter()
            .filter(is_changed)
            .map(|key| KeyChange {
                key: key.clone(),
                before: old.shown(key),
                after: new.shown(key),
                is_followed: is_followed(key),
            })
            .collect()
    }
}

impl Config {
    /// The same configuration with what a run takes over of `new` ([`is_followed`]).
    #[must_use]
    pub fn following(&self, new: Self) -> Self {
        let new = new.speaking(self.locale.clone());
        let mut followed = self.clone();
        let instructed = |agent: &mut AgentConfig, new: AgentConfig| agent.system_prompt = new.system_prompt;
        instructed(&mut followed.agents.response, new.agents.response);
        instructed(&mut followed.agents.judgment, new.agents.judgment);
        instructed(&mut followed.agents.memory, new.agents.memory);
        followed.budget.daily_tokens = new.budget.daily_tokens;
        followed.logging.level = new.logging.level;
        followed.logging.loggers = new.logging.loggers;
        followed.memory = new.memory;
        followed.places = self.places.following(new.places);
        followed.persona = new.persona;
        followed.quiet_hours = new.quiet_hours;
        followed.privacy.archive_days = new.privacy.archive_days;
        followed.privacy.recordings_days = new.privacy.recordings_days;
        followed.prompt = new.prompt;
        followed.tools = new.tools;
        let max_message_age_seconds = self.response.max_message_age_seconds;
        followed.response = new.response;
        followed.response.max_message_age_seconds = max_message_age_seconds;
        followed
    }
}
