//! Searches the web, with one of three providers.
//!
//! The query is sent to a third party, so that there is no search unless the owner has configured one: with a key, or
//! with the address of their own SearXNG.

mod brave;
mod searxng;
mod tavily;

use std::time::Duration;

use myao_config::{SearchProvider, WebSearch};
use myao_core::text::{Language, parse_json};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::Value;
use url::Url;

use super::{links, page::html_as_text, read_capped};

/// The longest a search may take: somebody waits for the answer.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The longest answer of a provider, in bytes.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// The most characters of a title or an excerpt that are parsed.
const LONGEST_EXCERPT: usize = 100_000;
/// The most characters of a query: the limit of the strictest provider.
const LONGEST_QUERY: usize = 400;

/// One result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) title: String,
    pub(super) url: Url,
    pub(super) excerpt: String,
}

/// The results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchResults {
    /// The provider's own summary; `None` if it makes none.
    pub(super) answer: Option<String>,
    pub(super) hits: Vec<Hit>,
}

/// Why a search failed. The model is given this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SearchError {
    #[error("the query is empty")]
    Empty,
    #[error("the search service can't be reached")]
    Unreachable,
    #[error("the search service did not answer in time")]
    Timeout,
    #[error("the search service does not accept the key")]
    Unauthorised,
    #[error("the search service's limit is used up for now")]
    Limited,
    #[error("the SearXNG gives no JSON: `json` has to be among `search.formats` in its settings")]
    NoJson,
    #[error("the search service answered with status {0}")]
    Status(u16),
    #[error("the search service's answer makes no sense")]
    Nonsense,
}

/// A configured search.
pub(super) struct Search {
    client: Client,
    settings: WebSearch,
    base: String,
    language: Language,
}

impl Search {
    /// `None` when it is off, or lacks a key or an address.
    pub(super) fn new(client: &Client, settings: &WebSearch, language: Language) -> Option<Self> {
        if !settings.is_on() {
            return None;
        }
        let own = match settings.provider {
            SearchProvider::Tavily => Some(tavily::BASE),
            SearchProvider::Brave => Some(brave::BASE),
            SearchProvider::Searxng => None,
        };
        let base = settings.api_base.as_deref().or(own)?;
        let base = base.trim_end_matches('/').to_owned();
        Some(Self { client: client.clone(), settings: settings.clone(), base, language })
    }

    /// Searches, for at most `max_results` hits.
    pub(super) async fn search(&self, query: &str) -> Result<SearchResults, SearchError> {
        let query: String = query.split_whitespace().collect::<Vec<_>>().join(" ");
        let query: String = query.chars().take(LONGEST_QUERY).collect();
        if query.is_empty() {
            return Err(SearchError::Empty);
        }
        let request = match self.settings.provider {
            SearchProvider::Tavily => tavily::request_for_query(self, &query),
            SearchProvider::Brave => brave::request_for_query(self, &query),
            SearchProvider::Searxng => searxng::request_for_query(self, &query),
        };
        let answer = self.ask(request).await?;
        let mut found = match self.settings.provider {
            SearchProvider::Tavily => tavily::read_results(&answer),
            SearchProvider::Brave => brave::read_results(&answer),
            SearchProvider::Searxng => searxng::read_results(&answer),
        }
        .ok_or(SearchError::Nonsense)?;
        found.hits.truncate(usize::try_from(self.settings.max_results).unwrap_or(usize::MAX));
        Ok(found)
    }

    /// The most characters of an excerpt that are shown.
    pub(super) fn excerpt_length(&self) -> usize {
        usize::try_from(self.settings.max_content_length).unwrap_or(usize::MAX)
    }

    async fn ask(&self, request: RequestBuilder) -> Result<Value, SearchError> {
        let asking = async {
            let answer = request.send().await.map_err(|_error| SearchError::Unreachable)?;
            match answer.status() {
                StatusCode::OK => {}
                StatusCode::FORBIDDEN if self.settings.provider == SearchProvider::Searxng => {
                    return Err(SearchError::NoJson);
                }
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(SearchError::Unauthorised),
                // 432 and 433 are Tavily's: the plan's limit, and the limit of pay-as-you-go.
                status if matches!(status.as_u16(), 402 | 429 | 432 | 433) => {
                    return Err(SearchError::Limited);
                }
                status => return Err(SearchError::Status(status.as_u16())),
            }
            let text = read_capped(answer, MOST_BYTES).await.map_err(|_problem| SearchError::Nonsense)?;
            parse_json(text.as_bytes()).map_err(|_error| SearchError::Nonsense)
        };
        tokio::time::timeout(TIMEOUT, asking).await.map_err(|_elapsed| SearchError::Timeout)?
    }

    fn key(&self) -> &str {
        self.settings.api_key.as_ref().map_or("", |key| key.expose())
    }
}

/// The results in a JSON list, with their excerpts under the key `excerpt`. Those without a web address are skipped.
fn hits_of_list(list: Option<&Value>, excerpt: &str) -> Option<Vec<Hit>> {
    let hit = |item: &Value| {
        let url = links::parse_address(item.get("url")?.as_str()?)?;
        let word = |key| {
            let text = item.get(key).and_then(Value::as_str).unwrap_or_default();
            html_as_text(&text.chars().take(LONGEST_EXCERPT).collect::<String>(), &url)
        };
        let title = word("title");
        let excerpt = word(excerpt);
        Some(Hit { title, url, excerpt })
    };
    Some(list?.as_array()?.iter().filter_map(hit).collect())
}
