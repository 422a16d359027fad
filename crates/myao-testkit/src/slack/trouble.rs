//! Injects faults between the workspace and its client.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use myao_core::chat::MessageTs;
use serde_json::Value;

use super::{
    FakeSlack,
    delivery::{AcknowledgedUnder, Frame, SocketOrder},
    fault::InjectedFault,
    socket::REFRESH_GRACE,
};

/// The reason why Slack ends a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disconnect {
    /// It will end in about ten seconds. Events are still sent to it. The fake leaves the end to the test.
    Warning,
    /// It should be replaced. It gets no more events, and closes after a second.
    RefreshRequested,
    /// Socket Mode was switched off. It closes at once.
    LinkDisabled,
}

impl FakeSlack {
    /// Injects a fault into the next call of `method` for which none is planned yet.
    pub fn fail_next(&self, method: &str, fault: InjectedFault) {
        self.shared.act(|state| state.faults.add(method, fault));
    }

    /// Leaves these messages, and no others, out of histories and threads: Slack lists some only moments after they were
    /// said.
    pub fn list_all_but(&self, unlisted: &[MessageTs]) {
        self.shared.act(|state| state.unlisted = unlisted.iter().copied().collect());
    }

    /// Releases the calls that hang.
    pub fn release(&self) {
        self.shared.releases.send_modify(|releases| *releases += 1);
    }

    /// Refuses new connections, or accepts them again; open connections stay.
    pub fn refuse_connections(&self, refused: bool) {
        self.shared.shut.store(refused, Ordering::Release);
    }

    /// Announces to every open socket that it will end.
    pub fn disconnect(&self, reason: Disconnect) {
        let (word, after) = match reason {
            Disconnect::Warning => ("warning", None),
            Disconnect::RefreshRequested => ("refresh_requested", Some(REFRESH_GRACE)),
            Disconnect::LinkDisabled => ("link_disabled", Some(Duration::ZERO)),
        };
        let told: Vec<u64> = self.shared.act(|state| {
            state.delivery.announce(None, word);
            state.delivery.sockets.iter().map(|socket| socket.id).collect()
        });
        let Some(after) = after else { return };
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            for socket in told {
                shared.act(|state| state.delivery.hang_up(socket));
            }
        });
    }

    /// Makes every open socket half-open: its connection stays, but nothing is sent or read. Slack does not notice, and
    /// goes on choosing these sockets for events.
    pub fn freeze_sockets(&self) {
        self.order(SocketOrder::Freeze);
    }

    /// Lets frozen sockets go on where they stopped.
    pub fn thaw_sockets(&self) {
        self.order(SocketOrder::Thaw);
    }

    /// Drops every open socket without a close frame.
    pub fn drop_sockets(&self) {
        self.order(SocketOrder::Drop);
    }

    /// Drops the frozen sockets, as if Slack had noticed that they are dead. Their events are sent to other sockets.
    /// When a client closes a frozen socket, Slack does not notice: a half-open connection carries nothing in either
    /// direction.
    pub fn drop_frozen_sockets(&self) {
        self.shared.act(|state| {
            for socket in state.delivery.sockets.iter_mut().filter(|socket| socket.is_frozen()) {
                socket.order(SocketOrder::Drop);
            }
        });
    }

    fn order(&self, order: SocketOrder) {
        self.shared.act(|state| {
            for socket in &mut state.delivery.sockets {
                socket.order(order);
            }
        });
    }

    /// Makes every open socket send a ping now.
    pub fn ping_sockets(&self) {
        self.shared.act(|state| {
            for socket in &mut state.delivery.sockets {
                socket.send(Frame::Ping);
            }
        });
    }

    /// Sends unacknowledged events again now, to any open socket. After three retries they are given up.
    pub fn redeliver_unacknowledged(&self) {
        self.shared.act(|state| state.delivery.redeliver_unacknowledged(Duration::ZERO));
    }

    /// Gives up unacknowledged events, as Slack does after some minutes.
    pub fn forget_unacknowledged(&self) {
        self.shared.act(|state| state.delivery.forget_unacknowledged());
    }

    /// Sends the next event twice, in two envelopes.
    pub fn duplicate_next_event(&self) {
        self.shared.act(|state| state.delivery.duplicate_next = true);
    }

    /// Keeps the next `count` events until all have happened, then sends them in reverse order.
    pub fn reorder(&self, count: usize) {
        self.shared.act(|state| state.delivery.reorder_next = count);
    }

    /// Sends any event in a proper envelope, for example one of an unknown type, for an unknown channel, or of a wrong
    /// shape.
    pub fn send_event(&self, event: &Value) {
        self.shared.act(|state| state.emit(event));
    }

    /// Sends any text to one socket. If it is an object with an `envelope_id`, the client may acknowledge that
    /// envelope.
    pub fn send_raw(&self, text: &str) {
        let parsed: Option<Value> = serde_json::from_str(text).ok();
        let field = |key: &str| parsed.as_ref().and_then(|value| value.get(key));
        let takes_payload = field("accepts_response_payload").and_then(Value::as_bool).unwrap_or_default();
        let envelope = field("envelope_id").and_then(Value::as_str);
        let envelope = envelope.map(|id| AcknowledgedUnder { envelope: id.to_owned(), takes_payload });
        self.shared.act(|state| state.delivery.send_once(text.to_owned(), envelope));
    }
}
