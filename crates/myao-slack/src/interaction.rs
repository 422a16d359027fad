//! Reads commands, pressed buttons, entries of a message's menu and filled-in forms (docs.slack.dev/interactivity), which
//! Slack delivers by the socket like events but never again.

use std::collections::BTreeMap;

use myao_core::chat::{
    ChannelId, Interaction, InteractionRequest, InteractionView, RefusedInteraction, UserId,
};
use serde_json::Value;

use crate::{directory::BotIdentity, feedback::VOTE_ACTION, json, text};

/// The command that people type, as the manifest names it.
pub const COMMAND: &str = "/myao";
/// The entry of a message's menu that asks why we said it, as the manifest names it.
pub const WHY_SHORTCUT: &str = "why-this";
/// The entry that asks that a message be forgotten.
pub const FORGET_SHORTCUT: &str = "forget-this";
/// The entry that makes a note of a message.
pub const REMEMBER_SHORTCUT: &str = "remember-this";

/// Reads the payload of a `slash_commands` envelope. `None` if it does not say who typed it.
pub(crate) fn read_command(
    envelope: Option<&str>,
    payload: &Value,
    own: &BotIdentity,
) -> Option<Interaction> {
    let told = |key| json::text_of_field(payload, key);
    let request = match (is_ours(told("team_id"), own), told("command")) {
        (false, _) => refused(RefusedInteraction::Foreign),
        (true, Some(COMMAND)) => InteractionRequest::Command {
            name: COMMAND.to_owned(),
            text: text::unescape_entities(&text::without_nul(told("text").unwrap_or_default())).into_owned(),
        },
        (true, _) => refused(RefusedInteraction::Unknown),
    };
    let key = key_of(payload, envelope)?;
    Some(Interaction {
        key: format!("command/{key}"),
        user: id_of(told("user_id")).map(UserId::new)?,
        channel: id_of(told("channel_id")).map(ChannelId::new),
        request,
        answer_to: id_of(told("response_url")),
        trigger: id_of(told("trigger_id")),
        view: None,
    })
}

/// Reads the payload of an `interactive` envelope. `None` if it does not say who did it.
pub(crate) fn read_interactive(
    envelope: Option<&str>,
    payload: &Value,
    own: &BotIdentity,
) -> Option<Interaction> {
    let kind = json::text_of_field(payload, "type").unwrap_or_default();
    let id_within = |key: &str| json::text_of_field(payload.get(key)?, "id");
    let request = match (is_ours(id_within("team"), own), kind) {
        (false, _) => refused(RefusedInteraction::Foreign),
        (true, "block_actions") => request_of_actions(payload),
        (true, "message_action") => request_of_shortcut(payload),
        (true, "view_submission") => request_of_form(payload),
        (true, _) => refused(RefusedInteraction::Unknown),
    };
    let view = view_of(payload).filter(|_| is_ours(id_within("team"), own));
    // The same form may be sent twice, each time with another trigger; it is done once.
    let key = match (kind, &view) {
        ("view_submission", Some(view)) => format!("view/{}", view.id),
        _ => key_of(payload, envelope)?,
    };
    Some(Interaction {
        key: format!("interactive/{key}"),
        user: id_of(id_within("user")).map(UserId::new)?,
        channel: id_of(id_within("channel")).map(ChannelId::new),
        request,
        answer_to: id_of(json::text_of_field(payload, "response_url")),
        trigger: id_of(json::text_of_field(payload, "trigger_id")),
        view,
    })
}

fn view_of(payload: &Value) -> Option<InteractionView> {
    let view = payload.get("view")?;
    let hash = id_of(json::text_of_field(view, "hash")).unwrap_or_default();
    Some(InteractionView { id: id_of(json::text_of_field(view, "id"))?, hash })
}

/// Reads an `app_home_opened`. `None` for another tab than Home.
pub(crate) fn read_home(key: &str, event: &Value) -> Option<Interaction> {
    if json::text_of_field(event, "tab") != Some("home") {
        return None;
    }
    Some(Interaction {
        key: format!("home/{key}"),
        user: id_of(json::text_of_field(event, "user")).map(UserId::new)?,
        channel: None,
        request: InteractionRequest::HomeOpened,
        answer_to: None,
        trigger: None,
        view: view_of(event),
    })
}

/// The message in whose menu an entry was chosen.
fn request_of_shortcut(payload: &Value) -> InteractionRequest {
    let told = |key| json::text_of_field(payload, key);
    let in_message = || json::text_of_field(payload.get("message")?, "ts");
    let ts = told("message_ts").or_else(in_message).and_then(|ts| ts.parse().ok());
    match (told("callback_id"), ts) {
        (Some(name), Some(ts)) => {
            InteractionRequest::Shortcut { name: text::without_nul(name).into_owned(), ts }
        }
        _ => refused(RefusedInteraction::Unknown),
    }
}

/// What stands in a form. Of its elements those are read that hold a text or one choice.
fn request_of_form(payload: &Value) -> InteractionRequest {
    let Some(view) = payload.get("view") else { return refused(RefusedInteraction::Unknown) };
    let told = |key| text::without_nul(json::text_of_field(view, key).unwrap_or_default()).into_owned();
    let mut values = BTreeMap::new();
    let blocks = view.pointer("/state/values").and_then(Value::as_object).into_iter().flatten();
    for (block, elements) in blocks {
        let elements = elements.as_object().into_iter().flat_map(|elements| elements.values());
        let text_of = |element| {
            let chosen = || json::text_of_field(Value::get(element, "selected_option")?, "value");
            json::text_of_field(element, "value").or_else(chosen)
        };
        for value in elements.filter_map(text_of) {
            values.insert(block.clone(), text::without_nul(value).into_owned());
        }
    }
    InteractionRequest::Submission { name: told("callback_id"), note: told("private_metadata"), values }
}

/// The button that was pressed. Slack sends a list, which holds one.
fn request_of_actions(payload: &Value) -> InteractionRequest {
    let pressed = json::list_of_field(payload, "actions").first();
    let told = |key| pressed.and_then(|action| json::text_of_field(action, key));
    let Some(action) = told("action_id") else { return refused(RefusedInteraction::Unknown) };
    if action == VOTE_ACTION {
        let stamps = [payload.pointer("/container/message_ts"), payload.pointer("/message/ts")];
        let ts = stamps.iter().find_map(|ts| ts.and_then(Value::as_str)?.parse().ok());
        let vote = told("value").and_then(|value| value.parse().ok());
        return match (ts, vote) {
            (Some(ts), Some(vote)) => InteractionRequest::Vote { ts, vote },
            _ => refused(RefusedInteraction::Unknown),
        };
    }
    InteractionRequest::Button {
        action: text::without_nul(action).into_owned(),
        value: text::without_nul(told("value").unwrap_or_default()).into_owned(),
    }
}

const fn refused(why: RefusedInteraction) -> InteractionRequest {
    InteractionRequest::Refused { why }
}

/// Whether something comes from our workspace. One that does not say where it comes from is none of ours.
fn is_ours(team: Option<&str>, own: &BotIdentity) -> bool {
    team.is_some_and(|team| team == own.team)
}

fn id_of(told: Option<&str>) -> Option<String> {
    told.map(|id| text::without_nul(id).into_owned()).filter(|id| !id.is_empty())
}

/// What tells one from all others: Slack makes a trigger for each.
fn key_of(payload: &Value, envelope: Option<&str>) -> Option<String> {
    id_of(json::text_of_field(payload, "trigger_id").or(envelope))
}

/// What may be kept of a payload that cannot be read: not what was typed, nor the addresses at which Slack takes answers.
pub(crate) fn without_words(payload: &Value) -> Value {
    let mut kept = payload.clone();
    if let Some(fields) = kept.as_object_mut() {
        fields.retain(|key, _| {
            !matches!(
                key.as_str(),
                "text" | "response_url" | "response_urls" | "actions" | "view" | "message" | "trigger_id"
            )
        });
    }
    kept
}
