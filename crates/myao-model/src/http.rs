//! The HTTP client that all providers share.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect, retry};

use crate::{provider::ProviderError, proxy::Proxies};

/// A server that takes longer to accept a connection is down, whatever the call's own timeout says.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for every [`Provider`](crate::Provider): it keeps connections, goes through `proxies`, and sends a
/// request once. What failed is tried again by whoever knows the budget (SPEC §8), never down here.
///
/// Installs ring as the process's TLS provider unless there is one already.
///
/// # Errors
/// When the system's certificates cannot be used.
pub fn http_client_through(proxies: Proxies) -> Result<Client, ProviderError> {
    build(|builder| builder.proxy(proxies.into_proxy()))
}

/// The same with the system's proxies, for servers that are no models.
///
/// # Errors
/// As for [`http_client_through`].
pub fn http_client() -> Result<Client, ProviderError> {
    build(|builder| builder)
}

fn build(proxied: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Result<Client, ProviderError> {
    // An error means that somebody was first, which is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = Client::builder()
        .user_agent(concat!("myao/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::none())
        .retry(retry::never());
    proxied(builder).build().map_err(|e| ProviderError::Client(e.to_string()))
}
