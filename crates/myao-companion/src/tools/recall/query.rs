//! Reads the arguments of a search, and finds out which people and channels they mean.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, UserId, Visibility},
    recall::{DayRange, QueryError, RecallFilter, RecallQuery, people_with_name},
};
use serde::Deserialize;

use super::{RecallRefusal, RecallTools};

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
        let users = people_of_names(with, &query.from).await?;
        let channels = channels_of_names(with, visibility, &query.channels).await?;
        let filter = query.filter(users, channels);
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

/// Everybody who is meant by one of these names.
async fn people_of_names(with: &RecallTools, names: &[String]) -> Result<Vec<UserId>, RecallRefusal> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let everybody = with.store.recall().named_users().await?;
    let mut meant = BTreeSet::new();
    for name in names {
        let found = people_with_name(name, &everybody);
        if found.is_empty() {
            let reason = format!("there is nobody called `{name}`: give a name as the conversation shows it");
            return Err(RecallRefusal::Because(reason));
        }
        meant.extend(found.into_iter().map(|user| user.id.clone()));
    }
    Ok(meant.into_iter().collect())
}

/// The channels of these names that are seen. A channel that is not seen is treated like one that does not exist.
async fn channels_of_names(
    with: &RecallTools,
    visibility: &Visibility,
    names: &[String],
) -> Result<Vec<ChannelId>, RecallRefusal> {
    let mut meant = BTreeSet::new();
    for name in names {
        let called = with.store.archive().channels_named(name.trim().trim_start_matches(['#', '＃'])).await?;
        let ids = called.into_iter().map(|channel| channel.id).collect();
        let seen = with.store.hearing().seen_among(visibility, ids).await?;
        if seen.is_empty() {
            let reason = format!("no channel called `{name}` can be seen from here: leave out `in`");
            return Err(RecallRefusal::Because(reason));
        }
        meant.extend(seen);
    }
    Ok(meant.into_iter().collect())
}
