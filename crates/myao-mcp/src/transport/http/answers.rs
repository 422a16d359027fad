//! What the protocol's library answers, brought into the protocol's form: it says some errors in plain text.

use axum::{
    body::to_bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use rmcp::model::{ErrorData, ProtocolVersion, RequestId};
use serde_json::json;

use super::{refusal::HttpRefusal, sessions::no_session};

/// The longest text of an error that is looked at, in bytes.
const LONGEST_TEXT: usize = 16 << 10;
/// The header that names the version of the protocol.
pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";

/// An answer as the protocol wants it.
pub(super) async fn in_form(response: Response, asked: &HeaderMap, id: Option<RequestId>) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || is_json(&response) {
        return with_headers(response);
    }
    let text = to_bytes(response.into_body(), LONGEST_TEXT).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    with_headers(refusal_of(status, text, asked).under(id).into_response())
}

fn is_json(response: &Response) -> bool {
    let value = response.headers().get(header::CONTENT_TYPE);
    value.is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// The refusal that a plain text stands for.
fn refusal_of(status: StatusCode, text: String, asked: &HeaderMap) -> HttpRefusal {
    match status {
        StatusCode::NOT_FOUND => no_session(),
        StatusCode::METHOD_NOT_ALLOWED => HttpRefusal::by_status(status, "this is not asked for in this way"),
        StatusCode::BAD_REQUEST => match unknown_version(asked) {
            Some(version) => HttpRefusal::of(status, unsupported(&version)),
            None => HttpRefusal::of(status, ErrorData::invalid_request(text, None)),
        },
        // What is JSON and no message that the library knows.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if is_about_body(&text) => {
            HttpRefusal::of(StatusCode::BAD_REQUEST, ErrorData::invalid_request("this is no message", None))
        }
        status if status.is_server_error() => {
            tracing::warn!(%status, text, "a request of an agent failed");
            HttpRefusal::of(status, ErrorData::internal_error("the server could not answer", None))
        }
        status => HttpRefusal::of(status, ErrorData::invalid_request(text, None)),
    }
}

fn is_about_body(text: &str) -> bool {
    text.starts_with("fail to deserialize")
}

/// The version that a request names, if nobody knows it.
fn unknown_version(asked: &HeaderMap) -> Option<String> {
    let named = asked.get(VERSION_HEADER)?;
    let named = String::from_utf8_lossy(named.as_bytes());
    let is_known = ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == named);
    (!is_known).then(|| named.into_owned())
}

fn unsupported(version: &str) -> ErrorData {
    let supported: Vec<&str> = ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect();
    ErrorData::new(
        rmcp::model::ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        "this version of the protocol is not supported",
        Some(json!({"supported": supported, "requested": version})),
    )
}

/// What is remembered is nobody else's to keep.
fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
