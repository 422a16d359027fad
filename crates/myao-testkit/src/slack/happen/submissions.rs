//! What the acknowledgement of a submitted view does with the view.

use myao_core::chat::UserId;
use serde_json::Value;

use crate::slack::{
    block_limits::{self, LimitBreach},
    fields::list_of_field,
    rules::Rule,
    state::WorkspaceState,
    views::MOST_MODALS,
};

impl WorkspaceState {
    /// Does what answers a submission. Without an answer the view closes, and the one below it is shown.
    pub(super) fn respond_to_submission(&mut self, index: usize, payload: Option<&Value>) {
        let Some(record) = self.interactions.get(index) else { return };
        let (user, view) = (record.user.clone(), record.view.clone().unwrap_or_default());
        let is_on_top = self.views.modals(&user).last().is_some_and(|top| top.id == view);
        if !is_on_top {
            // The person has closed it, or it was submitted twice.
            return;
        }
        let Some(payload) = payload else {
            self.views.close_top(&user);
            return;
        };
        let done = match payload.get("response_action").and_then(Value::as_str) {
            Some("clear") => {
                self.views.close_all(&user);
                Ok(())
            }
            Some("errors") => self.check_errors(&view, payload),
            Some("update") => view_of_response(payload).map(|new| {
                self.seen.views.extend(self.views.update(&view, new));
            }),
            Some("push") => self.push_in_response(&user, index, payload),
            other => Err((Rule::ViewResponse, format!("there is no response_action {other:?}"))),
        };
        if let Err((rule, what)) = done {
            self.rules.complain(rule, what);
        }
    }

    /// Each error stands at an input block of the view.
    fn check_errors(&self, view: &str, payload: &Value) -> Result<(), (Rule, String)> {
        let errors = payload.get("errors").and_then(Value::as_object).filter(|errors| !errors.is_empty());
        let errors = errors.ok_or((Rule::ViewResponse, "`errors` are missing".to_owned()))?;
        let view = self.views.with_id(view);
        let blocks = view.map(|view| list_of_field(&view.json, "blocks")).unwrap_or_default();
        for (id, told) in errors {
            let is_there = blocks.iter().any(|block| block["type"] == "input" && block["block_id"] == **id);
            if !is_there {
                let what = format!("the view has no input block `{id}` for an error to stand at");
                return Err((Rule::ViewResponse, what));
            }
            if told.as_str().is_none_or(str::is_empty) {
                return Err((Rule::ViewResponse, format!("the error at `{id}` is no text")));
            }
        }
        Ok(())
    }

    fn push_in_response(
        &mut self,
        user: &UserId,
        index: usize,
        payload: &Value,
    ) -> Result<(), (Rule, String)> {
        let view = view_of_response(payload)?;
        if self.views.modals(user).len() >= MOST_MODALS {
            let what = format!("{MOST_MODALS} modals stand on one another already");
            return Err((Rule::ViewResponse, what));
        }
        let shown = self.views.push(user, view);
        self.interactions.note_view(index, shown.clone());
        self.seen.views.push(shown);
        Ok(())
    }
}

/// The view that an answer holds, which keeps all limits.
fn view_of_response(payload: &Value) -> Result<&Value, (Rule, String)> {
    let view = payload.get("view").filter(|view| view["type"] == "modal");
    let view = view.ok_or((Rule::ViewResponse, "`view` is missing or no modal".to_owned()))?;
    let breaches = block_limits::check_view(view);
    if breaches.is_empty() {
        return Ok(view);
    }
    let what: Vec<String> = breaches.iter().map(LimitBreach::to_string).collect();
    Err((Rule::BlockLimits, what.join("; ")))
}
