//! Finds connections that are not encrypted, or to a server that need not prove its identity.

use std::net::IpAddr;

use myao_companion::tools::web::is_public;
use myao_config::{Config, Database};
use myao_core::ports::Role;
use myao_store::{LinkSafety, Target};
use url::{Host, Url};

use super::Exposure;
use crate::app::ROLES;

/// The last parts of host names that no public server has.
const PRIVATE_NAMES: [&str; 9] =
    ["local", "localdomain", "lan", "internal", "intranet", "home", "corp", "svc", "home.arpa"];

/// Through what network a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NetworkPath {
    /// It stays on this machine.
    Machine,
    /// Through a private network, as far as the name or the address tells.
    Private,
    /// Through the internet.
    Public,
}

impl NetworkPath {
    /// The way to a host as it is written. No name is resolved, since the answer may change.
    fn to(host: &Host<&str>) -> Self {
        match host {
            Host::Ipv4(address) => Self::to_address(IpAddr::V4(*address)),
            Host::Ipv6(address) => Self::to_address(IpAddr::V6(*address)),
            Host::Domain(name) => Self::to_name(name),
        }
    }

    fn to_address(address: IpAddr) -> Self {
        let address = address.to_canonical();
        if address.is_loopback() || address.is_unspecified() {
            Self::Machine
        } else if is_public(address) {
            Self::Public
        } else {
            Self::Private
        }
    }

    fn to_name(name: &str) -> Self {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let ends_in =
            |end: &str| name == end || name.strip_suffix(end).is_some_and(|rest| rest.ends_with('.'));
        if ends_in("localhost") {
            Self::Machine
        } else if !name.contains('.') || PRIVATE_NAMES.into_iter().any(ends_in) {
            Self::Private
        } else {
            Self::Public
        }
    }

    fn suffix(self) -> &'static str {
        if self == Self::Private { ", on a private network" } else { "" }
    }

    fn who(self) -> &'static str {
        if self == Self::Private { "whoever is on that network" } else { "whoever is on the way" }
    }
}

/// Every connection of a configuration that others could read or change: the database's and plain http, except those
/// that stay on this machine.
pub fn exposed_connections(config: &Config) -> Vec<Exposure> {
    let agent = |role: Role| {
        let args = &config.agents.get(role).client_args;
        let base = args.api_base.as_deref()?;
        let key = args.api_key.as_ref();
        let what = if key.is_some() { "prompts, answers and the key" } else { "prompts and answers" };
        plain_connection(&format!("agents.{}.client_args.api_base", role.as_str()), base, what)
    };
    let fetch = &config.tools.web_fetch;
    let search = &config.tools.web_search;
    let fetch = fetch.api_endpoint.as_deref().filter(|_| fetch.enabled);
    let search = search.api_base.as_deref().filter(|_| search.is_on());
    let slack =
        plain_connection("slack.api_base_url", &config.slack.api_base_url, "tokens and everything said");
    let embeddings = config.embeddings.as_ref().and_then(|endpoint| {
        plain_connection(
            "recall.embeddings.api_base",
            &endpoint.api_base,
            "what was said, questions, and the key if there is one",
        )
    });
    ROLES
        .into_iter()
        .filter_map(agent)
        .chain(
            fetch
                .and_then(|url| plain_connection("tools.web_fetch.api_endpoint", url, "addresses and pages")),
        )
        .chain(search.and_then(|url| {
            plain_connection("tools.web_search.api_base", url, "searches, and the key if there is one")
        }))
        .chain(slack)
        .chain(embeddings)
        .chain(database_connection(config))
        .collect()
}

fn plain_connection(key: &str, address: &str, what: &str) -> Option<Exposure> {
    let url = Url::parse(address).ok().filter(|url| url.scheme() == "http")?;
    let host = url.host()?;
    let way = NetworkPath::to(&host);
    (way != NetworkPath::Machine).then(|| Exposure {
        subject: key.to_owned(),
        what: format!(
            "plain http to {host}{}: {what} can be read and changed by {}",
            way.suffix(),
            way.who()
        ),
        mend: "write https:// where the server speaks it, or put it on this machine".to_owned(),
    })
}

fn database_connection(config: &Config) -> Option<Exposure> {
    let Database::Postgres(url) = &config.database else { return None };
    let link = Target::Postgres(url.expose().to_owned()).link()?;
    // An IPv6 address in a URL is in brackets, which the driver may have removed.
    let bare = link.host.trim_start_matches('[').trim_end_matches(']');
    let way = bare.parse().map_or_else(|_name| NetworkPath::to_name(bare), NetworkPath::to_address);
    if way == NetworkPath::Machine {
        return None;
    }
    let (mode, risk) = match link.safety {
        LinkSafety::Plain => ("disable or allow", "nothing is encrypted"),
        LinkSafety::PlainAtLast => ("prefer, the default", "not encrypted if somebody on the way says so"),
        LinkSafety::Unverified => ("require", "encrypted, but whoever answers need not prove who they are"),
        LinkSafety::AnyName => ("verify-ca", "encrypted, but the certificate's name is not looked at"),
        LinkSafety::Verified => return None,
    };
    let host = &link.host;
    let suffix = way.suffix();
    let who = way.who();
    Some(Exposure {
        subject: "memory.database_url".to_owned(),
        what: format!(
            "{host}{suffix}, with sslmode={mode}: {risk}; everything stored could be read and changed by {who}"
        ),
        mend: "add ?sslmode=verify-full to it, and &sslrootcert=FILE for a certificate authority of your own"
            .to_owned(),
    })
}
