//! Changes the workspace and sends the client the events that Slack would send.

mod answers;
mod channels;
mod interactions;
mod submissions;

use myao_core::chat::{ChannelId, ChannelKind, MessageTs, UserId};
use serde_json::{Value, json};

use super::{
    ephemeral::Ephemeral,
    event, identity,
    message::{self, Author, FakeMessage, MessageEdit, Metadata},
    state::WorkspaceState,
};

impl WorkspaceState {
    /// Adds a message. The bot gets an event if it is a member of the channel.
    pub(super) fn say(&mut self, channel: &ChannelId, message: FakeMessage) -> MessageTs {
        let ts = message.ts;
        let place = self.world.channel(channel);
        if let Author::User(user) = &message.author {
            place.members.insert(user.clone());
        }
        place.insert(message);
        let Some(said) = self.view(channel, ts, event::message_said) else { return ts };
        self.emit(&said);
        self.mention(channel, ts, ts);
        ts
    }

    /// Adds a message of the bot, which does not become a member by it: an answer goes to wherever it was asked for.
    pub(super) fn post_without_joining(&mut self, channel: &ChannelId, message: FakeMessage) -> MessageTs {
        let had_bot = self.world.channel(channel).has_bot();
        if had_bot {
            return self.say(channel, message);
        }
        let ts = message.ts;
        self.world.channel(channel).insert(message);
        ts
    }

    /// Shows something to one person alone.
    pub(super) fn show_ephemeral(&mut self, shown: Ephemeral) {
        self.seen.ephemerals.push(shown.clone());
        self.ephemerals.show(shown);
    }

    /// Sends the second event for a message that mentions the bot. Slack sends one when the message is posted, and
    /// again when it is edited.
    fn mention(&mut self, channel: &ChannelId, ts: MessageTs, event_ts: MessageTs) {
        let place = self.world.channel(channel);
        let mentioned = place.kind != ChannelKind::Dm
            && place.messages.get(&ts).is_some_and(|message| message.mentions_bot() && !message.is_by_bot());
        if mentioned
            && let Some(event) = self.view(channel, ts, |world, channel, message| {
                event::app_mention(world, channel, message, event_ts)
            })
        {
            self.emit(&event);
        }
    }

    /// The result of `show` for a message, in a channel that the bot is in.
    fn view<T>(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
        show: impl FnOnce(&super::world::World, &super::world::FakeChannel, &FakeMessage) -> T,
    ) -> Option<T> {
        let channel = self.world.channels.get(channel).filter(|channel| channel.has_bot())?;
        channel.messages.get(&ts).map(|message| show(&self.world, channel, message))
    }

    /// The message's object. Null where the bot is not a member.
    fn object(&self, channel: &ChannelId, ts: MessageTs) -> Value {
        let object = self.view(channel, ts, |world, channel, message| {
            message::object_in_channel(world, channel, message, Metadata::None)
        });
        object.unwrap_or_default()
    }

    /// Changes a message and sends the event about it.
    ///
    /// # Panics
    /// When the message is not there.
    pub(super) fn change(
        &mut self,
        channel: &ChannelId,
        ts: MessageTs,
        change: impl FnOnce(&mut FakeMessage),
    ) {
        let before = self.object(channel, ts);
        let message = self.world.channel(channel).messages.get_mut(&ts);
        change(message.unwrap_or_else(|| panic!("there is no message {ts} in {channel} to change")));
        self.tell_changed(channel, ts, &before);
    }

    fn tell_changed(&mut self, channel: &ChannelId, ts: MessageTs, before: &Value) {
        let now = self.object(channel, ts);
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        if place.has_bot() {
            let event = event::message_changed(place, &now, before, event_ts);
            self.emit(&event);
        }
    }

    /// The author of a message changes its words.
    pub(super) fn edit(&mut self, channel: &ChannelId, ts: MessageTs, text: &str) {
        let edited_at = self.time.edit_ts();
        self.change(channel, ts, |message| {
            text.clone_into(&mut message.text);
            let user = match &message.author {
                Author::User(user) => user.clone(),
                Author::Webhook(_) => UserId::new(identity::SLACKBOT),
            };
            message.edited = Some(MessageEdit { user, ts: edited_at });
        });
        let event_ts = self.time.next_ts();
        self.mention(channel, ts, event_ts);
    }

    /// Deletes a message. A root with replies leaves a tombstone. When a reply is deleted, its root is sent as changed,
    /// though its text did not change.
    ///
    /// # Panics
    /// When the message is not there.
    pub(super) fn delete(&mut self, channel: &ChannelId, ts: MessageTs) {
        let before = self.object(channel, ts);
        if self.world.channel(channel).threads.contains_key(&ts) {
            return self.bury(channel, ts, &before);
        }
        let root = self.world.channel(channel).messages.get(&ts).and_then(|message| message.thread_ts);
        let root_before = root.map(|root| (root, self.object(channel, root)));
        let removed = self.world.channel(channel).remove(ts);
        assert!(removed.is_some(), "there is no message {ts} in {channel} to delete");
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        if place.has_bot() {
            let event = event::message_deleted(place, ts, &before, event_ts);
            self.emit(&event);
            if let Some((root, before)) = root_before.filter(|(_, before)| !before.is_null()) {
                self.tell_changed(channel, root, &before);
            }
        }
    }

    /// Removes everything up to a message at once, threads included.
    pub(super) fn purge(&mut self, channel: &ChannelId, latest: MessageTs) {
        let place = self.world.channel(channel);
        let gone: Vec<MessageTs> = place.messages.range(..=latest).map(|(ts, _)| *ts).collect();
        for ts in gone.into_iter().rev() {
            drop(place.remove(ts));
        }
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        if place.has_bot() {
            let event = event::history_changed(place, latest, event_ts);
            self.emit(&event);
        }
    }

    fn bury(&mut self, channel: &ChannelId, ts: MessageTs, before: &Value) {
        if let Some(message) = self.world.channel(channel).messages.get_mut(&ts) {
            let slackbot = Author::User(UserId::new(identity::SLACKBOT));
            let tombstone = FakeMessage::new(ts, slackbot, "This message was deleted.");
            *message = FakeMessage { subtype: Some("tombstone"), ..tombstone };
            message.extra.insert("hidden".to_owned(), true.into());
        }
        self.tell_changed(channel, ts, before);
    }

    /// Adds a preview of a link. To Slack this is an edit, though no word changes and nobody edited.
    pub(super) fn unfurl(&mut self, channel: &ChannelId, ts: MessageTs, url: &str) {
        self.change(channel, ts, |message| {
            let preview = json!({"id": message.attachments.len() + 1, "from_url": url, "original_url": url,
                "service_name": "Example", "title": "A page", "title_link": url,
                "text": "What the page says of itself.", "fallback": "Example: A page"});
            message.attachments.push(preview);
        });
    }

    /// Adds a preview of another message, which holds its words.
    pub(super) fn unfurl_message(&mut self, channel: &ChannelId, ts: MessageTs, author: &str, words: &str) {
        self.change(channel, ts, |message| {
            let preview = json!({"id": message.attachments.len() + 1, "is_msg_unfurl": true, "author_name": author,
                "text": words, "fallback": format!("[the day] {author}: {words}")});
            message.attachments.push(preview);
        });
    }

    /// Sends a thread's root after a reply.
    pub(super) fn tell_replied(&mut self, channel: &ChannelId, root: MessageTs) {
        let now = self.object(channel, root);
        let event_ts = self.time.next_ts();
        let place = self.world.channel(channel);
        if place.has_bot() {
            let event = event::root_replied(place, &now, event_ts);
            self.emit(&event);
        }
    }

    /// Slack posts a notice in a channel.
    fn remark(&mut self, channel: &ChannelId, user: &UserId, subtype: &'static str, text: &str, more: Value) {
        let ts = self.time.next_ts();
        let mut message = FakeMessage::new(ts, Author::User(user.clone()), text);
        message.subtype = Some(subtype);
        if let Value::Object(more) = more {
            message.extra = more;
        }
        self.world.channel(channel).insert(message);
        if let Some(said) = self.view(channel, ts, event::message_said) {
            self.emit(&said);
        }
    }
}
