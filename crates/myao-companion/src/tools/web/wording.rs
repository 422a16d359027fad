//! Describes the web tools to a model, and writes down for it what they found.

use myao_core::{
    ports::ToolSpec,
    prompt::{hidden_note, quote_each_line},
    text::{Language, count_invisible_characters, name_as_label, phrase, phrase_with},
};
use serde_json::json;

use super::{
    WEB_FETCH, WEB_SEARCH,
    page::WebPage,
    search::SearchResults,
    seen_addresses::{AddressOrigin, MOST_HOPS, MOST_OF_A_PAGE},
};

/// The `Accept-Language` header, for sites in several languages.
pub(super) const fn accept_language_header(language: Language) -> &'static str {
    match language {
        Language::Ja => "ja, en;q=0.7, *;q=0.3",
        Language::En => "en, *;q=0.5",
    }
}

/// The tool's description, as short as it can be: it is sent with every prompt. What `offset` means is told with a page
/// that was cut.
pub(super) fn fetch_spec(language: Language, can_search: bool) -> ToolSpec {
    let description = if can_search { "web-fetch" } else { "web-fetch-without-search" };
    let whole = phrase(language, "web-fetch-whole");
    let parameters = json!({
        "type": "object",
        "properties": {
            "url": {"type": "string"},
            "offset": {"type": "integer"},
            "whole": {"type": "boolean", "description": whole},
        },
        "required": ["url"],
    });
    ToolSpec { name: WEB_FETCH.to_owned(), description: phrase(language, description).to_owned(), parameters }
}

pub(super) fn search_spec(language: Language) -> ToolSpec {
    let description = phrase(language, "web-search");
    let parameters = json!({
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    });
    ToolSpec { name: WEB_SEARCH.to_owned(), description: description.to_owned(), parameters }
}

/// Why an address that came to be known in this way is not fetched; `None` is an address that was not seen.
pub(super) fn why_not_fetched(standing: Option<AddressOrigin>, can_search: bool) -> String {
    let search = if can_search { ", search for the page" } else { "" };
    match standing {
        None => format!(
            "this address stands neither in the conversation nor in anything a tool returned for this answer, so it \
             is not fetched; take an address from there exactly as it is written{search}, or ask for the link"
        ),
        Some(AddressOrigin::OneTooMany) => format!(
            "only the first {MOST_OF_A_PAGE} links of a page are followed, and this one stands further down; answer \
             with what you have{search}, or ask for the link"
        ),
        Some(AddressOrigin::TooFar | AddressOrigin::Hop(_)) => format!(
            "links are followed {MOST_HOPS} times at most from what people or a search named, and this one is further \
             away; answer with what you have{search}, or ask for the link"
        ),
    }
}

/// Why a link to another host is not followed from a private place.
pub(super) fn unnamed_host(host: &str) -> String {
    format!(
        "{host} is a site that neither people nor a search named; for a private conversation nothing else is fetched, \
         since the choice among links could tell a stranger what is said there; answer with what you have, or ask \
         for the link"
    )
}

/// A page from the character `offset` on.
pub(super) fn page_from_offset(
    language: Language,
    page: &WebPage,
    offset: usize,
    most: usize,
) -> Result<String, String> {
    let total = page.text.chars().count();
    if offset > 0 && offset >= total {
        return Err(format!("the page has only {total} characters"));
    }
    let shown: String = page.text.chars().skip(offset).take(most).collect();
    let end = offset.saturating_add(shown.chars().count());
    let left = total.saturating_sub(end);
    let title = page.title.as_deref().map(name_as_label);
    let head = phrase(language, "web-page");
    let title = title.map(|title| phrase_with(language, "page-title", &json!({ "title": title })) + "\n");
    let more = match (left, page.is_cut) {
        (0, false) => String::new(),
        (0, true) => format!("\n\n{}", phrase(language, "web-page-cut")),
        (left, _) => {
            format!("\n\n{}", phrase_with(language, "web-page-more", &json!({ "left": left, "end": end })))
        }
    };
    let title = title.unwrap_or_default();
    let hidden = hidden_note(language, count_invisible_characters(&shown));
    Ok(format!("{head}\nURL: {}\n{title}\n{}{hidden}{more}", page.address, quote_each_line(&shown)))
}

/// What a search found.
pub(super) fn search_results_text(
    language: Language,
    query: &str,
    found: &SearchResults,
    most: usize,
) -> String {
    let query = name_as_label(query);
    if found.hits.is_empty() && found.answer.is_none() {
        return phrase_with(language, "web-nothing-found", &json!({ "query": query }));
    }
    let head = phrase_with(language, "web-results", &json!({ "query": query }));
    let answer = found.answer.as_deref().map(|answer| {
        format!("{}\n{}", phrase(language, "web-summary"), quote_each_line(&cut_to_length(answer, most)))
    });
    let hits = found.hits.iter().enumerate().map(|(index, hit)| {
        let text =
            format!("{}\n{}\n{}", name_as_label(&hit.title), hit.url, cut_to_length(&hit.excerpt, most));
        format!("{}.\n{}", index + 1, quote_each_line(&text))
    });
    let texts = found.hits.iter().flat_map(|hit| [&hit.title, &hit.excerpt]).chain(&found.answer);
    let hidden = hidden_note(language, texts.map(|text| count_invisible_characters(text)).sum());
    [head].into_iter().chain(answer).chain(hits).collect::<Vec<_>>().join("\n\n") + &hidden
}

fn cut_to_length(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.split_at(end).0),
        None => text.to_owned(),
    }
}
