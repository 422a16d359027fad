//! What is delivered: stored, then acknowledged (SPEC §4, DESIGN A).
//!
//! An event is acknowledged after the transaction that holds it, and storing it depends on no other call. What
//! the database does not take is not acknowledged, and comes again.

mod news;

use std::{collections::BTreeSet, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, UserId, later};
use myao_slack::{
    event::{self, ChannelHint, DeliveryContent},
    socket::{Acknowledger, Delivery, Envelope, Socket, SocketReport},
};
use myao_store::{Arrived, StoreError};

use super::{LiveError, Lookup, RunContext};

/// Deliveries stored in one transaction at most: many, so that thousands a second are possible; few enough
/// that other writers get their turn.
const MOST_AT_ONCE: usize = 256;
/// How often it is noted that everything was heard: a killed run's gap begins at most so long before its end.
const NOTED_EVERY: SignedDuration = SignedDuration::from_secs(10);
/// A batch that the database refuses is tried so often before its parts are tried one by one,
const TRIES: u32 = 3;
/// with such waits between.
const BETWEEN: SignedDuration = SignedDuration::from_millis(200);
/// While the database takes nothing at all, it is tried so often.
const DATABASE_DOWN: SignedDuration = SignedDuration::from_secs(5);

/// Listens until the run is to end.
pub(super) async fn listen(shared: Arc<RunContext>, mut socket: Socket) -> Result<(), LiveError> {
    let mut ear = Intake::new(shared, &socket).await?;
    loop {
        let note_at = later(ear.noted_at, NOTED_EVERY);
        tokio::select! {
            // Only once nothing waits to be stored is it noted that everything was heard.
            biased;
            () = ear.shared.stop.cancelled() => return Ok(()),
            reports = socket.next_batch(MOST_AT_ONCE) => {
                if reports.is_empty() {
                    return Err(LiveError::Died("the socket".to_owned()));
                }
                ear.hear(reports).await?;
            }
            () = ear.shared.clock.sleep_until(note_at) => ear.note().await,
        }
    }
}

struct Intake {
    shared: Arc<RunContext>,
    acknowledger: Acknowledger,
    /// Channels the archive knows.
    channels: BTreeSet<ChannelId>,
    /// People whose names were asked for since the start.
    people: BTreeSet<UserId>,
    is_connected: bool,
    noted_at: Timestamp,
}

impl Intake {
    /// Whatever was said since this database was last listened to is missing: gaps open before anything new
    /// is stored.
    async fn new(shared: Arc<RunContext>, socket: &Socket) -> Result<Self, LiveError> {
        if let Some(last) = shared.store.last_heard().await? {
            shared.store.open_gaps(last).await?;
        }
        let rows = shared.store.channels(&myao_core::context::Visibility::Owner).await?;
        Ok(Self {
            acknowledger: socket.acknowledger(),
            channels: rows.into_iter().map(|row| row.channel.id).collect(),
            people: BTreeSet::new(),
            is_connected: false,
            noted_at: shared.clock.now(),
            shared,
        })
    }

    async fn hear(&mut self, reports: Vec<SocketReport>) -> Result<(), LiveError> {
        let mut deliveries = Vec::new();
        for report in reports {
            match report {
                SocketReport::Delivery(delivery) => deliveries.push(delivery),
                SocketReport::Connected { sockets } => {
                    self.take_in(std::mem::take(&mut deliveries)).await?;
                    tracing::info!(sockets, "connected to Slack");
                    self.connected().await;
                }
                SocketReport::Lost { since } => {
                    self.take_in(std::mem::take(&mut deliveries)).await?;
                    self.lost(since).await?;
                }
                SocketReport::Trouble { reason } => {
                    tracing::warn!(%reason, "Slack is not reached; trying again");
                    self.shared.standing.trouble(reason);
                }
                SocketReport::Fatal(error) => return Err(LiveError::Refused(error.to_string())),
            }
        }
        self.take_in(deliveries).await
    }

    async fn connected(&mut self) {
        if !self.is_connected {
            self.hear_from_now_on();
        }
        self.is_connected = true;
        self.shared.standing.connected(true);
        // What was said before lies in gaps; whoever is killed from here on misses nothing earlier.
        self.note().await;
        self.shared.lookups.refresh();
        self.shared.bells.gaps.notify_one();
    }

    /// What was learnt before this instant may have changed unheard: it is looked up again before it counts.
    fn hear_from_now_on(&self) {
        self.shared.directory.forget_everybody();
        self.shared.store.hear_since(Some(self.shared.clock.now()));
    }

    async fn lost(&mut self, since: Timestamp) -> Result<(), LiveError> {
        tracing::warn!(%since, "the connection to Slack is lost; what is said now is fetched later");
        self.is_connected = false;
        self.shared.store.hear_since(None);
        self.shared.standing.connected(false);
        while let Err(error) = self.shared.store.open_gaps(since).await {
            if !self.outlives(error.into()).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Waits for a database that fails to come back; false when the run is to end first. Nothing is acknowledged
    /// meanwhile. What else went wrong ends the run.
    async fn outlives(&self, error: LiveError) -> Result<bool, LiveError> {
        let LiveError::Store(error) = error else { return Err(error) };
        tracing::error!(%error, "the database fails; nothing is acknowledged");
        self.shared.standing.trouble(format!("the database fails: {error}"));
        Ok(self.shared.pause(DATABASE_DOWN).await)
    }

    /// Notes how far everything was heard, by the socket's own proof of life.
    async fn note(&mut self) {
        self.noted_at = self.shared.clock.now();
        let Some(heard) = self.shared.standing.last_heard().filter(|_| self.is_connected) else { return };
        if let Err(error) = self.shared.store.note_hearing(heard).await {
            tracing::error!(%error, "it could not be noted how far Slack was heard");
        }
    }

    /// Stores deliveries and acknowledges them.
    async fn take_in(&mut self, deliveries: Vec<Delivery>) -> Result<(), LiveError> {
        if deliveries.is_empty() {
            return Ok(());
        }
        let standing = Arc::clone(&self.shared.standing);
        let waiting = u64::try_from(deliveries.len()).unwrap_or(u64::MAX);
        standing.waiting(waiting, self.shared.clock.now());
        let own = self.shared.directory.own().clone();
        let heard: Vec<DeliveryContent> =
            deliveries.iter().map(|delivery| event::read(delivery, &own)).collect();
        for one in &heard {
            let mut tries = 1;
            while let Err(error) = self.prepare(one).await {
                if tries == TRIES && matches!(error, LiveError::Store(_)) {
                    // One event must not make the ear deaf for all others: what is true now is looked up.
                    tracing::error!(%error, "what an event says of a channel cannot be done");
                    self.shared.lookups.want(Lookup::Everything);
                    break;
                }
                tries += 1;
                if !self.outlives(error).await? {
                    return Ok(());
                }
            }
        }
        // What is not stored is not acknowledged, and comes again.
        let Some(arrived) = self.store(&deliveries, heard).await else { return Ok(()) };
        let envelopes: Vec<Envelope> = deliveries.into_iter().filter_map(|d| d.envelope).collect();
        self.acknowledger.acknowledge(&envelopes);
        if !arrived.places.is_empty() {
            self.shared.bells.replies.notify_one();
        }
        if !arrived.channels.is_empty() {
            self.shared.bells.ring_for_talk();
        }
        let now = self.shared.clock.now();
        standing.waiting(0, now);
        standing.stored(now);
        Ok(())
    }

    /// What has to be true of channels before a delivery's events are stored, and what is to be looked up.
    async fn prepare(&mut self, heard: &DeliveryContent) -> Result<(), LiveError> {
        for news in &heard.news {
            self.heed(news).await?;
        }
        if let Some(glimpse) = &heard.channel {
            self.meet_channel(glimpse).await?;
        }
        for event in &heard.events {
            if let Event::Message(message) = event
                && !self.people.contains(&message.user)
            {
                self.people.insert(message.user.clone());
                self.shared.lookups.want(Lookup::Person(message.user.clone()));
            }
        }
        Ok(())
    }

    /// A channel nobody told us of is one we are in, or nothing of it would be delivered. Until it is looked up
    /// it counts as private (DESIGN A). What an event says in passing is believed where it closes a channel, never
    /// where it opens one.
    async fn meet_channel(&mut self, glimpse: &ChannelHint) -> Result<(), LiveError> {
        let is_met = self.channels.contains(&glimpse.id);
        let stored = if is_met { None } else { self.shared.store.channel(&glimpse.id).await? };
        // Of some it was learnt beside the events that they are there.
        if is_met || stored.as_ref().is_some_and(|channel| channel.kind != ChannelKind::Unknown) {
            if glimpse.external && self.take_for_external(&glimpse.id).await? {
                self.doubt(&glimpse.id).await?;
            }
            self.channels.insert(glimpse.id.clone());
            return Ok(());
        }
        let kind = if glimpse.kind == ChannelKind::Public { ChannelKind::Unknown } else { glimpse.kind };
        let name = stored.map_or_else(|| glimpse.id.to_string(), |channel| channel.name);
        self.apply_channel(Channel { id: glimpse.id.clone(), name, kind, external: true }).await?;
        self.shared.store.join_channel(&glimpse.id, self.shared.backfill_from()).await?;
        self.shared.bells.gaps.notify_one();
        self.doubt(&glimpse.id).await?;
        self.channels.insert(glimpse.id.clone());
        Ok(())
    }

    /// A channel that is shared by what was heard of it: true when that is news.
    async fn take_for_external(&self, id: &ChannelId) -> Result<bool, LiveError> {
        let channel = self.shared.store.channel(id).await?.filter(|channel| !channel.external);
        let is_news = channel.is_some();
        if let Some(channel) = channel {
            self.apply_channel(Channel { external: true, ..channel }).await?;
        }
        Ok(is_news)
    }

    /// What is stored of a channel may not hold any more: it sees itself only, and is seen by no other, until it
    /// has been looked up.
    async fn doubt(&self, id: &ChannelId) -> Result<(), LiveError> {
        self.shared.store.doubt(std::slice::from_ref(id), self.shared.clock.now()).await?;
        self.shared.lookups.want(Lookup::Channel(id.clone()));
        Ok(())
    }

    /// Shows what was said in a channel nowhere else until it has been looked up.
    async fn close(&self, id: &ChannelId) -> Result<(), LiveError> {
        let Some(channel) = self.shared.store.channel(id).await? else { return Ok(()) };
        self.apply_channel(Channel { kind: ChannelKind::Unknown, ..channel }).await
    }

    async fn apply_channel(&self, channel: Channel) -> Result<(), LiveError> {
        self.apply(vec![Event::Channel(channel)]).await?;
        Ok(())
    }

    async fn apply(&self, events: Vec<Event>) -> Result<Arrived, StoreError> {
        let RunContext { store, attention, clock, .. } = &*self.shared;
        store.apply_live(events, attention, clock.now()).await
    }

    /// Stores what was heard, all at once if the database takes it, else one by one; what it never takes is
    /// kept in its raw form. While it takes nothing at all this does not return, unless the run is to end: then
    /// it is none.
    async fn store(&self, deliveries: &[Delivery], heard: Vec<DeliveryContent>) -> Option<Arrived> {
        let events: Vec<Event> = heard.iter().flat_map(|one| one.events.iter().cloned()).collect();
        for attempt in 1..=TRIES {
            match self.apply(events.clone()).await {
                Ok(arrived) => return Some(arrived),
                Err(error) => tracing::warn!(%error, attempt, "a batch was not stored"),
            }
            self.shared.pause(BETWEEN).await;
        }
        let mut all = Arrived::default();
        for (delivery, one) in deliveries.iter().zip(heard) {
            let arrived = match self.apply(one.events).await {
                Ok(arrived) => arrived,
                Err(error) => self.keep_raw(delivery, &error).await?,
            };
            all.channels.extend(arrived.channels);
            all.places.extend(arrived.places);
        }
        Some(all)
    }

    async fn keep_raw(&self, delivery: &Delivery, error: &StoreError) -> Option<Arrived> {
        let key = match &delivery.envelope {
            Some(envelope) => format!("envelope/{}", envelope.id()),
            None => format!("delivery/{}", delivery.received),
        };
        let event = Event::Unread { key, raw: delivery.raw.to_string(), error: error.to_string() };
        loop {
            match self.apply(vec![event.clone()]).await {
                Ok(arrived) => return Some(arrived),
                Err(error) => {
                    tracing::error!(%error, "the database takes nothing; nothing is acknowledged");
                    self.shared.standing.trouble(format!("the database takes nothing: {error}"));
                }
            }
            if !self.shared.pause(DATABASE_DOWN).await {
                return None;
            }
        }
    }
}
