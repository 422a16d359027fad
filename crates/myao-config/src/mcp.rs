//! Reads `mcp`: the memory for other agents, at a path of the pages' address.

use std::net::SocketAddr;

use super::{node::Value, section::Section, web::Web};

/// The path when none is given.
const PATH: &str = "/mcp";
/// The first parts of the paths of pages, under which nothing else can be served.
const OF_PAGES: [&str; 18] = [
    "assets",
    "channel",
    "channels",
    "cost",
    "decisions",
    "forget",
    "forgotten",
    "live",
    "looks",
    "loops",
    "memos",
    "people",
    "recall",
    "sign-in",
    "sign-out",
    "talk",
    "terms",
    "workspace",
];

/// `mcp.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mcp {
    /// Whether `myao run` serves the memory for other agents, on the address of the pages.
    pub enabled: bool,
    /// The path of it. Default `/mcp`.
    pub path: String,
    /// Host names by which agents reach us, besides IP addresses, `localhost` and `web.hosts`; in lower case.
    pub allowed_hosts: Vec<String>,
    /// Whether programs of this machine may ask without a token, and look at the open channels. By default they may
    /// where the pages too are for whoever uses this machine.
    pub without_token: bool,
}

impl Default for Mcp {
    fn default() -> Self {
        Self { enabled: false, path: PATH.to_owned(), allowed_hosts: Vec::new(), without_token: false }
    }
}

/// `mcp.*`, beside `web.*`.
pub(super) fn read_mcp_section(section: &mut Section<'_>, web: &Web) -> Mcp {
    let enabled = section.flag("enabled", false);
    if enabled && web.listen.is_none() {
        section.contradiction(
            "enabled",
            "it is served on the address of the pages, and there is none: set web.listen, as in 127.0.0.1:8081",
        );
    }
    let expected =
        "a path, as in /mcp: a slash, then letters, digits and - _ . / with something between slashes";
    let path = section.word("path", expected, parse_path).unwrap_or_else(|| PATH.to_owned());
    if is_of_pages(&path) {
        section.contradiction("path", "this is a path of the pages; choose another one, as in /mcp");
    }
    let allowed_hosts = section.texts("allowed_hosts");
    for host in &allowed_hosts {
        if !is_host_name(host) {
            let why =
                format!("`{host}` is no host name, as memory.example.com is: without https://, port or path");
            section.contradiction("allowed_hosts", &why);
        }
    }
    let allowed_hosts = allowed_hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
    Mcp { enabled, path, allowed_hosts, without_token: read_without_token(section, web) }
}

fn read_without_token(section: &mut Section<'_>, web: &Web) -> bool {
    let wanted = section.parsed("without_token", "true or false", Value::as_flag);
    let Some(why_not) = why_tokens_are_needed(web) else { return wanted.unwrap_or(true) };
    if wanted == Some(true) {
        section.contradiction("without_token", &why_not);
    }
    false
}

/// Why agents must show a token; `None` where the pages, too, are for whoever uses this machine.
fn why_tokens_are_needed(web: &Web) -> Option<String> {
    let is_near = |address: &SocketAddr| address.ip().to_canonical().is_loopback();
    if let Some(address) = web.listen.filter(|address| !is_near(address)) {
        return Some(format!(
            "others can reach {address}: agents have to show a token there (`myao token add`); without one they may only \
             ask where web.listen is 127.0.0.1"
        ));
    }
    let guard = if web.access.wants_password() {
        "a password"
    } else if web.access.trusted_header.is_some() {
        "web.trusted_header"
    } else if web.proxies.address_header.is_some() {
        // Whoever asks through it comes from this machine, too.
        "a proxy that names addresses (web.address_header)"
    } else {
        return None;
    };
    Some(format!(
        "{guard} guards the pages on this address, and agents without a token would go round it: give them tokens \
         (`myao token add`)"
    ))
}

fn parse_path(text: &str) -> Option<String> {
    let rest = text.strip_prefix('/')?;
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().any(|c| c != '.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    rest.split('/').all(is_part).then(|| text.to_owned())
}

/// Whether a path would hide one of the pages.
fn is_of_pages(path: &str) -> bool {
    path.trim_start_matches('/').split('/').next().is_some_and(|first| OF_PAGES.contains(&first))
}

fn is_host_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'))
}
