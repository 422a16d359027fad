//! Modals that are submitted and closed.

use myao_core::chat::UserId;
use serde_json::{Value, json};

use super::{clicks::choice_of_element, interaction::PlayedInteraction};
use crate::slack::{
    FakeSlack,
    fields::{field_of, list_of_field, set_field},
    identity,
    interactions::{InteractionDraft, person_in_payloads, team_in_payloads},
    state::WorkspaceState,
    views::ShownView,
};

impl FakeSlack {
    /// Somebody fills in the modal on top and submits it. Each value is named by its `block_id`: a text, the value of an
    /// option (several with commas between them), or the id of a person or channel. What is not named keeps its initial
    /// value.
    ///
    /// # Panics
    /// When no modal is open, one has no such block, or something is missing that Slack asks for before it submits.
    pub fn submit(&self, user: &UserId, values: &[(&str, &str)]) -> PlayedInteraction {
        let Some(mut view) = self.modals(user).pop() else { panic!("{user} has no modal open") };
        let filled = json!({"values": filled_in(&view, values)});
        set_field(&mut view.json, "state", filled);
        let index = self.shared.act(|state| {
            let mut payload = payload_of_view("view_submission", state, user, &view);
            set_field(&mut payload, "response_urls", json!([]));
            state.interact(InteractionDraft {
                takes_payload: true,
                view: Some(view.id.clone()),
                ..InteractionDraft::of_person(user, payload)
            })
        });
        PlayedInteraction::new(&self.shared, index)
    }

    /// Somebody closes the modal on top. The app is told of it only if the view says so (`notify_on_close`).
    ///
    /// # Panics
    /// When no modal is open.
    pub fn close_modal(&self, user: &UserId) -> Option<PlayedInteraction> {
        let top = self.shared.act(|state| state.views.close_top(user));
        let Some(view) = top else { panic!("{user} has no modal open") };
        self.tell_closed(user, &view, false)
    }

    /// Somebody closes all modals at once. The app is told of that on top, if it says so.
    ///
    /// # Panics
    /// When no modal is open.
    pub fn close_all_modals(&self, user: &UserId) -> Option<PlayedInteraction> {
        let Some(view) = self.modals(user).pop() else { panic!("{user} has no modal open") };
        self.shared.act(|state| state.views.close_all(user));
        self.tell_closed(user, &view, true)
    }

    fn tell_closed(&self, user: &UserId, view: &ShownView, is_cleared: bool) -> Option<PlayedInteraction> {
        if *field_of(&view.json, "notify_on_close") != true {
            return None;
        }
        let index = self.shared.act(|state| {
            let mut payload = payload_of_view("view_closed", state, user, view);
            set_field(&mut payload, "is_cleared", is_cleared);
            state.interact(InteractionDraft {
                has_trigger: false,
                view: Some(view.id.clone()),
                ..InteractionDraft::of_person(user, payload)
            })
        });
        Some(PlayedInteraction::new(&self.shared, index))
    }
}

fn payload_of_view(kind: &str, state: &WorkspaceState, user: &UserId, view: &ShownView) -> Value {
    json!({"type": kind, "team": team_in_payloads(), "user": person_in_payloads(&state.world, user),
        "api_app_id": identity::APP, "view": view.json, "is_enterprise_install": false, "enterprise": null})
}

/// The state of a view: what stands in each input block, by `block_id` and `action_id`.
fn filled_in(view: &ShownView, values: &[(&str, &str)]) -> Value {
    let blocks = list_of_field(&view.json, "blocks");
    for (id, _) in values {
        let is_there = blocks.iter().any(|block| block["type"] == "input" && block["block_id"] == **id);
        assert!(is_there, "the modal has no input block `{id}`: {}", view.json);
    }
    let mut filled = json!({});
    for block in blocks.iter().filter(|block| block["type"] == "input") {
        let (id, element) = (block["block_id"].as_str().unwrap_or_default(), &block["element"]);
        let given = values.iter().find(|(named, _)| *named == id).map(|(_, value)| *value);
        let content = match given.filter(|value| !value.is_empty()) {
            Some(value) => Some(choice_of_element(element, value)),
            None if given.is_some() => None,
            None => initial_content(element),
        };
        let is_optional = block["optional"] == true;
        assert!(content.is_some() || is_optional, "Slack asks for `{id}` before it submits: {}", view.json);
        let mut typed = json!({"type": element["type"]});
        let (key, value) = content.unwrap_or_else(|| (field_of_element(element), Value::Null));
        set_field(&mut typed, key, value);
        let action = element["action_id"].as_str().unwrap_or_default();
        set_field(&mut filled, id, json!({action: typed}));
    }
    filled
}

/// What stands in an element before anybody touches it.
fn initial_content(element: &Value) -> Option<(&'static str, Value)> {
    let key = field_of_element(element);
    let initial = format!("initial_{}", key.trim_start_matches("selected_"));
    element.get(initial.as_str()).filter(|value| !value.is_null()).map(|value| (key, value.clone()))
}

/// The field in which a state tells what stands in an element.
fn field_of_element(element: &Value) -> &'static str {
    match element["type"].as_str().unwrap_or_default() {
        "checkboxes" | "multi_static_select" => "selected_options",
        "users_select" => "selected_user",
        "conversations_select" => "selected_conversation",
        "channels_select" => "selected_channel",
        "datepicker" => "selected_date",
        "timepicker" => "selected_time",
        kind if kind.ends_with("_input") => "value",
        _ => "selected_option",
    }
}
