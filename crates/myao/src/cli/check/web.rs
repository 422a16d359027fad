//! Checks the web tools: whether they are on, and whether the services that they need answer.

use myao_companion::tools::web::WebTools;
use myao_config::{SearchProvider, WebSearch};

use super::finding::{CheckReport, Finding};
use crate::app::App;

const FETCH: &str = "tools.web_fetch";
const SEARCH: &str = "tools.web_search";

/// Checks both tools, and tries what costs nothing.
pub(super) async fn try_both_tools(app: &App, report: &mut CheckReport) {
    match app.web() {
        Ok(web) => {
            report.add(try_fetching(&web).await);
            report.add(try_searching(&web, &app.config.tools.web_search).await);
        }
        Err(failure) => report.add(Finding::wrong("tools", failure.to_string(), "")),
    }
}

async fn try_fetching(web: &WebTools) -> Finding {
    if !web.fetches() {
        return Finding::fine(FETCH, "off");
    }
    match web.try_service().await {
        None => Finding::fine(FETCH, "on; myao fetches pages by itself"),
        Some(Ok(())) => Finding::fine(FETCH, "on; the service at api_endpoint answers"),
        Some(Err(why)) => {
            let advice = "is the service up? without api_endpoint, myao fetches pages by itself";
            Finding::wrong(FETCH, why, advice)
        }
    }
}

async fn try_searching(web: &WebTools, settings: &WebSearch) -> Finding {
    let provider = settings.provider.as_str();
    if !settings.enabled {
        return Finding::fine(SEARCH, "off");
    }
    if !settings.is_on() {
        return Finding::fine(SEARCH, format!("off: {provider} needs an api_key"));
    }
    match settings.provider {
        SearchProvider::Tavily | SearchProvider::Brave => {
            Finding::fine(SEARCH, format!("on, by {provider}; not tried, since every search is counted"))
        }
        SearchProvider::Searxng => match web.try_search().await {
            None => Finding::fine(SEARCH, "off"),
            Some(Ok(0)) => {
                let advice = "are its engines on, and not suspended?";
                Finding::wrong(SEARCH, "searxng answers, and finds nothing", advice)
            }
            Some(Ok(_)) => Finding::fine(SEARCH, "on; searxng answers"),
            Some(Err(why)) => Finding::wrong(SEARCH, why, "api_base is where its pages are, without /search"),
        },
    }
}
