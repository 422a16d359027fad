//! What a request brings: the pairs of its query or form, its cookies.

use axum::http::{HeaderMap, header};
use url::form_urlencoded;

/// Names and values in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Parses a query or the body of a form. Whatever it is, something comes out: what is no UTF-8 is replaced, and NUL,
    /// which no database of ours holds, is dropped.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let clean = |text: &str| text.replace('\0', "");
        let pairs = form_urlencoded::parse(encoded);
        Self(pairs.map(|(name, value)| (clean(&name), clean(&value))).collect())
    }

    /// The value as it was given; empty where there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }

    /// The value without white space around it, if there is any left.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|value| !value.is_empty())
    }

    /// The value as a number or time stamp, if it is one.
    pub(crate) fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// Whether a box was ticked.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All pairs but those of one name.
    pub(crate) fn without<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = self.0.iter().filter(move |(given, _)| given != name);
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        sent.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(given, _)| *given == name).map(|(_, value)| value)
}
