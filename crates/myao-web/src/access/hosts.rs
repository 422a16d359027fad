//! Knows under which names a browser may reach us.
//!
//! Somebody else's page can point its own host name to our address (DNS rebinding). The browser then lets that page
//! read our answers, and sends its name in `Host`. So we answer only to names that we know. A `Host` that is an IP
//! address is safe, since no such page can claim it.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};
use myao_config::{DEFAULT_LISTEN, Web};

pub(super) struct HostNames {
    listen: SocketAddr,
    /// Host names of `web.hosts`, in lower case.
    names: Vec<String>,
}

impl HostNames {
    pub(super) fn new(web: &Web) -> Self {
        Self { listen: web.listen.unwrap_or(DEFAULT_LISTEN), names: web.hosts.clone() }
    }

    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::HOST).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        value.to_str().is_ok_and(|host| self.knows_name(host))
    }

    fn knows_name(&self, host: &str) -> bool {
        let host = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        if self.names.contains(&host) {
            return true;
        }
        let ip = self.listen.ip();
        let is_reached_from_here = ip.is_loopback() || ip.is_unspecified();
        if host == "localhost" {
            return is_reached_from_here;
        }
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(named) => named == ip || ip.is_unspecified() || (ip.is_loopback() && named.is_loopback()),
            Err(_is_a_name) => false,
        }
    }
}

/// The `HOST` of `HOST:PORT`; an IPv6 address stands in brackets.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !is_inside(name) => name,
        _ => host,
    }
}

/// Whether the text before a colon is the beginning of an address in brackets.
fn is_inside(name: &str) -> bool {
    name.starts_with('[') && !name.ends_with(']')
}
