//! What people see while an answer is being written, and the button with which they stop it.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::json;

use super::{FakeSlack, seen::StatusChange, sessions::PROCESSING, state::WorkspaceState};

impl WorkspaceState {
    /// Notes what is shown in a thread from now on.
    pub(super) fn note_status(&mut self, channel: &ChannelId, thread_ts: MessageTs, status: &str) {
        let change = StatusChange {
            channel: channel.clone(),
            thread_ts,
            status: status.to_owned(),
            at: self.time.now(),
            posts: self.seen.posts.len(),
        };
        self.seen.status_changes.push(change);
    }

    /// A post of the bot takes the older status of its thread away. A session keeps its own.
    pub(super) fn clear_status_after_post(&mut self, channel: &ChannelId, thread_ts: Option<MessageTs>) {
        let Some(thread_ts) = thread_ts else { return };
        if self.agents.statuses.remove(&(channel.clone(), thread_ts)).is_some() {
            self.note_status(channel, thread_ts, "");
        }
    }
}

impl FakeSlack {
    /// The threads that show that an answer is being written, in a session or by the older status.
    pub fn threads_being_answered(&self) -> Vec<(ChannelId, MessageTs)> {
        self.shared.look(|state| {
            let processing = state.agents.sessions.iter().filter(|(_, status)| *status == PROCESSING);
            processing.chain(&state.agents.statuses).map(|(thread, _)| thread.clone()).collect()
        })
    }

    /// Somebody presses stop in a thread. Slack leaves the status of its session as it is.
    ///
    /// # Panics
    /// When the app does not subscribe to the event: then there is no button.
    pub fn press_stop(&self, channel: &ChannelId, thread_ts: MessageTs, user: &UserId) {
        self.shared.act(|state| {
            assert!(state.agents.hears_stops, "there is no stop button");
            let event_ts = state.time.next_ts();
            let event = json!({"type": "agent_session_stopped", "channel": channel.as_str(),
                "thread_ts": thread_ts.to_string(), "user": user.as_str(), "streaming_message_ts": [],
                "event_ts": event_ts.to_string()});
            state.emit(&event);
        });
    }
}
