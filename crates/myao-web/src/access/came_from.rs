//! Tells where a request comes from (ADR 91). A page of another site can have the owner's browser ask for ours. It
//! cannot read the answer, but it could make us spend, and it could measure how long we take.

use axum::http::{HeaderMap, header};

use super::forgery::is_same;
use crate::params::cookie_value;

/// The cookie that a browser sends from our own pages alone (`SameSite=Strict`).
pub(crate) const HERE_COOKIE: &str = "myao_here";
/// What every browser's `User-Agent` holds. A page can neither change nor drop it without asking us first.
const BROWSER: &str = "Mozilla/";

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameFrom {
    /// A page of ours, an address that somebody typed, or a program that is no browser.
    Ours,
    /// A link that somebody may have followed: the answer is shown in a tab, as a whole page.
    Link,
    /// A page of another site, which asks without showing us.
    OtherSite,
}

impl CameFrom {
    /// Where a request with these headers comes from. `here` is what [`HERE_COOKIE`] holds for the visitor.
    pub(crate) fn of(headers: &HeaderMap, here: &str) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        match text("sec-fetch-site") {
            Some("same-origin" | "none") => Self::Ours,
            Some(_) => {
                let is_page =
                    text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest") == Some("document");
                if is_page { Self::Link } else { Self::OtherSite }
            }
            None => Self::of_older_browser(headers, here),
        }
    }

    /// The same for browsers that do not say it: old ones, and all where the pages are served without https.
    fn of_older_browser(headers: &HeaderMap, here: &str) -> Self {
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        let is_ours = |address: &str| {
            let behind = address.split_once("://").map_or("", |(_, rest)| rest);
            behind.split('/').next().is_some_and(|named| named.eq_ignore_ascii_case(host))
        };
        // An image, a script or a frame's content is asked for without it, as is what a script reads.
        let wants_page = || text(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
        match (text(header::ORIGIN), text(header::REFERER)) {
            (Some(origin), _) if !is_ours(origin) => Self::OtherSite,
            (_, Some(referer)) if is_ours(referer) => Self::Ours,
            (_, Some(_)) if wants_page() => Self::Link,
            (_, Some(_)) => Self::OtherSite,
            // A page can have the browser keep silent about where it comes from.
            (_, None) => {
                let is_browser = text(header::USER_AGENT).is_some_and(|agent| agent.contains(BROWSER));
                let is_here = cookie_value(headers, HERE_COOKIE).is_some_and(|sent| is_same(sent, here));
                if is_browser && !is_here { Self::Link } else { Self::Ours }
            }
        }
    }
}
