//! Keeps which addresses may be fetched for one answer, and how many links away they are from what people said (ADR 24).
//!
//! The owner of a page learns something from which of its links is followed. So links are followed at most twice, at most
//! 50 links of a page may be followed, and for a private place only hosts are contacted that people or a search named.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::{FetchError, links};

/// How many links are followed in a row: from a list to a page, and from there to what it is about.
pub(super) const MOST_HOPS: u8 = 2;
/// How many links of one page may be followed, the first ones: more than anybody would look through.
pub(super) const MOST_OF_A_PAGE: usize = 50;

/// How an address came to be known, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressOrigin {
    /// The number of links from an address that people or a search named; 0 is that address itself.
    Hop(u8),
    /// A link after the first [`MOST_OF_A_PAGE`] of its page.
    OneTooMany,
    /// A link more than [`MOST_HOPS`] away.
    TooFar,
}

/// The addresses that were seen for one answer.
#[derive(Default)]
pub(super) struct SeenAddresses {
    origins: HashMap<Url, AddressOrigin>,
    /// The links of each page that may be followed.
    offered: HashMap<Url, HashSet<Url>>,
}

/// The hosts that may be contacted.
#[derive(Clone, Debug)]
pub(super) enum Hosts {
    Any,
    Named(HashSet<Host>),
}

/// A host in a form for comparison: its name without `www.`, and its port unless that is 80 or 443.
type Host = (String, Option<u16>);

impl SeenAddresses {
    /// Adds addresses that people or a search named.
    pub(super) fn name(&mut self, urls: impl IntoIterator<Item = Url>) {
        for url in urls {
            self.origins.insert(url, AddressOrigin::Hop(0));
        }
    }

    /// Adds a page that is `hop` links away, and the links in the part of it that is shown.
    pub(super) fn read(&mut self, page: &Url, hop: u8, shown: &str) {
        self.put(page.clone(), AddressOrigin::Hop(hop));
        let mut offered = self.offered.remove(page).unwrap_or_default();
        for link in links::possible_addresses(shown).filter(|link| link != page) {
            let is_offered = offered.contains(&link) || offered.len() < MOST_OF_A_PAGE;
            let origin = match hop.checked_add(1).filter(|hop| *hop <= MOST_HOPS) {
                None => AddressOrigin::TooFar,
                Some(_) if !is_offered => AddressOrigin::OneTooMany,
                Some(hop) => {
                    offered.insert(link.clone());
                    AddressOrigin::Hop(hop)
                }
            };
            self.put(link, origin);
        }
        self.offered.insert(page.clone(), offered);
    }

    /// How an address came to be known; `None` when it was not seen.
    pub(super) fn origin(&self, url: &Url) -> Option<AddressOrigin> {
        self.origins.get(url).copied()
    }

    /// The hosts that people or a search named.
    pub(super) fn named_hosts(&self) -> Hosts {
        let named = self.origins.iter().filter(|(_, origin)| **origin == AddressOrigin::Hop(0));
        Hosts::Named(named.map(|(url, _)| host_of_address(url)).collect())
    }

    fn put(&mut self, url: Url, origin: AddressOrigin) {
        let known = self.origins.entry(url).or_insert(origin);
        *known = origin.min(*known);
    }
}

impl Hosts {
    /// Whether the host of an address may be contacted.
    pub(super) fn includes(&self, url: &Url) -> bool {
        match self {
            Self::Any => true,
            Self::Named(named) => named.contains(&host_of_address(url)),
        }
    }

    /// Refuses an address whose host may not be contacted.
    pub(super) fn check(&self, url: &Url) -> Result<(), FetchError> {
        if self.includes(url) { Ok(()) } else { Err(FetchError::UnnamedHost(host_of_address(url).0)) }
    }
}

/// The host of an address. Other subdomains are other hosts: a blog host gives everybody one, and its name may carry
/// words.
fn host_of_address(url: &Url) -> Host {
    let name = url.host_str().unwrap_or_default().trim_end_matches('.');
    let bare = name.strip_prefix("www.").filter(|bare| bare.contains('.')).unwrap_or(name);
    (bare.to_owned(), url.port().filter(|port| !matches!(port, 80 | 443)))
}
