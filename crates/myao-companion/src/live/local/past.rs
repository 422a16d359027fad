//! Lets messages that were said elsewhere appear here as the clock moves on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageKind, MessageTs, UserId, instant_after},
    ports::Clock as _,
};
use myao_store::StoreError;

use super::LocalWorkspace;

/// The most messages in one transaction, so that readers get their turn.
const SAID_AT_ONCE: usize = 400;
/// How much of the past appears between two stops of the clock, at least: chapters are cut and memories written in between.
const STRIDE: SignedDuration = SignedDuration::from_hours(6);

/// Messages that were said elsewhere and have still to appear here, the oldest first.
#[derive(Debug, Default)]
pub struct LocalPast {
    messages: VecDeque<Message>,
    /// How many messages are talk; the others are notices, such as that somebody joined.
    all: usize,
    come: usize,
}

impl LocalPast {
    /// The messages among some events, by the time at which they were said. Those up to `since` have come already.
    pub fn new(events: Vec<Event>, since: Option<Timestamp>) -> Self {
        let mut messages: Vec<Message> = events.into_iter().filter_map(Event::into_message).collect();
        messages.sort_by(|a, b| a.ts.cmp(&b.ts).then_with(|| a.channel.cmp(&b.channel)));
        let spoken = |messages: &[Message]| messages.iter().filter(|message| message.is_talk()).count();
        let all = spoken(&messages);
        let since = since.map_or(MessageTs::MIN, MessageTs::from_timestamp);
        messages.retain(|message| message.ts > since);
        let come = all - spoken(&messages);
        Self { messages: messages.into(), all, come }
    }

    /// When the next message is said; `None` when all were.
    pub fn next_at(&self) -> Option<Timestamp> {
        Some(self.messages.front()?.ts.to_timestamp())
    }

    /// How many messages of people have come, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.come, self.all)
    }

    /// The channel in which most is said; `None` if nothing is said any more.
    pub fn busiest(&self) -> Option<ChannelId> {
        let mut said: BTreeMap<&ChannelId, usize> = BTreeMap::new();
        for message in &self.messages {
            *said.entry(&message.channel).or_default() += 1;
        }
        said.into_iter().max_by_key(|(_, number)| *number).map(|(channel, _)| channel.clone())
    }

    /// Who speaks in each channel.
    fn speakers(&self) -> BTreeMap<ChannelId, BTreeSet<UserId>> {
        let mut speakers: BTreeMap<ChannelId, BTreeSet<UserId>> = BTreeMap::new();
        for message in self.messages.iter().filter(|message| message.kind == MessageKind::Talk) {
            speakers.entry(message.channel.clone()).or_default().insert(message.user.clone());
        }
        speakers
    }

    /// The next messages up to `until`, at most [`SAID_AT_ONCE`].
    fn due(&self, until: MessageTs) -> Vec<Event> {
        let due = self.messages.iter().take(SAID_AT_ONCE).take_while(|message| message.ts <= until);
        due.cloned().map(Event::Message).collect()
    }

    /// Notes that the next `number` messages have come.
    fn note_come(&mut self, number: usize) {
        let come = self.messages.drain(..number.min(self.messages.len()));
        self.come += come.filter(Message::is_talk).count();
    }
}

impl LocalWorkspace {
    /// Lets `past` appear as the clock moves on from now. All who speak in a channel that is not open become members of
    /// it.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn live_through(&self, past: LocalPast) -> Result<(), StoreError> {
        for (channel, people) in past.speakers() {
            if self.store.archive().channel(&channel).await?.is_some_and(|channel| !channel.is_open()) {
                let people: Vec<UserId> = people.into_iter().collect();
                self.store.local().add_to_channel(&channel, &people).await?;
            }
        }
        *self.past.lock().await = past;
        self.store_past_until(self.clock.now()).await
    }

    /// How much of the past has come, how much there is, and when its next message is said; `None` if there is no past.
    #[boxed]
    pub async fn past(&self) -> Option<(usize, usize, Option<Timestamp>)> {
        let past = self.past.lock().await;
        let (come, all) = past.progress();
        (all > 0).then(|| (come, all, past.next_at()))
    }

    /// How far the clock may go at once, so that what happens in between happens in its order; `None` once all was
    /// said.
    pub(super) async fn next_of_past(&self) -> Option<Timestamp> {
        Some(instant_after(self.past.lock().await.next_at()?, STRIDE))
    }

    /// Stores the messages up to `until`, as talk that was not addressed to us.
    pub(super) async fn store_past_until(&self, until: Timestamp) -> Result<(), StoreError> {
        let until = MessageTs::from_timestamp(until);
        let mut past = self.past.lock().await;
        loop {
            let said = past.due(until);
            let number = said.len();
            if number == 0 {
                return Ok(());
            }
            self.store.intake().apply(said, self.clock.now()).await?;
            // Noted only once they are stored: after an interruption they are stored once more, which changes nothing.
            past.note_come(number);
            self.note_change();
        }
    }
}
