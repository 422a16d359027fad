//! The web tools of a model (specification §4, §6): `web_fetch` reads a page, `web_search` searches for pages.
//!
//! Read in this order: [`WebTools`], what is configured; [`WebSession`], the tools for one answer, and `seen_addresses`,
//! which addresses it may fetch; `fetcher`, how a page is fetched, and `reach` and `address`, what is never connected to;
//! `page`, HTML as text; `search`; `links`, addresses in running text.
//!
//! Three rules hold everywhere. Only the public internet is read. An address is fetched only if it stands in what people
//! said in the conversation or in what a tool returned for the same answer, so that a model that obeys an order in some
//! page cannot carry words away in an address of its own making. And what comes back is quoted line by line, as data.

mod address;
mod body_kind;
mod cache;
mod charset;
mod error;
mod fetch_service;
mod fetcher;
mod links;
mod page;
mod reach;
mod search;
mod seen_addresses;
mod session;
mod wording;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_recursion::async_recursion as boxed;
use myao_config::ToolSettings;
use myao_core::{chat::Speaker, ports::Clock, prompt::Prompt, text::Language};
use myao_model::client_with_system_proxies;
use url::Url;

pub use self::{
    address::is_public, error::FetchError, links::addresses_in_order, reach::Reach, session::WebSession,
};
use self::{
    cache::Cache,
    fetch_service::Service,
    fetcher::Fetcher,
    page::{PageRange, WebPage},
    search::Search,
    seen_addresses::Hosts,
};
use super::{Effect, Tool};

/// The name of the tool that reads a page.
pub const WEB_FETCH: &str = "web_fetch";
/// The name of the tool that searches.
pub const WEB_SEARCH: &str = "web_search";

/// The web tools as they are configured; cheap to clone.
#[derive(Clone)]
pub struct WebTools(Arc<WebToolsInner>);

struct WebToolsInner {
    language: Language,
    clock: Arc<dyn Clock>,
    fetch: Option<FetchTool>,
    search: Option<Search>,
}

/// How pages are read.
struct FetchTool {
    route: FetchRoute,
    /// The longest time for one page, with its redirects.
    timeout: Duration,
    /// The most characters shown at a time.
    shown: usize,
    cache: Mutex<Cache>,
}

/// Who fetches pages.
enum FetchRoute {
    Ourselves(Fetcher),
    Service(Service),
}

/// The web cannot be used at all, say because the system's certificates cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("pages of the web can't be fetched: {0}")]
pub struct WebError(String);

impl WebTools {
    /// The tools that a configuration offers, on the public internet.
    pub fn new(settings: &ToolSettings, language: Language, clock: Arc<dyn Clock>) -> Result<Self, WebError> {
        Self::with_reach(settings, language, clock, Reach::public())
    }

    /// The same with a reach of the caller's choice.
    pub fn with_reach(
        settings: &ToolSettings,
        language: Language,
        clock: Arc<dyn Clock>,
        reach: Reach,
    ) -> Result<Self, WebError> {
        let services = client_with_system_proxies().map_err(|error| WebError(error.to_string()))?;
        let search = Search::new(&services, &settings.web_search, language);
        let fetch = &settings.web_fetch;
        let route = match &fetch.api_endpoint {
            Some(endpoint) => FetchRoute::Service(Service::new(services, endpoint, reach)),
            None => FetchRoute::Ourselves(
                Fetcher::new(reach, wording::accept_language_header(language))
                    .map_err(|error| WebError(error.to_string()))?,
            ),
        };
        let fetch = fetch.enabled.then(|| FetchTool {
            route,
            timeout: Duration::from_secs(fetch.timeout_seconds),
            shown: usize::try_from(fetch.max_content_length).unwrap_or(usize::MAX),
            cache: Mutex::default(),
        });
        Ok(Self(Arc::new(WebToolsInner { language, clock, fetch, search })))
    }

    /// The tools that are on.
    pub fn tools(&self) -> Vec<Tool> {
        let WebToolsInner { language, fetch, search, .. } = &*self.0;
        let fetch = fetch.as_ref().map(|_| wording::fetch_spec(*language, search.is_some()));
        let search = search.as_ref().map(|_| wording::search_spec(*language));
        fetch.into_iter().chain(search).map(|spec| Tool { spec, effect: Effect::Brings }).collect()
    }

    /// Whether pages are read.
    pub fn fetches(&self) -> bool {
        self.0.fetch.is_some()
    }

    /// The tools for one answer. `texts` are the messages of others that its prompt shows: the addresses in them may be
    /// fetched. Our own messages, memories and memos do not belong here: a model that obeyed an order may have written an
    /// address there.
    pub fn session(&self, texts: impl IntoIterator<Item: AsRef<str>>) -> WebSession {
        WebSession::new(self.clone(), texts)
    }

    /// The tools for the answer to a prompt. The links that are followed must not tell what not everybody in the
    /// workspace may know: if the place is not open, only hosts that people or a search named are contacted.
    pub fn session_for(&self, prompt: &Prompt, is_open: bool) -> WebSession {
        let others = prompt.talk.iter().filter(|line| line.speaker != Speaker::Own);
        let session = self.session(others.map(|line| &line.text));
        if !is_open {
            session.keep_to_named_hosts();
        }
        session
    }

    /// Searches for a word, to see whether the search works. Returns the number of results; `None` when it is off.
    #[boxed]
    pub async fn try_search(&self) -> Option<Result<usize, String>> {
        let found = self.0.search.as_ref()?.search("myao").await;
        Some(found.map(|found| found.hits.len()).map_err(|error| error.to_string()))
    }

    /// Sends a request to the service that fetches pages, to see whether it answers. `None` without a service.
    #[boxed]
    pub async fn try_service(&self) -> Option<Result<(), String>> {
        match &self.0.fetch.as_ref()?.route {
            FetchRoute::Ourselves(_) => None,
            FetchRoute::Service(service) => Some(service.is_there().await.map_err(|error| error.to_string())),
        }
    }

    /// A page, from the cache or the web. Its redirects may only lead to `hosts`.
    async fn page(
        &self,
        url: &Url,
        part: PageRange,
        within: Duration,
        hosts: &Hosts,
    ) -> Result<Arc<WebPage>, FetchError> {
        let WebToolsInner { clock, fetch: Some(fetch), .. } = &*self.0 else {
            return Err(FetchError::Unreachable);
        };
        let cache = || fetch.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cache().get(url, part, clock.now());
        if let Some(page) = cached {
            hosts.check(&page.address)?;
            return Ok(page);
        }
        let within = within.min(fetch.timeout);
        let page = tokio::time::timeout(within, fetch.route.fetch(url, part, hosts)).await;
        let page = Arc::new(page.map_err(|_elapsed| FetchError::Timeout(within.as_secs()))??);
        cache().put(url.clone(), part, clock.now(), Arc::clone(&page));
        Ok(page)
    }
}

impl FetchRoute {
    async fn fetch(&self, url: &Url, part: PageRange, hosts: &Hosts) -> Result<WebPage, FetchError> {
        match self {
            Self::Ourselves(fetcher) => fetcher.fetch(url, part, hosts).await,
            Self::Service(service) => {
                let page = service.fetch(url, part).await?;
                // We cannot keep it from following redirects, but do not show where they led.
                hosts.check(&page.address)?;
                Ok(page)
            }
        }
    }
}

/// Reads the text of a service's answer. An answer of more than `most` bytes is an error.
async fn read_capped(mut answer: reqwest::Response, most: usize) -> Result<String, String> {
    let mut bytes = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > most => {
                return Err("its answer is too long".to_owned());
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => return Err("its answer broke off".to_owned()),
        }
    }
}
