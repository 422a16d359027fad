//! What people see while an answer is being written: a status, or a message that grows; and the button with which they stop it.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::{Value, json};

use super::{
    FakeSlack,
    seen::StatusChange,
    sessions::{PROCESSING, StreamState},
    state::WorkspaceState,
};

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

impl WorkspaceState {
    /// Ends a message that grows.
    pub(super) fn end_stream(&mut self, channel: &ChannelId, ts: MessageTs, end: StreamState) {
        self.agents.streams.insert((channel.clone(), ts), end);
        self.change(channel, ts, |message| {
            message.extra.insert("streaming_state".to_owned(), json!(end.name()));
        });
    }

    /// Ends the messages that grow in a thread, since a person wants it; which these are.
    fn stop_streams_in_thread(&mut self, channel: &ChannelId, thread_ts: MessageTs) -> Vec<MessageTs> {
        let growing = self.agents.streams.iter().filter(|(_, stream)| **stream == StreamState::InProgress);
        let of_channel = growing.filter(|((there, _), _)| there == channel).map(|((_, ts), _)| *ts);
        let messages = &self.world.channels.get(channel).map(|channel| &channel.messages);
        let of_thread = of_channel.filter(|ts| {
            messages.is_some_and(|all| all.get(ts).is_some_and(|one| one.thread_ts == Some(thread_ts)))
        });
        let found: Vec<MessageTs> = of_thread.collect();
        for ts in &found {
            self.end_stream(channel, *ts, StreamState::StoppedByPerson);
        }
        found
    }
}

/// A message of the bot, as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnMessage {
    /// Its time stamp.
    pub ts: MessageTs,
    /// The thread that it is in. `None` at top level.
    pub thread_ts: Option<MessageTs>,
    /// Its words.
    pub text: String,
    /// Its metadata.
    pub metadata: Option<Value>,
    /// Whether it is still growing.
    pub is_growing: bool,
}

impl FakeSlack {
    /// The messages of the bot in a channel, oldest first.
    pub fn own_messages(&self, channel: &ChannelId) -> Vec<OwnMessage> {
        self.shared.look(|state| {
            let all = state.world.channels.get(channel).into_iter().flat_map(|there| there.messages.values());
            let own = all.filter(|message| message.is_by_bot());
            own.map(|message| OwnMessage {
                ts: message.ts,
                thread_ts: message.thread_ts,
                text: message.text.clone(),
                metadata: message.metadata.clone(),
                is_growing: state.agents.streams.get(&(channel.clone(), message.ts))
                    == Some(&StreamState::InProgress),
            })
            .collect()
        })
    }

    /// Slack ends all messages that grow, without telling anybody.
    pub fn end_streams(&self) {
        self.shared.act(|state| {
            let growing =
                state.agents.streams.values_mut().filter(|stream| **stream == StreamState::InProgress);
            growing.for_each(|stream| *stream = StreamState::Errored);
        });
    }

    /// What is suggested in direct messages: titles and messages.
    pub fn suggested_prompts(&self, channel: &ChannelId) -> Vec<(String, String)> {
        self.shared.look(|state| state.agents.suggested.get(channel).cloned().unwrap_or_default())
    }

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
            let stopped = state.stop_streams_in_thread(channel, thread_ts);
            let stopped: Vec<String> = stopped.iter().map(ToString::to_string).collect();
            let event_ts = state.time.next_ts();
            let event = json!({"type": "agent_session_stopped", "channel": channel.as_str(),
                "thread_ts": thread_ts.to_string(), "user": user.as_str(), "streaming_message_ts": stopped,
                "event_ts": event_ts.to_string()});
            state.emit(&event);
        });
    }
}
