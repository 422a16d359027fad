//! Reads commands and pressed buttons (docs.slack.dev/interactivity), which Slack delivers by the socket like events but
//! never again.

use myao_core::chat::{ChannelId, Interaction, InteractionRequest, RefusedInteraction, UserId};
use serde_json::Value;

use crate::{directory::BotIdentity, json, text};

/// The command that people type, as the manifest names it.
pub const COMMAND: &str = "/myao";

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
        (true, _) => refused(RefusedInteraction::Unknown),
    };
    let key = key_of(payload, envelope)?;
    Some(Interaction {
        key: format!("interactive/{key}"),
        user: id_of(id_within("user")).map(UserId::new)?,
        channel: id_of(id_within("channel")).map(ChannelId::new),
        request,
        answer_to: id_of(json::text_of_field(payload, "response_url")),
    })
}

/// The button that was pressed. Slack sends a list, which holds one.
fn request_of_actions(payload: &Value) -> InteractionRequest {
    let pressed = json::list_of_field(payload, "actions").first();
    let told = |key| pressed.and_then(|action| json::text_of_field(action, key));
    let Some(action) = told("action_id") else { return refused(RefusedInteraction::Unknown) };
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
            !matches!(key.as_str(), "text" | "response_url" | "response_urls" | "actions" | "view")
        });
    }
    kept
}
