//! Fetches pages through the owner's own service (`tools.web_fetch.api_endpoint`), as myao2 did: crawl4ai's `POST /md`.

use std::time::Duration;

use myao_core::text::parse_json;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::{
    FetchError, links,
    page::{MOST_TEXT, PageRange, WebPage},
    reach::Reach,
    read_capped,
};

/// The longest answer that is read, in bytes.
const MOST_BYTES: usize = 3 * 1024 * 1024;

/// How long [`Service::is_there`] waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Fetches pages through a service. The service may be anywhere; the pages have to be public.
pub(super) struct Service {
    client: Client,
    endpoint: String,
    reach: Reach,
}

impl Service {
    pub(super) fn new(client: Client, endpoint: &str, reach: Reach) -> Self {
        let endpoint = endpoint.trim_end_matches('/');
        let endpoint = endpoint.strip_suffix("/md").unwrap_or(endpoint);
        Self { client, endpoint: format!("{endpoint}/md"), reach }
    }

    /// Whether the service answers at all.
    pub(super) async fn is_there(&self) -> Result<(), FetchError> {
        let asking = tokio::time::timeout(PATIENCE, self.client.get(&self.endpoint).send()).await;
        asking
            .map_err(|_elapsed| failure_about("it does not answer"))?
            .map_err(|_error| failure_about("it can't be reached"))?;
        Ok(())
    }

    /// Fetches the page at an address.
    pub(super) async fn fetch(&self, url: &Url, part: PageRange) -> Result<WebPage, FetchError> {
        self.reach.check_with_names(url).await?;
        // `fit` leaves out what is not the article, without a model of the service's own.
        let filter = match part {
            PageRange::Article => "fit",
            PageRange::Whole => "raw",
        };
        let asked = json!({ "url": url.as_str(), "f": filter, "q": null, "c": "0" });
        let answer = self.client.post(&self.endpoint).json(&asked).send().await;
        let answer = answer.map_err(|_error| failure_about("it can't be reached"))?;
        if answer.status() != StatusCode::OK {
            return Err(failure_about(&format!("it answered with status {}", answer.status().as_u16())));
        }
        let text = read_capped(answer, MOST_BYTES).await.map_err(|problem| failure_about(&problem))?;
        let (title, text, address) = parse_answer(&text)?;
        let address = address.filter(|address| self.reach.check(address).is_ok());
        let is_cut = text.chars().nth(MOST_TEXT).is_some();
        let text: String = text.chars().take(MOST_TEXT).collect();
        Ok(WebPage { address: address.unwrap_or_else(|| url.clone()), title, text, is_cut })
    }
}

/// The title, text and final address of an answer: JSON of one of several shapes, or the Markdown itself.
fn parse_answer(answer: &str) -> Result<(Option<String>, String, Option<Url>), FetchError> {
    let Ok(Value::Object(answer)) = parse_json(answer.as_bytes()) else {
        return if answer.trim().is_empty() {
            Err(FetchError::Empty)
        } else {
            Ok((None, answer.to_owned(), None))
        };
    };
    if answer.get("success") == Some(&Value::Bool(false)) {
        return Err(failure_about("it says that the page could not be read"));
    }
    let text = ["markdown", "content", "text", "data"].iter().find_map(|key| text_of(answer.get(*key)?));
    let text = text.filter(|text| !text.trim().is_empty()).ok_or(FetchError::Empty)?;
    let word = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
    let address = word("url").and_then(|url| links::parse_address(&url));
    Ok((word("title").filter(|title| !title.trim().is_empty()), text, address))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(forms) => ["fit_markdown", "raw_markdown", "markdown", "content"]
            .iter()
            .find_map(|key| text_of(forms.get(*key)?)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

fn failure_about(what: &str) -> FetchError {
    FetchError::Service(what.to_owned())
}
