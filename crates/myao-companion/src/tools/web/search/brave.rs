//! Brave: `GET /web/search`, with the key in `X-Subscription-Token`.

use reqwest::{RequestBuilder, header::ACCEPT};
use serde_json::Value;

use super::{Search, SearchResults, hits_of_list};

pub(super) const BASE: &str = "https://api.search.brave.com/res/v1";

pub(super) fn request_for_query(search: &Search, query: &str) -> RequestBuilder {
    let count = search.settings.max_results.to_string();
    search
        .client
        .get(format!("{}/web/search", search.base))
        .query(&[("q", query), ("count", &count), ("text_decorations", "false")])
        .header(ACCEPT, "application/json")
        .header("X-Subscription-Token", search.key())
}

/// `{"web": {"results": [{"title", "url", "description", …}]}}`; no `web` if nothing was found.
pub(super) fn read_results(answer: &Value) -> Option<SearchResults> {
    let Some(web) = answer.as_object()?.get("web") else { return Some(SearchResults::default()) };
    Some(SearchResults { answer: None, hits: hits_of_list(web.get("results"), "description")? })
}
