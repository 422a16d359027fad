//! Reads the proxy variables of the environment.

use std::collections::BTreeMap;

use super::Secret;

/// The variables that name proxies, or hosts that are reached without one.
const VARIABLES: [&str; 8] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// The values of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, or the same in capitals, as they were when
/// the configuration was read. A proxy's address may hold a password, so the values are kept as secrets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProxyVariables(BTreeMap<&'static str, Secret>);

impl ProxyVariables {
    pub(super) fn read(env: impl Fn(&str) -> Option<String>) -> Self {
        Self(VARIABLES.into_iter().filter_map(|name| Some((name, Secret::new(env(name)?)))).collect())
    }

    /// The value of a variable; `None` if it is not set.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| value.expose().to_owned())
    }
}
