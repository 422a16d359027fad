//! The thoughts that a fake provider has given, which have to come back.

use serde_json::Value;

use super::reply::ToolUse;

/// The thought before each tool call.
#[derive(Clone, Debug, Default)]
pub(super) struct ThoughtLog {
    given: Vec<(ToolUse, String)>,
    /// Whether a turn with calls has to hold thoughts even if none were given.
    pub(super) demands_thoughts: bool,
}

impl ThoughtLog {
    /// Notes that a thought was given with these calls.
    pub(super) fn give(&mut self, thought: &str, wishes: &[ToolUse]) {
        self.given.extend(wishes.iter().map(|wish| (wish.clone(), thought.to_owned())));
    }

    /// The thought before the call with this id.
    pub(super) fn before(&self, id: &str) -> Option<&str> {
        self.thought(|wish| wish.id == id)
    }

    /// The same by name and arguments, for dialects whose calls have no ids.
    pub(super) fn before_use(&self, name: &str, arguments: &Value) -> Option<&str> {
        self.thought(|wish| wish.name == name && wish.arguments == *arguments)
    }

    fn thought(&self, is_it: impl Fn(&ToolUse) -> bool) -> Option<&str> {
        self.given.iter().find(|(wish, _)| is_it(wish)).map(|(_, thought)| thought.as_str())
    }

    /// Whether any thought was given.
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }
}

/// The fake signature of a thought. The client does not understand it and only returns it.
pub(super) fn fake_signature(thought: &str) -> String {
    thought.chars().rev().collect()
}
