//! Tavily: `POST /search`, with the key as bearer token.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::{Search, SearchResults, hits_of_list};

pub(super) const BASE: &str = "https://api.tavily.com";

pub(super) fn request_for_query(search: &Search, query: &str) -> RequestBuilder {
    let asked = json!({
        "query": query,
        "search_depth": search.settings.search_depth.as_str(),
        "max_results": search.settings.max_results,
        "include_answer": true,
    });
    search.client.post(format!("{}/search", search.base)).bearer_auth(search.key()).json(&asked)
}

/// `{"answer": …, "results": [{"title", "url", "content", …}]}`.
pub(super) fn read_results(answer: &Value) -> Option<SearchResults> {
    let summary = answer.get("answer").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    Some(SearchResults {
        answer: summary.map(str::to_owned),
        hits: hits_of_list(answer.get("results"), "content")?,
    })
}
