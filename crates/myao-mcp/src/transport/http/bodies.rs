//! The body of a request: how long it is, how long it takes, and whether it is a message.

use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, StatusCode, header},
};
use myao_core::ports::Clock;

use super::{refusal::HttpRefusal, settings::HttpLimits};
use crate::transport::{
    envelope::{Malformed, MessageEnvelope},
    work::wait,
};

/// A message that was sent.
pub(super) struct PostedMessage {
    pub(super) text: Bytes,
    pub(super) envelope: MessageEnvelope,
}

/// Reads the body of a POST.
pub(super) async fn read_message(
    limits: &HttpLimits,
    clock: &dyn Clock,
    headers: &HeaderMap,
    body: Body,
) -> Result<PostedMessage, HttpRefusal> {
    let too_long = || HttpRefusal::by_status(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long");
    let told = headers.get(header::CONTENT_LENGTH).and_then(|told| told.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > limits.body_bytes) {
        return Err(too_long());
    }
    let text = tokio::select! {
        biased;
        text = to_bytes(body, limits.body_bytes) => text.map_err(|_too_long_or_broken_off| too_long())?,
        () = wait(clock, limits.body_within) => {
            let words = "the message took too long to arrive";
            return Err(HttpRefusal::by_status(StatusCode::REQUEST_TIMEOUT, words));
        }
    };
    match MessageEnvelope::read(&text) {
        Ok(envelope) => Ok(PostedMessage { text, envelope }),
        Err(Malformed { error, id }) => Err(HttpRefusal::of(StatusCode::BAD_REQUEST, *error).under(id)),
    }
}
