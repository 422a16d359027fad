//! Folds chapters into a channel's long-term memory, each exactly once and in order (specification §2.2).

use myao_core::{
    chat::{Channel, ChannelId, MessageTs, Visibility},
    context::{ChannelMemory, ShortTerm},
    memory::{
        Memory, MemoryScope, MemoryType, MergePlan, ScopeId, StepKind, SummaryError, create_memory,
        next_merge,
    },
};
use myao_store::{ChannelFold, StepDraft, StepOutcome};
use tracing::Instrument as _;

use super::{
    Keeper, KeeperError, RoundEvent, answer::MemoryTask, chapter::summary_context, lease::Lease,
    planned_fold::PlannedFold, round::Round,
};
use crate::spans;

/// How often a merge is tried again because something changed while the model was asked.
const MOST_MOVES: u32 = 5;
/// A generous estimate of a merge's prompt without its chapters and the existing memory, in tokens: the instructions,
/// and the headings of [`FEW_CHAPTERS`].
const INSTRUCTION_TOKENS: usize = 800;
/// The heading of each further chapter, in tokens.
const HEADING_TOKENS: usize = 48;
const FEW_CHAPTERS: usize = 8;
/// The least room for chapters, in tokens, however small the prompt: one chapter's summary is a few hundred.
const LEAST_BUDGET: usize = 500;

/// How many waiting chapters are read at first: somewhat more than fit into one merge of the usual size.
const FIRST_READ: usize = 48;

impl Keeper {
    /// Folds in all chapters that wait, in as few calls as the prompt size allows.
    pub(super) async fn merge_waiting_chapters(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        let mut moves = 0;
        while moves < MOST_MOVES {
            let PlannedFold { fold, plan } = self.next_fold(&channel.id).await?;
            let Some(plan) = plan else { return Ok(()) };
            let chapters = u64::try_from(plan.chapters.len()).unwrap_or(0);
            let merging = async {
                let draft = self.draft_planned_merge(round, channel, fold, plan).await?;
                self.save_steps(lease, vec![draft]).await
            };
            match merging.instrument(spans::merge(chapters)).await?.first() {
                Some(StepOutcome::Written(_)) => {
                    round.note_change(|r| r.merges += 1);
                    (round.watch)(RoundEvent::Merged { channel: channel.name.clone(), chapters });
                    if self.settings.is_literal() {
                        self.carry_on(round).await?;
                    }
                }
                Some(StepOutcome::Moved) | None => moves += 1,
            }
        }
        Err(KeeperError::Restless(MOST_MOVES))
    }

    /// What waits in a channel and its next merge. No more chapters are read than it takes to fill one merge: behind it
    /// thousands may wait, and each merge would read all of them again.
    pub(super) async fn next_fold(&self, channel: &ChannelId) -> Result<PlannedFold, KeeperError> {
        let own = Visibility::only(channel);
        let mut most = FIRST_READ;
        loop {
            let fold = self.store.memory().channel_fold_of_first(&own, channel, most).await?;
            // What was cut off is not complete, so there is only a plan if the merge is full.
            let plan = self.plan_next_merge(&fold);
            if plan.is_some() || !fold.is_cut {
                return Ok(PlannedFold { fold, plan });
            }
            most = most.saturating_mul(4);
        }
    }

    /// The next merge; `None` if nothing is due.
    fn plan_next_merge(&self, fold: &ChannelFold) -> Option<MergePlan> {
        let states: Vec<_> = fold.waiting.iter().map(|(state, _)| *state).collect();
        let now = MessageTs::from_timestamp(self.clock.now());
        let next = |budget| next_merge(fold.mark, &states, fold.complete, budget, &self.settings, now);
        let budget = self.budget_of_merge();
        // With hundreds of chapters of a few words each, the headings count.
        let headings = |plan: &MergePlan| plan.chapters.len().saturating_sub(FEW_CHAPTERS) * HEADING_TOKENS;
        next(budget).and_then(|plan| next(budget.saturating_sub(headings(&plan))))
    }

    /// How many tokens of chapters one merge may hold. It leaves room for the longest memory that a model may have
    /// written ([`most_tokens`](myao_core::memory::most_tokens)), so that batches do not depend on its actual length.
    pub(super) fn budget_of_merge(&self) -> usize {
        let target = usize::try_from(self.settings.long_term_summary_max_tokens).unwrap_or(usize::MAX);
        let aside = target.saturating_mul(4).saturating_add(INSTRUCTION_TOKENS);
        self.room.tokens().saturating_sub(aside).max(LEAST_BUDGET)
    }

    async fn draft_planned_merge(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        fold: ChannelFold,
        plan: MergePlan,
    ) -> Result<StepDraft, KeeperError> {
        let texts: Vec<&Memory> = fold
            .waiting
            .iter()
            .filter(|(state, _)| plan.chapters.iter().any(|c| c.version == state.version))
            .map(|(_, memory)| memory)
            .collect();
        let auxiliary = round.workspace_for(channel);
        let mut context =
            summary_context(channel, Vec::new(), auxiliary.as_ref().map(|head| head.memory.content()));
        let mut versions = Vec::with_capacity(texts.len());
        for memory in &texts {
            versions.push(self.short_term(channel, memory).await?);
        }
        let memory = ChannelMemory::new(channel.id.clone(), channel.name.clone());
        context.channel_memories.insert(channel.id.clone(), memory.with_history(versions, usize::MAX));
        let existing = fold.head.as_ref().map(|head| head.memory.content());
        let scope = MemoryScope::Channel;
        let memory_type = MemoryType::LongTerm;
        let task = MemoryTask::of_channel(channel, memory_type, 1, existing);
        let names = self.names_in(&[]).await?;
        let written = self.write_memory_text(round, &context, &names, StepKind::Merge, &task).await?;
        let soft = auxiliary.filter(|_| written.had_auxiliary).map(|head| head.step);
        let (count, latest) = self.merged_sources(channel, &fold, &plan, &texts).await?;
        let (text, origin, calls) = written.into_parts(&reason_of_merge(&plan));
        let memory = create_memory(scope, ScopeId::channel(&channel.id), memory_type, text, count, latest)
            .map_err(SummaryError::from)?;
        let parent = fold.head.as_ref().map(|head| head.step);
        Ok(StepDraft {
            memory,
            version: 1,
            origin,
            parent,
            hard: plan.chapters.iter().map(|chapter| chapter.step).chain(parent).collect(),
            soft: soft.into_iter().collect(),
            range: None,
            read_revision: fold.revision,
            mark: plan.mark,
            calls,
        })
    }

    /// A chapter's memory as the merge's prompt shows it, with its period.
    async fn short_term(&self, channel: &Channel, memory: &Memory) -> Result<ShortTerm, KeeperError> {
        let first = self.store.memory().first_of_version(&channel.id, memory.version()).await?;
        let last = memory.source_latest_message_ts();
        Ok(ShortTerm {
            version: memory.version(),
            content: memory.content().to_owned(),
            period: first.or(last).zip(last),
        })
    }

    /// The message count and the newest message of the result: sum and maximum. A window that is merged again may hold
    /// messages that are already counted; then everything from the memory's beginning up to its end is counted instead.
    async fn merged_sources(
        &self,
        channel: &Channel,
        fold: &ChannelFold,
        plan: &MergePlan,
        texts: &[&Memory],
    ) -> Result<(u64, Option<MessageTs>), KeeperError> {
        let existing = fold.head.as_ref().map(|head| &head.memory);
        let mut count = existing.map_or(0, Memory::source_message_count);
        let mut latest = existing.and_then(Memory::source_latest_message_ts);
        for memory in texts {
            latest = latest.max(memory.source_latest_message_ts());
            count = if plan
                .chapters
                .iter()
                .any(|c| c.version == memory.version() && c.version == fold.mark.version)
            {
                self.talk_up_to(channel, latest).await?
            } else {
                count + memory.source_message_count()
            };
        }
        Ok((count, latest))
    }

    /// The number of messages from where the channel's memory begins up to `end`.
    async fn talk_up_to(&self, channel: &Channel, end: Option<MessageTs>) -> Result<u64, KeeperError> {
        let Some((row, talk)) = self.store.archive().talk_after(&channel.id, MessageTs::MIN).await? else {
            return Ok(0);
        };
        let begin = row.memory_from.unwrap_or(MessageTs::MIN);
        let folded = talk.iter().filter(|ts| **ts > begin && end.is_some_and(|end| **ts <= end));
        Ok(u64::try_from(folded.count()).unwrap_or(u64::MAX))
    }
}

fn reason_of_merge(plan: &MergePlan) -> String {
    match (plan.chapters.first(), plan.chapters.last()) {
        (Some(first), Some(last)) if first.version != last.version => {
            format!("chapters {} to {} were waiting", first.version, last.version)
        }
        (Some(only), _) => format!("chapter {} was waiting", only.version),
        (None, _) => String::new(),
    }
}
