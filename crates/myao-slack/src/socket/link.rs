//! Opens one WebSocket and waits for Slack's greeting.

use futures::StreamExt;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::instant_after;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{self, Message, protocol::WebSocketConfig},
};

use super::{SocketContext, SocketError};
use crate::{
    api::{ApiError, Method},
    json,
};

/// Most bytes of a frame. A message of Slack's has at most 40,000 characters, but comes with its blocks and its
/// former state.
const MOST_BYTES: usize = 16 << 20;
const BUFFER_BYTES: usize = 64 << 10;

/// An open WebSocket that was greeted.
pub(super) struct SocketLink {
    pub(super) stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// When, in steady time.
    pub(super) opened: Timestamp,
    /// When Slack is going to end it, in steady time; `None` if Slack did not tell.
    pub(super) ends: Option<Timestamp>,
    /// How many sockets the app has open, this one included.
    pub(super) sockets: Option<u64>,
}

/// Why no socket was opened.
pub(super) enum NoLink {
    /// Trying again makes no sense.
    Fatal(SocketError),
    /// Another attempt may succeed, after `seconds` if Slack names them.
    Again { reason: String, seconds: Option<u64> },
}

/// Opens a socket within [`super::SocketSettings::opening`].
pub(super) async fn open_link_in_time(shared: &SocketContext) -> Result<SocketLink, NoLink> {
    let answer = shared.client.call(Method::AppsConnectionsOpen, &[]).await.map_err(NoLink::of_call)?;
    // The address is a secret: whoever has it can listen.
    let Some(address) = json::text_of_field(&answer, "url") else {
        return Err(NoLink::again("Slack gave no address for a socket"));
    };
    let deadline = shared.client.clock().sleep_until(instant_after(shared.now(), shared.settings.opening));
    tokio::select! {
        link = connect_to_address(shared, address) => link,
        () = deadline => Err(NoLink::again("the socket was not opened in time")),
    }
}

async fn connect_to_address(shared: &SocketContext, address: &str) -> Result<SocketLink, NoLink> {
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_message_size(Some(MOST_BYTES))
        .max_frame_size(Some(MOST_BYTES));
    let disable_nagle = true;
    let opened = connect_async_with_config(address, Some(config), disable_nagle).await;
    let (mut stream, _) = opened.map_err(|error| NoLink::again(reason_without_address(&error)))?;
    loop {
        let frame = match stream.next().await {
            None => return Err(NoLink::again("the socket closed before it was greeted")),
            Some(Err(error)) => return Err(NoLink::again(reason_without_address(&error))),
            Some(Ok(frame)) => frame,
        };
        shared.pulse.beat(shared.now());
        let Message::Text(text) = frame else { continue };
        let greeting: Value = serde_json::from_str(&text).unwrap_or_default();
        match json::text_of_field(&greeting, "type") {
            Some("hello") => return Ok(SocketLink::greeted(stream, &greeting, shared.steady())),
            Some("disconnect") => return Err(NoLink::turned_away(&greeting)),
            // A delivery before the greeting is not acknowledged, so it comes again.
            _ => {}
        }
    }
}

impl SocketLink {
    fn greeted(
        stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
        greeting: &Value,
        opened: Timestamp,
    ) -> Self {
        let lasts = greeting.get("debug_info").and_then(|info| info.get("approximate_connection_time"));
        let ends = lasts
            .and_then(Value::as_i64)
            .filter(|seconds| *seconds > 0)
            .and_then(|seconds| opened.checked_add(SignedDuration::from_secs(seconds)).ok());
        Self { stream, opened, ends, sockets: greeting.get("num_connections").and_then(Value::as_u64) }
    }
}

impl NoLink {
    fn of_call(error: ApiError) -> Self {
        match error {
            error @ (ApiError::Denied { .. } | ApiError::MissingScope { .. }) => {
                Self::Fatal(SocketError::Api(error))
            }
            ApiError::Limited { seconds, .. } => {
                Self::Again { reason: error.to_string(), seconds: Some(seconds) }
            }
            ApiError::Refused { .. } | ApiError::Unreachable { .. } | ApiError::Uncertain { .. } => {
                Self::again(error.to_string())
            }
        }
    }

    fn turned_away(farewell: &Value) -> Self {
        if is_disabled(farewell) {
            return Self::Fatal(SocketError::Disabled);
        }
        Self::again("Slack sent the socket away at once")
    }

    fn again(reason: impl Into<String>) -> Self {
        Self::Again { reason: reason.into(), seconds: None }
    }
}

/// Whether a `disconnect` says that there will be no further socket.
pub(super) fn is_disabled(farewell: &Value) -> bool {
    json::text_of_field(farewell, "reason") == Some("link_disabled")
}

/// A socket's error in words, without the address that some of them name.
pub(super) fn reason_without_address(error: &tungstenite::Error) -> String {
    use tungstenite::Error as E;
    match error {
        E::ConnectionClosed | E::AlreadyClosed => "the socket was closed".to_owned(),
        E::Io(error) => format!("the socket broke: {}", error.kind()),
        E::Tls(_) => "no secure connection could be made".to_owned(),
        E::Capacity(_) => "a frame was too long".to_owned(),
        E::Http(answer) => format!("the socket was refused: HTTP {}", answer.status().as_u16()),
        E::Url(tungstenite::error::UrlError::UnableToConnect(_)) => "nobody answers".to_owned(),
        E::Protocol(_) | E::Utf8(_) | E::AttackAttempt => {
            "the other side does not keep to the protocol".to_owned()
        }
        E::WriteBufferFull(_) | E::Url(_) | E::HttpFormat(_) => "the socket could not be used".to_owned(),
    }
}
