//! The app's own place: its Home tab and its Messages tab.

use myao_core::chat::{ChannelId, UserId};
use serde_json::json;

use crate::slack::{FakeSlack, fields::set_field, spec::ChannelSpec};

impl FakeSlack {
    /// Somebody opens the app's Home tab. The event carries the view, if one was published before.
    ///
    /// # Panics
    /// When the app has no Home tab.
    pub fn open_home(&self, user: &UserId) {
        let is_on = self.shared.look(|state| state.has_home_tab);
        assert!(is_on, "the app has no Home tab to open");
        self.open_tab(user, "home");
    }

    /// Somebody opens the app's Messages tab: the direct messages with the bot.
    pub fn open_messages_tab(&self, user: &UserId) {
        self.open_tab(user, "messages");
    }

    /// Somebody looks at these channels beside the direct messages with the bot; at none with an empty list. Told as Slack's
    /// sample has it, without who it is, with `is_anonymous`.
    pub fn look_at(&self, user: &UserId, channels: &[&ChannelId], is_anonymous: bool) {
        let entity = |id: &&ChannelId| json!({"type": "slack#/types/channel_id", "value": id.as_str()});
        let entities: Vec<_> = channels.iter().map(entity).collect();
        let context = if entities.is_empty() { json!({}) } else { json!({"entities": entities}) };
        self.shared.act(|state| {
            let ts = state.time.next_ts().to_string();
            let mut event = json!({"type": "app_context_changed", "context": context, "event_ts": ts});
            if !is_anonymous {
                set_field(&mut event, "user", user.as_str());
                if let Some(dm) = state.world.dm_with(user).cloned() {
                    set_field(&mut event, "channel", dm.as_str());
                }
            }
            state.emit(&event);
        });
    }

    /// The direct messages between the bot and somebody, if there are any.
    pub fn direct_messages(&self, user: &UserId) -> Option<ChannelId> {
        self.shared.look(|state| state.world.dm_with(user).cloned())
    }

    fn open_tab(&self, user: &UserId, tab: &str) {
        self.shared.act(|state| {
            let now = state.time.now().as_second();
            let open = state.world.dm_with(user).cloned();
            let dm = open.unwrap_or_else(|| state.world.add_channel(ChannelSpec::dm(user), now));
            let event_ts = state.time.next_ts();
            let mut event = json!({"type": "app_home_opened", "user": user.as_str(),
                "channel": dm.as_str(), "tab": tab, "event_ts": event_ts.to_string()});
            if let Some(view) = state.views.home(user) {
                set_field(&mut event, "view", view.json.clone());
            }
            state.emit(&event);
        });
    }
}
