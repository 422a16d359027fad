//! The one HTTP client all providers share.

use std::time::Duration;

use reqwest::{Client, redirect, retry};

use crate::provider::ProviderError;

/// A server that takes longer to accept a connection is down, whatever the call's own timeout says.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for every [`Provider`](crate::Provider): it keeps connections, uses the system's proxy, and sends
/// a request once. What failed is tried again by whoever knows the budget (SPEC §8), never down here.
///
/// Installs ring as the process's TLS provider unless there is one already.
///
/// # Errors
/// When the system's certificates cannot be used.
pub fn http_client() -> Result<Client, ProviderError> {
    // An error means that somebody was first, which is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder()
        .user_agent(concat!("myao/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .build()
        .map_err(|e| ProviderError::Client(e.to_string()))
}
