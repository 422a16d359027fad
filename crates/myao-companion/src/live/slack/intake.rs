//! Stores what Slack delivers, then acknowledges it (specification §4, design §2).
//!
//! An event is acknowledged after the transaction that holds it, and storing it depends on no other call. What cannot
//! be stored is not acknowledged, so that Slack delivers it again.

mod asked;
mod news;

use std::{collections::BTreeSet, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, UserId, instant_after};
use myao_slack::{
    event::{ChannelHint, DeliveryContent},
    socket::{Acknowledger, Delivery, Socket, SocketReport},
};
use myao_store::{Arrived, StoreError};
use tracing::Instrument as _;

use super::{SlackRun, sweep::want_files, waiting::LiveSign};
use crate::{
    live::{Bell, LiveError, Lookup, RunContext},
    spans,
};

/// The most deliveries stored in one transaction: many, so that thousands a second are possible; few enough that other
/// writers get their turn.
const MOST_AT_ONCE: usize = 256;
/// How often we store how far Slack was heard. The gap of a run that is killed begins at most this long before its end.
const NOTED_EVERY: SignedDuration = SignedDuration::from_secs(10);
/// The same if other processes look whether we are still there.
const SHOWN_EVERY: SignedDuration = SignedDuration::from_secs(4);
/// How often a batch that the database refuses is tried before its deliveries are stored one by one.
const TRIES: u32 = 3;
/// The wait between these tries.
const BETWEEN: SignedDuration = SignedDuration::from_millis(200);
/// The wait between tries while the database stores nothing at all.
const DATABASE_DOWN: SignedDuration = SignedDuration::from_secs(5);

/// Takes in deliveries until the run is to end.
pub(super) async fn take_in_deliveries(slack: Arc<SlackRun>, mut socket: Socket) -> Result<(), LiveError> {
    let mut intake = Intake::new(slack, &socket).await?;
    loop {
        let note_at = instant_after(intake.noted_at, intake.noted_every);
        tokio::select! {
            // Deliveries come first: everything was heard only once none of them waits.
            biased;
            () = intake.slack.shared.stop.cancelled() => {
                intake.note_presence(None).await;
                return Ok(());
            }
            reports = socket.next_batch(MOST_AT_ONCE) => {
                if reports.is_empty() {
                    return Err(LiveError::Died("the socket".to_owned()));
                }
                let heard = intake.hear_reports(reports).await?;
                // In a flood the other arm has no turn.
                if heard.is_some() && intake.slack.shared.clock.steady() >= note_at {
                    intake.note_presence(heard).await;
                }
            }
            () = intake.slack.shared.clock.sleep_until_steady(note_at) => intake.note_presence(None).await,
        }
    }
}

/// Shows this process, before anything new is stored. Once more where the connection was lost during the commit: whether
/// it was stored does not matter, since no gap is opened twice.
async fn show_process(slack: &SlackRun) -> Result<(), StoreError> {
    let RunContext { store, card, clock, .. } = &*slack.shared;
    for _ in 1..TRIES {
        match store.hearing().report_alive(card, None, clock.now()).await {
            Err(error @ StoreError::UnknownCommit(_)) => {
                tracing::warn!(%error, "this process may not be shown yet; trying again");
            }
            shown => return shown.map(drop),
        }
    }
    store.hearing().report_alive(card, None, clock.now()).await.map(drop)
}

struct Intake {
    slack: Arc<SlackRun>,
    acknowledger: Acknowledger,
    /// Channels that the archive knows.
    channels: BTreeSet<ChannelId>,
    /// People who were queued for a lookup since the start.
    people: BTreeSet<UserId>,
    is_connected: bool,
    /// In steady time: others take a process for dead that shows nothing until its clock has caught up.
    noted_at: Timestamp,
    noted_every: SignedDuration,
}

impl Intake {
    /// Opens the gaps since the last run before anything new is stored, unless another process hears meanwhile.
    async fn new(slack: Arc<SlackRun>, socket: &Socket) -> Result<Self, LiveError> {
        show_process(&slack).await?;
        let RunContext { store, .. } = &*slack.shared;
        let noted_every = if store.is_on_server() { SHOWN_EVERY } else { NOTED_EVERY };
        let rows = slack.shared.store.archive().channels(&myao_core::chat::Visibility::Owner).await?;
        Ok(Self {
            acknowledger: socket.acknowledger(),
            channels: rows.into_iter().map(|row| row.channel.id).collect(),
            people: BTreeSet::new(),
            is_connected: false,
            noted_at: slack.shared.clock.steady(),
            noted_every,
            slack,
        })
    }

    /// Returns when the last of what was stored arrived.
    async fn hear_reports(&mut self, reports: Vec<SocketReport>) -> Result<Option<Timestamp>, LiveError> {
        let mut deliveries = Vec::new();
        let mut arrived = None;
        for report in reports {
            match report {
                SocketReport::Delivery(delivery) => {
                    arrived = Some(delivery.received);
                    deliveries.push(delivery);
                }
                SocketReport::Connected { sockets } => {
                    self.take_in(std::mem::take(&mut deliveries)).await?;
                    tracing::info!(sockets, "connected to Slack");
                    self.note_connected().await;
                }
                SocketReport::Lost { since } => {
                    self.take_in(std::mem::take(&mut deliveries)).await?;
                    self.note_lost_connection(since).await?;
                }
                SocketReport::Trouble { reason } => {
                    tracing::warn!(%reason, "Slack cannot be reached; trying again");
                    self.slack.shared.status.set_trouble(reason);
                }
                SocketReport::Fatal(error) => {
                    return Err(LiveError::Refused(format!("Slack refuses: {error}")));
                }
            }
        }
        self.take_in(deliveries).await?;
        Ok(arrived)
    }

    async fn note_connected(&mut self) {
        if !self.is_connected {
            // What was looked up before now may have changed without an event.
            self.slack.directory.forget_everybody();
            self.slack.sights.drop_all();
            self.slack.shared.store.hearing().begin(self.slack.shared.clock.now());
        }
        self.is_connected = true;
        // What was said before lies in gaps, so that a run killed from here on misses nothing earlier.
        self.note_presence(None).await;
        self.slack.shared.status.set_connected(true);
        self.slack.lookups.refresh();
        self.slack.shared.bells.ring(Bell::Gaps);
    }

    async fn note_lost_connection(&mut self, since: Timestamp) -> Result<(), LiveError> {
        tracing::warn!(%since, "the connection to Slack is lost; messages from now on are fetched later");
        self.is_connected = false;
        self.slack.shared.status.set_connected(false);
        let RunContext { store, card, clock, .. } = &*self.slack.shared;
        while let Err(error) = store.hearing().stop(card, since, clock.now()).await {
            if !self.wait_after_error(error.into()).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Waits a while after an error of the database. False when the run is stopping. Any other error is passed on.
    async fn wait_after_error(&self, error: LiveError) -> Result<bool, LiveError> {
        let LiveError::Store(error) = error else { return Err(error) };
        tracing::error!(%error, "the database fails; nothing is acknowledged");
        self.slack.shared.status.set_trouble(format!("the database fails: {error}"));
        Ok(self.slack.shared.pause(DATABASE_DOWN).await)
    }

    /// Stores that we are here, and the time up to which everything was heard: `heard`, or by the socket's pulse where no
    /// delivery waits.
    async fn note_presence(&mut self, heard: Option<Timestamp>) {
        let RunContext { store, card, clock, status, bells, .. } = &*self.slack.shared;
        self.noted_at = clock.steady();
        let heard = heard.or_else(|| status.last_heard()).filter(|_| self.is_connected);
        match store.hearing().report_alive(card, heard, clock.now()).await {
            Ok(beat) => {
                if beat.opened {
                    tracing::info!("nobody heard Slack for a while; what was said then is fetched");
                    bells.ring(Bell::Gaps);
                }
                if beat.doubts || beat.anew {
                    self.slack.lookups.want(Lookup::Everything);
                }
            }
            Err(error) => {
                tracing::error!(%error, "the time up to which Slack was heard could not be stored");
            }
        }
    }

    /// Stores deliveries and acknowledges them.
    async fn take_in(&mut self, deliveries: Vec<Delivery>) -> Result<(), LiveError> {
        if deliveries.is_empty() {
            return Ok(());
        }
        let span = spans::arrival(deliveries.len());
        self.take_in_arrival(deliveries).instrument(span).await
    }

    async fn take_in_arrival(&mut self, deliveries: Vec<Delivery>) -> Result<(), LiveError> {
        let status = Arc::clone(&self.slack.shared.status);
        let waiting = u64::try_from(deliveries.len()).unwrap_or(u64::MAX);
        status.set_waiting(waiting, self.slack.shared.clock.now());
        for delivery in &deliveries {
            let mut tries = 1;
            while let Err(error) = self.apply_channel_news(&delivery.content).await {
                if tries == TRIES && matches!(error, LiveError::Store(_)) {
                    // One event must not hold up all others. The current state is looked up instead.
                    tracing::error!(%error, "a change of a channel cannot be applied; everything is looked up again");
                    self.slack.lookups.want(Lookup::Everything);
                    break;
                }
                tries += 1;
                if !self.wait_after_error(error).await? {
                    return Ok(());
                }
            }
        }
        // What is not stored is not acknowledged, so that it is delivered again.
        let storing = self.store_deliveries(&deliveries).instrument(spans::store());
        let Some(arrived) = storing.await else { return Ok(()) };
        let RunContext { arrivals, clock, .. } = &*self.slack.shared;
        arrivals.note_current(&arrived.places, clock.steady());
        let Some(asked) = self.store_interactions(&deliveries).await else { return Ok(()) };
        self.note_signs_of_life(&deliveries, &arrived);
        self.acknowledge(deliveries, &asked);
        if !asked.is_empty() {
            self.slack.shared.bells.ring(Bell::Interactions);
        }
        if !arrived.places.is_empty() {
            self.slack.shared.bells.ring(Bell::Replies);
        }
        if !arrived.channels.is_empty() {
            self.slack.shared.bells.ring(Bell::Talk);
        }
        if !arrived.stopped.is_empty() {
            self.slack.shared.bells.ring(Bell::Stops);
            // What a dead process shows there is taken away by whoever answers next.
            self.slack.shared.bells.ring(Bell::Replies);
        }
        let now = self.slack.shared.clock.now();
        status.set_waiting(0, now);
        Ok(())
    }

    /// Where somebody asks or speaks, what was missed is fetched first.
    fn note_signs_of_life(&self, deliveries: &[Delivery], arrived: &Arrived) {
        for hint in deliveries.iter().filter_map(|delivery| delivery.content.channel.as_ref()) {
            if hint.we_are_in {
                self.slack.waiting.note(&hint.id, LiveSign::Spoke);
            }
        }
        for place in &arrived.places {
            self.slack.waiting.note(&place.channel, LiveSign::Asked);
        }
    }

    /// Applies what a delivery says about channels, before its events are stored, and queues lookups.
    async fn apply_channel_news(&mut self, heard: &DeliveryContent) -> Result<(), LiveError> {
        for news in &heard.news {
            self.heed_before_acknowledging(news).await?;
        }
        if let Some(hint) = &heard.channel {
            self.meet_channel(hint).await?;
        }
        for event in &heard.events {
            want_files(&self.slack.lookups, event);
            let author = event.message().map(|message| &message.user);
            let voter = if let Event::Voted(vote) = event { Some(&vote.by) } else { None };
            if let Some(message) = event.message().filter(|message| self.is_for_us(heard, message)) {
                self.slack.lookups.want_asker(&message.user);
            }
            for id in author.into_iter().chain(voter).chain(event.person().map(|person| &person.id)) {
                if self.people.insert(id.clone()) {
                    self.slack.lookups.want(Lookup::Person(id.clone()));
                }
            }
        }
        Ok(())
    }

    /// Whether somebody who is not known yet writes to us.
    fn is_for_us(&self, heard: &DeliveryContent, message: &Message) -> bool {
        let is_direct = heard.channel.as_ref().is_some_and(|hint| hint.kind == ChannelKind::Dm);
        !self.people.contains(&message.user)
            && (is_direct || self.slack.shared.attention.is_mentioned(&message.text))
    }

    /// Takes note of the channel of a delivery. We are in it if it is a message, or that would not be delivered; a new
    /// one counts as private until it is looked up (design §2). An event's hint about a channel is believed if it
    /// closes the channel, never if it opens it (ADR 92).
    async fn meet_channel(&mut self, hint: &ChannelHint) -> Result<(), LiveError> {
        let id = &hint.id;
        let is_met = self.channels.contains(id);
        if is_met && !hint.closes() {
            return Ok(());
        }
        let stored = self.slack.shared.store.archive().channel(id).await?;
        if let Some(narrowed) = stored.as_ref().and_then(|stored| hint.narrowed(stored)) {
            self.apply_channel(narrowed).await?;
            self.doubt_channel(id).await?;
        }
        // A stored one may have come from a lookup, not from an event.
        let is_known = is_met || stored.as_ref().is_some_and(|channel| channel.kind != ChannelKind::Unknown);
        if !hint.we_are_in {
            return Ok(());
        }
        if !is_known {
            let kind = if hint.kind == ChannelKind::Public { ChannelKind::Unknown } else { hint.kind };
            let name = stored.map_or_else(|| id.to_string(), |channel| channel.name);
            self.apply_channel(Channel { id: id.clone(), name, kind, external: true }).await?;
            self.slack.shared.store.hearing().join_channel(id, self.slack.first_sight()).await?;
            self.slack.shared.bells.ring(Bell::Gaps);
            self.doubt_channel(id).await?;
        }
        self.channels.insert(id.clone());
        Ok(())
    }

    /// Marks what is stored of a channel as possibly outdated: until it is looked up, it sees itself only and no other
    /// place sees it.
    async fn doubt_channel(&self, id: &ChannelId) -> Result<(), LiveError> {
        self.slack
            .shared
            .store
            .hearing()
            .doubt_channels(std::slice::from_ref(id), self.slack.shared.clock.now())
            .await?;
        self.slack.lookups.want(Lookup::Channel(id.clone()));
        self.slack.suggestions.doubt_channel(id);
        Ok(())
    }

    /// Closes a channel: no other place sees it until it is looked up.
    async fn close_channel(&self, id: &ChannelId) -> Result<(), LiveError> {
        let Some(channel) = self.slack.shared.store.archive().channel(id).await? else { return Ok(()) };
        self.apply_channel(Channel { kind: ChannelKind::Unknown, ..channel }).await
    }

    async fn apply_channel(&self, channel: Channel) -> Result<(), LiveError> {
        self.apply_events(vec![Event::Channel(channel)]).await?;
        Ok(())
    }

    async fn apply_events(&self, events: Vec<Event>) -> Result<Arrived, StoreError> {
        let RunContext { store, attention, clock, .. } = &*self.slack.shared;
        store.intake().apply_live(events, attention, clock.now()).await
    }

    /// Stores deliveries, in one transaction if the database accepts it, otherwise one by one; what it does not accept
    /// at all is kept raw. While the database stores nothing, this waits; `None` when the run is stopping.
    async fn store_deliveries(&self, deliveries: &[Delivery]) -> Option<Arrived> {
        let events = deliveries.iter().flat_map(|delivery| delivery.content.events.iter().cloned());
        let events: Vec<Event> = events.collect();
        for attempt in 1..=TRIES {
            match self.apply_events(events.clone()).await {
                Ok(arrived) => return Some(arrived),
                Err(error) => tracing::warn!(%error, attempt, "a batch of deliveries was not stored"),
            }
            self.slack.shared.pause(BETWEEN).await;
        }
        let mut all = Arrived::default();
        for delivery in deliveries {
            let arrived = match self.apply_events(delivery.content.events.clone()).await {
                Ok(arrived) => arrived,
                Err(error) => self.keep_raw(delivery, &error).await?,
            };
            all.channels.extend(arrived.channels);
            all.places.extend(arrived.places);
            all.stopped.extend(arrived.stopped);
        }
        Some(all)
    }

    /// Keeps a delivery raw. If the database takes not even that, the delivery is not at fault, and is tried again itself.
    async fn keep_raw(&self, delivery: &Delivery, error: &StoreError) -> Option<Arrived> {
        let event = delivery.to_unread(error.to_string());
        loop {
            match self.apply_events(vec![event.clone()]).await {
                Ok(arrived) => return Some(arrived),
                Err(error) => {
                    tracing::error!(%error, "the database takes nothing; nothing is acknowledged");
                    self.slack.shared.status.set_trouble(format!("the database takes nothing: {error}"));
                }
            }
            if !self.slack.shared.pause(DATABASE_DOWN).await {
                return None;
            }
            if let Ok(arrived) = self.apply_events(delivery.content.events.clone()).await {
                return Some(arrived);
            }
        }
    }
}
