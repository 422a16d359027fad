//! The body of a request: how long it is, how long it takes, and whether it is a message.

use std::time::Duration;

use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, StatusCode, header},
};
use myao_core::ports::Clock;

use super::{HttpLimits, refusal::Refusal};
use crate::transport::envelope::{Envelope, Malformed};

/// A message that was sent.
pub(super) struct Posted {
    pub(super) text: Bytes,
    pub(super) envelope: Envelope,
}

/// Reads the body of a POST.
pub(super) async fn read_message(
    limits: &HttpLimits,
    clock: &dyn Clock,
    headers: &HeaderMap,
    body: Body,
) -> Result<Posted, Refusal> {
    let too_long = || Refusal::by_status(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long");
    let told = headers.get(header::CONTENT_LENGTH).and_then(|told| told.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > limits.body_bytes) {
        return Err(too_long());
    }
    let text = tokio::select! {
        biased;
        text = to_bytes(body, limits.body_bytes) => text.map_err(|_too_long_or_broken_off| too_long())?,
        () = wait(clock, limits.body_within) => {
            let words = "the message took too long to arrive";
            return Err(Refusal::by_status(StatusCode::REQUEST_TIMEOUT, words));
        }
    };
    match Envelope::read(&text) {
        Ok(envelope) => Ok(Posted { text, envelope }),
        Err(Malformed { error, id }) => Err(Refusal::of(StatusCode::BAD_REQUEST, *error).under(id)),
    }
}

/// Returns after `span`.
pub(super) async fn wait(clock: &dyn Clock, span: Duration) {
    if let Ok(until) = clock.steady().saturating_add(span) {
        clock.sleep_until_steady(until).await;
    }
}
