//! Limits what a fetch may connect to: IP addresses are checked as they are written, names when they are resolved.
//!
//! The client resolves names through [`GuardedResolver`], so that it connects to the very address that was checked: a
//! name that points elsewhere a moment later (DNS rebinding) gains nothing. An address that is written as a number is
//! never resolved, so that [`Reach::check`] checks it before each redirect.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::{FetchError, address::is_public};

/// The allowed ports up to [`LAST_LOW_PORT`]. The others there are system services such as mail and shells, which must
/// not be reachable through us; above, people run web servers too.
const LOW_PORTS: [u16; 2] = [80, 443];
/// The last port that is reserved for system services.
const LAST_LOW_PORT: u16 = 1023;

/// Which addresses may be reached, and how names are resolved.
#[derive(Clone)]
pub struct Reach {
    /// Whether a connection to this address may be made.
    pub is_allowed: fn(IpAddr) -> bool,
    /// Resolves names.
    pub names: Arc<dyn Resolve>,
}

/// The error of [`GuardedResolver`] when no address of a name may be reached.
#[derive(Debug, thiserror::Error)]
#[error("not a public address")]
pub(super) struct NotPublic;

/// The system's resolver.
struct SystemNames;

/// A resolver that returns only addresses that may be reached.
pub(super) struct GuardedResolver(Reach);

impl Reach {
    /// The public internet, with the system's resolver.
    pub fn public() -> Self {
        Self { is_allowed: is_public, names: Arc::new(SystemNames) }
    }

    /// Checks an address as far as possible without resolving its name.
    pub(super) fn check(&self, url: &Url) -> Result<(), FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::UserInfo);
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if port <= LAST_LOW_PORT && !LOW_PORTS.contains(&port) {
            return Err(FetchError::Port(port));
        }
        let is_fine = match url.host() {
            Some(Host::Ipv4(address)) => (self.is_allowed)(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => (self.is_allowed)(IpAddr::V6(address)),
            Some(Host::Domain(_)) => true,
            None => false,
        };
        if is_fine { Ok(()) } else { Err(FetchError::NotPublic) }
    }

    /// [`Reach::check`] with the name resolved, for a service that will resolve it again: every address of the name has
    /// to be allowed.
    pub(super) async fn check_with_names(&self, url: &Url) -> Result<(), FetchError> {
        self.check(url)?;
        let Some(Host::Domain(host)) = url.host() else { return Ok(()) };
        let name: Name = host.parse().map_err(|_error| FetchError::NoName)?;
        let addresses = self.names.resolve(name).await.map_err(|_error| FetchError::NoName)?;
        let addresses: Vec<SocketAddr> = addresses.collect();
        let is_fine =
            !addresses.is_empty() && addresses.iter().all(|address| (self.is_allowed)(address.ip()));
        if is_fine { Ok(()) } else { Err(FetchError::NotPublic) }
    }

    /// The resolver for a client.
    pub(super) fn guarded(&self) -> Arc<GuardedResolver> {
        Arc::new(GuardedResolver(self.clone()))
    }
}

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Reach { is_allowed, names } = self.0.clone();
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                names.resolve(name).await?.filter(|address| is_allowed(address.ip())).collect();
            if found.is_empty() {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
