//! Plans which terms of a search are looked up in the index, and where: how common each is decides it.

use std::collections::BTreeSet;

use myao_core::{
    chat::ChannelId,
    recall::{IndexSize, IndexTerm, RecallFilter, RecallQuestion, TermLookups},
};

use super::{
    address,
    apart::{self, TermScope},
    plan::WordSearch,
    postings::{TermLookup, TermPlan, Wanted},
    samples,
};
use crate::{StoreError, db::Tx, hearing::visible::VisibilityBinds};

/// About how many rows are read for all terms together: once the rarest terms stand in as many, the others are not
/// looked up. PostgreSQL reads each of these rows; twice as many find no more.
const MOST_ROWS_IN_ALL: u64 = 2_500;

/// What is looked up in the index for a search.
pub(super) struct PlannedLookups {
    /// The lookups.
    pub(super) lookups: Vec<TermLookup>,
    /// For each lookup, the term that it finds, by its place in the question.
    pub(super) terms: Vec<usize>,
    /// How large the index is as far as it may be seen.
    pub(super) size: IndexSize,
}

/// A stretch of addresses to search, and under which terms.
#[derive(Clone, Debug)]
struct SearchedStretch {
    from: i64,
    to: i64,
    scope: TermScope,
}

/// Plans where the terms of a search are looked up, in messages and in memories; `scope` is what may be seen.
pub(super) async fn plan_term_lookups(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    search: &WordSearch,
    scope: &TermScope,
) -> Result<PlannedLookups, StoreError> {
    let question = &search.question;
    let size = measure_index(tx, scope, question).await?;
    let (looked_up, together) = match question.lookups(&size) {
        TermLookups::Each(terms) => (within_bounds(terms, &size), Vec::new()),
        TermLookups::Together(terms) => (terms.iter().take(1).copied().collect(), terms),
    };
    let stretches = stretches_to_search(tx, seen, search, scope.clone(), !together.is_empty()).await?;
    let mut terms = Vec::new();
    let mut lookups = Vec::new();
    for term in &looked_up {
        let of_term = if together.is_empty() { std::slice::from_ref(term) } else { &together[..] };
        let wanted = row_conditions(&question.keys(), of_term, &search.filter);
        for SearchedStretch { from, to, scope } in &stretches {
            let wanted = wanted.clone();
            let scope = scope.clone();
            let plan = choose_term_plan(together.is_empty(), (*from, *to));
            lookups.push(TermLookup { wanted, scope, from: *from, to: *to, plan });
            terms.push(*term);
        }
    }
    Ok(PlannedLookups { lookups, terms, size })
}

/// How large the index is as far as it may be seen, and about how many of those rows hold each term of a question.
async fn measure_index(
    tx: &mut Tx,
    scope: &TermScope,
    question: &RecallQuestion,
) -> Result<IndexSize, StoreError> {
    let keys = question.keys();
    let all = IndexTerm::of_every_row();
    let asked: BTreeSet<&IndexTerm> = keys.iter().chain([&all]).collect();
    let estimates = samples::estimate_row_counts(tx, scope, &asked).await?;
    let rows = |term: &IndexTerm| estimates.get(term.as_str()).copied().unwrap_or(0);
    Ok(IndexSize { rows: rows(&all), holding: keys.iter().map(rows).collect() })
}

/// The terms, rarest first, until together they stand in about [`MOST_ROWS_IN_ALL`] rows.
fn within_bounds(terms: Vec<usize>, size: &IndexSize) -> Vec<usize> {
    let mut rows = 0;
    let is_within = |term: &usize| {
        let before = rows;
        rows += size.holding.get(*term).copied().unwrap_or(0);
        before < MOST_ROWS_IN_ALL
    };
    terms.into_iter().take_while(is_within).collect()
}

/// The stretches to search: those of the channels asked for, or of the only channel that may be seen; else all, with
/// what may be seen as `scope`. If there are too many rows to read, the rows of the channels with the highest numbers are
/// read first, so `is_cut` adds a stretch for the place's own channel.
async fn stretches_to_search(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    search: &WordSearch,
    scope: TermScope,
    is_cut: bool,
) -> Result<Vec<SearchedStretch>, StoreError> {
    let filter = &search.filter;
    let is_everywhere = filter.channels.is_empty() && !seen.is_one_channel();
    let own = [ChannelId::new(seen.own.clone())];
    let channels = match &filter.channels[..] {
        // What stands there is a list, of channels whose rows `scope` names.
        [] if seen.has_several_own() => &[],
        [] => &own[..],
        asked => asked,
    };
    let mut stretches = Vec::new();
    if is_everywhere {
        let (from, to) = address::ALL;
        stretches.push(SearchedStretch { from, to, scope });
    }
    let (since, until) = filter.span();
    for channel in channels.iter().filter(|_| !is_everywhere || is_cut) {
        let Some(placed) = apart::find_placed_channel(tx, seen, channel).await? else { continue };
        let from = address::of_message(placed.number, since);
        let last = address::of_message(placed.number, until);
        stretches.push(SearchedStretch { from, to: last.saturating_add(1), scope: placed.scope() });
        if search.with_memories {
            let (from, to) = address::memories_of(placed.number);
            stretches.push(SearchedStretch { from, to, scope: placed.scope() });
        }
    }
    Ok(stretches)
}

/// What a row has to hold to be found by these terms of a question within the bounds of a search.
fn row_conditions(keys: &[IndexTerm], terms: &[usize], filter: &RecallFilter) -> Wanted {
    let mut wanted = Wanted::default();
    for term in terms {
        wanted = wanted.and(keys.get(*term).copied().into_iter().collect());
    }
    for phrase in &filter.phrases {
        for key in RecallQuestion::of_phrase(phrase).keys() {
            wanted = wanted.and(vec![key]);
        }
    }
    wanted.and(filter.users.iter().map(IndexTerm::said_by).collect())
}

/// How to find rows for terms that few rows hold, or many.
fn choose_term_plan(is_rare: bool, stretch: (i64, i64)) -> TermPlan {
    if is_rare {
        return TermPlan::Rare;
    }
    match stretch {
        address::ALL => TermPlan::Some,
        (from, _) if address::is_memory(from) => TermPlan::Between,
        _ => TermPlan::Last,
    }
}
