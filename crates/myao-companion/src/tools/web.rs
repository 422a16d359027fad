//! The web, as far as a model may see it (SPEC §4, §6): `web_fetch` reads a page, `web_search` looks for some.
//!
//! Read in this order: [`WebTools`], what there is; [`WebSession`], what one answer may do with it, and `seen_addresses`, which
//! addresses it may ask for; `fetcher`, how a page comes, and `reach` and `address`, from where it never comes; `page`, how it becomes text;
//! `search`; `links`, addresses in running text.
//!
//! Three rules hold everywhere. Nothing but the public internet is read. An address is only asked for if it
//! stands in what people said in the conversation, or in what a tool gave back for this same answer: a model that obeys an order
//! in some page cannot carry words away in an address of its own making. And what comes back is quoted, line
//! by line, as data.

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
mod service_answer;
mod session;
mod words;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use myao_config::ToolSettings;
use myao_core::{
    chat::Speaker,
    ports::Clock,
    prompt::{Language, Prompt},
};
use myao_model::http_client;
use url::Url;

pub use self::{address::is_public, error::FetchError, links::links_in, reach::Reach, session::WebSession};
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

/// What is configured of the web; cheap to clone.
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
    way: FetchRoute,
    /// For one page, redirects and all.
    timeout: Duration,
    /// Characters shown at a time.
    shown: usize,
    cache: Mutex<Cache>,
}

/// Who fetches.
enum FetchRoute {
    Ourselves(Fetcher),
    Service(Service),
}

/// The web can't be used at all: the system's certificates can't be read.
#[derive(Debug, thiserror::Error)]
#[error("pages of the web can't be fetched: {0}")]
pub struct WebError(String);

impl WebTools {
    /// What a configuration offers, on the public internet.
    pub fn new(settings: &ToolSettings, language: Language, clock: Arc<dyn Clock>) -> Result<Self, WebError> {
        Self::with_reach(settings, language, clock, Reach::public())
    }

    /// The same within a reach of the caller's choice.
    pub fn with_reach(
        settings: &ToolSettings,
        language: Language,
        clock: Arc<dyn Clock>,
        reach: Reach,
    ) -> Result<Self, WebError> {
        let services = http_client().map_err(|error| WebError(error.to_string()))?;
        let search = Search::new(&services, &settings.web_search, language);
        let fetch = &settings.web_fetch;
        let way = match &fetch.api_endpoint {
            Some(endpoint) => FetchRoute::Service(Service::new(services, endpoint, reach)),
            None => FetchRoute::Ourselves(
                Fetcher::new(reach, words::languages(language))
                    .map_err(|error| WebError(error.to_string()))?,
            ),
        };
        let fetch = fetch.enabled.then(|| FetchTool {
            way,
            timeout: Duration::from_secs(fetch.timeout_seconds),
            shown: usize::try_from(fetch.max_content_length).unwrap_or(usize::MAX),
            cache: Mutex::default(),
        });
        Ok(Self(Arc::new(WebToolsInner { language, clock, fetch, search })))
    }

    /// The tools that are on.
    pub fn tools(&self) -> Vec<Tool> {
        let WebToolsInner { language, fetch, search, .. } = &*self.0;
        let fetch = fetch.as_ref().map(|_| words::fetch_spec(*language, search.is_some()));
        let search = search.as_ref().map(|_| words::search_spec(*language));
        fetch.into_iter().chain(search).map(|spec| Tool { spec, effect: Effect::Brings }).collect()
    }

    /// Whether pages are read.
    pub fn fetches(&self) -> bool {
        self.0.fetch.is_some()
    }

    /// The tools for one answer. `texts` is what people said in the conversation that its prompt shows: the
    /// addresses in it may be fetched. Not what we said ourselves, nor memories and memos: a model that obeyed
    /// an order once may have written an address there.
    pub fn session(&self, texts: impl IntoIterator<Item: AsRef<str>>) -> WebSession {
        WebSession::new(self.clone(), texts)
    }

    /// The tools for the answer to a prompt. What not everybody in the workspace may know is not to be told by which
    /// links are followed: where the place is not open, only hosts are asked that people or a search named.
    pub fn session_for(&self, prompt: &Prompt, is_open: bool) -> WebSession {
        let others = prompt.talk.iter().filter(|line| line.speaker != Speaker::Own);
        let session = self.session(others.map(|line| &line.text));
        if !is_open {
            session.keep_to_named_hosts();
        }
        session
    }

    /// Searches for a word, to see whether the search works: how many results there are; none when it is off.
    pub async fn try_search(&self) -> Option<Result<usize, String>> {
        let found = self.0.search.as_ref()?.search("myao").await;
        Some(found.map(|found| found.hits.len()).map_err(|error| error.to_string()))
    }

    /// Asks the service that fetches pages for anything, to see whether it is there; none without one.
    pub async fn try_service(&self) -> Option<Result<(), String>> {
        match &self.0.fetch.as_ref()?.way {
            FetchRoute::Ourselves(_) => None,
            FetchRoute::Service(service) => Some(service.is_there().await.map_err(|error| error.to_string())),
        }
    }

    /// A page, from the cache or the web; its redirects lead to no other `hosts` than these.
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
        if let Some(page) = fetch.cached(url, part, &**clock) {
            hosts.check(&page.address)?;
            return Ok(page);
        }
        let within = within.min(fetch.timeout);
        let page = tokio::time::timeout(within, fetch.way.fetch(url, part, hosts)).await;
        let page = Arc::new(page.map_err(|_elapsed| FetchError::Timeout(within.as_secs()))??);
        let mut cache = fetch.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.put(url.clone(), part, clock.now(), Arc::clone(&page));
        Ok(page)
    }
}

impl FetchTool {
    fn cached(&self, url: &Url, part: PageRange, clock: &dyn Clock) -> Option<Arc<WebPage>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(url, part, clock.now())
    }
}

impl FetchRoute {
    async fn fetch(&self, url: &Url, part: PageRange, hosts: &Hosts) -> Result<WebPage, FetchError> {
        match self {
            Self::Ourselves(fetcher) => fetcher.fetch(url, part, hosts).await,
            Self::Service(service) => {
                let page = service.fetch(url, part).await?;
                // Which redirects it followed is its own affair; what came of them is not shown.
                hosts.check(&page.address)?;
                Ok(page)
            }
        }
    }
}
