//! Delivers events in envelopes. It chooses the socket, takes acknowledgements, and sends events again.

mod envelope;

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use tokio::sync::mpsc::UnboundedSender;

use super::{rules::Rule, seen::Ack};

pub(super) use envelope::{disconnect_frame, hello_frame};

/// The most sockets of an app (docs.slack.dev, "Using Socket Mode").
pub(super) const MOST_SOCKETS: usize = 10;
/// How long an acknowledgement may take.
pub(super) const ACKNOWLEDGE_WITHIN: Duration = Duration::from_secs(3);
/// How many times an event is sent again.
const MOST_RETRIES: u8 = 3;
/// The reason of a retry: nobody acknowledged the event.
const TIMEOUT: &str = "timeout";
/// The reason of a retry: the event's socket is gone, or there was none.
const NO_CONNECTION: &str = "connection_failed";

/// What a socket's writer sends.
#[derive(Debug)]
pub(super) enum Frame {
    /// Send this text.
    Text(String),
    /// Send a WebSocket ping.
    Ping,
    /// Close the connection properly, with a close frame.
    Close,
}

/// What a test does to a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SocketOrder {
    /// Neither send nor read, and keep the connection.
    Freeze,
    /// Continue.
    Thaw,
    /// Drop the connection without a close frame.
    Drop,
}

/// An open socket.
pub(super) struct OpenSocket {
    pub(super) id: u64,
    frames: UnboundedSender<Frame>,
    orders: UnboundedSender<SocketOrder>,
    /// Whether the socket gets no more events.
    closing: bool,
    frozen: bool,
    /// The frames to write when the socket thaws.
    held: Vec<Frame>,
    /// Whether the test ever froze or dropped the socket. If so, a late acknowledgement is not the client's fault.
    was_frozen: bool,
}

impl OpenSocket {
    pub(super) fn new(id: u64, frames: UnboundedSender<Frame>, orders: UnboundedSender<SocketOrder>) -> Self {
        Self { id, frames, orders, closing: false, frozen: false, held: Vec::new(), was_frozen: false }
    }

    /// Sends a frame. A socket that has just broken accepts none. It will soon be removed, and its events are then sent
    /// to another socket.
    pub(super) fn send(&mut self, frame: Frame) {
        if self.frozen {
            self.held.push(frame);
        } else {
            self.closing |= self.frames.send(frame).is_err();
        }
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.frozen
    }

    pub(super) fn order(&mut self, order: SocketOrder) {
        (self.frozen, self.was_frozen) =
            (order == SocketOrder::Freeze, self.was_frozen || order != SocketOrder::Thaw);
        self.closing |= self.orders.send(order).is_err();
        if order == SocketOrder::Thaw {
            for frame in std::mem::take(&mut self.held) {
                self.send(frame);
            }
        }
    }
}

/// An event that nobody acknowledged yet.
struct Waiting {
    event_id: String,
    payload: String,
    attempt: u8,
    reason: &'static str,
    /// The socket that it was sent on, and when.
    sent: Option<(u64, Instant)>,
}

/// An envelope that was sent.
struct SentEnvelope {
    event: u64,
    /// The socket of the last sending, and when that was.
    socket: u64,
    sent: Instant,
    /// How many acknowledgements are still to come: one for each time that it was sent.
    owed: usize,
    /// Whether the acknowledgement may carry a payload.
    takes_payload: bool,
}

/// Under which id a text may be acknowledged, and how.
pub(super) struct AcknowledgedUnder {
    pub(super) envelope: String,
    pub(super) takes_payload: bool,
}

/// All sockets, and all events that are not acknowledged.
#[derive(Default)]
pub(super) struct Deliveries {
    pub(super) sockets: Vec<OpenSocket>,
    /// How many events were given up.
    pub(super) lost: usize,
    /// How many sockets were ever opened. Before the first one, no event is kept.
    pub(super) opened: usize,
    /// Whether the next event is sent twice.
    pub(super) duplicate_next: bool,
    /// How many of the next events are collected, to send them in reverse order.
    pub(super) reorder_next: usize,
    held: Vec<u64>,
    turn: usize,
    numbers: u64,
    waiting: BTreeMap<u64, Waiting>,
    envelopes: HashMap<String, SentEnvelope>,
}

impl Deliveries {
    pub(super) fn unacknowledged(&self) -> usize {
        self.waiting.len()
    }

    /// Sends an event, or keeps it for the next socket.
    pub(super) fn send(&mut self, event_id: String, payload: String) {
        if self.opened == 0 {
            return;
        }
        let number = self.number();
        let reason = "";
        self.waiting.insert(number, Waiting { event_id, payload, attempt: 0, reason, sent: None });
        if self.reorder_next > 0 {
            self.held.push(number);
            if self.held.len() < self.reorder_next {
                return;
            }
            self.reorder_next = 0;
            std::mem::take(&mut self.held).into_iter().rev().for_each(|held| self.deliver(held));
            return;
        }
        self.deliver(number);
        if std::mem::take(&mut self.duplicate_next) {
            self.deliver(number);
        }
    }

    /// Sends a text once, which is not sent again. It is the test's, or an interaction. Returns whether there was a socket
    /// to send it on.
    pub(super) fn send_once(&mut self, text: String, envelope: Option<AcknowledgedUnder>) -> bool {
        let Some(socket) = self.next_socket() else { return false };
        let id = socket.id;
        socket.send(Frame::Text(text));
        if let Some(AcknowledgedUnder { envelope, takes_payload }) = envelope {
            let event = self.number();
            let sent = Instant::now();
            let new = SentEnvelope { event, socket: id, sent, owed: 0, takes_payload };
            let known = self.envelopes.entry(envelope).or_insert(new);
            (known.socket, known.sent, known.owed) = (id, sent, known.owed + 1);
        }
        true
    }

    /// Whether the acknowledgement of this envelope may carry a payload.
    pub(super) fn takes_payload(&self, envelope: &str) -> bool {
        self.envelopes.get(envelope).is_some_and(|sent| sent.takes_payload)
    }

    /// A new id of an envelope.
    pub(super) fn new_envelope(&mut self) -> String {
        let number = self.number();
        format!("fa4e{:04x}-0000-4000-8000-{number:012x}", number % 0x1_0000)
    }

    /// Adds a socket and sends it the events that wait for one.
    pub(super) fn open(&mut self, socket: OpenSocket) {
        self.opened += 1;
        self.sockets.push(socket);
        let stranded =
            self.waiting.iter().filter(|(number, event)| event.sent.is_none() && !self.held.contains(number));
        let stranded: Vec<u64> = stranded.map(|(number, _)| *number).collect();
        for number in stranded {
            self.redeliver(number, NO_CONNECTION);
        }
    }

    /// Removes a socket; its unacknowledged events are sent to another one.
    pub(super) fn close(&mut self, id: u64) {
        self.sockets.retain(|socket| socket.id != id);
        let on_it = self.waiting.iter_mut().filter(|(_, event)| event.sent.is_some_and(|(at, _)| at == id));
        let stranded: Vec<u64> = on_it
            .map(|(number, event)| {
                event.sent = None;
                *number
            })
            .collect();
        if self.sockets.iter().any(|socket| !socket.closing) {
            for number in stranded {
                self.redeliver(number, NO_CONNECTION);
            }
        }
    }

    /// Sends those events again that were sent at least this long ago and are not acknowledged.
    pub(super) fn redeliver_unacknowledged(&mut self, at_least: Duration) {
        let due = |event: &Waiting| event.sent.is_some_and(|(_, since)| since.elapsed() >= at_least);
        let late: Vec<u64> = self.waiting.iter().filter(|(_, event)| due(event)).map(|(n, _)| *n).collect();
        for number in late {
            self.redeliver(number, TIMEOUT);
        }
    }

    /// Gives up all unacknowledged events, as Slack does some minutes later.
    pub(super) fn forget_unacknowledged(&mut self) {
        self.lost += self.waiting.len();
        self.waiting.clear();
        self.held.clear();
    }

    /// Takes an acknowledgement. Returns its record, and the rule that it breaks, if it does.
    pub(super) fn acknowledge(&mut self, envelope: &str) -> (Option<Ack>, Option<(Rule, String)>) {
        let Some(sent) = self.envelopes.get_mut(envelope) else {
            return (None, Some((Rule::AcknowledgeOnce, format!("no envelope {envelope} was sent"))));
        };
        let Some(owed) = sent.owed.checked_sub(1) else {
            let what = format!("{envelope} was acknowledged more often than it was sent");
            return (None, Some((Rule::AcknowledgeOnce, what)));
        };
        sent.owed = owed;
        let after = sent.sent.elapsed();
        let socket = sent.socket;
        let event = self.waiting.remove(&sent.event).map(|event| event.event_id).unwrap_or_default();
        let ack = Ack { envelope: envelope.to_owned(), event, after, payload: None };
        // On a socket that the test froze or dropped, the acknowledgement could not come in time.
        let could = self.sockets.iter().any(|open| open.id == socket && !open.was_frozen);
        let late = after > ACKNOWLEDGE_WITHIN && could;
        let complaint = || (Rule::AcknowledgeInTime, format!("{envelope} was acknowledged after {after:?}"));
        (Some(ack), late.then(complaint))
    }

    /// Announces the end of one socket, or of all. After a `warning`, events are still sent to the socket; after any
    /// other reason they are not.
    pub(super) fn announce(&mut self, id: Option<u64>, reason: &str) {
        let told = self.sockets.iter_mut().filter(|socket| id.is_none_or(|id| id == socket.id));
        for socket in told {
            socket.closing |= reason != "warning";
            socket.send(Frame::Text(disconnect_frame(reason)));
        }
    }

    /// Closes a socket properly, with a close frame.
    pub(super) fn hang_up(&mut self, id: u64) {
        for socket in self.sockets.iter_mut().filter(|socket| socket.id == id) {
            socket.closing = true;
            socket.send(Frame::Close);
        }
    }

    fn redeliver(&mut self, number: u64, reason: &'static str) {
        let Some(event) = self.waiting.get_mut(&number) else { return };
        if event.attempt >= MOST_RETRIES {
            self.waiting.remove(&number);
            self.lost += 1;
            return;
        }
        (event.attempt, event.reason) = (event.attempt + 1, reason);
        self.deliver(number);
    }

    fn deliver(&mut self, number: u64) {
        let envelope = format!("fa4e{:04x}-0000-4000-8000-{:012x}", number % 0x1_0000, self.number());
        let Some(event) = self.waiting.get(&number) else { return };
        let text = envelope::events_api(&envelope, &event.payload, event.attempt, event.reason);
        let Some(socket) = self.next_socket() else {
            self.waiting.entry(number).and_modify(|event| event.sent = None);
            return;
        };
        let id = socket.id;
        let sent = Instant::now();
        socket.send(Frame::Text(text));
        self.waiting.entry(number).and_modify(|event| event.sent = Some((id, sent)));
        let sent = SentEnvelope { event: number, socket: id, sent, owed: 1, takes_payload: false };
        self.envelopes.insert(envelope, sent);
    }

    /// The socket for the next event. Open sockets take turns.
    fn next_socket(&mut self) -> Option<&mut OpenSocket> {
        let open: Vec<usize> =
            self.sockets.iter().enumerate().filter(|(_, socket)| !socket.closing).map(|(i, _)| i).collect();
        let turn = self.turn.checked_rem(open.len())?;
        self.turn = turn + 1;
        open.get(turn).and_then(|at| self.sockets.get_mut(*at))
    }

    pub(super) fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}
