//! SearXNG, the owner's own: `GET /search?format=json`, without a key.

use myao_core::text::Language;
use reqwest::RequestBuilder;
use serde_json::Value;

use super::{Search, SearchResults, hits_of_list};

pub(super) fn request_for_query(search: &Search, query: &str) -> RequestBuilder {
    let language = match search.language {
        Language::Ja => "ja",
        Language::En => "auto",
    };
    let asked = [("q", query), ("format", "json"), ("language", language)];
    search.client.get(format!("{}/search", search.base)).query(&asked)
}

/// `{"results": [{"title", "url", "content", …}], "answers": [… or {"answer": …}]}`.
pub(super) fn read_results(answer: &Value) -> Option<SearchResults> {
    let text = |value: &Value| value.as_str().or_else(|| value.get("answer")?.as_str()).map(str::to_owned);
    let summary = answer.get("answers").and_then(Value::as_array).and_then(|answers| text(answers.first()?));
    Some(SearchResults { answer: summary, hits: hits_of_list(answer.get("results"), "content")? })
}
