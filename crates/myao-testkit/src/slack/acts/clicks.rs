//! Clicks on buttons and choices, wherever the app shows them.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::{Map, Value, json};

use super::{commands::name_in_payloads, interaction::PlayedInteraction};
use crate::slack::{
    FakeSlack,
    ephemeral::Ephemeral,
    fields::{field_of, set_field},
    identity,
    interactions::{InteractionDraft, InteractionOrigin, person_in_payloads, team_in_payloads},
    message::{self, Metadata},
    state::WorkspaceState,
    views::ShownView,
};

/// What is clicked: an element by its `action_id`, and with a choice what is chosen.
#[derive(Clone, Debug)]
pub struct Click {
    action_id: String,
    value: Option<String>,
    block_id: Option<String>,
}

impl From<&str> for Click {
    fn from(action_id: &str) -> Self {
        Self { action_id: action_id.to_owned(), value: None, block_id: None }
    }
}

impl Click {
    /// A choice (an overflow menu, a select, radio buttons, a pair of feedback buttons), and the value that is chosen.
    pub fn choice(action_id: &str, value: &str) -> Self {
        Self { value: Some(value.to_owned()), ..Self::from(action_id) }
    }

    /// The element in this block, where several have the same `action_id`.
    #[must_use]
    pub fn in_block(mut self, block_id: &str) -> Self {
        self.block_id = Some(block_id.to_owned());
        self
    }

    /// The action of this click among `blocks`.
    ///
    /// # Panics
    /// When there is no such element: nobody can click what is not shown.
    fn action(&self, blocks: &Value, at: MessageTs) -> Value {
        let blocks = blocks.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut found =
            blocks.iter().filter(|block| self.block_id.as_deref().is_none_or(|id| block["block_id"] == id));
        let found = found.find_map(|block| Some((block, self.element_of(block)?)));
        let Some((block, element)) = found else {
            panic!("there is nothing to click: {self:?} in {blocks:?}")
        };
        let mut action = json!({"type": element["type"], "action_id": element["action_id"],
            "block_id": block["block_id"], "action_ts": at.to_string()});
        for key in ["text", "value", "style"] {
            if let Some(field) = element.get(key) {
                set_field(&mut action, key, field.clone());
            }
        }
        if let Some(value) = &self.value {
            let (key, chosen) = choice_of_element(element, value);
            set_field(&mut action, key, chosen);
        }
        action
    }

    fn element_of<'a>(&self, block: &'a Value) -> Option<&'a Value> {
        let many = block.get("elements").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let single = [block.get("accessory"), block.get("element")];
        let mut all = many.iter().chain(single.into_iter().flatten());
        all.find(|element| element["action_id"] == *self.action_id)
    }
}

/// How a payload or a state tells what was chosen in an element: the field and what stands in it.
///
/// # Panics
/// When the element has no such option.
pub(super) fn choice_of_element(element: &Value, value: &str) -> (&'static str, Value) {
    let kind = element["type"].as_str().unwrap_or_default();
    let option = |value: &str| {
        let groups = element["option_groups"].as_array().map(Vec::as_slice).unwrap_or_default();
        let lists = std::iter::once(&element["options"]).chain(groups.iter().map(|group| &group["options"]));
        let mut options = lists.filter_map(Value::as_array).flatten();
        let found = options.find(|option| option["value"] == value).cloned();
        found.unwrap_or_else(|| panic!("`{kind}` has no option {value}: {element}"))
    };
    let many = |value: &str| value.split(',').filter(|one| !one.is_empty()).map(option).collect::<Vec<_>>();
    match kind {
        "checkboxes" | "multi_static_select" => ("selected_options", many(value).into()),
        "users_select" => ("selected_user", value.into()),
        "conversations_select" => ("selected_conversation", value.into()),
        "channels_select" => ("selected_channel", value.into()),
        "datepicker" => ("selected_date", value.into()),
        "timepicker" => ("selected_time", value.into()),
        "feedback_buttons" => ("value", value.into()),
        kind if kind.ends_with("_input") => ("value", value.into()),
        _ => ("selected_option", option(value)),
    }
}

impl FakeSlack {
    /// Somebody clicks in a message of the bot that all see.
    ///
    /// # Panics
    /// When the message or the element is not there.
    pub fn click(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
        user: &UserId,
        click: impl Into<Click>,
    ) -> PlayedInteraction {
        let click = click.into();
        let Some(message) = self.message(channel, ts) else {
            panic!("there is no message {ts} in {channel}")
        };
        let action = click.action(field_of(&message, "blocks"), ts);
        let origin = InteractionOrigin::Message(channel.clone(), ts);
        let thread = message.get("thread_ts").cloned();
        let mut container = json!({"type": "message", "message_ts": ts.to_string(),
            "channel_id": channel.as_str(), "is_ephemeral": false});
        if let Some(thread) = thread {
            set_field(&mut container, "thread_ts", thread);
        }
        let more = json!({"container": container, "message": message});
        self.click_in_channel(channel, user, &action, origin, more)
    }

    /// The person who sees it clicks in what is shown to them alone.
    ///
    /// # Panics
    /// When it is no longer shown, or the element is not there.
    pub fn click_ephemeral(&self, shown: &Ephemeral, click: impl Into<Click>) -> PlayedInteraction {
        let click = click.into();
        let now = self.ephemerals(&shown.user).into_iter().find(|one| one.ts == shown.ts);
        let Some(now) = now else { panic!("this is no longer shown: {}", shown.drawn()) };
        let action = click.action(&now.blocks.unwrap_or_default(), now.ts);
        // Slack does not tell the message itself.
        let container = json!({"type": "message", "message_ts": now.ts.to_string(),
            "channel_id": now.channel.as_str(), "is_ephemeral": true});
        let origin = InteractionOrigin::Ephemeral(now.ts);
        self.click_in_channel(&now.channel, &now.user, &action, origin, json!({"container": container}))
    }

    /// Somebody clicks in the modal that they have on top.
    ///
    /// # Panics
    /// When no modal is open, or the element is not there.
    pub fn click_modal(&self, user: &UserId, click: impl Into<Click>) -> PlayedInteraction {
        let Some(view) = self.modals(user).pop() else { panic!("{user} has no modal open") };
        self.click_view(&view, &click.into())
    }

    /// Somebody clicks in their Home tab.
    ///
    /// # Panics
    /// When none was published, or the element is not there.
    pub fn click_home(&self, user: &UserId, click: impl Into<Click>) -> PlayedInteraction {
        let Some(view) = self.home(user) else { panic!("{user} has no Home tab") };
        self.click_view(&view, &click.into())
    }

    fn click_view(&self, view: &ShownView, click: &Click) -> PlayedInteraction {
        let index = self.shared.act(|state| {
            let at = state.time.next_ts();
            let action = click.action(field_of(&view.json, "blocks"), at);
            let more = json!({"container": {"type": "view", "view_id": view.id}, "view": view.json});
            let payload = block_actions(state, &view.user, &action, more);
            state.interact(InteractionDraft {
                view: Some(view.id.clone()),
                ..InteractionDraft::of_person(&view.user, payload)
            })
        });
        PlayedInteraction::new(&self.shared, index)
    }

    fn click_in_channel(
        &self,
        channel: &ChannelId,
        user: &UserId,
        action: &Value,
        origin: InteractionOrigin,
        more: Value,
    ) -> PlayedInteraction {
        let index = self.shared.act(|state| {
            let mut payload = block_actions(state, user, action, more);
            let place = channel_in_payloads(state, channel);
            set_field(&mut payload, "channel", place);
            state.interact(InteractionDraft {
                channel: Some(channel.clone()),
                origin: Some(origin),
                url_kind: Some("actions"),
                ..InteractionDraft::of_person(user, payload)
            })
        });
        PlayedInteraction::new(&self.shared, index)
    }
}

/// The channel as interactions name it.
pub(super) fn channel_in_payloads(state: &mut WorkspaceState, channel: &ChannelId) -> Value {
    let place = state.world.channel(channel);
    json!({"id": channel.as_str(), "name": name_in_payloads(place)})
}

/// A message as interactions tell it.
pub(super) fn message_in_payloads(state: &mut WorkspaceState, channel: &ChannelId, ts: MessageTs) -> Value {
    let place = state.world.channels.get(channel);
    let found = place.and_then(|place| Some((place, place.messages.get(&ts)?)));
    let Some((place, message)) = found else { panic!("there is no message {ts} in {channel}") };
    message::object_in_channel(&state.world, place, message, Metadata::None)
}

fn block_actions(state: &WorkspaceState, user: &UserId, action: &Value, more: Value) -> Value {
    let mut payload = json!({"type": "block_actions", "user": person_in_payloads(&state.world, user),
        "api_app_id": identity::APP, "team": team_in_payloads(), "enterprise": null,
        "is_enterprise_install": false, "state": {"values": {}}, "actions": [action]});
    if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
        payload.extend::<Map<String, Value>>(more);
    }
    payload
}
