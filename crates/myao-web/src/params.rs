//! The parameters of a request: the pairs of its query or form, and its cookies.

use axum::http::{HeaderMap, header};
use url::form_urlencoded;

/// Names and values, in the order in which they were sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Parses a query or the body of a form. This never fails: bytes that are not UTF-8 are replaced, and NUL, which
    /// our databases cannot hold, is dropped.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let clean = |text: &str| text.replace('\0', "");
        let pairs = form_urlencoded::parse(encoded);
        Self(pairs.map(|(name, value)| (clean(&name), clean(&value))).collect())
    }

    /// The value of a name as it was sent; empty if the name is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }

    /// The value without surrounding white space, if anything is left.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|value| !value.is_empty())
    }

    /// The value parsed as a number, a time stamp or the like, if it is one.
    pub(crate) fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// Whether the value is not empty, for example because a box was ticked.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All pairs except those with this name.
    pub(crate) fn without<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = self.0.iter().filter(move |(given, _)| given != name);
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The value of the cookie with this name.
pub(crate) fn cookie_value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        sent.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(given, _)| *given == name).map(|(_, value)| value)
}
