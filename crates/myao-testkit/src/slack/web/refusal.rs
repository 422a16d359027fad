//! What a method answers, and how it refuses.

use serde_json::Value;

use super::answer::provided_scopes;
use crate::slack::{rules::Rule, state::WorkspaceState};

/// A method's answer, without the field `ok`.
pub(super) type MethodAnswer = Result<Value, MethodRefusal>;

/// A refusal: `ok: false` and the reason.
pub(super) struct MethodRefusal {
    pub(super) code: String,
    pub(super) more: Vec<(&'static str, Value)>,
    /// The rule that the caller broke, if it could have known that.
    pub(super) broken: Option<(Rule, String)>,
}

impl MethodRefusal {
    /// A refusal with Slack's code.
    pub(super) fn new(code: &str) -> Self {
        Self { code: code.to_owned(), more: Vec::new(), broken: None }
    }

    /// Marks that the caller broke a rule.
    pub(super) fn breaking(mut self, rule: Rule, what: impl Into<String>) -> Self {
        self.broken = Some((rule, what.into()));
        self
    }

    pub(super) fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.more.push((key, value.into()));
        self
    }
}

/// Refuses a call when the token lacks a scope.
pub(super) fn require_scope(state: &WorkspaceState, scope: &str) -> Result<(), MethodRefusal> {
    if state.scopes.contains(scope) {
        return Ok(());
    }
    Err(MethodRefusal::new("missing_scope").with("needed", scope).with("provided", provided_scopes(state)))
}
