//! How a request is refused: with a status, and an error of the protocol under the request's id, so that nobody waits for
//! an answer that came already.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use serde_json::{Value, json};

/// Why a request is refused.
#[derive(Debug)]
pub(super) struct HttpRefusal {
    pub(super) status: StatusCode,
    pub(super) error: Box<ErrorData>,
    /// `None` where it could not be read, or nobody had looked yet.
    pub(super) id: Option<RequestId>,
    /// In how many seconds to try again.
    pub(super) retry_after: Option<u64>,
}

impl HttpRefusal {
    /// A refusal by what HTTP knows and the protocol does not: its status is its code, which lies outside of what is
    /// reserved for others.
    pub(super) fn by_status(status: StatusCode, words: &'static str) -> Self {
        let error = ErrorData::new(ErrorCode(i32::from(status.as_u16())), words, None);
        Self { status, error: Box::new(error), id: None, retry_after: None }
    }

    /// A refusal by an error that the protocol knows.
    pub(super) fn of(status: StatusCode, error: ErrorData) -> Self {
        Self { status, error: Box::new(error), id: None, retry_after: None }
    }

    pub(super) fn under(self, id: Option<RequestId>) -> Self {
        Self { id, ..self }
    }

    pub(super) fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The answer.
    pub(super) fn into_response(self) -> Response {
        let mut body = json!({"jsonrpc": "2.0", "error": self.error});
        if let (Some(id), Some(body)) = (self.id, body.as_object_mut()) {
            body.insert("id".to_owned(), serde_json::to_value(id).unwrap_or(Value::Null));
        }
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::METHOD_NOT_ALLOWED => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET, POST, DELETE"));
            }
            _ => {}
        }
        response
    }
}
