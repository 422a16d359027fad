//! The owner's own service that fetches pages (`tools.web_fetch.api_endpoint`), as myao2 used it: crawl4ai's
//! `POST /md`.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::{
    FetchError, links,
    page::{MOST_TEXT, PageRange, WebPage},
    reach::Reach,
    service_answer::read_capped,
};

/// Bytes of an answer that are read.
const MOST_BYTES: usize = 3 * 1024 * 1024;

/// How long it may take to say anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Fetches pages through a service. It may stand anywhere; what it is asked for has to be public.
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

    /// Whether anything answers there, whatever it says.
    pub(super) async fn is_there(&self) -> Result<(), FetchError> {
        let asking = tokio::time::timeout(PATIENCE, self.client.get(&self.endpoint).send()).await;
        asking
            .map_err(|_elapsed| failed("it does not answer"))?
            .map_err(|_error| failed("it can't be reached"))?;
        Ok(())
    }

    /// The page at an address.
    pub(super) async fn fetch(&self, url: &Url, part: PageRange) -> Result<WebPage, FetchError> {
        self.reach.check_with_names(url).await?;
        // `fit` leaves out what is not the article, without a model of the service's own.
        let filter = match part {
            PageRange::Article => "fit",
            PageRange::Whole => "raw",
        };
        let asked = json!({ "url": url.as_str(), "f": filter, "q": null, "c": "0" });
        let answer = self.client.post(&self.endpoint).json(&asked).send().await;
        let answer = answer.map_err(|_error| failed("it can't be reached"))?;
        if answer.status() != StatusCode::OK {
            return Err(failed(&format!("it answered with status {}", answer.status().as_u16())));
        }
        let text = read_capped(answer, MOST_BYTES).await.map_err(|problem| failed(&problem))?;
        let (title, text, address) = understood(&text)?;
        let address = address.filter(|address| self.reach.check(address).is_ok());
        let is_cut = text.chars().nth(MOST_TEXT).is_some();
        let text: String = text.chars().take(MOST_TEXT).collect();
        Ok(WebPage { address: address.unwrap_or_else(|| url.clone()), title, text, is_cut })
    }
}

/// Title, text and final address of an answer: JSON of some shape, or the Markdown itself.
fn understood(answer: &str) -> Result<(Option<String>, String, Option<Url>), FetchError> {
    let Ok(Value::Object(answer)) = serde_json::from_str::<Value>(answer) else {
        return if answer.trim().is_empty() {
            Err(FetchError::Empty)
        } else {
            Ok((None, answer.to_owned(), None))
        };
    };
    if answer.get("success") == Some(&Value::Bool(false)) {
        return Err(failed("it says that the page could not be read"));
    }
    let text = ["markdown", "content", "text", "data"].iter().find_map(|key| text_of(answer.get(*key)?));
    let text = text.filter(|text| !text.trim().is_empty()).ok_or(FetchError::Empty)?;
    let word = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
    let address = word("url").and_then(|url| links::parsed(&url));
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

fn failed(what: &str) -> FetchError {
    FetchError::Service(what.to_owned())
}
