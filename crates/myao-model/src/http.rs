//! The HTTP client that all providers share.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect, retry};

use crate::{provider::ProviderError, proxy::Proxies};

/// How long connecting may take before a server counts as down, even if the call's own timeout is longer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for every [`Provider`](crate::Provider): it keeps connections, goes through `proxies`, and sends a
/// request once. Retries are left to the caller, which knows the budget (specification §8).
///
/// Installs ring as the process's TLS provider unless there is one already.
///
/// # Errors
/// When the system's certificates cannot be used.
pub fn http_client_through(proxies: Proxies) -> Result<Client, ProviderError> {
    build_client(|builder| builder.proxy(proxies.into_proxy()))
}

/// A client like [`http_client_through`], but with the system's proxies: for servers that do not run models.
///
/// # Errors
/// As for [`http_client_through`].
pub fn client_with_system_proxies() -> Result<Client, ProviderError> {
    build_client(|builder| builder)
}

fn build_client(proxied: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Result<Client, ProviderError> {
    // An error means that a provider is installed already, which is fine.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = Client::builder()
        .user_agent(concat!("myao/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::none())
        .retry(retry::never());
    proxied(builder).build().map_err(|e| ProviderError::Client(e.to_string()))
}
