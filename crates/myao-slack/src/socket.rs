//! Socket Mode: Slack's events over a WebSocket that we open (docs.slack.dev/apis/events-api/using-socket-mode).
//!
//! Frames wait in a bounded queue; when they are taken, they are read ([`crate::event`]). Nothing is acknowledged here:
//! the caller that takes a [`Delivery`] stores it and then hands its [`Envelope`] to the [`Acknowledger`], many at once
//! (specification §4). Slack delivers again what is not acknowledged.
//!
//! A socket that is about to end is replaced while it still works: the new one is opened first, and the old one
//! is read until nothing more comes. A socket on which nothing is heard is pinged, and given up when no answer comes.
//! So a [`SocketReport::Lost`] means that nobody listens for a time, and the messages of that time have to be fetched.

mod delivery;
mod link;
mod pump;
mod supervisor;
mod watch;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use tokio::{
    sync::mpsc::{self, UnboundedSender},
    task::JoinSet,
};

use self::delivery::RawDelivery;
pub use self::delivery::{Delivery, Envelope};
use crate::{
    api::{ApiError, Client},
    directory::BotIdentity,
};

/// Most reports that may wait to be taken; while that many wait, the socket is not read.
const MOST_WAITING: usize = 2_048;

/// Timeouts and intervals of a socket, by the clock of the [`Client`].
#[derive(Clone, Copy, Debug)]
pub struct SocketSettings {
    /// How long opening may take: connecting and Slack's greeting together.
    pub opening: Duration,
    /// Silence after which Slack is pinged. Slack itself pings about every ten seconds.
    pub quiet: Duration,
    /// How long the answer to a ping may take.
    pub answer: Duration,
    /// How long before its announced end a socket is replaced.
    pub renewal: Duration,
    /// How long a replaced socket is still read, and how long closing it may take.
    pub drain: Duration,
}

impl Default for SocketSettings {
    fn default() -> Self {
        Self {
            opening: Duration::from_secs(30),
            quiet: Duration::from_secs(30),
            answer: Duration::from_secs(10),
            renewal: Duration::from_mins(1),
            drain: Duration::from_secs(10),
        }
    }
}

/// What a socket reports, in order.
#[derive(Clone, Debug)]
pub enum SocketReport {
    /// A socket is open, again or for the first time. What was said before has to be fetched.
    Connected {
        /// How many sockets the app has open, as Slack counts; each event goes to one of them.
        sockets: Option<u64>,
    },
    /// Something arrived, and was read.
    Delivery(Delivery),
    /// No socket is open; one is being opened.
    Lost {
        /// The last instant at which anything was heard.
        since: Timestamp,
    },
    /// An attempt to connect failed; another one follows.
    Trouble {
        /// Why, in a few words.
        reason: String,
    },
    /// No socket will be opened until a person does something: the last report.
    Fatal(SocketError),
}

/// Why a socket will not be opened again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    /// Slack does not accept the token, or a scope is missing.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Socket Mode was switched off.
    #[error("Socket Mode is switched off in the app's settings")]
    Disabled,
}

/// What waits to be taken, in order.
#[derive(Debug)]
enum QueuedReport {
    /// A delivery that is not read yet.
    Raw(RawDelivery),
    /// Any other report.
    Other(SocketReport),
}

impl QueuedReport {
    fn read(self, own: &BotIdentity) -> SocketReport {
        match self {
            Self::Raw(delivery) => SocketReport::Delivery(delivery.read(own)),
            Self::Other(report) => report,
        }
    }
}

/// Keeps the sockets of one app open until it is dropped.
#[derive(Debug)]
pub struct Socket {
    reports: mpsc::Receiver<QueuedReport>,
    own: BotIdentity,
    acknowledger: Acknowledger,
    pulse: Pulse,
    /// Aborted when this is dropped.
    _tasks: JoinSet<()>,
}

impl Socket {
    /// Starts to connect with the app's token, and keeps a socket open from then on. `own` are the ids by which
    /// deliveries name us. Has to be called within a tokio runtime.
    pub fn open(client: Client, settings: SocketSettings, own: BotIdentity) -> Self {
        let (sender, reports) = mpsc::channel(MOST_WAITING);
        let acknowledger = Acknowledger::default();
        let pulse = Pulse::default();
        let shared = SocketContext {
            client,
            settings,
            reports: sender,
            writers: acknowledger.clone(),
            pulse: pulse.clone(),
        };
        let mut tasks = JoinSet::new();
        tasks.spawn(supervisor::keep_one_open(shared));
        Self { reports, own, acknowledger, pulse, _tasks: tasks }
    }

    /// The next report; `None` after the last.
    pub async fn next(&mut self) -> Option<SocketReport> {
        self.reports.recv().await.map(|report| report.read(&self.own))
    }

    /// Waits for a report and takes up to `most` of those that have come, to be stored together. Empty after the last.
    /// None is lost where this is dropped while it waits.
    pub async fn next_batch(&mut self, most: usize) -> Vec<SocketReport> {
        let mut batch = Vec::new();
        self.reports.recv_many(&mut batch, most).await;
        batch.into_iter().map(|report| report.read(&self.own)).collect()
    }

    /// A handle that acknowledges deliveries.
    pub fn acknowledger(&self) -> Acknowledger {
        self.acknowledger.clone()
    }

    /// A handle that tells when Slack was last heard.
    pub fn pulse(&self) -> Pulse {
        self.pulse.clone()
    }
}

/// Tells Slack which deliveries are stored.
#[derive(Clone, Debug, Default)]
pub struct Acknowledger(Arc<Mutex<HashMap<u64, UnboundedSender<pump::OutgoingFrame>>>>);

impl Acknowledger {
    /// Acknowledges all of these, each on its socket. Returns at once. Deliveries of a socket that is gone are skipped:
    /// Slack delivers them again, and storing them twice changes nothing.
    pub fn acknowledge(&self, envelopes: &[Envelope]) {
        let mut by_socket: HashMap<u64, Vec<String>> = HashMap::new();
        for Envelope { socket, id } in envelopes {
            by_socket.entry(*socket).or_default().push(id.clone());
        }
        let writers = self.writers();
        for (socket, ids) in by_socket {
            let sent = writers.get(&socket).map(|writer| writer.send(pump::OutgoingFrame::Acknowledge(ids)));
            if !matches!(sent, Some(Ok(()))) {
                tracing::debug!(socket, "a socket is gone; Slack delivers its events again");
            }
        }
    }

    /// Acknowledges one, and sends Slack something with that. Slack takes it from some kinds of deliveries only.
    pub fn acknowledge_with(&self, envelope: &Envelope, payload: serde_json::Value) {
        let frame = pump::OutgoingFrame::AcknowledgeWith(envelope.id.clone(), payload);
        let sent = self.writers().get(&envelope.socket).map(|writer| writer.send(frame));
        if !matches!(sent, Some(Ok(()))) {
            tracing::debug!(
                socket = envelope.socket,
                "a socket is gone before its delivery was acknowledged"
            );
        }
    }

    fn writers(&self) -> MutexGuard<'_, HashMap<u64, UnboundedSender<pump::OutgoingFrame>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When Slack was last heard on any socket; every frame counts.
#[derive(Clone, Debug)]
pub struct Pulse(Arc<AtomicI64>);

impl Default for Pulse {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(i64::MIN)))
    }
}

impl Pulse {
    /// The instant; `None` before the first frame.
    pub fn last_heard(&self) -> Option<Timestamp> {
        match self.0.load(Ordering::Relaxed) {
            i64::MIN => None,
            micros => Timestamp::from_microsecond(micros).ok(),
        }
    }

    fn beat(&self, now: Timestamp) {
        // Not the later of the two: a clock that is set back must not make us look alive until it has caught up.
        self.0.store(now.as_microsecond(), Ordering::Relaxed);
    }
}

/// What the tasks of a socket share.
#[derive(Clone)]
struct SocketContext {
    client: Client,
    settings: SocketSettings,
    reports: mpsc::Sender<QueuedReport>,
    writers: Acknowledger,
    pulse: Pulse,
}

impl SocketContext {
    fn now(&self) -> Timestamp {
        self.client.clock().now()
    }

    /// The time that timers go by.
    fn steady(&self) -> Timestamp {
        self.client.clock().steady()
    }

    /// Queues a delivery; false when nobody receives them any more.
    async fn deliver(&self, delivery: RawDelivery) -> bool {
        self.reports.send(QueuedReport::Raw(delivery)).await.is_ok()
    }

    /// Queues any other report; false when nobody receives them any more.
    async fn report(&self, report: SocketReport) -> bool {
        self.reports.send(QueuedReport::Other(report)).await.is_ok()
    }
}
