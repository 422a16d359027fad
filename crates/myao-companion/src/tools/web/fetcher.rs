//! Fetches a page itself: redirect by redirect, checking each address, up to a limit of bytes.

use std::{error::Error, sync::Arc, time::Duration};

use reqwest::{
    Client, Response, StatusCode,
    header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, LOCATION},
    redirect, retry,
};
use tokio::sync::Semaphore;
use url::Url;

use super::{
    FetchError,
    body_kind::BodyKind,
    charset::decode_body,
    page::{MOST_TEXT, PageRange, WebPage, read_html},
    reach::{NotPublic, Reach},
    seen_addresses::Hosts,
};

/// The most redirects that are followed: enough for a shortened address, the host's own, https, and the final name.
const MOST_REDIRECTS: usize = 5;
/// The most bytes of a body that are read, after decompression; a longer page is cut off. The longest articles have two
/// million.
const MOST_BYTES: usize = 3 * 1024 * 1024;
/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Pages parsed concurrently: parsing needs the processor, and half of a small machine is enough.
const MOST_PARSERS: usize = 2;
/// Says who we are. It holds no address, since there is no page about this program to point to.
const USER_AGENT: &str = concat!(
    "myao/",
    env!("CARGO_PKG_VERSION"),
    " (chat companion; reads single pages that people ask about)"
);
const ACCEPTED: &str = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, */*;q=0.5";

/// Fetches pages without a service.
pub(super) struct Fetcher {
    client: Client,
    reach: Reach,
    parsers: Arc<Semaphore>,
    languages: &'static str,
}

/// A response's body, not decoded yet.
struct Body {
    address: Url,
    kind: BodyKind,
    charset: Option<String>,
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Fetcher {
    /// `languages` is the `Accept-Language` header.
    pub(super) fn new(reach: Reach, languages: &'static str) -> Result<Self, reqwest::Error> {
        // It fails if a provider is already installed, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            // A proxy would resolve names itself, in a network that may not be the public one.
            .no_proxy()
            .dns_resolver(reach.guarded())
            .build()?;
        Ok(Self { client, reach, parsers: Arc::new(Semaphore::new(MOST_PARSERS)), languages })
    }

    /// Fetches the page at an address. Its redirects may only lead to `hosts`.
    pub(super) async fn fetch(
        &self,
        url: &Url,
        part: PageRange,
        hosts: &Hosts,
    ) -> Result<WebPage, FetchError> {
        let body = self.body(url, hosts).await?;
        // The permit is kept until the page is parsed, even when the caller is gone.
        let permit =
            Arc::clone(&self.parsers).acquire_owned().await.map_err(|_closed| FetchError::Unreadable)?;
        let read = move || {
            let page = read_body(body, part);
            drop(permit);
            page
        };
        // A parser that panics cannot read the page.
        tokio::task::spawn_blocking(read).await.map_err(|_panicked| FetchError::Unreadable)?
    }

    async fn body(&self, url: &Url, hosts: &Hosts) -> Result<Body, FetchError> {
        let mut address = url.clone();
        address.set_fragment(None);
        for _hop in 0..=MOST_REDIRECTS {
            self.reach.check(&address)?;
            let request = self.client.get(address.clone()).header(ACCEPT, ACCEPTED);
            let response = request
                .header(ACCEPT_LANGUAGE, self.languages)
                .send()
                .await
                .map_err(|error| reason_of_failure(&error))?;
            let status = response.status();
            match status {
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => {
                    address = next_address(&address, &response)?;
                    hosts.check(&address)?;
                }
                _ if !status.is_success() => return Err(FetchError::Status(status.as_u16())),
                _ => return body_of(address, response).await,
            }
        }
        Err(FetchError::Redirects(MOST_REDIRECTS))
    }
}

fn next_address(address: &Url, response: &Response) -> Result<Url, FetchError> {
    let location = response.headers().get(LOCATION).and_then(|value| str::from_utf8(value.as_bytes()).ok());
    let mut next = location.and_then(|location| address.join(location).ok()).ok_or(FetchError::Nowhere)?;
    next.set_fragment(None);
    Ok(next)
}

async fn body_of(address: Url, mut response: Response) -> Result<Body, FetchError> {
    let header =
        response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let charset = charset_of(header);
    let declared = BodyKind::of(header)?;
    let mut bytes = Vec::new();
    let mut is_cut = false;
    while let Some(chunk) = response.chunk().await.map_err(|_error| FetchError::Broken)? {
        let room = MOST_BYTES - bytes.len();
        is_cut = chunk.len() > room;
        bytes.extend_from_slice(chunk.get(..room.min(chunk.len())).unwrap_or_default());
        if is_cut {
            break;
        }
    }
    let kind = match declared {
        Some(kind) => kind,
        None => BodyKind::seen_in(&bytes)?,
    };
    Ok(Body { address, kind, charset, bytes, is_cut })
}

fn charset_of(header: &str) -> Option<String> {
    let parameters = header.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut named = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    named.next().map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
}

fn read_body(body: Body, part: PageRange) -> Result<WebPage, FetchError> {
    let Body { address, kind, charset, bytes, mut is_cut } = body;
    let text = decode_body(&bytes, charset.as_deref());
    let (title, text) = match kind {
        BodyKind::Html => read_html(&text, &address, part)?,
        BodyKind::Text if text.trim().is_empty() => return Err(FetchError::Empty),
        BodyKind::Text => (None, text),
    };
    let text = match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => {
            is_cut = true;
            text.split_at(end).0.to_owned()
        }
        None => text,
    };
    Ok(WebPage { address, title, text, is_cut })
}

/// Why a request failed, without details, which would tell about the machine's own network.
fn reason_of_failure(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(error) = cause {
        if error.is::<NotPublic>() {
            return FetchError::NotPublic;
        }
        cause = error.source();
    }
    if error.is_dns() { FetchError::NoName } else { FetchError::Unreachable }
}
