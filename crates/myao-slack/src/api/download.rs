//! Downloads the content of shared files: no method of the Web API, but with the same token.

use std::time::Duration;

use myao_core::chat::instant_after;
use reqwest::{StatusCode, Url, header, redirect, retry};

use super::{Client, error::innermost_source};

/// The time to connect, after which a server counts as down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Slack's own domain, and that of its service for governments. The token is only sent there, encrypted, and to
/// `slack.api_base_url`.
const DOMAINS: [&str; 2] = ["slack.com", "slack-gov.com"];

/// A downloaded file.
#[derive(Debug)]
pub(crate) struct Download {
    /// The declared media type, without parameters, in lower case; empty when there is none.
    pub(crate) media_type: String,
    pub(crate) bytes: Vec<u8>,
}

impl Client {
    /// Downloads a file of at most `most_bytes` from an address of Slack's, once, within the timeout of a call. The error
    /// says why it failed, without the address.
    ///
    /// No redirect is followed: Slack redirects a client that may not see a file to a sign-in page, and the token must
    /// not be sent anywhere else.
    pub(crate) async fn download(&self, address: &str, most_bytes: usize) -> Result<Download, String> {
        let Ok(url) = Url::parse(address) else { return Err("its address is none".to_owned()) };
        if !may_see_token(address, &self.0.settings.base_url) {
            return Err("it is not at Slack".to_owned());
        }
        let deadline = self.0.clock.sleep_until(instant_after(self.now(), self.timeout()));
        tokio::select! {
            done = self.receive_file(url, most_bytes) => done,
            () = deadline => Err(format!("no answer within {} s", self.timeout().as_secs())),
        }
    }

    async fn receive_file(&self, url: Url, most_bytes: usize) -> Result<Download, String> {
        let http = self.without_redirects().ok_or("there is no client for it")?;
        let request = http.get(url).bearer_auth(self.0.settings.token.secret());
        let mut response = request.send().await.map_err(|error| innermost_source(&error))?;
        if response.status() != StatusCode::OK {
            return Err(of_status(response.status()));
        }
        let told = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media_type = told.unwrap_or_default().split(';').next().unwrap_or_default();
        let mut download = Download { media_type: media_type.trim().to_lowercase(), bytes: Vec::new() };
        let length = response.content_length().unwrap_or(0);
        let is_too_long = || format!("it has more than {most_bytes} bytes");
        if usize::try_from(length).is_ok_and(|length| length > most_bytes) {
            return Err(is_too_long());
        }
        while let Some(chunk) = response.chunk().await.map_err(|error| innermost_source(&error))? {
            if download.bytes.len() + chunk.len() > most_bytes {
                return Err(is_too_long());
            }
            download.bytes.extend_from_slice(&chunk);
        }
        Ok(download)
    }
}

impl Client {
    /// The client that follows no redirects, for addresses that come with what people send.
    pub(crate) fn without_redirects(&self) -> Option<&reqwest::Client> {
        self.0.unredirected.get_or_init(client_without_redirects).as_ref()
    }
}

/// A client that follows no redirects, unlike the program's own.
fn client_without_redirects() -> Option<reqwest::Client> {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("myao/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::none())
        .retry(retry::never());
    builder.build().inspect_err(|error| tracing::warn!(%error, "files cannot be fetched")).ok()
}

/// Whether our token may be sent to an address: one of Slack's own, encrypted, or one at `slack.api_base_url`.
pub fn may_see_token(address: &str, base_url: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    if !url.username().is_empty() || url.password().is_some() {
        return false;
    }
    let is_base = Url::parse(base_url).is_ok_and(|base| base.origin() == url.origin());
    let is_of = |host: &str, domain: &str| {
        host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let is_slacks = url.host_str().is_some_and(|host| DOMAINS.iter().any(|domain| is_of(host, domain)));
    is_base || is_slacks && url.scheme() == "https" && url.port().is_none()
}

fn of_status(status: StatusCode) -> String {
    if status.is_redirection() {
        return "Slack wants us to sign in: is the scope `files:read` there?".to_owned();
    }
    format!("Slack answers {}", status.as_u16())
}
