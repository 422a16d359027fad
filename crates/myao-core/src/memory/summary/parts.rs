//! Summarises talk that is too long for one request in parts, and joins their summaries.

use std::borrow::Borrow;

use super::{
    Summarizer, SummaryError,
    draft::Draft,
    keep_existing,
    request::{FoldedMemory, RequestDraft, SummaryTask, TalkPart},
};
use crate::{
    chat::Message,
    context::Context,
    memory::scope::{InvalidCombination, MemoryScope, MemoryType},
    ports::{TalkLine, estimate_request},
    text::estimate_tokens,
    wording::{MESSAGE_LIMIT, line_text, messages_as_lines},
};

/// How many texts one request joins at least: with fewer, joining would never end.
const LEAST_JOINED: usize = 2;
/// A budget that leaves room for fewer tokens of talk than this is refused.
const LEAST_ROOM: usize = 600;
/// If the existing memory and the talk do not both fit, the memory may take their room divided by this.
const KNOWN_SHARE: usize = 2;
/// How many tokens the time and name of a message have at most.
const LINE_HEAD: usize = 200;
/// How many tokens one character of a message has at most, its indentation included (see `text/tokens.rs`).
const TOKENS_PER_CHARACTER: usize = 3;

impl Summarizer<'_> {
    /// Joins the summaries of the parts of a chapter or thread, in order. If even the summaries are too much for one
    /// request, it asks for parts again: repeat until the draft is no longer [`Draft::Parts`].
    ///
    /// # Errors
    /// When memories of this scope and type are not made in parts, an owner's template fails, or the instructions leave
    /// no room in the budget.
    pub fn join_part_summaries(
        &self,
        context: &Context,
        scope: MemoryScope,
        memory_type: MemoryType,
        parts: &[String],
    ) -> Result<Draft, SummaryError> {
        let task = match (scope, memory_type) {
            (MemoryScope::Channel, MemoryType::ShortTerm) => SummaryTask::JoinChapter,
            (MemoryScope::Thread, MemoryType::ShortTerm) => SummaryTask::JoinThread,
            _ => return Err(InvalidCombination { scope, memory_type }.into()),
        };
        let texts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
        let entries: Vec<FoldedMemory> = texts
            .map(|text| FoldedMemory { label: String::new(), period: None, text: text.to_owned() })
            .collect();
        if let [] | [_] = entries.as_slice() {
            return Ok(Draft::Keep(entries.into_iter().next().map_or_else(String::new, |entry| entry.text)));
        }
        let draft = self.new_draft(task, context, memory_type, None);
        let whole = draft.ask_about_memories(&entries)?;
        if estimate_request(&whole) <= self.budget() {
            return Ok(Draft::Ask(Box::new(whole)));
        }
        if entries.len() <= LEAST_JOINED {
            return Ok(Draft::Ask(Box::new(self.cut_to_fit(draft, &entries)?)));
        }
        let room = self.budget().saturating_sub(estimate_request(&draft.ask_about_memories(&[])?));
        let groups = group_by_price(entries, room, LEAST_JOINED, FoldedMemory::tokens);
        let parts = groups.iter().map(|group| self.cut_to_fit(draft.clone(), group));
        Ok(Draft::Parts(parts.collect::<Result<_, _>>()?))
    }

    /// One request for all of the talk, or as many as its length takes.
    pub(super) fn ask_about_talk(
        &self,
        mut draft: RequestDraft<'_>,
        messages: impl IntoIterator<Item = impl Borrow<Message>> + Clone,
    ) -> Result<Draft, SummaryError> {
        let lines = messages_as_lines(messages.clone(), &self.talk_format(MESSAGE_LIMIT));
        if lines.is_empty() {
            return Ok(keep_existing(draft.existing));
        }
        let whole = draft.ask_about_talk(&lines, None)?;
        if estimate_request(&whole) <= self.budget() {
            return Ok(Draft::Ask(Box::new(whole)));
        }
        let first = Some(TalkPart { number: 1, of: lines.len() });
        // The existing memory goes with the first part. If it is too long, it is cut.
        draft.limits.existing = 0;
        let free = self.budget().saturating_sub(estimate_request(&draft.ask_about_talk(&[], first)?));
        let said = lines.iter().map(line_tokens).fold(0, usize::saturating_add);
        let share = (free / KNOWN_SHARE).min(free.saturating_sub(LEAST_ROOM));
        draft.limits.existing = free.saturating_sub(said).max(share);
        let whole = draft.ask_about_talk(&lines, None)?;
        if estimate_request(&whole) <= self.budget() {
            return Ok(Draft::Ask(Box::new(whole)));
        }
        let frame = estimate_request(&draft.ask_about_talk(&[], first)?);
        let room = self.budget().saturating_sub(frame);
        if room < LEAST_ROOM && !draft.references.is_empty() {
            draft.references.clear();
            return self.ask_about_talk(draft, messages);
        }
        if room < LEAST_ROOM {
            return Err(SummaryError::NoRoom { needs: frame, budget: self.input_budget });
        }
        // Messages are cut so that each fits into a request of its own.
        let limit = MESSAGE_LIMIT.min((room - LINE_HEAD) / TOKENS_PER_CHARACTER);
        let lines = messages_as_lines(messages, &self.talk_format(limit));
        let groups = group_by_price(lines, room, 1, line_tokens);
        let of = groups.len();
        let parts = groups
            .iter()
            .zip(1..)
            .map(|(group, number)| draft.ask_about_talk(group, Some(TalkPart { number, of })));
        Ok(Draft::Parts(parts.collect::<Result<_, _>>()?))
    }
}

fn line_tokens(line: &TalkLine) -> usize {
    estimate_tokens(&line_text(line)) + estimate_tokens("\n")
}

/// Cuts `items` into consecutive groups that cost at most `room` each, but hold at least `least` items (the last group
/// perhaps fewer).
fn group_by_price<T>(items: Vec<T>, room: usize, least: usize, price: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut left = 0;
    for item in items {
        let tokens = price(&item);
        match groups.last_mut() {
            Some(group) if tokens <= left || group.len() < least => group.push(item),
            _ => {
                left = room;
                groups.push(vec![item]);
            }
        }
        left = left.saturating_sub(tokens);
    }
    groups
}
