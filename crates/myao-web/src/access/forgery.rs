//! Checks that a form is one of ours. A page of somebody else can send a form in the name of the person who looks at
//! it. But it can neither read what our own forms carry, nor pretend that the form comes from us.

use axum::http::{HeaderMap, header};

use super::passwords::{as_hex, hmac_sha256};

/// The key of the forms' tokens. It is drawn at each start and never stored.
pub(super) struct FormKey([u8; 32]);

impl FormKey {
    pub(super) fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The token that the forms of a session carry.
    pub(super) fn token(&self, session: &str) -> String {
        as_hex(&hmac_sha256(&self.0, session.as_bytes()))
    }
}

/// Whether a request that changes something comes from a page of ours: its form must carry the token, and where the
/// browser says from which site the request comes, that must be ours.
pub(crate) fn is_from_our_pages(headers: &HeaderMap, token: &str, sent: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let site = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let host = text(header::HOST.as_str()).unwrap_or_default();
    let origin = text(header::ORIGIN.as_str()).is_none_or(|origin| {
        origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
    });
    site && origin && is_same(token, sent)
}

/// Whether two texts are the same, found in a time that depends only on their length.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}
