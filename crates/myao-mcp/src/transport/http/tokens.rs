//! Who makes a request.

use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, StatusCode, header};
use myao_core::chat::AgentToken;

use super::{
    refusal::HttpRefusal,
    settings::HttpSettings,
    throttle::{TokenThrottle, WINDOW},
};
use crate::transport::identify::Identify;

/// Said of every token that is nobody's, whether it is missing, wrong or revoked.
const NOBODY: &str = "send a token that is valid: \"Authorization: Bearer …\"";
/// The longest secret that is looked at, in bytes; ours have 43.
const LONGEST_SECRET: usize = 256;
/// The headers by which a proxy tells for whom it asks. Behind one, every request comes from this machine.
const FORWARDED: [&str; 6] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// Somebody who may ask.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) token: AgentToken,
    /// What they showed. `None` for programs of this machine that show nothing.
    pub(super) secret: Option<String>,
}

/// Knows whose token is shown.
pub(super) struct AgentTokens {
    identify: Identify,
    throttle: TokenThrottle,
}

/// What stands in the header.
enum BearerHeader<'a> {
    Nothing,
    Secret(&'a str),
    SomethingElse,
}

impl AgentTokens {
    pub(super) fn new(identify: Identify) -> Self {
        Self { identify, throttle: TokenThrottle::default() }
    }

    /// Who makes a request.
    pub(super) async fn caller(
        &self,
        settings: &HttpSettings,
        headers: &HeaderMap,
        peer: Option<IpAddr>,
    ) -> Result<Caller, HttpRefusal> {
        let nobody = || HttpRefusal::by_status(StatusCode::UNAUTHORIZED, NOBODY);
        let secret = match shown_in(headers) {
            BearerHeader::Secret(secret) => secret,
            BearerHeader::Nothing if settings.without_token && is_of_this_machine(headers, peer) => {
                return Ok(Caller { token: AgentToken::without_token(), secret: None });
            }
            BearerHeader::Nothing | BearerHeader::SomethingElse => return Err(nobody()),
        };
        let from = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        if !self.throttle.lets_try(from, secret, settings.clock.steady()) {
            let words = "too many wrong tokens came from this network";
            let seconds = u64::try_from(WINDOW.as_secs()).unwrap_or_default();
            return Err(HttpRefusal::by_status(StatusCode::TOO_MANY_REQUESTS, words).retry_after(seconds));
        }
        match (self.identify)(secret.to_owned()).await {
            Ok(Some(token)) => {
                self.throttle.was_right(from, secret);
                Ok(Caller { token, secret: Some(secret.to_owned()) })
            }
            Ok(None) => {
                self.throttle.was_wrong(secret);
                Err(nobody())
            }
            Err(cannot_tell) => {
                tracing::warn!(%cannot_tell, "a request of an agent was put off");
                let words = "tokens cannot be looked up now: try again";
                Err(HttpRefusal::by_status(StatusCode::SERVICE_UNAVAILABLE, words).retry_after(5))
            }
        }
    }
}

/// The secret of `Authorization: Bearer SECRET`.
fn shown_in(headers: &HeaderMap) -> BearerHeader<'_> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return BearerHeader::Nothing,
        (Some(value), None) => value,
        (Some(_), Some(_)) => return BearerHeader::SomethingElse,
    };
    let secret = value.to_str().ok().and_then(|text| text.split_once(' ')).and_then(|(scheme, secret)| {
        let secret = secret.trim();
        let is_fit = !secret.is_empty() && secret.len() <= LONGEST_SECRET;
        (scheme.eq_ignore_ascii_case("bearer") && is_fit).then_some(secret)
    });
    secret.map_or(BearerHeader::SomethingElse, BearerHeader::Secret)
}

/// Whether a request comes from a program of this machine, and not through a proxy.
fn is_of_this_machine(headers: &HeaderMap, peer: Option<IpAddr>) -> bool {
    let is_near = peer.is_some_and(|peer| match peer {
        IpAddr::V4(four) => four.is_loopback(),
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(six.is_loopback(), |four| four.is_loopback()),
    });
    is_near && !FORWARDED.iter().any(|name| headers.contains_key(*name))
}
