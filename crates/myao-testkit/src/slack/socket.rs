//! Socket Mode: one task for each socket.

use std::{pin::pin, sync::Arc, time::Duration};

use axum::{
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};
use futures::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde_json::{Map, Value};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    time::{Instant, MissedTickBehavior, interval_at, sleep},
};
use url::form_urlencoded;

use super::{
    delivery::{self, Frame, MOST_SOCKETS, OpenSocket, SocketOrder},
    rules::Rule,
    seen::Ack,
    state::SharedState,
};

/// How long before the end of a socket's life the warning comes.
const WARNING: Duration = Duration::from_secs(10);
/// How long a socket that asks to be refreshed stays open.
pub(super) const REFRESH_GRACE: Duration = Duration::from_secs(1);
/// How long a socket lives when its URL asks for `debug_reconnects`.
const DEBUG_LIFE: Duration = Duration::from_mins(6);
/// Under which name it is kept what acknowledgements have drawn.
const ACKNOWLEDGEMENT: &str = "acknowledgement";
/// The most frames that are written before a flush.
const MOST_FRAMES: usize = 64;

/// Opens a socket for a ticket.
pub(super) async fn open_with_ticket(
    State(shared): State<Arc<SharedState>>,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let query = uri.query().unwrap_or_default();
    let asked = |key: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
    };
    let ticket = asked("ticket").unwrap_or_default();
    let is_good = shared.act(|state| {
        let is_good = state.tickets.remove(&ticket);
        if !is_good {
            state
                .rules
                .complain(Rule::TicketOnce, "a socket URL was used that is used up or was never given");
        }
        is_good
    });
    let debugs = asked("debug_reconnects").as_deref() == Some("true");
    match upgrade {
        Err(rejection) => rejection.into_response(),
        Ok(_) if !is_good => StatusCode::FORBIDDEN.into_response(),
        Ok(upgrade) => upgrade.on_upgrade(move |socket| run_until_end(shared, socket, debugs)),
    }
}

async fn run_until_end(shared: Arc<SharedState>, mut socket: WebSocket, debugs: bool) {
    let (frames, to_write) = mpsc::unbounded_channel();
    let (orders, mut ordered) = mpsc::unbounded_channel();
    let opened = shared.act(|state| {
        if state.delivery.sockets.len() >= MOST_SOCKETS {
            state.rules.complain(Rule::SocketCount, format!("more than {MOST_SOCKETS} sockets at once"));
            return None;
        }
        let life = if debugs { DEBUG_LIFE.min(state.socket_life) } else { state.socket_life };
        let id = state.delivery.number();
        let hello = delivery::hello_frame(state.delivery.sockets.len() + 1, life.as_secs());
        // This cannot fail, since the receiver is still here.
        drop(frames.send(Frame::Text(hello)));
        state.delivery.open(OpenSocket::new(id, frames, orders));
        Some((id, life, state.ping_every))
    });
    let Some((id, life, ping_every)) = opened else {
        // If this fails, the connection ends all the same.
        drop(socket.send(Message::text(delivery::disconnect_frame("too_many_websockets"))).await);
        return;
    };
    let (sink, stream) = socket.split();
    let traffic = async {
        tokio::select! {
            () = write_frames(sink, to_write, ping_every) => {}
            () = read_acknowledgements(&shared, stream) => {}
            () = end_after_life(&shared, id, life) => {}
        }
    };
    let mut traffic = pin!(traffic);
    let mut frozen = false;
    loop {
        tokio::select! {
            biased; // a frozen socket reads nothing more, though there be something to read
            order = ordered.recv() => match order {
                Some(SocketOrder::Freeze) => frozen = true,
                Some(SocketOrder::Thaw) => frozen = false,
                Some(SocketOrder::Drop) | None => break,
            },
            () = &mut traffic, if !frozen => break,
        }
    }
    shared.act(|state| state.delivery.close(id));
}

/// Writes the frames that come, and a ping at intervals. Returns when the socket is to be closed, or is broken.
async fn write_frames(
    mut sink: SplitSink<WebSocket, Message>,
    mut frames: UnboundedReceiver<Frame>,
    ping_every: Duration,
) {
    let mut pings = interval_at(Instant::now() + ping_every, ping_every);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut batch = Vec::with_capacity(MOST_FRAMES);
    loop {
        let count = tokio::select! {
            count = frames.recv_many(&mut batch, MOST_FRAMES) => count,
            _ = pings.tick() => { batch.push(Frame::Ping); 1 }
        };
        if count == 0 {
            return;
        }
        for frame in batch.drain(..) {
            let written = match frame {
                Frame::Text(text) => sink.feed(Message::text(text)).await,
                Frame::Ping => sink.feed(Message::Ping("Ping from applink-fake-1".into())).await,
                Frame::Close => {
                    // If this fails, the connection ends all the same.
                    drop(sink.send(Message::Close(None)).await);
                    return;
                }
            };
            if written.is_err() {
                return;
            }
        }
        if sink.flush().await.is_err() {
            return;
        }
    }
}

/// Reads acknowledgements until the socket ends.
async fn read_acknowledgements(shared: &SharedState, mut stream: SplitStream<WebSocket>) {
    while let Some(Ok(message)) = stream.next().await {
        match message {
            Message::Text(text) => take_text(shared, text.as_str()),
            Message::Binary(_) => {
                shared.act(|state| state.rules.complain(Rule::FrameForm, "a binary frame came"));
            }
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return,
        }
    }
}

fn take_text(shared: &SharedState, text: &str) {
    let parsed: Option<Value> = serde_json::from_str(text).ok();
    let envelope = parsed.as_ref().and_then(|frame| frame.get("envelope_id")).and_then(Value::as_str);
    let payload = parsed.as_ref().and_then(|frame| frame.get("payload"));
    let is_empty = |payload: &Value| payload.is_null() || payload.as_object().is_some_and(Map::is_empty);
    let payload = payload.filter(|payload| !is_empty(payload));
    shared.kept.keep(ACKNOWLEDGEMENT, |key| payload?.get(key).cloned());
    shared.act(|state| {
        let Some(envelope) = envelope else {
            state.rules.complain(Rule::FrameForm, format!("a frame is no acknowledgement: {text}"));
            return;
        };
        if payload.is_some() && !state.delivery.takes_payload(envelope) {
            state.rules.complain(Rule::FrameForm, format!("{envelope} takes no payload, and got one"));
        }
        let (ack, complaint) = state.delivery.acknowledge(envelope);
        if let Some((rule, what)) = complaint {
            state.rules.complain(rule, what);
        }
        if let Some(ack) = ack {
            let ack = Ack { payload: payload.cloned(), ..ack };
            state.interaction_acknowledged(&ack);
            state.seen.acks.push(ack);
        }
    });
}

/// Ends a socket after its life: first a warning, then a request to refresh, then the end.
async fn end_after_life(shared: &SharedState, id: u64, life: Duration) {
    sleep(life.saturating_sub(WARNING)).await;
    shared.act(|state| state.delivery.announce(Some(id), "warning"));
    sleep(life.min(WARNING)).await;
    shared.act(|state| state.delivery.announce(Some(id), "refresh_requested"));
    sleep(REFRESH_GRACE).await;
    shared.act(|state| state.delivery.hang_up(id));
    // The writer sends the close frame and ends the socket.
    std::future::pending::<()>().await;
}
