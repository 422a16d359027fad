//! That a form is one of ours: a page of somebody else's can send one in the name of whoever looks at it, but can neither
//! read what we put into our own forms, nor say that it is us.

use axum::http::{HeaderMap, header};

use super::passwords::{hex, keyed};

/// What the tokens of forms are made with: drawn at each start, kept nowhere.
pub(super) struct FormKey([u8; 32]);

impl FormKey {
    pub(super) fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// What the forms of a session carry.
    pub(super) fn token(&self, session: &str) -> String {
        hex(&keyed(&self.0, session.as_bytes()))
    }
}

/// Whether a request that changes something may come from a page of ours, as far as the browser tells where it comes from;
/// and whether its form carries the token.
pub(crate) fn is_from_our_pages(headers: &HeaderMap, (token, sent): (&str, &str)) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let site = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let host = text(header::HOST.as_str()).unwrap_or_default();
    let origin = text(header::ORIGIN.as_str()).is_none_or(|origin| {
        origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
    });
    site && origin && is_same(token, sent)
}

/// Whether two texts are the same, in a time that only depends on their length.
fn is_same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}
