//! Which addresses an answer may ask for, and how far from what people said they are (ADR 24).
//!
//! Whoever offers a page learns something from which of its links is followed. So links are followed twice at most, a
//! page offers 50 at most, and for a private place only the hosts are asked that people or a search named.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::{FetchError, links};

/// How many links are followed, one behind the other: from a list to a page, and from there to what it is about.
pub(super) const MOST_HOPS: u8 = 2;
/// Links of one page that may be followed, the first that are shown: more than anybody would look through.
pub(super) const MOST_OF_A_PAGE: usize = 50;

/// How an address came to be known, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressOrigin {
    /// So many links away from an address that people or a search named; 0 is that address itself.
    Hop(u8),
    /// A link of a page that offers too many.
    OneTooMany,
    /// A link that is too far away.
    TooFar,
}

/// What was seen for one answer.
#[derive(Default)]
pub(super) struct SeenAddresses {
    standings: HashMap<Url, AddressOrigin>,
    /// The links of each page that may be followed.
    offered: HashMap<Url, HashSet<Url>>,
}

/// Which hosts may be asked.
#[derive(Clone, Debug)]
pub(super) enum Hosts {
    /// Every one.
    Any,
    /// These.
    Named(HashSet<Host>),
}

/// A host as hosts are compared: its name without `www.`, and its port where that is not the web's.
type Host = (String, Option<u16>);

impl SeenAddresses {
    /// Takes in addresses that people or a search named.
    pub(super) fn name(&mut self, urls: impl IntoIterator<Item = Url>) {
        for url in urls {
            self.standings.insert(url, AddressOrigin::Hop(0));
        }
    }

    /// Takes in a page that is `hop` links away, and the links of what is shown of it.
    pub(super) fn read(&mut self, page: &Url, hop: u8, shown: &str) {
        self.put(page.clone(), AddressOrigin::Hop(hop));
        let mut offered = self.offered.remove(page).unwrap_or_default();
        for link in links::readings(shown).filter(|link| link != page) {
            let is_offered = offered.contains(&link) || offered.len() < MOST_OF_A_PAGE;
            let standing = match hop.checked_add(1).filter(|hop| *hop <= MOST_HOPS) {
                None => AddressOrigin::TooFar,
                Some(_) if !is_offered => AddressOrigin::OneTooMany,
                Some(hop) => {
                    offered.insert(link.clone());
                    AddressOrigin::Hop(hop)
                }
            };
            self.put(link, standing);
        }
        self.offered.insert(page.clone(), offered);
    }

    /// How an address came to be known; none when it was not seen.
    pub(super) fn standing(&self, url: &Url) -> Option<AddressOrigin> {
        self.standings.get(url).copied()
    }

    /// The hosts that people or a search named.
    pub(super) fn named_hosts(&self) -> Hosts {
        let named = self.standings.iter().filter(|(_, standing)| **standing == AddressOrigin::Hop(0));
        Hosts::Named(named.map(|(url, _)| host(url)).collect())
    }

    fn put(&mut self, url: Url, standing: AddressOrigin) {
        let known = self.standings.entry(url).or_insert(standing);
        *known = standing.min(*known);
    }
}

impl Hosts {
    /// Whether the host of an address is one of them.
    pub(super) fn includes(&self, url: &Url) -> bool {
        match self {
            Self::Any => true,
            Self::Named(named) => named.contains(&host(url)),
        }
    }

    /// That a redirect may lead to an address.
    pub(super) fn check(&self, url: &Url) -> Result<(), FetchError> {
        if self.includes(url) { Ok(()) } else { Err(FetchError::UnnamedHost(host(url).0)) }
    }
}

/// Other subdomains are other hosts: anybody may have one of a host of blogs, and words fit into their names.
fn host(url: &Url) -> Host {
    let name = url.host_str().unwrap_or_default().trim_end_matches('.');
    let bare = name.strip_prefix("www.").filter(|bare| bare.contains('.')).unwrap_or(name);
    (bare.to_owned(), url.port().filter(|port| !matches!(port, 80 | 443)))
}
