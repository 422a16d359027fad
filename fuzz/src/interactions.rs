//! What people ask by commands, buttons, entries of a message's menu, forms and the Home tab: whatever Slack delivers, it
//! is read the same way each time, from our workspace or not at all, and what was typed means something.

use myao_core::{
    chat::{ChannelId, Interaction, InteractionRequest, RefusedInteraction, UserId},
    mandate::{LONGEST_QUIET, QuietSpan, TypedCommand},
};
use myao_slack::{
    directory::BotIdentity,
    event::{DeliveryContent, read_delivery},
};
use serde_json::Value;

use super::{
    effort, events,
    material::{self, Vocabulary},
};

/// Our workspace.
const TEAM: &str = "T1";
/// Ways by which interactions come.
const DOORS: [&str; 3] = ["slash_commands", "interactive", "events_api"];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "type",
        "team",
        "team_id",
        "id",
        "user",
        "user_id",
        "channel",
        "channel_id",
        "command",
        "text",
        "response_url",
        "response_urls",
        "trigger_id",
        "actions",
        "action_id",
        "block_id",
        "value",
        "selected_option",
        "selected_options",
        "view",
        "hash",
        "state",
        "values",
        "private_metadata",
        "callback_id",
        "message",
        "message_ts",
        "container",
        "ts",
        "event",
        "event_id",
        "tab",
        "is_enterprise_install",
        "api_app_id",
        "payload",
    ],
    texts: &[
        "T1",
        "T2",
        "U1",
        "UME",
        "C1",
        "D1",
        "V1",
        "/myao",
        "/other",
        "block_actions",
        "message_action",
        "view_submission",
        "view_closed",
        "block_suggestion",
        "shortcut",
        "app_home_opened",
        "app_context_changed",
        "agent_session_stopped",
        "home",
        "messages",
        "why-this",
        "forget-this",
        "remember-this",
        "plain_text_input",
        "static_select",
        "1772510000.000100",
        "0.0",
        "-1.000000",
        "quiet 2h",
        "静かに2時間",
        "quiet 99999999999999999999 years",
        "memo plan: we go",
        "メモ 計画：行く",
        "recall",
        "good",
        "bad",
        "{}",
        "\0",
        "",
    ],
};

pub(crate) fn run(data: &[u8]) {
    let raw = material::json(data, WORDS);
    let own = BotIdentity {
        team: TEAM.to_owned(),
        team_name: "team".to_owned(),
        team_url: String::new(),
        user: UserId::new("UME"),
        bot: Some(UserId::new("BME")),
        name: "myao".to_owned(),
    };
    for door in DOORS {
        let heard = read_delivery(door, Some("E1"), &raw, &own);
        assert_eq!(heard, read_delivery(door, Some("E1"), &raw, &own), "it is read as before");
        let DeliveryContent { events, interaction, .. } = heard;
        events.iter().for_each(events::check);
        if let Some(interaction) = interaction {
            check(&interaction);
            if door != "events_api" && !is_from_ours(&raw) {
                let refused = InteractionRequest::Refused { why: RefusedInteraction::Foreign };
                assert_eq!(interaction.request, refused, "it is from elsewhere: {raw}");
            }
        }
    }
    let typed = material::text(data);
    means_something(&typed);
    effort::grows_in_proportion("a command", &typed, |text| drop(TypedCommand::read(text)));
}

/// Whether a payload says in one of the two ways that it is from our workspace.
fn is_from_ours(raw: &Value) -> bool {
    let told = [raw.get("team_id"), raw.pointer("/team/id")];
    told.iter().any(|team| team.and_then(Value::as_str) == Some(TEAM))
}

/// Panics when the archive could not hold an interaction, or a log would hold where it is to be answered.
fn check(interaction: &Interaction) {
    assert!(!interaction.key.is_empty() && !interaction.user.as_str().is_empty(), "unnamed: {interaction:?}");
    let mut texts = vec![interaction.key.as_str(), interaction.user.as_str()];
    texts.extend(interaction.channel.as_ref().map(ChannelId::as_str));
    texts.extend(interaction.answer_to.as_deref());
    texts.extend(interaction.trigger.as_deref());
    if let Some(view) = &interaction.view {
        texts.extend([view.id.as_str(), view.hash.as_str()]);
    }
    match &interaction.request {
        InteractionRequest::Command { name, text } => {
            means_something(text);
            texts.extend([name.as_str(), text]);
        }
        InteractionRequest::Button { action, value } => texts.extend([action.as_str(), value]),
        InteractionRequest::Shortcut { name, .. } => texts.push(name),
        InteractionRequest::Submission { name, note, values } => {
            texts.extend([name.as_str(), note]);
            texts.extend(values.iter().flat_map(|(field, value)| [field.as_str(), value]));
        }
        InteractionRequest::Vote { .. }
        | InteractionRequest::HomeOpened
        | InteractionRequest::Refused { .. } => {}
    }
    assert!(texts.iter().all(|text| !text.contains('\0')), "NUL: {interaction:?}");
}

/// Panics when what was typed would be lost, or keep us quiet for longer than anybody may ask.
fn means_something(typed: &str) {
    match TypedCommand::read(typed) {
        TypedCommand::Quiet(QuietSpan::For(span)) => {
            assert!(span.is_positive() && span <= LONGEST_QUIET, "{span} of {typed:?}");
        }
        TypedCommand::NewMemo { name, content } => {
            assert!(!name.is_empty() && !content.is_empty(), "an empty note of {typed:?}");
            assert!(typed.contains(&name) && typed.contains(&content), "a note of {typed:?}");
        }
        TypedCommand::Brief(text)
        | TypedCommand::Recall(text)
        | TypedCommand::Why(text)
        | TypedCommand::Memo(text)
        | TypedCommand::Loops(text)
        | TypedCommand::Forget(text)
        | TypedCommand::Quiet(QuietSpan::Unclear(text)) => {
            assert!(typed.contains(&text), "{text:?} of {typed:?}");
        }
        TypedCommand::Help | TypedCommand::Status | TypedCommand::Quiet(QuietSpan::Off) => {}
    }
}
