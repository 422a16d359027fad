//! Writes the memories of threads: short-term, with one version that is overwritten (specification §2.3).

use std::collections::BTreeSet;

use myao_core::{
    chat::{Channel, ChannelId, Message, MessageTs, Visibility},
    context::ChannelMemory,
    memory::{
        FoldMark, MemoryScope, MemoryType, StepId, StepKind, SummaryError, create_memory,
        make_thread_scope_id, should_update,
    },
};
use myao_store::{Head, Range, StepDraft, StepOutcome};
use tracing::Instrument as _;

use super::{
    Keeper, KeeperError,
    answer::{MemoryTask, WrittenText},
    chapter::summary_context,
    lease::Lease,
    round::Round,
};
use crate::spans;

const SECONDS_PER_DAY: i64 = 24 * 3600;

/// A thread whose memory is to be written, as it was read.
struct DueThread {
    read_revision: i64,
    talk: Vec<Message>,
    /// The messages that its memory does not know yet: at least one.
    new: Vec<Message>,
    latest: MessageTs,
    head: Option<Head>,
    /// Whether all of it is written anew, since messages are read better than its memory knows them.
    is_outdated: bool,
}

impl Keeper {
    /// Whether the memory of one of these threads is to be written.
    pub(super) async fn is_thread_due(
        &self,
        channel: &ChannelId,
        roots: &[MessageTs],
        horizon: MessageTs,
    ) -> Result<bool, KeeperError> {
        for root in roots {
            if self.find_due_thread(channel, *root, horizon).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Brings the memories of active threads up to date. A thread that changes while it is summarised is left to the
    /// next round.
    pub(super) async fn write_active_threads(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        let Some((row, _)) = self.store.archive().talk_after(&channel.id, MessageTs::MAX).await? else {
            return Ok(());
        };
        let horizon = self.channel_horizon(&row);
        for root in self.threads_with_news(&channel.id, horizon).await? {
            let Some(due) = self.find_due_thread(&channel.id, root, horizon).await? else { continue };
            if self.is_rewriting(&channel.id, root, &due).await?
                && self.must_rewriting_wait(round, &channel.id).await?
            {
                continue;
            }
            let writing = async {
                let draft = self.draft_due_thread(round, channel, root, due).await?;
                self.save_steps(lease, vec![draft]).await
            };
            let outcomes = writing.instrument(spans::thread()).await?;
            if matches!(outcomes.first(), Some(StepOutcome::Written(_))) {
                round.note_change(|r| r.threads += 1);
            }
        }
        Ok(())
    }

    /// The threads whose memory does not hold what was said in them, as far back as prompts show memories of threads, and
    /// those whose memory holds what is read better now.
    pub(super) async fn threads_with_news(
        &self,
        channel: &ChannelId,
        horizon: MessageTs,
    ) -> Result<Vec<MessageTs>, KeeperError> {
        let shown = horizon.plus_seconds(-i64::from(self.thread_memory_days) * SECONDS_PER_DAY);
        let since = shown.min(self.window_before(horizon));
        let mut roots =
            BTreeSet::from_iter(self.store.memory().threads_with_news(channel, since, horizon).await?);
        roots.extend(self.store.memory().threads_with_outdated_memory(channel).await?);
        Ok(roots.into_iter().collect())
    }

    async fn draft_due_thread(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        root: MessageTs,
        due: DueThread,
    ) -> Result<StepDraft, KeeperError> {
        let DueThread { read_revision, talk, new, latest, head, is_outdated } = due;
        let scope_id = make_thread_scope_id(&channel.id, root);
        let scope = MemoryScope::Thread;
        let memory_type = MemoryType::ShortTerm;
        let first = new.first().map_or(latest, |message| message.ts);
        let range = Range { channel: channel.id.clone(), from: first.just_before(), to: latest };
        let existing = head.as_ref().map(|h| h.memory.content()).filter(|_| !is_outdated);
        let count = u64::try_from(talk.len()).unwrap_or(u64::MAX);
        let (written, beside) = self.text_for_thread(round, channel, root, talk, new, existing).await?;
        let parent = head.as_ref().map(|h| h.step);
        let is_merged = written.kind == StepKind::Summary;
        let why = if is_outdated { "its messages are read better" } else { "the thread went on" };
        let (text, origin, calls) = written.into_parts(why);
        let memory = create_memory(scope, scope_id, memory_type, text, count, Some(latest))
            .map_err(SummaryError::from)?;
        Ok(StepDraft {
            memory,
            version: 1,
            origin,
            parent,
            hard: parent.filter(|_| is_merged && !is_outdated).into_iter().collect(),
            soft: beside,
            range: Some(range),
            read_revision,
            mark: FoldMark::default(),
            calls,
        })
    }

    /// Whether nothing was said in the thread since its memory was written: it is only written anew.
    async fn is_rewriting(
        &self,
        channel: &ChannelId,
        root: MessageTs,
        due: &DueThread,
    ) -> Result<bool, KeeperError> {
        Ok(due.is_outdated
            || (due.head.is_none()
                && self.store.memory().thread_was_written(channel, root, due.latest).await?))
    }

    async fn find_due_thread(
        &self,
        channel: &ChannelId,
        root: MessageTs,
        horizon: MessageTs,
    ) -> Result<Option<DueThread>, KeeperError> {
        let own = Visibility::only(channel);
        let (read_revision, talk) = self.store.memory().talk_of_thread(&own, channel, root, horizon).await?;
        let scope_id = make_thread_scope_id(channel, root);
        let head =
            self.store.memory().head(&own, MemoryScope::Thread, &scope_id, MemoryType::ShortTerm).await?;
        let is_outdated = head.is_some()
            && self.store.memory().threads_with_outdated_memory(channel).await?.contains(&root);
        let seen = head.as_ref().and_then(|h| h.memory.source_latest_message_ts()).filter(|_| !is_outdated);
        let new: Vec<Message> =
            talk.iter().filter(|m| seen.is_none_or(|seen| m.ts > seen)).cloned().collect();
        let latest = talk.last().map(|message| message.ts);
        let new_count = u64::try_from(new.len()).unwrap_or(u64::MAX);
        // A thread without a memory is not written for that alone: an active thread stands in the conversation.
        let triggers = Some(self.settings.history.policy());
        let is_due = should_update(latest, true, new_count, triggers, horizon);
        let latest = latest.filter(|_| (is_due || is_outdated) && !new.is_empty());
        Ok(latest.map(|latest| DueThread { read_revision, talk, new, latest, head, is_outdated }))
    }

    /// The whole thread word for word if that fits, otherwise its new messages merged into the existing memory.
    async fn text_for_thread(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        root: MessageTs,
        talk: Vec<Message>,
        new: Vec<Message>,
        existing: Option<&str>,
    ) -> Result<(WrittenText, Vec<StepId>), KeeperError> {
        let names = self.names_in(&talk).await?;
        let summarizer = self.summarizer_with_names(&names);
        if self.settings.history.verbatim_small
            && let Some(text) = summarizer.verbatim(&talk)
        {
            return Ok((WrittenText::by_keeper(text, StepKind::Verbatim), Vec::new()));
        }
        let workspace = round.workspace_for(channel);
        let names = self.names_in(&new).await?;
        let mut context = summary_context(channel, new, workspace.as_ref().map(|head| head.memory.content()));
        context.target_thread_ts = Some(root);
        let fold = self.store.memory().channel_fold(&Visibility::only(&channel.id), &channel.id).await?;
        let mut memory = ChannelMemory::new(channel.id.clone(), channel.name.clone())
            .with_long_term(fold.head.as_ref().map(|head| head.memory.content().to_owned()));
        memory.short_term_memory = fold.waiting.last().map(|(_, newest)| newest.content().to_owned());
        context.channel_memories.insert(channel.id.clone(), memory);
        let target = MemoryTask::of_thread(channel, root, existing);
        let written = self.write_memory_text(round, &context, &names, StepKind::Summary, &target).await?;
        let newest = fold.waiting.last().map(|(state, _)| state.step);
        let beside =
            workspace.map(|head| head.step).into_iter().chain(fold.head.map(|head| head.step)).chain(newest);
        let beside = beside.filter(|_| written.had_auxiliary).collect();
        Ok((written, beside))
    }
}
