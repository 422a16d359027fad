//! Shortcuts: on a message, and from anywhere.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::{Value, json};

use super::{
    clicks::{channel_in_payloads, message_in_payloads},
    interaction::PlayedInteraction,
};
use crate::slack::{
    FakeSlack,
    fields::set_field,
    identity,
    interactions::{InteractionDraft, InteractionOrigin, person_in_payloads, team_in_payloads},
    state::WorkspaceState,
};

impl FakeSlack {
    /// Somebody uses a shortcut of the app on a message. The app gets the whole message, whether or not the bot is in the
    /// channel.
    ///
    /// # Panics
    /// When the message is not there.
    pub fn message_shortcut(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
        user: &UserId,
        callback_id: &str,
    ) -> PlayedInteraction {
        let index = self.shared.act(|state| {
            let message = message_in_payloads(state, channel, ts);
            let mut payload = payload_of_shortcut("message_action", state, user, callback_id);
            let place = channel_in_payloads(state, channel);
            set_field(&mut payload, "message_ts", ts.to_string());
            set_field(&mut payload, "message", message);
            set_field(&mut payload, "channel", place);
            state.interact(InteractionDraft {
                channel: Some(channel.clone()),
                origin: Some(InteractionOrigin::Message(channel.clone(), ts)),
                url_kind: Some("app"),
                ..InteractionDraft::of_person(user, payload)
            })
        });
        PlayedInteraction::new(&self.shared, index)
    }

    /// Somebody uses a shortcut of the app from anywhere. It has no channel, and so no response URL.
    pub fn global_shortcut(&self, user: &UserId, callback_id: &str) -> PlayedInteraction {
        let index = self.shared.act(|state| {
            let payload = payload_of_shortcut("shortcut", state, user, callback_id);
            state.interact(InteractionDraft::of_person(user, payload))
        });
        PlayedInteraction::new(&self.shared, index)
    }
}

fn payload_of_shortcut(kind: &str, state: &mut WorkspaceState, user: &UserId, callback_id: &str) -> Value {
    let at = state.time.next_ts().to_string();
    json!({"type": kind, "action_ts": at, "team": team_in_payloads(),
        "user": person_in_payloads(&state.world, user), "api_app_id": identity::APP,
        "is_enterprise_install": false, "enterprise": null, "callback_id": callback_id})
}
