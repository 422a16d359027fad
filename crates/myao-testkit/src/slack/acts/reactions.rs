//! Reactions of people to messages.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::json;

use crate::slack::{FakeSlack, message::Author};

/// The scope without which the app hears of no reactions.
const SCOPE: &str = "reactions:read";

impl FakeSlack {
    /// Somebody reacts to a message with an emoji, as in `+1::skin-tone-2`.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn react(&self, channel: &ChannelId, ts: MessageTs, user: &UserId, emoji: &str) {
        self.tell_of_reaction("reaction_added", (channel, ts), user, emoji);
    }

    /// Somebody takes a reaction back.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn take_reaction_back(&self, channel: &ChannelId, ts: MessageTs, user: &UserId, emoji: &str) {
        self.tell_of_reaction("reaction_removed", (channel, ts), user, emoji);
    }

    fn tell_of_reaction(
        &self,
        kind: &str,
        (channel, ts): (&ChannelId, MessageTs),
        user: &UserId,
        emoji: &str,
    ) {
        self.shared.act(|state| {
            let event_ts = state.time.next_ts();
            let hears = state.scopes.contains(SCOPE);
            let place = state.world.channel(channel);
            let Some(message) = place.messages.get(&ts) else {
                panic!("there is no message {ts} in {channel} to react to")
            };
            let mut event = json!({"type": kind, "user": user.as_str(), "reaction": emoji,
                "item": {"type": "message", "channel": channel.as_str(), "ts": ts.to_string()},
                "event_ts": event_ts.to_string()});
            // Slack does not name the authors of what webhooks post.
            if let (Author::User(author), Some(fields)) = (&message.author, event.as_object_mut()) {
                fields.insert("item_user".to_owned(), json!(author.as_str()));
            }
            if hears && place.has_bot() {
                state.emit(&event);
            }
        });
    }
}
