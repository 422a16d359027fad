//! Makes the HTTP request of a call and reads its answer as JSON, for every protocol.

use myao_core::text::parse_json;
use reqwest::{Client, Response, header::CONTENT_TYPE};
use serde_json::Value;

use super::{
    failure::{CallFailure, RequestContext},
    target::Endpoint,
};

/// Most bytes of an answer: hundreds of times what an answer has, with thoughts and a repeated schema. A longer one
/// would fill the memory.
const MOST_BYTES: usize = 4 << 20;

/// Posts a body and returns the answer.
pub(super) async fn post_body(
    client: &Client,
    target: &Endpoint,
    body: &Value,
    asked: RequestContext<'_>,
) -> Result<Value, CallFailure> {
    let mut call = client.post(target.url.clone()).json(body);
    for (name, value) in &target.headers {
        call = call.header(name, value);
    }
    let answer = call.send().await.map_err(|e| asked.transport(&e))?;
    let status = answer.status();
    let headers = answer.headers().clone();
    let bytes = read_bounded_body(answer, asked).await?;
    if !status.is_success() {
        return Err(asked.status(status.as_u16(), &headers, &String::from_utf8_lossy(&bytes)));
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/json") {
        return Err(asked.invalid(&format!("it is {kind:?}, not JSON")));
    }
    parse_json(&bytes).map_err(|e| asked.invalid(&format!("it is not JSON: {e}")))
}

/// Reads the body, up to [`MOST_BYTES`] after decompression.
async fn read_bounded_body(mut answer: Response, asked: RequestContext<'_>) -> Result<Vec<u8>, CallFailure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|e| asked.transport(&e))? {
        if bytes.len() + chunk.len() > MOST_BYTES {
            return Err(asked.invalid(&format!("it is longer than {} MiB", MOST_BYTES >> 20)));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
