//! Reads the arguments of a search, and finds out which people and channels they mean.

use myao_core::{
    chat::Visibility,
    recall::{DayRange, QueryError, RecallFilter, RecallQuery},
};
use serde::Deserialize;

use super::{RecallRefusal, RecallTools};
use crate::found::{UnmeantName, filter_of_query};

/// The arguments of the tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallToolArgs {
    query: String,
    from: Option<String>,
    r#in: Option<String>,
    after: Option<String>,
    before: Option<String>,
}

/// What is looked for.
pub(super) struct ResolvedQuery {
    pub(super) words: String,
    pub(super) filter: RecallFilter,
    /// Whether it can be looked up by words.
    pub(super) has_terms: bool,
}

impl ResolvedQuery {
    /// Finds out who and what is meant, as far as `visibility` sees it.
    pub(super) async fn new(
        with: &RecallTools,
        visibility: &Visibility,
        arguments: &RecallToolArgs,
    ) -> Result<Self, RecallRefusal> {
        let mut query = arguments.parsed(with)?;
        query.from.extend(arguments.from.iter().filter(|name| !name.trim().is_empty()).cloned());
        query.channels.extend(arguments.r#in.iter().filter(|name| !name.trim().is_empty()).cloned());
        if let Some(days) = days_of_argument(with, "after", arguments.after.as_ref())? {
            query.since = query.since.max(Some(days.start));
        }
        if let Some(days) = days_of_argument(with, "before", arguments.before.as_ref())? {
            query.before = Some(query.before.map_or(days.start, |before| before.min(days.start)));
        }
        let filter = filter_of_query(&with.store, visibility, &query).await?.map_err(refusal_of_name)?;
        let has_terms = query.has_terms();
        Ok(Self { words: query.words, filter, has_terms })
    }
}

impl RecallToolArgs {
    /// The query; an empty one if the other arguments are enough.
    fn parsed(&self, with: &RecallTools) -> Result<RecallQuery, RecallRefusal> {
        let bounds = [&self.from, &self.r#in, &self.after, &self.before];
        let is_bounded = bounds.into_iter().flatten().any(|bound| !bound.trim().is_empty());
        match RecallQuery::parse(&self.query, with.clock.now(), &with.zone) {
            Ok(query) => Ok(query),
            Err(QueryError::Empty | QueryError::Common(_)) if is_bounded => Ok(RecallQuery::default()),
            Err(error) => Err(RecallRefusal::Because(error.to_string())),
        }
    }
}

/// The days that an argument names, if it is given.
fn days_of_argument(
    with: &RecallTools,
    key: &'static str,
    value: Option<&String>,
) -> Result<Option<DayRange>, RecallRefusal> {
    let Some(value) = value.filter(|value| !value.trim().is_empty()) else { return Ok(None) };
    let wrong = || RecallRefusal::Because(QueryError::Day { key, value: value.clone() }.to_string());
    DayRange::parse(value, with.clock.now(), &with.zone).map(Some).ok_or_else(wrong)
}

/// What the model is told of a name that means nothing.
fn refusal_of_name(name: UnmeantName) -> RecallRefusal {
    RecallRefusal::Because(match name {
        UnmeantName::Person(name) => {
            format!("there is nobody called `{name}`: give a name as the conversation shows it")
        }
        UnmeantName::Channel(name) => {
            format!("no channel called `{name}` can be seen from here: leave out `in`")
        }
    })
}
