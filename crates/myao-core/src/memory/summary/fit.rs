//! Cuts memories that are too long for one request, so that none ever exceeds `prompt.max_tokens`.
//!
//! What a model wrote is bounded ([`crate::memory::guard::most_tokens`]), and callers pass only as much of it as fits. But a
//! memory written by a person, or by the predecessor, may have any length.

use super::{
    Summarizer, SummaryError,
    draft::Draft,
    request::{FoldedMemory, RequestDraft, TextLimits},
};
use crate::{
    ports::{Request, Turn, estimate_request},
    text::{cut_to_tokens, estimate_tokens, text_under_heading},
    wording::ask_shorter,
};

/// How many tokens of the budget a draft leaves free for asking again for a shorter text ([`Summarizer::shorter_request`]): for
/// our words and the start of the answer.
const ASKING_AGAIN: usize = 100;
/// The existing memory and what is folded into it each get at least the room divided by this, if they need it.
const SHARES: usize = 2;

impl Summarizer<'_> {
    /// How many tokens a draft may have.
    pub(super) fn budget(&self) -> usize {
        self.input_budget.saturating_sub(ASKING_AGAIN)
    }

    /// Asks about all of `entries` at once. Where that is too much, auxiliary information is left out first; then
    /// texts are cut, the longest most.
    pub(super) fn ask_about_memories(
        &self,
        mut draft: RequestDraft<'_>,
        entries: &[FoldedMemory],
    ) -> Result<Draft, SummaryError> {
        let mut whole = draft.ask_about_memories(entries)?;
        if estimate_request(&whole) > self.budget() && !draft.references.is_empty() {
            draft.references.clear();
            whole = draft.ask_about_memories(entries)?;
        }
        if estimate_request(&whole) > self.budget() {
            whole = self.cut_to_fit(draft, entries)?;
        }
        Ok(Draft::Ask(Box::new(whole)))
    }

    /// Asks about `entries` with every text cut so that the request keeps the budget.
    pub(super) fn cut_to_fit(
        &self,
        mut draft: RequestDraft<'_>,
        entries: &[FoldedMemory],
    ) -> Result<Request, SummaryError> {
        draft.limits = TextLimits::NONE;
        let needs = estimate_request(&draft.ask_about_memories(entries)?);
        let Some(room) = self.budget().checked_sub(needs) else {
            return Err(SummaryError::NoRoom { needs, budget: self.input_budget });
        };
        let existing = draft.existing.map_or(0, |text| estimate_tokens(&text_under_heading(text)));
        let prices: Vec<usize> =
            entries.iter().map(|entry| estimate_tokens(&text_under_heading(&entry.text))).collect();
        let all = prices.iter().fold(0, |sum: usize, price| sum.saturating_add(*price));
        let for_existing = room.saturating_sub(all).max(room / SHARES).min(existing);
        draft.limits =
            TextLimits { existing: for_existing, entry: common_limit(prices, room - for_existing) };
        Ok(draft.ask_about_memories(entries)?)
    }

    /// Asks again for half the length, after an answer to `request` that was cut off or is too long. As much of the
    /// answer is shown as there is room for.
    pub fn shorter_request(&self, request: &Request, answer: &str) -> Request {
        let mut again = request.clone();
        again.target_tokens = (again.target_tokens / 2).max(1);
        let wish = ask_shorter(request.language, again.target_tokens);
        let room = self.input_budget.saturating_sub(estimate_request(request) + estimate_tokens(&wish));
        let text = cut_to_tokens(answer, room, request.language);
        again.turns.push(Turn::Assistant { text, calls: Vec::new(), thoughts: Vec::new() });
        again.turns.push(Turn::User(wish));
        again
    }
}

/// The largest limit, in tokens, with which texts of `prices` tokens fit into `room` together if each is cut to the
/// limit.
fn common_limit(mut prices: Vec<usize>, room: usize) -> usize {
    prices.sort_unstable();
    let mut left = room;
    for (price, waiting) in prices.iter().zip((1..=prices.len()).rev()) {
        let share = left / waiting;
        if *price > share {
            return share;
        }
        left -= price;
    }
    usize::MAX
}
