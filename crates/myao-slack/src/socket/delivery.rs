//! What arrives by a socket: first a frame as it came, which the socket queues, then what it says, which the caller
//! takes. Reading waits until the caller takes it, so that it holds up no ping.

use jiff::Timestamp;
use myao_core::chat::Event;
use serde_json::{Value, json};

use crate::{
    directory::BotIdentity,
    event::{self, DeliveryContent},
    json,
};

/// What acknowledges one delivery, on the socket that it came by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Envelope {
    pub(super) socket: u64,
    pub(super) id: String,
}

impl Envelope {
    /// Slack's id of it.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Something that arrived, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// What to acknowledge once it is stored; `None` if it came without an id.
    pub envelope: Option<Envelope>,
    /// How often it was delivered before; 0 the first time.
    pub retry_attempt: u64,
    /// Slack's reason for delivering it again.
    pub retry_reason: Option<String>,
    /// When it arrived.
    pub received: Timestamp,
    /// What it says.
    pub content: DeliveryContent,
    /// What it was read from.
    raw: Value,
}

impl Delivery {
    /// The event that keeps the text of it as it came, for an archive that does not take what was read. `error` says
    /// why not.
    pub fn to_unread(&self, error: String) -> Event {
        let key = match &self.envelope {
            Some(envelope) => format!("envelope/{}", envelope.id()),
            None => format!("delivery/{}", self.received),
        };
        Event::Unread { key, raw: self.raw.to_string(), error }
    }
}

/// A frame that arrived and was not read yet.
#[derive(Debug)]
pub(super) struct RawDelivery {
    envelope: Option<Envelope>,
    /// Slack's name of its kind: `events_api`, …; `frame` for a frame that was no JSON object.
    kind: String,
    retry_attempt: u64,
    retry_reason: Option<String>,
    received: Timestamp,
    /// The payload as it came; `{frame, key}` with the text of a frame that was no JSON object.
    raw: Value,
}

impl RawDelivery {
    /// The delivery in a frame of a socket, given by number.
    pub(super) fn of_frame(mut frame: Value, socket: u64, received: Timestamp) -> Self {
        let id = json::text_of_field(&frame, "envelope_id").map(str::to_owned);
        let kind = json::text_of_field(&frame, "type").unwrap_or("frame").to_owned();
        let retry_attempt = frame.get("retry_attempt").and_then(Value::as_u64).unwrap_or(0);
        let retry_reason = json::text_of_field(&frame, "retry_reason").map(str::to_owned);
        let payload = frame.as_object_mut().and_then(|frame| frame.shift_remove("payload"));
        Self {
            envelope: id.map(|id| Envelope { socket, id }),
            kind,
            retry_attempt,
            retry_reason,
            received,
            raw: payload.unwrap_or(frame),
        }
    }

    /// A frame that was no JSON object, kept under `key`.
    pub(super) fn of_garbled_frame(text: &str, key: &str, received: Timestamp) -> Self {
        Self {
            envelope: None,
            kind: "frame".to_owned(),
            retry_attempt: 0,
            retry_reason: None,
            received,
            raw: json!({ "frame": text, "key": key }),
        }
    }

    /// Reads it. `own` are our own ids.
    pub(super) fn read(self, own: &BotIdentity) -> Delivery {
        let Self { envelope, kind, retry_attempt, retry_reason, received, raw } = self;
        let id = envelope.as_ref().map(Envelope::id);
        let content = event::read_delivery(&kind, id, &raw, own);
        Delivery { envelope, retry_attempt, retry_reason, received, content, raw }
    }
}
