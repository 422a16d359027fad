//! Makes the HTTP request of a call, for every protocol.

use reqwest::{Client, Response};
use serde_json::Value;

use super::{
    body,
    failure::{CallFailure, RequestContext},
    target::Endpoint,
};

/// Posts a body, and returns what comes back with success.
pub(super) async fn post_body(
    client: &Client,
    target: &Endpoint,
    body: &Value,
    asked: RequestContext<'_>,
    in_pieces: bool,
) -> Result<Response, CallFailure> {
    let url = if in_pieces { target.url_for_pieces() } else { target.url.clone() };
    let mut call = client.post(url).json(body);
    for (name, value) in &target.headers {
        call = call.header(name, value);
    }
    if let Some(parent) = (target.trace_parent)() {
        call = call.header("traceparent", parent);
    }
    let answer = call.send().await.map_err(|e| asked.transport(&e))?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let headers = answer.headers().clone();
    let bytes = body::read_bounded(answer, asked).await?;
    Err(asked.status(status.as_u16(), &headers, &String::from_utf8_lossy(&bytes)))
}
