//! What happens to channels and people.

use myao_core::chat::{ChannelId, ChannelKind, UserId};
use serde_json::{Value, json};

use crate::slack::{event, identity, state::WorkspaceState};

impl WorkspaceState {
    /// Somebody, perhaps the bot, comes into a channel.
    pub(in crate::slack) fn join(&mut self, channel: &ChannelId, user: &UserId) {
        if !self.world.channel(channel).members.insert(user.clone()) {
            return;
        }
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        if place.has_bot() {
            let event = event::member_came_or_went("member_joined_channel", place, user.as_str(), event_ts);
            self.emit(&event);
        }
        self.remark(channel, user, "channel_join", &format!("<@{user}> has joined the channel"), Value::Null);
    }

    /// Somebody leaves a channel. The bot is told of its own leaving too, though it is out by then.
    pub(in crate::slack) fn leave(&mut self, channel: &ChannelId, user: &UserId) {
        let had_bot = self.world.channel(channel).has_bot();
        if !self.world.channel(channel).members.remove(user) {
            return;
        }
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        let went = event::member_came_or_went("member_left_channel", place, user.as_str(), event_ts);
        let left = event::bot_left(place, identity::SLACKBOT, event_ts);
        if user.as_str() == identity::BOT_USER {
            self.emit(&left);
        }
        if had_bot {
            self.emit(&went);
        }
        self.remark(channel, user, "channel_leave", &format!("<@{user}> has left the channel"), Value::Null);
    }

    /// A channel gets another name.
    pub(in crate::slack) fn rename_channel(&mut self, channel: &ChannelId, name: &str) {
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        let old = std::mem::replace(&mut place.name, name.to_owned());
        let event = event::channel_renamed(place, event_ts);
        let heard = place.has_bot() || !place.is_closed();
        if heard {
            self.emit(&event);
        }
        let text = format!("has renamed the channel from \"{old}\" to \"{name}\"");
        let more = json!({"old_name": old, "name": name});
        self.remark(channel, &UserId::new(identity::SLACKBOT), "channel_name", &text, more);
    }

    /// A channel is archived, or brought back.
    pub(in crate::slack) fn set_archived(&mut self, channel: &ChannelId, archived: bool) {
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        place.archived = archived;
        let event = event::channel_archived(place, identity::SLACKBOT, event_ts);
        if place.has_bot() || !place.is_closed() {
            self.emit(&event);
        }
    }

    /// Makes a public channel private, under the same id. Slack has no event of its own for it.
    pub(in crate::slack) fn convert_to_private(&mut self, channel: &ChannelId) {
        self.world.channel(channel).kind = ChannelKind::Private;
        let text = "converted this channel to private";
        let slackbot = UserId::new(identity::SLACKBOT);
        self.remark(channel, &slackbot, "channel_convert_to_private", text, Value::Null);
    }

    /// Makes a private channel public, under the same id.
    pub(in crate::slack) fn convert_to_public(&mut self, channel: &ChannelId) {
        self.world.channel(channel).kind = ChannelKind::Public;
        let text = "converted this channel to public";
        let slackbot = UserId::new(identity::SLACKBOT);
        self.remark(channel, &slackbot, "channel_convert_to_public", text, Value::Null);
    }

    /// A channel is shared with another workspace, under the same id.
    pub(in crate::slack) fn share_channel(&mut self, channel: &ChannelId) {
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        place.external = true;
        if place.has_bot() {
            let event = event::channel_shared(place, event_ts);
            self.emit(&event);
        }
    }

    /// Gives a channel another id, as happens when it is shared with another workspace.
    pub(in crate::slack) fn change_channel_id(&mut self, old: &ChannelId) -> ChannelId {
        let new = ChannelId::new(format!("C0MOVED{:04}", self.delivery.number()));
        if let Some(mut channel) = self.world.channels.remove(old) {
            (channel.id, channel.external) = (new.clone(), true);
            self.world.channels.insert(new.clone(), channel);
        }
        let event_ts = self.time.next_ts();
        if self.world.channel(&new).has_bot() {
            self.emit(&event::id_changed(old, &new, event_ts));
        }
        new
    }

    /// Somebody changes their name.
    pub(in crate::slack) fn rename_user(&mut self, user: &UserId, name: &str) {
        let now = self.time.now().as_second();
        let event_ts = self.time.next_ts();
        let Some(known) = self.world.users.get_mut(user) else {
            panic!("the test names a person who is not there: {user}")
        };
        name.clone_into(&mut known.spec.name);
        (known.spec.real_name, known.updated) = (None, now);
        let event = event::user_changed(known, event_ts);
        self.emit(&event);
    }

    pub(in crate::slack) fn deactivate_user(&mut self, user: &UserId) {
        let now = self.time.now().as_second();
        let event_ts = self.time.next_ts();
        let Some(known) = self.world.users.get_mut(user) else {
            panic!("the test names a person who is not there: {user}")
        };
        (known.is_deactivated, known.updated) = (true, now);
        let event = event::user_changed(known, event_ts);
        self.emit(&event);
    }
}
