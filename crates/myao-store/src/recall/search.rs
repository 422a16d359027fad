//! Answers a question, through a visibility and in one snapshot: it is planned, looked up in the index, read, ranked and
//! fused. Each step hands what it made to the next one and is not come back to.

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{MessageTs, Visibility},
    recall::RenamedPerson,
};

use super::{
    apart::{self, TermScope},
    as_of, candidates, found_rows, fusion,
    house_words::{self, BearingHouseWord},
    near::{self, VectorCache},
    plan::{self, SearchPlan, SearchWithinBounds, WordSearch},
    put_right::mark_what_was_put_right,
    ranking, recent, renamed,
    request::{RecallRequest, Recalled},
    sources::NoSources,
    term_lookups,
    texts::RecalledText,
};
use crate::{
    RecallHandle, StoreError,
    db::Tx,
    hearing::{opt_outs, visible::VisibilityBinds},
};

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
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        match recall_without_opted_out(&mut tx, &seen, &self.store.vectors, request).await {
            Err(StoreError::Damaged(damage)) => {
                self.index_is_damaged(damage).await?;
                Ok(Vec::new())
            }
            found => found,
        }
    }
}

/// What fits best, without what people said who opted out.
pub(crate) async fn recall_without_opted_out(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<Vec<Recalled>, StoreError> {
    let mut found = search_with_house_words(tx, seen, cache, request).await?.recalled;
    let hidden = opt_outs::hidden_people(tx).await?;
    found.retain(|f| !f.text.as_message().is_some_and(|m| opt_outs::is_hidden(&hidden, m)));
    mark_what_was_put_right(tx, found.iter_mut(), request.filter.as_of.unwrap_or(MessageTs::MAX)).await?;
    Ok(found)
}

/// What was found for a question.
#[derive(Default)]
pub(crate) struct FoundForQuestion {
    /// What fits best, best first.
    pub(crate) recalled: Vec<Recalled>,
    /// Words of the question that messages explain.
    pub(crate) house_words: Vec<BearingHouseWord>,
    /// People whom it names who were called otherwise before.
    pub(crate) renamed: Vec<RenamedPerson>,
}

/// What fits best, by words and, if the question's meaning is known, by meaning; and by what words of the house mean in the
/// question, if messages explain some, and by the other names of people whom it names.
#[boxed]
pub(crate) async fn search_with_house_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<FoundForQuestion, StoreError> {
    let no_sources = NoSources::read(tx, request).await?;
    let most = request.most.saturating_add(MOST_LEFT_OUT);
    let plan = plan::plan_search(tx, seen, request, most).await?;
    let filter = &plan.wide.filter;
    let scope = apart::seen_from(tx, seen).await?;
    let words = house_words::words_of_question(tx, seen, &scope, (&request.words, filter)).await?;
    let near = near::find_nearest_messages(tx, seen, cache, request, filter).await?;
    let renamed = renamed::renamed_in_question(tx, request).await?;
    let mut found = find_by_plan(tx, seen, &scope, &plan, near).await?;
    for question in words.other_questions.iter().chain(&renamed.other_questions) {
        let asked = RecallRequest { words: question.clone(), ..request.clone() };
        let other = plan::plan_search(tx, seen, &asked, most).await?;
        let in_other_words = find_by_plan(tx, seen, &scope, &other, Vec::new()).await?;
        found = fusion::join_both_lists(found, in_other_words, most);
    }
    words.bring_explanations(&request.filter, &mut found);
    found.retain(|found| no_sources.tells(&found.text));
    if let Some(instant) = filter.as_of {
        as_of::keep_as_of(tx, &mut found, instant).await?;
    }
    found.truncate(request.most);
    Ok(FoundForQuestion { recalled: found, house_words: words.words, renamed: renamed.people })
}

/// What fits a plan best; `near` is what lies near in meaning.
async fn find_by_plan(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    scope: &TermScope,
    plan: &SearchPlan,
    near: Vec<RecalledText>,
) -> Result<Vec<Recalled>, StoreError> {
    let wide = find_by_words(tx, seen, scope, &plan.wide).await?;
    let named = match plan.named.as_ref().map(|named| &named.within) {
        Some(SearchWithinBounds::Words(search)) => find_by_words(tx, seen, scope, search).await?,
        Some(SearchWithinBounds::Newest(filter, most)) => {
            recent::newest_by_filter(tx, seen, filter, *most).await?
        }
        None => Vec::new(),
    };
    Ok(fusion::fuse_found_lists(plan, wide, named, near))
}

/// What fits the words of one search best.
#[boxed]
async fn find_by_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    scope: &TermScope,
    search: &WordSearch,
) -> Result<Vec<Recalled>, StoreError> {
    if search.question.terms().is_empty() {
        return Ok(Vec::new());
    }
    let planned = term_lookups::plan_term_lookups(tx, seen, search, scope).await?;
    let rows = found_rows::look_up_rows(tx, seen, search, planned).await?;
    let read = candidates::read_candidates(tx, seen, search, &rows).await?;
    Ok(ranking::rank_candidates(search, &rows.matches, read))
}
