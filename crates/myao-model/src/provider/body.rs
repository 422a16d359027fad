//! Reads the body of an answer that came at once as JSON.

use myao_core::text::parse_json;
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;

use super::failure::{CallFailure, RequestContext};

/// Most bytes of an answer: hundreds of times what an answer has, with thoughts and a repeated schema. A longer one
/// would fill the memory.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// Reads an answer that came at once.
pub(super) async fn read_whole(answer: Response, asked: RequestContext<'_>) -> Result<Value, CallFailure> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_owned();
    let bytes = read_bounded(answer, asked).await?;
    if !kind.starts_with("application/json") {
        return Err(asked.invalid(&format!("it is {kind:?}, not JSON")));
    }
    parse_json(&bytes).map_err(|e| asked.invalid(&format!("it is not JSON: {e}")))
}

/// Reads the body, up to [`MOST_BYTES`] after decompression.
pub(super) async fn read_bounded(
    mut answer: Response,
    asked: RequestContext<'_>,
) -> Result<Vec<u8>, CallFailure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|e| asked.transport(&e))? {
        if bytes.len() + chunk.len() > MOST_BYTES {
            return Err(asked.invalid(&format!("it is longer than {} MiB", MOST_BYTES >> 20)));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
