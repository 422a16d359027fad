//! Reads lines, and hands on those that are messages.

use std::io;

use axum::http::StatusCode;
use rmcp::model::{
    CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode,
    ErrorData, GetExtensions as _, GetMeta as _, Notification, ProtocolVersion, RequestId,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader},
    sync::mpsc::Sender,
};
use tokio_util::sync::CancellationToken;

use super::{StdioSettings, lines::Outbox};
use crate::transport::{
    envelope::{Malformed, MessageEnvelope},
    work::Admission,
};

/// Reads what a client sends.
pub(super) struct Inbox<W> {
    settings: StdioSettings,
    versions: Vec<ProtocolVersion>,
    outbox: Outbox<W>,
    to_library: Sender<ClientJsonRpcMessage>,
    admission: Admission,
    stop: CancellationToken,
    /// Whether a request has chosen an era. Before that the library ends at anything but a request.
    has_begun: bool,
    /// Streams of notifications that were asked for, and may be open still.
    listening: Vec<RequestId>,
}

/// A line.
enum InputLine {
    Whole(Vec<u8>),
    TooLong,
    End,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Inbox<W> {
    pub(super) fn new(
        settings: StdioSettings,
        versions: Vec<ProtocolVersion>,
        outbox: Outbox<W>,
        to_library: Sender<ClientJsonRpcMessage>,
        stop: CancellationToken,
    ) -> Self {
        let admission = Admission::new(settings.at_work, 0, settings.look_again);
        let listening = Vec::new();
        Self { settings, versions, outbox, to_library, admission, stop, has_begun: false, listening }
    }

    /// Reads until the input ends, or the output cannot be written. Then the library comes to its end by itself.
    pub(super) async fn read(mut self, input: impl AsyncRead + Send + Unpin) {
        let mut input = BufReader::new(input);
        let stop = self.stop.clone();
        while let Some(line) = stop.run_until_cancelled(next_line(&mut input, self.settings.line_bytes)).await
        {
            let went_on = match line {
                Ok(InputLine::Whole(line)) => self.take(&line).await,
                Ok(InputLine::TooLong) => {
                    let words = format!("a message may have {} bytes", self.settings.line_bytes);
                    self.refuse(ErrorData::invalid_request(words, None), None).await
                }
                Ok(InputLine::End) => None,
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    None
                }
            };
            if went_on.is_none() {
                break;
            }
        }
        self.end_streams().await;
    }

    /// Hands a line on. `None` when there is nobody left to hand it to.
    async fn take(&mut self, line: &[u8]) -> Option<()> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Some(());
        }
        let asked = match MessageEnvelope::read(line) {
            Ok(MessageEnvelope::Request { id, .. }) => Some(id),
            Ok(MessageEnvelope::NoAnswer) => None,
            Err(Malformed { error, id }) => return self.refuse(*error, id).await,
        };
        let Ok(mut message) = serde_json::from_slice::<ClientJsonRpcMessage>(line) else {
            return self.refuse(ErrorData::invalid_request("this is no message", None), asked).await;
        };
        match &mut message {
            ClientJsonRpcMessage::Request(request) => {
                let id = request.id.clone();
                let token = match self.settings.agent.now().await {
                    Ok(Some(token)) => token,
                    Ok(None) => return self.refuse(refusal(StatusCode::UNAUTHORIZED), Some(id)).await,
                    Err(_cannot_tell) => {
                        return self.refuse(refusal(StatusCode::SERVICE_UNAVAILABLE), Some(id)).await;
                    }
                };
                self.has_begun |= chooses_era(&mut request.request, &self.versions);
                let extensions = request.request.extensions_mut();
                extensions.insert(token);
                if matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
                    self.listening.push(id);
                } else {
                    let permit = self.admission.enter_patiently(&self.stop).await?;
                    request.request.extensions_mut().insert(permit);
                }
            }
            ClientJsonRpcMessage::Notification(_)
            | ClientJsonRpcMessage::Response(_)
            | ClientJsonRpcMessage::Error(_)
                if !self.has_begun =>
            {
                return Some(());
            }
            ClientJsonRpcMessage::Notification(_)
            | ClientJsonRpcMessage::Response(_)
            | ClientJsonRpcMessage::Error(_) => {}
        }
        self.to_library.send(message).await.ok()
    }

    async fn refuse(&self, error: ErrorData, id: Option<RequestId>) -> Option<()> {
        self.outbox.refuse(error, id).await.ok()
    }

    /// Ends streams of notifications as a client would: the library waits some seconds for requests that are not
    /// answered yet, and these would never be.
    async fn end_streams(&mut self) {
        for request_id in std::mem::take(&mut self.listening) {
            let params =
                CancelledNotificationParam::new(Some(request_id), Some("the input ended".to_owned()));
            let ended = ClientNotification::CancelledNotification(Notification::new(params));
            if self.to_library.send(ClientJsonRpcMessage::notification(ended)).await.is_err() {
                return;
            }
        }
    }
}

/// Whether the library begins to serve with this request, in the older era or in the newer one. After any other it waits
/// for one that does.
fn chooses_era(request: &mut ClientRequest, versions: &[ProtocolVersion]) -> bool {
    if matches!(request, ClientRequest::InitializeRequest(_)) {
        return true;
    }
    if matches!(request, ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_)) {
        return false;
    }
    let meta = request.get_meta_mut();
    let is_whole = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
    is_whole && meta.protocol_version().is_some_and(|version| versions.contains(&version))
}

fn refusal(status: StatusCode) -> ErrorData {
    let words = match status {
        StatusCode::UNAUTHORIZED => "the token is not valid any more",
        _ => "tokens cannot be looked up now: try again",
    };
    ErrorData::new(ErrorCode(i32::from(status.as_u16())), words, None)
}

/// Reads a line. Of one that is too long nothing is kept.
async fn next_line(input: &mut BufReader<impl AsyncRead + Unpin>, longest: usize) -> io::Result<InputLine> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let read = input.fill_buf().await?;
        if read.is_empty() {
            return Ok(if line.is_empty() { InputLine::End } else { InputLine::Whole(line) });
        }
        let end = read.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(read.len(), |end| end.saturating_add(1));
        if line.len().saturating_add(taken) > longest {
            is_too_long = true;
            line.clear();
        }
        if !is_too_long {
            line.extend_from_slice(read.get(..taken).unwrap_or_default());
        }
        input.consume(taken);
        match (end, is_too_long) {
            (None, _) => {}
            (Some(_), true) => return Ok(InputLine::TooLong),
            (Some(_), false) => return Ok(InputLine::Whole(line)),
        }
    }
}
