//! By which name a request may reach us, and from which page.
//!
//! Somebody else's page can point its own host name to our address (DNS rebinding). The browser then lets that page read
//! our answers, and sends its name in `Host` and `Origin`. So both have to be names of ours.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, Uri, header, uri::Authority};

/// The names by which we may be reached.
pub(super) struct OwnNames {
    listen: SocketAddr,
    names: Vec<String>,
}

impl OwnNames {
    pub(super) fn new(listen: SocketAddr, names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { listen, names }
    }

    /// Whether a request names us, once, by a name that we know.
    pub(super) fn knows_host(&self, headers: &HeaderMap) -> bool {
        match only_text(headers, &header::HOST) {
            HeaderText::Once(host) => self.knows_authority(host),
            HeaderText::Never | HeaderText::Unclear => false,
        }
    }

    /// Whether a request comes from no page, or from a page of ours.
    pub(super) fn knows_origin(&self, headers: &HeaderMap) -> bool {
        match only_text(headers, &header::ORIGIN) {
            HeaderText::Never => true,
            HeaderText::Once(origin) => self.knows_page(origin),
            HeaderText::Unclear => false,
        }
    }

    fn knows_page(&self, origin: &str) -> bool {
        let Ok(address) = origin.parse::<Uri>() else { return false };
        let is_web = matches!(address.scheme_str(), Some("http" | "https"));
        let is_bare = address.path_and_query().is_none_or(|rest| rest.as_str() == "/");
        is_web && is_bare && address.authority().is_some_and(|named| self.knows_authority(named.as_str()))
    }

    fn knows_authority(&self, text: &str) -> bool {
        let Ok(authority) = text.parse::<Authority>() else { return false };
        !text.contains('@') && self.knows_name(authority.host())
    }

    fn knows_name(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        if self.names.contains(&host) {
            return true;
        }
        let ip = self.listen.ip();
        if host == "localhost" {
            return ip.is_loopback() || ip.is_unspecified();
        }
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(named) => named == ip || ip.is_unspecified() || (ip.is_loopback() && named.is_loopback()),
            Err(_is_a_name) => false,
        }
    }
}

/// How often a header stands there.
enum HeaderText<'a> {
    Never,
    Once(&'a str),
    /// Several times, or not as text.
    Unclear,
}

fn only_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> HeaderText<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => HeaderText::Never,
        (Some(value), None) => value.to_str().map_or(HeaderText::Unclear, HeaderText::Once),
        (Some(_), Some(_)) => HeaderText::Unclear,
    }
}
