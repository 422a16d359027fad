//! The address that a request really comes from: behind a proxy, the one that the proxy names.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use myao_config::WebProxies;

/// The address of whoever makes a request. A header is believed only from a trusted proxy, and in a list of addresses,
/// to which each proxy adds the one that it was reached from, only up to the first that is no such proxy's.
pub(super) fn address_of_requester(proxies: &WebProxies, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    let Some(header) = proxies.address_header.as_ref().filter(|_| proxies.trusts(peer)) else { return peer };
    let values = headers.get_all(header).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = values.flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut nearest = peer;
    for text in named.iter().rev() {
        let Some(address) = parse_from_proxy(text) else { break };
        nearest = address;
        if !proxies.trusts(address) {
            break;
        }
    }
    nearest
}

/// An address as proxies write it: with a port or without, one of IPv6 perhaps in brackets.
fn parse_from_proxy(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|at| at.ip()))
}
