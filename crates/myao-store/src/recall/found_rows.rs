//! Looks up the terms of a search: in which rows they stand, of channels that may be seen, and which rows are worth
//! reading.

use std::collections::BTreeMap;

use myao_core::{
    chat::ChannelId,
    recall::{Matches, Postings},
};

use super::{
    address, apart,
    plan::WordSearch,
    postings::{self, TermLookup},
    term_lookups::PlannedLookups,
};
use crate::{StoreError, db::Tx, hearing::visible::VisibilityBinds};

/// The most texts that are read and ranked for one question.
const MOST_CANDIDATES: usize = 300;

/// Rows read for one term: one more than the most that an uncommon term may have.
const MOST_ROWS: usize = 4_001;

/// Where the terms of a search stand.
pub(super) struct FoundRows {
    /// What the index says about the question.
    pub(super) matches: Matches,
    /// The addresses that are worth reading, best first.
    pub(super) best: Vec<i64>,
    /// The channels of what was found, by number, as far as they may be seen.
    pub(super) channels: BTreeMap<i64, ChannelId>,
}

/// Looks the terms of a search up.
pub(super) async fn look_up_rows(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    search: &WordSearch,
    planned: PlannedLookups,
) -> Result<FoundRows, StoreError> {
    let PlannedLookups { lookups, terms, size } = planned;
    let mut found = postings::look_up(tx, &lookups, MOST_ROWS).await?;
    let mut channels = apart::visible_numbers(tx, seen, &found).await?;
    if look_up_what_was_cut(tx, seen, &lookups, &mut found, &channels).await? {
        channels = apart::visible_numbers(tx, seen, &found).await?;
    }
    let with_memories = search.with_memories && !search.filter.wants_messages();
    let is_wanted = |address: &i64| {
        (with_memories || !address::is_memory(*address))
            && channels.contains_key(&address::channel_number(*address))
    };
    let mut by_term: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for (term, addresses) in terms.into_iter().zip(found) {
        by_term.entry(term).or_default().extend(addresses.into_iter().filter(is_wanted));
    }
    let sorted = |(term, mut addresses): (usize, Vec<i64>)| {
        addresses.sort_unstable();
        addresses.dedup();
        Postings { term, addresses }
    };
    let found = by_term.into_iter().map(sorted).collect();
    let matches = Matches::new(&search.question, &search.asked, &size, found);
    let (since, until) = search.filter.span();
    let best = matches.best(MOST_CANDIDATES, |at| address::may_be_between(at, since, until));
    Ok(FoundRows { matches, best, channels })
}

/// Repeats the lookups that came to their limit with rows that may not be seen among what they found: of open channels,
/// of which it is unknown right now whether they still are. `false` if there are none.
async fn look_up_what_was_cut(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    lookups: &[TermLookup],
    found: &mut [Vec<i64>],
    visible: &BTreeMap<i64, ChannelId>,
) -> Result<bool, StoreError> {
    let is_hidden = |address: &i64| !visible.contains_key(&address::channel_number(*address));
    let is_cut = |found: &Vec<i64>| found.len() >= MOST_ROWS && found.iter().any(is_hidden);
    let cut: Vec<usize> =
        found.iter().enumerate().filter(|(_, found)| is_cut(found)).map(|(at, _)| at).collect();
    let again: Vec<TermLookup> = cut.iter().filter_map(|at| lookups.get(*at).cloned()).collect();
    for (at, addresses) in cut.iter().zip(postings::look_up_visible(tx, seen, &again, MOST_ROWS).await?) {
        if let Some(found) = found.get_mut(*at) {
            *found = addresses;
        }
    }
    Ok(!cut.is_empty())
}
