//! Our own fetcher: one page, hop by hop, each address checked anew, never more than so many bytes.

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
    charset::decode,
    page::{MOST_TEXT, PageRange, WebPage, read_html},
    reach::{NotPublic, Reach},
    seen_addresses::Hosts,
};

/// Redirects that are followed: a shortened address, the host's own, https, and the page's final name.
const MOST_REDIRECTS: usize = 5;
/// Bytes of a body that are read, after decompression. The longest articles there are have two million; what
/// is longer is shown up to here.
const MOST_BYTES: usize = 3 * 1024 * 1024;
/// A server that takes longer to accept a connection is not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Pages parsed at once: it is work for the processor, and half of a small machine is enough.
const MOST_PARSERS: usize = 2;
/// We say who we are. There is no page to point to, so there is no address in it.
const USER_AGENT: &str = concat!(
    "myao/",
    env!("CARGO_PKG_VERSION"),
    " (chat companion; reads single pages that people ask about)"
);
const ACCEPTED: &str = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, */*;q=0.5";

/// Fetches pages of the web by itself.
pub(super) struct Fetcher {
    client: Client,
    reach: Reach,
    parsers: Arc<Semaphore>,
    languages: &'static str,
}

/// A body as it came.
struct Body {
    address: Url,
    kind: BodyKind,
    charset: Option<String>,
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Fetcher {
    /// `languages`: what is asked for where a site has several.
    pub(super) fn new(reach: Reach, languages: &'static str) -> Result<Self, reqwest::Error> {
        // An error means that somebody was first, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            // A proxy would resolve names behind our back, in a network that may not be the public one.
            .no_proxy()
            .dns_resolver(reach.guarded())
            .build()?;
        Ok(Self { client, reach, parsers: Arc::new(Semaphore::new(MOST_PARSERS)), languages })
    }

    /// The page at an address; its redirects lead to no other hosts than these.
    pub(super) async fn fetch(
        &self,
        url: &Url,
        part: PageRange,
        hosts: &Hosts,
    ) -> Result<WebPage, FetchError> {
        let body = self.body(url, hosts).await?;
        // Waits for a place here, and keeps it as long as it works, even when nobody waits any more.
        let place =
            Arc::clone(&self.parsers).acquire_owned().await.map_err(|_closed| FetchError::Unreadable)?;
        let read = move || {
            let page = read(body, part);
            drop(place);
            page
        };
        // A parser that panics has met a page that can't be read.
        tokio::task::spawn_blocking(read).await.map_err(|_panicked| FetchError::Unreadable)?
    }

    async fn body(&self, url: &Url, hosts: &Hosts) -> Result<Body, FetchError> {
        let mut address = url.clone();
        address.set_fragment(None);
        for _hop in 0..=MOST_REDIRECTS {
            self.reach.check(&address)?;
            let request = self.client.get(address.clone()).header(ACCEPT, ACCEPTED);
            let response =
                request.header(ACCEPT_LANGUAGE, self.languages).send().await.map_err(|error| told(&error))?;
            let status = response.status();
            match status {
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => {
                    address = next(&address, &response)?;
                    hosts.check(&address)?;
                }
                _ if !status.is_success() => return Err(FetchError::Status(status.as_u16())),
                _ => return body_of(address, response).await,
            }
        }
        Err(FetchError::Redirects(MOST_REDIRECTS))
    }
}

fn next(address: &Url, response: &Response) -> Result<Url, FetchError> {
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

fn read(body: Body, part: PageRange) -> Result<WebPage, FetchError> {
    let Body { address, kind, charset, bytes, mut is_cut } = body;
    let text = decode(&bytes, charset.as_deref());
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

/// What went wrong, without the details: they would tell of the machine's own network.
fn told(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(error) = cause {
        if error.is::<NotPublic>() {
            return FetchError::NotPublic;
        }
        cause = error.source();
    }
    if error.is_dns() { FetchError::NoName } else { FetchError::Unreachable }
}
