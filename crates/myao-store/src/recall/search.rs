//! Answers a question: the index says where terms stand, the archive and the memories what stands there, through a
//! visibility and in one snapshot.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    recall::{
        IndexSize, IndexTerm, Matches, Postings, RecallCandidate, RecallFilter, RecallQuestion, TalkAround,
        TermLookups,
    },
};

use super::{
    address,
    apart::{self, TermScope, visible_numbers},
    fusion, named,
    near::{self, VectorCache},
    postings::{self, TermLookup, TermPlan, Wanted},
    request::{RecallRequest, Recalled},
    single,
    sources::NoSources,
    speakers,
    texts::{self, RecalledText},
    units,
};
use crate::{
    RecallHandle, StoreError,
    db::Tx,
    hearing::{opt_outs, visible::VisibilityBinds},
};

/// The most texts that are read and ranked for one question.
const MOST_CANDIDATES: usize = 300;

/// The most memories among them: each has dozens of lines, and every line is ranked.
const MOST_MEMORIES: usize = 50;

/// Rows read for one term: one more than the most that an uncommon term may have.
const MOST_ROWS: usize = 4_001;

/// About how many rows are read for all terms together: once the rarest terms stand in as many, the others are not
/// looked up. PostgreSQL reads each of these rows; twice as many find no more.
const MOST_ROWS_IN_ALL: u64 = 2_500;

/// How many results more are looked for than are wanted, in place of those that are no sources ([`NoSources`]).
const MOST_LEFT_OUT: usize = 150;

impl RecallHandle<'_> {
    /// What fits a question best, best first, of what `visibility` shows. Empty if the index is damaged: then it is
    /// made anew ([`RecallHandle::index_progress`]).
    #[boxed]
    pub async fn search(
        &self,
        visibility: &Visibility,
        request: &RecallRequest,
    ) -> Result<Vec<Recalled>, StoreError> {
        Ok(self.store.replies().recall_for_reply(visibility, request).await?.0)
    }
}

/// What fits best, without what people said who opted out.
pub(crate) async fn recall_without_opted_out(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<Vec<Recalled>, StoreError> {
    let mut found = search_words_and_meaning(tx, seen, cache, request).await?;
    let hidden = opt_outs::hidden_people(tx).await?;
    found.retain(|f| !f.text.as_message().is_some_and(|m| opt_outs::is_hidden(&hidden, m)));
    Ok(found)
}

/// What fits best, by words and, if the question's meaning is known, by meaning.
#[boxed]
pub(crate) async fn search_words_and_meaning(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<Vec<Recalled>, StoreError> {
    let no_sources = NoSources::read(tx, request).await?;
    let deeper = RecallRequest { most: request.most.saturating_add(MOST_LEFT_OUT), ..request.clone() };
    let mut found = with_all(tx, seen, cache, &deeper).await?;
    found.retain(|found| no_sources.tells(&found.text));
    found.truncate(request.most);
    Ok(found)
}

/// The same, with what is no source as well.
#[boxed]
async fn with_all(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<Vec<Recalled>, StoreError> {
    let Some(question) = &request.meaning else { return by_names_and_words(tx, seen, request).await };
    let near = near::find_nearest_messages(tx, seen, cache, question, request).await?;
    if near.is_empty() {
        return by_names_and_words(tx, seen, request).await;
    }
    let deeper = RecallRequest { most: request.most.max(fusion::DEPTH), ..request.clone() };
    let found = by_names_and_words(tx, seen, &deeper).await?;
    Ok(fusion::fuse_by_ranks(found, near, request.most))
}

#[boxed]
async fn by_names_and_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
) -> Result<Vec<Recalled>, StoreError> {
    match &request.named_in {
        Some(zone) => named::recall_by_words(tx, seen, request, zone).await,
        None => by_words(tx, seen, request, &[]).await,
    }
}

/// What fits best by words. `names` are those of people whom the words are about.
#[boxed]
pub(super) async fn by_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
    names: &[String],
) -> Result<Vec<Recalled>, StoreError> {
    let asked =
        std::iter::once(request.words.as_str()).chain(request.filter.phrases.iter().map(String::as_str));
    let asked = asked.collect::<Vec<_>>().join("\n");
    let question = RecallQuestion::about(&asked, names);
    if question.terms().is_empty() {
        return Ok(Vec::new());
    }
    let scope = apart::seen_from(tx, seen).await?;
    let size = measure_index(tx, &scope, &question).await?;
    let (mut found, visible) = find_term_places(tx, seen, request, &question, &size, scope).await?;
    for postings in &mut found {
        postings.addresses.retain(|at| visible.contains_key(&address::channel_number(*at)));
    }
    let matches = Matches::new(&question, &asked, &size, found);
    let (since, until) = request.filter.span();
    let best = matches.best(MOST_CANDIDATES, |at| address::may_be_between(at, since, until));
    let mut texts = texts::read_visible_texts(tx, seen, &visible, &best).await?;
    keep_few_memories(&mut texts, &best, &request.filter);
    speakers::name_line_speakers(tx, &mut texts).await?;
    let before = request.filter.before;
    let threads = units::threads_of_found(tx, &visible, &texts, before).await?;
    texts.extend(threads.roots);
    texts.retain(|(_, text)| text.meets(&request.filter));
    let units = units::units_of_texts(tx, &visible, &texts, &threads.replies, before).await?;
    let candidates: Vec<RecallCandidate> = texts
        .iter()
        .zip(&units.of_texts)
        .map(|((address, text), unit)| RecallCandidate {
            address: *address,
            text: text.told_words(),
            at: text.said_at(),
            unit: unit.map(|(unit, _)| unit),
            is_root: unit.is_some_and(|(_, is_root)| is_root),
            around: text.as_message().map(|_| talk_around_address(*address, before)),
        })
        .collect();
    let ranked = matches.rank(&candidates, &units.units, request.now);
    // What holds a phrase letter by letter was asked for, however common its words are.
    let has_phrases = !request.filter.phrases.is_empty();
    let recalled = ranked.into_iter().filter_map(|ranked| {
        let (_, text) = texts.get(ranked.candidate)?;
        let held = ranked.held.iter().filter_map(|term| question.terms().get(*term));
        let terms = held.map(|term| term.text.clone()).collect();
        let is_incidental = ranked.is_incidental && !has_phrases;
        Some(Recalled { text: text.clone(), score: ranked.score, terms, is_incidental })
    });
    let mut recalled: Vec<Recalled> = recalled.take(request.most).collect();
    if let Some(letter) = question.lone_letter() {
        single::add_newest_holding(tx, seen, request, letter, &mut recalled).await?;
    }
    Ok(recalled)
}

/// The talk of a message's channel, as far as it was said before `before`.
fn talk_around_address(address: i64, before: Option<MessageTs>) -> TalkAround {
    let number = address::channel_number(address);
    // The row that `before` lies in is not counted: it may be that of the question itself.
    let to = before.map_or(address::memories_of(number).0, |before| address::of_message(number, before));
    TalkAround { from: address::of_channel(number).0, to, minute: address::MINUTE }
}

/// Drops the memories after the best [`MOST_MEMORIES`] of those within the bounds of a search.
fn keep_few_memories(texts: &mut Vec<(i64, RecalledText)>, best: &[i64], filter: &RecallFilter) {
    let within = texts.iter().filter(|(address, text)| address::is_memory(*address) && text.meets(filter));
    let within: BTreeSet<i64> = within.map(|(address, _)| *address).collect();
    let best = best.iter().filter(|address| within.contains(address));
    let kept: BTreeSet<i64> = best.take(MOST_MEMORIES).copied().collect();
    texts.retain(|(address, _)| !address::is_memory(*address) || kept.contains(address));
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
    let estimates = postings::estimate_row_counts(tx, scope, &asked).await?;
    let rows = |term: &IndexTerm| estimates.get(term.as_str()).copied().unwrap_or(0);
    Ok(IndexSize { rows: rows(&all), holding: keys.iter().map(rows).collect() })
}

/// Where the terms of a question stand, in messages and in memories, and those of the channels in which they do that may
/// be seen.
async fn find_term_places(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
    question: &RecallQuestion,
    size: &IndexSize,
    scope: TermScope,
) -> Result<(Vec<Postings>, BTreeMap<i64, ChannelId>), StoreError> {
    let (terms, together) = match question.lookups(size) {
        TermLookups::Each(terms) => (within_bounds(terms, size), Vec::new()),
        TermLookups::Together(terms) => (terms.iter().take(1).copied().collect(), terms),
    };
    let filter = &request.filter;
    let stretches = stretches_to_search(tx, seen, request, scope, !together.is_empty()).await?;
    let mut lookups = Vec::new();
    for term in &terms {
        let of_term = if together.is_empty() { std::slice::from_ref(term) } else { &together[..] };
        let wanted = row_conditions(&question.keys(), of_term, filter);
        for SearchedStretch { from, to, scope } in &stretches {
            let wanted = wanted.clone();
            let scope = scope.clone();
            let plan = choose_term_plan(together.is_empty(), (*from, *to));
            lookups.push((*term, TermLookup { wanted, scope, from: *from, to: *to, plan }));
        }
    }
    let (terms, lookups): (Vec<usize>, Vec<TermLookup>) = lookups.into_iter().unzip();
    let mut found = postings::look_up(tx, &lookups, MOST_ROWS).await?;
    let mut visible = visible_numbers(tx, seen, &found).await?;
    if look_up_what_was_cut(tx, seen, &lookups, &mut found, &visible).await? {
        visible = visible_numbers(tx, seen, &found).await?;
    }
    let mut by_term: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for (term, addresses) in terms.into_iter().zip(found) {
        by_term.entry(term).or_default().extend(addresses);
    }
    let with_memories = request.with_memories && !filter.wants_messages();
    let sorted = |(term, mut addresses): (usize, Vec<i64>)| {
        addresses.retain(|address| with_memories || !address::is_memory(*address));
        addresses.sort_unstable();
        addresses.dedup();
        Postings { term, addresses }
    };
    Ok((by_term.into_iter().map(sorted).collect(), visible))
}

/// What a row has to hold to be found by these terms of a question within the bounds of a search.
fn row_conditions(keys: &[IndexTerm], terms: &[usize], filter: &RecallFilter) -> Wanted {
    let mut wanted = Wanted::default();
    for term in terms {
        wanted = wanted.and(keys.get(*term).cloned().into_iter().collect());
    }
    for phrase in &filter.phrases {
        for key in RecallQuestion::of_phrase(phrase).keys() {
            wanted = wanted.and(vec![key]);
        }
    }
    wanted.and(filter.users.iter().map(IndexTerm::said_by).collect())
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

/// A stretch of addresses to search, and under which terms.
#[derive(Clone, Debug)]
struct SearchedStretch {
    from: i64,
    to: i64,
    scope: TermScope,
}

/// The stretches to search: those of the channels asked for, or of the only channel that may be seen; else all, with
/// what may be seen as `scope`. If there are too many rows to read, the rows of the channels with the highest numbers are
/// read first, so `is_cut` adds a stretch for the place's own channel.
async fn stretches_to_search(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
    scope: TermScope,
    is_cut: bool,
) -> Result<Vec<SearchedStretch>, StoreError> {
    let filter = &request.filter;
    let is_everywhere = filter.channels.is_empty() && !seen.is_one_channel();
    let own = [ChannelId::new(seen.own.clone())];
    let channels = if filter.channels.is_empty() { &own } else { &filter.channels[..] };
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
        if request.with_memories {
            let (from, to) = address::memories_of(placed.number);
            stretches.push(SearchedStretch { from, to, scope: placed.scope() });
        }
    }
    Ok(stretches)
}
