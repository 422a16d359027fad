//! The answer to a request: a page, or the reason why there is none.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use maud::Markup;
use myao_companion::companion::CompanionError;
use myao_store::StoreError;

/// The result of a page's handler.
pub type PageResult = Result<Response, PageError>;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The page does not exist, or may not be seen; the answer does not tell which.
    #[error("there is no such page")]
    NotFound,
    /// Whoever asks may not do this.
    #[error("that is not for you to do")]
    Forbidden,
    /// The request is not one that a page of ours makes; the message with this key says what to do.
    #[error("{0}")]
    Refused(&'static str),
    /// The network tried too many passwords.
    #[error("too many tries; wait for some minutes")]
    TooMany,
    /// Reading or writing the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No prompt could be composed.
    #[error(transparent)]
    Prompt(#[from] CompanionError),
}

impl PageError {
    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden | Self::Refused(..) => StatusCode::FORBIDDEN,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Store(_) | Self::Prompt(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// Marks an answer for which `gate` makes a page, in the language of whoever asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoPage {
    /// The key of the message that says what to do about it, if that is known.
    pub(crate) advice: Option<&'static str>,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        if self.status().is_server_error() {
            // An error of the database may hold people's words and addresses, so it goes only to the log, which is the
            // owner's.
            tracing::error!(error = %self, "a page could not be made");
        }
        let advice = if let Self::Refused(advice) = self { Some(advice) } else { None };
        let mut response = self.status().into_response();
        response.extensions_mut().insert(NoPage { advice });
        response
    }
}

/// Answers with a page.
pub fn page_response(markup: Markup) -> Response {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    ([(header::CONTENT_TYPE, html)], markup.into_string()).into_response()
}

/// Sends the browser to another page of ours.
pub fn go_to(address: &str) -> Response {
    // Our addresses hold no character that a header may not hold.
    let address = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response()
}

/// Sends the browser back to where it came from, if that is a page of ours.
pub(crate) fn back_to(address: &str) -> Response {
    let is_ours = address.starts_with('/') && !address.starts_with("//") && !address.contains('\\');
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic());
    go_to(if is_ours && is_plain { address } else { "/" })
}
