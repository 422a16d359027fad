//! Builds the request that asks a model for a memory (specification §2.4, §12.3).
//!
//! | memory | made from | auxiliary information: the memories of |
//! |---|---|---|
//! | thread, short-term | the thread's new messages, and its memory so far | the channel and the workspace |
//! | channel, short-term | all talk of the chapter | the workspace |
//! | channel, long-term | the chapters that wait to be merged, and the memory so far | the workspace |
//! | workspace, long-term | the channels' long-term memories, and the memory so far | nothing |

mod auxiliary;
mod draft;
mod fit;
mod parts;
mod request;

use jiff::tz::TimeZone;

pub use self::auxiliary::{context_without_auxiliary, texts_beside_sources};
pub use self::draft::Draft;
use self::request::{AROUND, FoldedMemory, Reference, RequestDraft, SummaryTask, TextLimits};
use super::{
    scope::{InvalidCombination, MemoryScope, MemoryType},
    settings::MemorySettings,
};
use crate::{
    chat::{Message, Names},
    context::{ChannelMemory, Context, ShortTerm},
    text::estimate_tokens,
    wording::{
        TalkFormat, TemplateError, Templates, channel_label, lines_as_text, messages_as_lines,
        moment_in_prompt,
    },
};

/// Auxiliary information may take the input budget divided by this; what is longer is cut.
const REFERENCE_SHARE: usize = 4;
/// An auxiliary text that does not fit is left out if there is room for fewer tokens than this: so little of it would
/// explain nothing.
const LEAST_REFERENCE: usize = 100;

/// Decides what to ask for a memory.
#[derive(Clone, Copy, Debug)]
pub struct Summarizer<'a> {
    /// The prompts.
    pub templates: &'a Templates,
    /// What people and channels are called.
    pub names: &'a Names,
    /// The zone of the times (`locale.timezone`).
    pub zone: &'a TimeZone,
    /// The target lengths.
    pub settings: &'a MemorySettings,
    /// What one request may hold, in estimated tokens (`prompt.max_tokens`).
    pub input_budget: usize,
}

/// Why no request can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// There are no memories of this scope and type.
    #[error(transparent)]
    Combination(#[from] InvalidCombination),
    /// A template failed.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The instructions leave no room for talk.
    #[error(
        "the instructions for a summary take {needs} tokens; \
         with the {budget} of `prompt.max_tokens` that leaves no room for talk"
    )]
    NoRoom {
        /// Tokens of the instructions.
        needs: usize,
        /// Tokens of the budget.
        budget: usize,
    },
}

impl Summarizer<'_> {
    /// What to ask for the memory (`scope`, `memory_type`) of `context`, which continues its `existing` text; or what
    /// to keep without asking, if there is nothing to summarise.
    ///
    /// # Errors
    /// When there are no memories of this scope and type, an owner's template fails, or the instructions leave no room
    /// in the budget.
    pub fn draft(
        &self,
        context: &Context,
        scope: MemoryScope,
        memory_type: MemoryType,
        existing: Option<&str>,
    ) -> Result<Draft, SummaryError> {
        let existing = if_not_blank(existing);
        match (scope, memory_type) {
            (MemoryScope::Thread, MemoryType::ShortTerm) => self.draft_thread(context, existing),
            (MemoryScope::Channel, MemoryType::ShortTerm) => self.draft_chapter(context, existing),
            (MemoryScope::Channel, MemoryType::LongTerm) => self.draft_merge(context, existing),
            (MemoryScope::Workspace, MemoryType::LongTerm) => self.draft_workspace(context, existing),
            (MemoryScope::Workspace, MemoryType::ShortTerm) | (MemoryScope::Thread, MemoryType::LongTerm) => {
                Err(InvalidCombination { scope, memory_type }.into())
            }
        }
    }

    /// A chapter's talk word for word, if it fits the target length of a short-term memory (specification §2.1
    /// Verbatim). `None` if it does not, or if nothing was said.
    pub fn verbatim(&self, messages: &[Message]) -> Option<String> {
        let text = lines_as_text(&messages_as_lines(messages, &self.talk_format(usize::MAX)));
        let limit = usize::try_from(self.settings.short_term_summary_max_tokens).unwrap_or(usize::MAX);
        let fits = estimate_tokens(&text) <= limit;
        (fits && !text.is_empty()).then_some(text)
    }

    fn draft_thread(&self, context: &Context, existing: Option<&str>) -> Result<Draft, SummaryError> {
        let Some(target) = context.target_thread_ts else { return Ok(Draft::Keep(String::new())) };
        let messages = context.conversation_history.get_thread(target);
        let memory = own_channel_memory(context);
        let long_term = memory.and_then(|m| m.long_term_memory.as_deref()).map(Reference::LongTerm);
        let short_term = memory.and_then(|m| m.short_term_memory.as_deref()).map(Reference::ShortTerm);
        let references = [long_term, short_term, workspace_reference(context)];
        let draft = self.new_draft(SummaryTask::Thread, context, MemoryType::ShortTerm, existing);
        self.ask_about_talk(self.with_references(draft, references), messages)
    }

    fn draft_chapter(&self, context: &Context, existing: Option<&str>) -> Result<Draft, SummaryError> {
        let messages = context.conversation_history.get_all_messages();
        if messages.is_empty() {
            return Ok(keep_existing(existing));
        }
        // A chapter's memory continues no earlier text (specification §12.3).
        let draft = self.new_draft(SummaryTask::Chapter, context, MemoryType::ShortTerm, None);
        self.ask_about_talk(self.with_references(draft, [workspace_reference(context)]), messages)
    }

    fn draft_merge(&self, context: &Context, existing: Option<&str>) -> Result<Draft, SummaryError> {
        let waiting = own_channel_memory(context).map(waiting_chapters).unwrap_or_default();
        let entry = |short: ShortTerm| FoldedMemory {
            label: String::new(),
            period: short
                .period
                .map(|(from, to)| (moment_in_prompt(from, self.zone), moment_in_prompt(to, self.zone))),
            text: short.content.trim().to_owned(),
        };
        let entries: Vec<FoldedMemory> = waiting.into_iter().map(entry).collect();
        if entries.is_empty() {
            return Ok(keep_existing(existing));
        }
        let draft = self.new_draft(SummaryTask::Merge, context, MemoryType::LongTerm, existing);
        self.ask_about_memories(self.with_references(draft, [workspace_reference(context)]), &entries)
    }

    fn draft_workspace(&self, context: &Context, existing: Option<&str>) -> Result<Draft, SummaryError> {
        let mut memories: Vec<&ChannelMemory> = context.channel_memories.values().collect();
        memories.sort_by_key(|m| (&m.channel_name, &m.channel_id));
        let entry = |memory: &ChannelMemory| {
            let text = if_not_blank(memory.long_term_memory.as_deref())?.to_owned();
            Some(FoldedMemory {
                label: format!("#{}", channel_label(&memory.channel_name)),
                period: None,
                text,
            })
        };
        let entries: Vec<FoldedMemory> = memories.into_iter().filter_map(entry).collect();
        if entries.is_empty() {
            return Ok(keep_existing(existing));
        }
        let draft = self.new_draft(SummaryTask::Workspace, context, MemoryType::LongTerm, existing);
        self.ask_about_memories(draft, &entries)
    }

    fn new_draft<'s>(
        &'s self,
        task: SummaryTask,
        context: &Context,
        memory_type: MemoryType,
        existing: Option<&'s str>,
    ) -> RequestDraft<'s> {
        let target_tokens = match memory_type {
            MemoryType::LongTerm => self.settings.long_term_summary_max_tokens,
            MemoryType::ShortTerm => self.settings.short_term_summary_max_tokens,
        };
        let channel = channel_label(&context.conversation_history.channel().name);
        let templates = self.templates;
        let limits = TextLimits::UNLIMITED;
        RequestDraft { templates, task, channel, target_tokens, existing, references: Vec::new(), limits }
    }

    /// Adds auxiliary texts in order, as far as their share of the budget has room. A text that does not fit is cut to
    /// the room that is left, or left out if that is too little.
    fn with_references<'s>(
        &self,
        mut draft: RequestDraft<'s>,
        references: impl IntoIterator<Item = Option<Reference<'s>>>,
    ) -> RequestDraft<'s> {
        let mut room = self.input_budget / REFERENCE_SHARE;
        for reference in references.into_iter().flatten().filter(|r| !r.text().trim().is_empty()) {
            if let Some(left) = room.checked_sub(reference.tokens()) {
                room = left;
                draft.references.push((reference, usize::MAX));
            } else if room >= LEAST_REFERENCE + AROUND {
                draft.references.push((reference, room - AROUND));
                room = 0;
            }
        }
        draft
    }

    fn talk_format(&self, limit: usize) -> TalkFormat<'_> {
        TalkFormat { names: self.names, zone: self.zone, language: self.templates.language(), limit }
    }
}

/// Keeps the existing text: there is nothing to summarise (specification §12.3).
fn keep_existing(existing: Option<&str>) -> Draft {
    Draft::Keep(existing.unwrap_or_default().to_owned())
}

fn if_not_blank(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn own_channel_memory(context: &Context) -> Option<&ChannelMemory> {
    context.channel_memories.get(&context.conversation_history.channel().id)
}

fn workspace_reference(context: &Context) -> Option<Reference<'_>> {
    context.workspace_long_term_memory.as_deref().map(Reference::Workspace)
}

/// The chapters to be folded in, oldest first. Without a history this is the channel's one short-term memory.
fn waiting_chapters(memory: &ChannelMemory) -> Vec<ShortTerm> {
    let mut history = memory.short_term_memory_history.clone();
    if history.is_empty() {
        let lone = memory.short_term_memory.iter().cloned();
        history.extend(lone.map(|content| ShortTerm { version: 1, content, period: None }));
    }
    history.retain(|short| !short.content.trim().is_empty());
    history.sort_by_key(|short| short.version);
    history
}
