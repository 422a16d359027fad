//! Reads one socket to its end, and writes acknowledgements and pings to it.

use futures::{
    Sink, SinkExt, Stream, StreamExt,
    future::{self, Either},
};
use jiff::Timestamp;
use myao_core::ports::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::{
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    watch,
};
use tokio_tungstenite::tungstenite::{self, Message};

use super::{
    SocketContext,
    delivery::RawDelivery,
    link::{self, SocketLink},
    watch::{SocketWatch, WatchAction},
};
use crate::json;

/// Requests to the supervisor that may wait; each kind is sent once or twice.
pub(super) const MOST_TURNS: usize = 4;
/// Items taken from the queue before the socket is flushed.
const MOST_WRITTEN_TOGETHER: usize = 256;

/// What a socket asks of the supervisor.
pub(super) enum SupervisorRequest {
    /// It is about to end and has to be replaced.
    Replace,
    /// Socket Mode was switched off.
    Disabled,
}

/// What is written to a socket. There are never more acknowledgements than deliveries, so the queue needs no bound.
#[derive(Debug)]
pub(super) enum OutgoingFrame {
    /// Acknowledges the envelopes of these ids.
    Acknowledge(Vec<String>),
    /// Acknowledges the envelope of this id, with a payload.
    AcknowledgeWith(String, Value),
    /// Asks whether the other side is there.
    Ping,
    /// Closes the socket.
    Close,
}

/// Reads and writes until the socket ends, no matter which side ends it.
pub(super) async fn pump_until_end(
    shared: SocketContext,
    id: u64,
    link: SocketLink,
    turns: mpsc::Sender<SupervisorRequest>,
    replaced: watch::Receiver<bool>,
) {
    let (out, to_write) = mpsc::unbounded_channel();
    shared.writers.writers().insert(id, out.clone());
    let (sink, stream) = link.stream.split();
    let now = shared.steady();
    let reader = SocketReader {
        watch: SocketWatch::begin(&shared, link.ends, now),
        shared: shared.clone(),
        id,
        frames: 0,
        opened: link.opened,
        turns,
        replaced,
        out,
    };
    let reading = std::pin::pin!(reader.read(stream));
    let writing = std::pin::pin!(write_queued_frames(sink, to_write));
    let reason = match future::select(reading, writing).await {
        Either::Left((reason, _)) => reason,
        Either::Right((Err(error), _)) => link::reason_without_address(&error),
        Either::Right((Ok(()), reading)) => reading.await,
    };
    shared.writers.writers().remove(&id);
    tracing::debug!(socket = id, %reason, "a socket ended");
}

/// Writes queued frames in batches; ends after closing the socket.
async fn write_queued_frames(
    mut sink: impl Sink<Message, Error = tungstenite::Error> + Unpin,
    mut to_write: UnboundedReceiver<OutgoingFrame>,
) -> Result<(), tungstenite::Error> {
    let mut batch = Vec::new();
    while to_write.recv_many(&mut batch, MOST_WRITTEN_TOGETHER).await > 0 {
        for out in batch.drain(..) {
            match out {
                OutgoingFrame::Acknowledge(ids) => {
                    for id in ids {
                        sink.feed(Message::text(json!({ "envelope_id": id }).to_string())).await?;
                    }
                }
                OutgoingFrame::AcknowledgeWith(id, payload) => {
                    let frame = json!({ "envelope_id": id, "payload": payload });
                    sink.feed(Message::text(frame.to_string())).await?;
                }
                OutgoingFrame::Ping => sink.feed(Message::Ping(tungstenite::Bytes::new())).await?,
                OutgoingFrame::Close => return sink.close().await,
            }
        }
        sink.flush().await?;
    }
    Ok(())
}

struct SocketReader {
    shared: SocketContext,
    id: u64,
    opened: Timestamp,
    /// How many frames were no JSON objects.
    frames: u64,
    watch: SocketWatch,
    turns: mpsc::Sender<SupervisorRequest>,
    replaced: watch::Receiver<bool>,
    out: UnboundedSender<OutgoingFrame>,
}

impl SocketReader {
    /// Reads to the end, and returns the reason for it.
    async fn read(
        mut self,
        mut stream: impl Stream<Item = Result<Message, tungstenite::Error>> + Unpin,
    ) -> String {
        let mut timer = self.timer();
        let mut replaced = self.replaced.clone();
        loop {
            tokio::select! {
                frame = stream.next() => {
                    let frame = match frame {
                        None => return "it was closed".to_owned(),
                        Some(Err(error)) => return link::reason_without_address(&error),
                        Some(Ok(frame)) => frame,
                    };
                    self.shared.pulse.beat(self.shared.now());
                    if !self.take_frame(frame).await {
                        return "nobody listens".to_owned();
                    }
                    // Taking may have waited for a full queue, which does not mean that Slack was silent.
                    self.watch.note_frame_heard(self.shared.steady());
                }
                () = &mut timer => {
                    if let Some(reason) = self.look_what_is_due().await {
                        return reason;
                    }
                    timer = self.timer();
                }
                Ok(()) = replaced.changed() => {
                    self.watch.note_replacement(self.shared.steady());
                    timer = self.timer();
                }
            }
        }
    }

    fn timer(&self) -> BoxFuture<'static, ()> {
        self.shared.client.clock().sleep_until_steady(self.watch.next())
    }

    /// Does what is due; returns a reason to end, if there is one.
    async fn look_what_is_due(&mut self) -> Option<String> {
        let out = match self.watch.due(self.shared.steady()) {
            WatchAction::Nothing => return None,
            WatchAction::Ask => OutgoingFrame::Ping,
            WatchAction::Farewell => OutgoingFrame::Close,
            WatchAction::Renewal => {
                self.request_turn(SupervisorRequest::Replace).await;
                return None;
            }
            WatchAction::End(reason) => return Some(reason.to_owned()),
        };
        // When the writer has ended, so does the reader.
        self.out.send(out).is_err().then(|| "it cannot be written to".to_owned())
    }

    /// Takes one frame; false when nobody takes the reports any more.
    async fn take_frame(&mut self, frame: Message) -> bool {
        let text = match &frame {
            Message::Text(text) => text.as_str(),
            Message::Binary(bytes) => &String::from_utf8_lossy(bytes),
            // The library answers these.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => return true,
        };
        let frame = json::parse(text.as_bytes()).ok().filter(Value::is_object);
        let received = self.shared.now();
        let Some(frame) = frame else {
            let key = self.next_garbled_key();
            return self.shared.deliver(RawDelivery::of_garbled_frame(text, &key, received)).await;
        };
        match json::text_of_field(&frame, "type") {
            Some("hello") => true,
            Some("disconnect") if link::is_disabled(&frame) => {
                self.request_turn(SupervisorRequest::Disabled).await
            }
            Some("disconnect") => self.request_turn(SupervisorRequest::Replace).await,
            _ => self.shared.deliver(RawDelivery::of_frame(frame, self.id, received)).await,
        }
    }

    /// Sends a request to the supervisor, unless it has moved on to another socket.
    async fn request_turn(&self, turn: SupervisorRequest) -> bool {
        *self.replaced.borrow() || self.turns.send(turn).await.is_ok()
    }

    /// The key of the next frame that is no JSON object.
    fn next_garbled_key(&mut self) -> String {
        self.frames += 1;
        format!("frame/{}/{}", self.opened.as_microsecond(), self.frames)
    }
}
