//! Plans a search: which words are looked for and within which bounds, and whom and which days the words name (ADR 54,
//! ADR 99).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{MessageTs, UserId},
    recall::{NamedInQuestion, RecallFilter, RecallQuestion},
};

use super::{bearing::Bearing, named, request::RecallRequest};
use crate::{StoreError, db::Tx, hearing::visible::VisibilityBinds};

/// If a question names whom or when and nothing else, the most of the newest messages that are shown.
const MOST_RECENT: usize = 12;

/// What is searched by words for a request.
pub(super) struct SearchPlan {
    /// The words, within the bounds of the request.
    pub(super) wide: WordSearch,
    /// What is searched first if the words name people or days.
    pub(super) named: Option<NamedSearch>,
    /// The most results.
    pub(super) most: usize,
}

/// A search for words within bounds.
pub(super) struct WordSearch {
    /// The words, and the phrases that a text has to hold.
    pub(super) asked: String,
    /// Their terms.
    pub(super) question: RecallQuestion,
    /// Who said it, where and when.
    pub(super) filter: RecallFilter,
    /// The most results.
    pub(super) most: usize,
    /// Whether memories are searched as well.
    pub(super) with_memories: bool,
    /// The current time.
    pub(super) now: MessageTs,
}

/// A search within the bounds that the words of a question name.
pub(super) struct NamedSearch {
    /// What it counts to be by these people and of these days.
    pub(super) bearing: Bearing,
    /// What is looked for within the bounds.
    pub(super) within: SearchWithinBounds,
}

/// What is looked for within the bounds that a question names.
pub(super) enum SearchWithinBounds {
    /// The other words of the question.
    Words(Box<WordSearch>),
    /// The newest messages, at most so many, since the question is about nothing else.
    Newest(RecallFilter, usize),
}

/// Plans the search for a request, for at most `most` results.
#[boxed]
pub(super) async fn plan_search(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
    most: usize,
) -> Result<SearchPlan, StoreError> {
    let search = |words: &str, filter: RecallFilter, names: &[String]| {
        let asked: Vec<&str> =
            std::iter::once(words).chain(filter.phrases.iter().map(String::as_str)).collect();
        let asked = asked.join("\n");
        let question = RecallQuestion::about(&asked, names);
        let RecallRequest { with_memories, now, .. } = *request;
        WordSearch { asked, question, filter, most, with_memories, now }
    };
    let unnamed =
        || SearchPlan { wide: search(&request.words, request.filter.clone(), &[]), named: None, most };
    let Some(zone) = &request.named_in else { return Ok(unnamed()) };
    let named = NamedInQuestion::new(&request.words, request.now.to_timestamp(), zone);
    // A question as of a day bounds everything, and the words by which it says so tell nothing.
    let bounds = match named.as_of {
        Some(end) => request.filter.clone().with_as_of(end),
        None => request.filter.clone(),
    };
    let (called, users) = named::people_with_bearers(tx, seen, &named, &bounds).await?;
    let filter = narrow_filter(&bounds, users, &named);
    if filter == bounds {
        if named.as_of.is_none() {
            return Ok(unnamed());
        }
        let wide = search(&named.without_names(&[]), bounds, &[]);
        return Ok(SearchPlan { wide, named: None, most });
    }
    let bearing = bearing_of_bounds(&bounds, &filter, &named, &called, zone);
    let words = named.without_names(&called);
    let within = if NamedInQuestion::is_about_something(&words) {
        SearchWithinBounds::Words(Box::new(search(&words, filter, &[])))
    } else {
        SearchWithinBounds::Newest(filter, most.min(MOST_RECENT))
    };
    let wide = search(&named.without_names(&[]), bounds, &called);
    Ok(SearchPlan { wide, named: Some(NamedSearch { bearing, within }), most })
}

/// The bounds of a search, extended by those that its words name; bounds that are set already stay as they are.
fn narrow_filter(filter: &RecallFilter, users: BTreeSet<UserId>, named: &NamedInQuestion) -> RecallFilter {
    let mut narrowed = filter.clone();
    if filter.users.is_empty() {
        narrowed.users = users.into_iter().collect();
    }
    if let Some(days) = named.days.filter(|_| filter.since.is_none() && named.as_of.is_none()) {
        narrowed.since = Some(days.start);
        narrowed.before = match (filter.before, days.end) {
            (Some(before), Some(end)) => Some(before.min(end)),
            (before, end) => before.or(end),
        };
    }
    narrowed
}

/// What it counts to lie within `narrowed`, of which `filter` is what was asked for without names.
fn bearing_of_bounds(
    filter: &RecallFilter,
    narrowed: &RecallFilter,
    named: &NamedInQuestion,
    called: &[String],
    zone: &TimeZone,
) -> Bearing {
    let has_days = (narrowed.since, narrowed.before) != (filter.since, filter.before);
    Bearing {
        users: if narrowed.users == filter.users { Vec::new() } else { narrowed.users.clone() },
        names: called.to_vec(),
        asks_what_was_said: named.asks_what_was_said,
        days: named.days.filter(|_| has_days),
        zone: zone.clone(),
    }
}
