//! Reads `web`: where the pages are served, and who may look at them.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use ipnet::IpNet;

use super::{secret::Secret, section::Section};

/// The port of an address that is given without one.
const PORT: u16 = 8081;
/// Where `myao web` listens when `web.listen` is not given: on this machine alone.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);
/// The fewest characters of a password. Guesses are slowed down, but a short word of a dictionary would still be found.
const LEAST_PASSWORD: usize = 10;
/// How a password begins that is given as its argon2 hash.
const HASHED: &str = "$argon2";

/// `web.*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Web {
    /// The address of the pages; `None`: `myao run` serves none.
    pub listen: Option<SocketAddr>,
    /// Who may look at the pages, and who may change things.
    pub access: WebAccess,
    /// The proxies that say from which address a request comes.
    pub proxies: WebProxies,
    /// Host names by which browsers reach the pages, besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
}

/// `web.password`, `web.reader_password` and `web.trusted_header`: who may look at the pages. Without any of them,
/// whoever reaches the address may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebAccess {
    /// The password of whoever may look and change things: the password itself, or its argon2 hash (`$argon2id$…`).
    pub password: Option<Secret>,
    /// The password of those who may only look.
    pub reader_password: Option<Secret>,
    /// The request header in which a reverse proxy says who sent the request. Where it is missing, a password is asked
    /// for.
    pub trusted_header: Option<String>,
}

/// `web.address_header` and `web.proxies`: who says from which address a request comes. Wrong passwords are counted by
/// address, and behind a proxy all requests come from the proxy's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebProxies {
    /// The request header in which a proxy names the address; `None`: no proxy is believed.
    pub address_header: Option<String>,
    /// The networks of the proxies; empty for this machine's own addresses.
    pub networks: Vec<IpNet>,
}

impl WebProxies {
    /// Whether what comes from this address is believed about where it comes from.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_named = self.networks.iter().any(|network| network.contains(&address));
        self.address_header.is_some() && (is_named || (self.networks.is_empty() && address.is_loopback()))
    }
}

impl WebAccess {
    /// Whether people have to sign in.
    pub fn wants_password(&self) -> bool {
        self.password.is_some() || self.reader_password.is_some()
    }

    /// Why the pages must not be served at `address` with these settings; `None` if they may be.
    pub fn refusal(&self, address: SocketAddr) -> Option<String> {
        if address.ip().is_loopback() || self.wants_password() || self.trusted_header.is_some() {
            return None;
        }
        Some(format!(
            "others can reach {address}, and would see everything that is said and remembered, private channels \
             included: set web.password, or web.trusted_header for a proxy that knows who is there, or listen on \
             127.0.0.1"
        ))
    }
}

/// `web.*`.
pub(super) fn read_web_section(section: &mut Section<'_>) -> Web {
    let expected = "an address of this machine, as in 127.0.0.1 or 127.0.0.1:8081";
    let listen = section.word("listen", expected, listen_address);
    let access = WebAccess {
        password: read_password(section, "password"),
        reader_password: read_password(section, "reader_password"),
        trusted_header: section.word(
            "trusted_header",
            "the name of a header, as in X-Forwarded-User",
            parse_header_name,
        ),
    };
    if let Some(why) = listen.and_then(|address| access.refusal(address)) {
        section.contradiction("listen", &why);
    }
    let is_same = access.password.is_some() && access.password == access.reader_password;
    if is_same {
        section.contradiction("reader_password", "it is the same as web.password, and would open everything");
    }
    let proxies = WebProxies {
        address_header: section.word(
            "address_header",
            "the name of a header, as in X-Forwarded-For",
            parse_header_name,
        ),
        networks: networks_of_proxies(section),
    };
    if proxies.address_header.is_none() && !proxies.networks.is_empty() {
        section
            .contradiction("proxies", "web.address_header does not say in which header they name an address");
    }
    let hosts = section.texts("hosts").into_iter().map(|host| host.to_ascii_lowercase()).collect();
    Web { listen, access, proxies, hosts }
}

/// An address as people write it: `127.0.0.1`, `127.0.0.1:8081`, `localhost`, `[::1]:8081`.
pub fn listen_address(text: &str) -> Option<SocketAddr> {
    let text =
        text.strip_prefix("localhost").map_or_else(|| text.to_owned(), |port| format!("127.0.0.1{port}"));
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    text.parse().ok().or_else(|| Some(SocketAddr::new(bare.parse().ok()?, PORT))).filter(|at| at.port() > 0)
}

/// The networks of `web.proxies`: addresses, or networks as in 10.0.0.0/8.
fn networks_of_proxies(section: &mut Section<'_>) -> Vec<IpNet> {
    let mut found = Vec::new();
    for text in section.texts("proxies") {
        match text.parse::<IpNet>().or_else(|_no_network| text.parse::<IpAddr>().map(IpNet::from)) {
            Ok(network) => found.push(network),
            Err(_neither) => section.contradiction(
                "proxies",
                &format!("`{text}` is neither an address nor a network, as in 10.0.0.7 or 10.0.0.0/8"),
            ),
        }
    }
    found
}

fn read_password(section: &mut Section<'_>, key: &'static str) -> Option<Secret> {
    let secret = section.secret(key)?;
    let text = secret.expose();
    if text.chars().count() < LEAST_PASSWORD && !text.starts_with(HASHED) {
        section.contradiction(
            key,
            &format!("it has fewer than {LEAST_PASSWORD} characters, which is soon guessed"),
        );
    }
    Some(secret)
}

fn parse_header_name(text: &str) -> Option<String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (!text.is_empty() && text.bytes().all(is_token)).then(|| text.to_ascii_lowercase())
}
