//! Brave: `GET /web/search`, with the key in `X-Subscription-Token`.

use reqwest::{RequestBuilder, header::ACCEPT};
use serde_json::Value;

use super::{Search, SearchResults, hits};

pub(super) const BASE: &str = "https://api.search.brave.com/res/v1";

pub(super) fn request(search: &Search, query: &str) -> RequestBuilder {
    let count = search.settings.max_results.to_string();
    search
        .client
        .get(format!("{}/web/search", search.base))
        .query(&[("q", query), ("count", &count), ("text_decorations", "false")])
        .header(ACCEPT, "application/json")
        .header("X-Subscription-Token", search.key())
}

/// `{"web": {"results": [{"title", "url", "description", …}]}}`; no `web` if nothing was found.
pub(super) fn read(answer: &Value) -> Option<SearchResults> {
    let Some(web) = answer.as_object()?.get("web") else { return Some(SearchResults::default()) };
    Some(SearchResults { answer: None, hits: hits(web.get("results"), "description")? })
}
