//! The web tools for one answer, with their limits.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_recursion::async_recursion as boxed;
use futures::future::join_all;
use myao_core::{
    chat::{MessageTs, Speaker},
    ports::{TalkLine, ToolCall},
    prompt::{LinkedPage, PageExcerpt, Prompt},
};
use serde_json::Value;
use url::Url;

use super::{
    FetchError, WEB_FETCH, WEB_SEARCH, WebTools, links,
    page::PageRange,
    seen_addresses::{AddressOrigin, Hosts, SeenAddresses},
    wording,
};
use crate::ask::ToolResult;

/// The most pages fetched for one answer: more than anybody waits for.
const MOST_FETCHES: usize = 10;
/// The most searches for one answer: each may cost money.
const MOST_SEARCHES: usize = 5;
/// How many links of the messages to be answered are fetched before the model is asked.
const MOST_LINKS: usize = 2;
/// The longest time for each of these links, which are fetched concurrently: somebody waits for the answer.
const LINKS_TIMEOUT: Duration = Duration::from_secs(8);
/// The most characters shown of each; the model may read on.
const LINK_LENGTH: usize = 2000;

/// The tools of one answer.
pub struct WebSession {
    tools: WebTools,
    /// The addresses that may be fetched.
    seen: Mutex<SeenAddresses>,
    /// Whether only hosts may be contacted that people or a search named.
    is_private: AtomicBool,
    fetches: AtomicUsize,
    searches: AtomicUsize,
}

impl WebSession {
    pub(super) fn new(tools: WebTools, texts: impl IntoIterator<Item: AsRef<str>>) -> Self {
        let mut seen = SeenAddresses::default();
        for text in texts {
            seen.name(links::possible_addresses(text.as_ref()));
        }
        let seen = Mutex::new(seen);
        let is_private = AtomicBool::new(false);
        Self { tools, seen, is_private, fetches: AtomicUsize::new(0), searches: AtomicUsize::new(0) }
    }

    /// From now on contacts only hosts that people or a search named, because the answer is for a place that not
    /// everybody in the workspace sees.
    pub fn keep_to_named_hosts(&self) {
        self.is_private.store(true, Ordering::SeqCst);
    }

    /// Runs a call; `None` when its tool is not one of the web tools, or is off.
    #[boxed]
    pub async fn run(&self, call: &ToolCall) -> Option<ToolResult> {
        match call.name.as_str() {
            WEB_FETCH if self.tools.0.fetch.is_some() => Some(self.fetch(&call.arguments).await),
            WEB_SEARCH if self.tools.0.search.is_some() => Some(self.search(&call.arguments).await),
            _ => None,
        }
    }

    /// The pages that the messages to be answered link to; in an unasked reply, the message `about` counts as one.
    #[boxed]
    pub async fn pages_of(&self, prompt: &Prompt, about: Option<MessageTs>) -> Vec<LinkedPage> {
        let is_meant = |line: &&TalkLine| {
            line.speaker != Speaker::Own && (prompt.answers.contains(&line.ts) || about == Some(line.ts))
        };
        let texts: Vec<&str> = prompt.talk.iter().filter(is_meant).map(|line| line.text.as_str()).collect();
        self.read_links(&texts).await
    }

    /// Fetches the first pages that texts link to, shortened; nothing when `web_fetch` is off.
    #[boxed]
    pub async fn read_links(&self, texts: &[&str]) -> Vec<LinkedPage> {
        if !self.tools.fetches() {
            return Vec::new();
        }
        let mut urls: Vec<Url> = Vec::new();
        for url in texts.iter().flat_map(|text| links::addresses_in_order(text)) {
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        urls.truncate(MOST_LINKS);
        join_all(urls.into_iter().map(|url| self.read_link(url))).await
    }

    async fn read_link(&self, url: Url) -> LinkedPage {
        self.seen().name([url.clone()]);
        let page = match self.tools.page(&url, PageRange::Article, LINKS_TIMEOUT, &self.hosts()).await {
            Ok(page) => {
                let text: String = page.text.chars().take(LINK_LENGTH).collect();
                let is_cut = page.is_cut || text.len() < page.text.len();
                self.seen().read(&page.address, 0, &text);
                Ok(PageExcerpt { title: page.title.clone(), text, is_cut })
            }
            Err(error) => Err(error.to_string()),
        };
        LinkedPage { address: url.into(), page }
    }

    async fn fetch(&self, arguments: &Value) -> ToolResult {
        let language = self.tools.0.language;
        let given = arguments.get("url").and_then(Value::as_str).unwrap_or_default();
        let url = links::parse_address(given.trim()).ok_or_else(|| refused_address(given))?;
        let hop = match self.seen().origin(&url) {
            Some(AddressOrigin::Hop(hop)) => hop,
            other => return Err(wording::why_not_fetched(other, self.tools.0.search.is_some())),
        };
        let hosts = self.hosts();
        if !hosts.includes(&url) {
            return Err(wording::unnamed_host(url.host_str().unwrap_or_default()));
        }
        if self.fetches.fetch_add(1, Ordering::Relaxed) >= MOST_FETCHES {
            return Err(format!(
                "at most {MOST_FETCHES} pages are read for one answer; answer with what you have"
            ));
        }
        let part = if is_set(arguments.get("whole")) { PageRange::Whole } else { PageRange::Article };
        let offset = lenient_number(arguments.get("offset"));
        let page = self.tools.page(&url, part, Duration::MAX, &hosts).await;
        let page = page.map_err(|error| error.to_string())?;
        tracing::debug!(host = url.host_str(), bytes = page.text.len(), hop, "a web page was read");
        let shown = self.tools.0.fetch.as_ref().map_or(0, |fetch| fetch.shown);
        let text = wording::page_from_offset(language, &page, offset, shown)?;
        self.seen().read(&page.address, hop, &text);
        Ok(text)
    }

    async fn search(&self, arguments: &Value) -> ToolResult {
        let Some(search) = &self.tools.0.search else { return Err("there is no search".to_owned()) };
        let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        if self.searches.fetch_add(1, Ordering::Relaxed) >= MOST_SEARCHES {
            return Err(format!(
                "at most {MOST_SEARCHES} searches for one answer; answer with what you have"
            ));
        }
        let found = search.search(query).await.map_err(|error| error.to_string())?;
        // The summary is not read for addresses: it may repeat the query, and a model must not make an address
        // fetchable by searching for it.
        let most = search.excerpt_length();
        for hit in &found.hits {
            // An excerpt counts as a part of its page.
            let shown: String = hit.excerpt.chars().take(most).collect();
            self.seen().read(&hit.url, 0, &shown);
        }
        Ok(wording::search_results_text(self.tools.0.language, query, &found, most))
    }

    fn seen(&self) -> MutexGuard<'_, SeenAddresses> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hosts that may be contacted now.
    fn hosts(&self) -> Hosts {
        if self.is_private.load(Ordering::SeqCst) { self.seen().named_hosts() } else { Hosts::Any }
    }
}

fn refused_address(given: &str) -> String {
    let scheme = Url::parse(given.trim()).ok().map(|url| url.scheme().to_owned());
    scheme.map_or(FetchError::NotAnAddress, FetchError::Scheme).to_string()
}

/// A number, which models also write as a string.
fn lenient_number(value: Option<&Value>) -> usize {
    let number = value.and_then(|value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok()));
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

/// Whether a boolean, which models also write as a string, is true.
fn is_set(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
}
