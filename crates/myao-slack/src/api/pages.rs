//! Reads lists page by page.

use futures::stream::{self, Stream};
use serde_json::Value;

use super::{ApiError, CallParams, Client, Method};
use crate::json;

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPage {
    /// The items of the page.
    pub items: Vec<Value>,
    /// The rest of the answer.
    pub rest: Value,
}

/// Which page of a list comes next.
enum ListPosition {
    Start,
    Cursor(String),
    End,
}

impl Client {
    /// The pages of a list whose answers hold their items under `key`, from the first to the last. Each is fetched when
    /// it is polled for; the stream ends after an error.
    pub fn pages<'a>(
        &'a self,
        method: Method,
        params: Vec<(&'a str, String)>,
        key: &'static str,
    ) -> impl Stream<Item = Result<ListPage, ApiError>> + Send + 'a {
        stream::try_unfold((ListPosition::Start, params), move |(at, params)| async move {
            let before = match at {
                ListPosition::End => return Ok(None),
                ListPosition::Start => None,
                ListPosition::Cursor(cursor) => Some(cursor),
            };
            let answer = self.call_for_page(method, &params, before.as_deref()).await?;
            let next = match next_cursor(&answer) {
                None => ListPosition::End,
                Some(next) if before.as_deref() == Some(next) => {
                    return Err(ApiError::unreadable(method, "the same page follows itself"));
                }
                Some(next) => ListPosition::Cursor(next.to_owned()),
            };
            Ok(Some((ListPage::of(answer, key), (next, params))))
        })
    }

    async fn call_for_page(
        &self,
        method: Method,
        params: &CallParams<'_>,
        cursor: Option<&str>,
    ) -> Result<Value, ApiError> {
        let Some(cursor) = cursor else { return self.call(method, params).await };
        let mut params = params.to_vec();
        params.push(("cursor", cursor.to_owned()));
        self.call(method, &params).await
    }
}

/// The cursor of the page that follows an answer.
fn next_cursor(answer: &Value) -> Option<&str> {
    answer.get("response_metadata").and_then(|more| json::text_of_field(more, "next_cursor"))
}

impl ListPage {
    /// The cursor of the page that follows; `None` if this is the last.
    pub(crate) fn next_cursor(&self) -> Option<&str> {
        next_cursor(&self.rest)
    }

    fn of(mut answer: Value, key: &str) -> Self {
        let items = match answer.as_object_mut().and_then(|answer| answer.shift_remove(key)) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        Self { items, rest: answer }
    }
}
