//! Chooses the proxy that a model is asked through, from the environment, as curl does.

use std::{fmt, net::IpAddr};

use reqwest::Url;

/// A proxy, and the variable that names it.
#[derive(Clone, PartialEq, Eq)]
pub struct NamedProxy {
    /// The variable's name, as in `HTTPS_PROXY`.
    pub variable: &'static str,
    /// Its address, which may hold a password.
    address: Url,
}

impl fmt::Debug for NamedProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedProxy").field("variable", &self.variable).finish_non_exhaustive()
    }
}

/// The proxies of an environment, and the hosts that are reached without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<NamedProxy>,
    https: Option<NamedProxy>,
    /// The entries of `NO_PROXY`, in lower case.
    direct: Vec<String>,
}

impl Proxies {
    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, or the same in capitals, from an environment.
    /// An address without a scheme is an HTTP proxy's; an invalid address is ignored.
    pub fn read(env: impl Fn(&str) -> Option<String>) -> Self {
        let first = |names: [&'static str; 2]| {
            names.into_iter().find_map(|variable| {
                let value = env(variable).filter(|value| !value.trim().is_empty())?;
                let value = value.trim();
                let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
                Some(NamedProxy { variable, address: Url::parse(&whole).ok()? })
            })
        };
        let all = first(["all_proxy", "ALL_PROXY"]);
        let entries = ["no_proxy", "NO_PROXY"].into_iter().find_map(&env).unwrap_or_default().to_lowercase();
        let entries = entries.split([',', ' ']).map(str::trim).filter(|entry| !entry.is_empty());
        Self {
            http: first(["http_proxy", "HTTP_PROXY"]).or_else(|| all.clone()),
            https: first(["https_proxy", "HTTPS_PROXY"]).or(all),
            direct: entries.map(str::to_owned).collect(),
        }
    }

    /// The proxy that a server is asked through; `None` if it is asked directly. Servers on this machine always are,
    /// because a proxy elsewhere could not reach them.
    pub fn of(&self, server: &str) -> Option<&NamedProxy> {
        self.between(&Url::parse(server).ok()?)
    }

    fn between(&self, server: &Url) -> Option<&NamedProxy> {
        let host = server.host_str()?.trim_end_matches('.').to_lowercase();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = server.port_or_known_default();
        if is_here(host) || self.direct.iter().any(|entry| matches_host(entry, host, port)) {
            return None;
        }
        if server.scheme() == "https" { self.https.as_ref() } else { self.http.as_ref() }
    }

    /// The proxies as an HTTP client takes them.
    pub(crate) fn into_proxy(self) -> reqwest::Proxy {
        reqwest::Proxy::custom(move |server| self.between(server).map(|proxy| proxy.address.clone()))
    }
}

fn is_here(host: &str) -> bool {
    let is_local = host == "localhost" || host.ends_with(".localhost");
    is_local || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
}

/// Whether an entry of `NO_PROXY` matches a host. An entry is `*`, a name (which includes its subdomains) or an address,
/// both with or without a port, or a range of addresses.
fn matches_host(entry: &str, host: &str, port: Option<u16>) -> bool {
    if entry == "*" {
        return true;
    }
    if let Ok(ip) = host.parse::<IpAddr>()
        && let Some((network, bits)) = entry.split_once('/')
    {
        return is_within(ip, network, bits);
    }
    let (name, only) = without_port(entry);
    if only.is_some() && only != port {
        return false;
    }
    let name = name.trim_matches('.');
    host == name || host.strip_suffix(name).is_some_and(|front| !name.is_empty() && front.ends_with('.'))
}

/// An entry's name or address, and its port if it has one. IPv6 has colons of its own, so it needs brackets.
fn without_port(entry: &str) -> (&str, Option<u16>) {
    if let Some((address, rest)) = entry.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (address, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match entry.split_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => (name, port.parse().ok()),
        _ => (entry, None),
    }
}

fn is_within(ip: IpAddr, network: &str, bits: &str) -> bool {
    let (Ok(network), Ok(bits)) = (network.trim_matches(['[', ']']).parse::<IpAddr>(), bits.parse::<u32>())
    else {
        return false;
    };
    let same = |one: u128, other: u128, width: u32| {
        bits <= width && (one ^ other).checked_shr(width - bits).unwrap_or(0) == 0
    };
    match (ip, network) {
        (IpAddr::V4(ip), IpAddr::V4(network)) => same(ip.to_bits().into(), network.to_bits().into(), 32),
        (IpAddr::V6(ip), IpAddr::V6(network)) => same(ip.to_bits(), network.to_bits(), 128),
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
    }
}
