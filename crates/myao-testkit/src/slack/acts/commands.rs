//! Slash commands, and what a test does to the envelopes of interactions.

use myao_core::chat::{ChannelId, ChannelKind, UserId};
use serde_json::{Value, json};

use super::interaction::PlayedInteraction;
use crate::slack::{
    FakeSlack,
    delivery::AcknowledgedUnder,
    fields::{field_of, set_field},
    identity,
    interactions::{InteractionDraft, person_in_payloads},
    world::FakeChannel,
};

impl FakeSlack {
    /// Somebody types a slash command with its text, as `("/myao", "recall gaskets")`. This is possible in any channel
    /// that the person can write in, whether or not the bot is in it, but not in a thread.
    ///
    /// # Panics
    /// When the channel or the person is not there.
    pub fn slash(&self, channel: &ChannelId, user: &UserId, command: &str, text: &str) -> PlayedInteraction {
        let index = self.shared.act(|state| {
            let place = state.world.channel(channel);
            let (name, is_shared) = (name_in_payloads(place), place.external);
            let person = person_in_payloads(&state.world, user);
            let mut payload = json!({
                "team_id": identity::TEAM, "team_domain": identity::TEAM_DOMAIN,
                "channel_id": channel.as_str(), "channel_name": name,
                "user_id": user.as_str(), "user_name": field_of(&person, "username"),
                "command": command, "text": text, "api_app_id": identity::APP,
                // A command arrives as a form, whose fields are all texts.
                "is_enterprise_install": "false",
            });
            if is_shared {
                set_field(&mut payload, "is_ext_shared_channel", "true");
            }
            state.interact(InteractionDraft {
                envelope_type: "slash_commands",
                takes_payload: true,
                payload,
                user: user.clone(),
                channel: Some(channel.clone()),
                origin: None,
                view: None,
                has_trigger: true,
                url_kind: Some("commands"),
            })
        });
        PlayedInteraction::new(&self.shared, index)
    }

    /// Changes the payload of the next command or other interaction before it is sent, for example to an action that the
    /// app never made, or to an unknown type.
    pub fn change_next_interaction(&self, change: impl FnOnce(&mut Value) + Send + 'static) {
        self.shared.act(|state| state.interactions.change_next = Some(Box::new(change)));
    }

    /// Lets the next command or other interaction come from another workspace.
    pub fn next_interaction_from_team(&self, team: &str) {
        let team = team.to_owned();
        self.change_next_interaction(move |payload| {
            for place in ["/team_id", "/team/id", "/user/team_id", "/view/team_id"] {
                if let Some(id) = payload.pointer_mut(place) {
                    *id = team.as_str().into();
                }
            }
        });
    }

    /// Sends any payload in an envelope of any type, for example of one that Slack invents tomorrow. Nothing is added to
    /// the payload.
    pub fn send_envelope(&self, envelope_type: &str, payload: &Value) {
        self.shared.act(|state| {
            let envelope = state.delivery.new_envelope();
            let frame = json!({"envelope_id": envelope, "payload": payload, "type": envelope_type,
                "accepts_response_payload": false});
            let under = AcknowledgedUnder { envelope, takes_payload: false };
            state.delivery.send_once(frame.to_string(), Some(under));
        });
    }
}

/// The name of a channel as payloads have it: those of private places are not told.
pub(super) fn name_in_payloads(channel: &FakeChannel) -> String {
    match channel.kind {
        ChannelKind::Public | ChannelKind::GroupDm => channel.name.clone(),
        ChannelKind::Private | ChannelKind::Unknown => "privategroup".to_owned(),
        ChannelKind::Dm => "directmessage".to_owned(),
    }
}
