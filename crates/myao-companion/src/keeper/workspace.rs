//! Writes the workspace's memory, at the end of a round and at most once per interval (specification §2.2).

use std::{collections::BTreeSet, time::Duration};

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Visibility, instant_after},
    context::ChannelMemory,
    memory::{FoldMark, MemoryScope, MemoryType, ScopeId, StepId, StepKind, SummaryError, create_memory},
    text::estimate_tokens,
};
use myao_store::{Head, StepDraft, StepOutcome, WorkspaceInput};
use tracing::Instrument as _;

use super::{
    Keeper, KeeperError, RoundEvent,
    answer::MemoryTask,
    chapter::summary_context,
    idle::WHILE_WORK_WAITS,
    lease::Lease,
    round::{Round, is_too_long},
};
use crate::spans;

pub(super) const SUBJECT: &str = "workspace";
/// Most passes over all channels' memories: a pass follows if one of them changed meanwhile, and the last pass finds
/// that nothing is left.
const MOST_MOVES: u32 = 6;
/// Tokens around a channel's memory in the prompt, without its name.
const HEADING_TOKENS: usize = 24;

impl Keeper {
    /// Integrates the channels' long-term memories that changed, if any did and the interval is over.
    pub(super) async fn integrate_if_due(&self, round: &Round<'_>) -> Result<(), KeeperError> {
        if let Some(lease) = &round.workspace_lease {
            return self.integrate_under_lease(round, lease).await;
        }
        let Some(lease) = Lease::take(&self.store, &self.clock, SUBJECT).await? else {
            round.note_change(|r| r.busy.push(SUBJECT.to_owned()));
            return Ok(());
        };
        let outcome = self.integrate_under_lease(round, &lease).await;
        lease.release().await?;
        outcome
    }

    async fn integrate_under_lease(&self, round: &Round<'_>, lease: &Lease) -> Result<(), KeeperError> {
        let room = self.room.tokens();
        let mut done = self.integrate_changed_memories(round, lease).await;
        if done.as_ref().is_err_and(is_too_long) && self.room.shrink(room) {
            done = self.integrate_changed_memories(round, lease).await;
        }
        if done.is_err() {
            round.workspace_failed();
        }
        match done {
            Ok(()) => self.store.memory().clear_after_success(SUBJECT).await.map_err(KeeperError::from),
            Err(error @ (KeeperError::Store(_) | KeeperError::Stopped)) => Err(error),
            Err(error @ KeeperError::Waits(_)) => {
                round.note_change(|r| r.waits_for_budget = Some(error.to_string()));
                Ok(())
            }
            Err(error) => self.note_failure(round, SUBJECT.to_owned(), SUBJECT.to_owned(), &error).await,
        }
    }

    async fn integrate_changed_memories(&self, round: &Round<'_>, lease: &Lease) -> Result<(), KeeperError> {
        let mut moves = 0;
        while moves < MOST_MOVES {
            let head = self.head_of_workspace().await?;
            let mark = self.store.memory().journal_mark().await?;
            let soon = instant_after(self.clock.now(), WHILE_WORK_WAITS);
            let mut inputs = self.store.memory().for_workspace().await?;
            if inputs.iter().all(|input| input.integrated) {
                self.known.had_no_news(mark, soon);
                return Ok(());
            }
            if let Some(until) = self.waits_until(round, head.as_ref()) {
                self.known.had_no_news(mark, until.min(soon));
                round.note_change(|r| r.workspace_waits_until = Some(until));
                return Ok(());
            }
            (round.watch)(RoundEvent::Workspace);
            self.integrate_all(round, lease, &mut inputs).await?;
            moves += 1;
        }
        Err(KeeperError::Restless(MOST_MOVES))
    }

    /// Integrates the memories that are not integrated yet, batch by batch, and marks them so, until none is left or
    /// one of the texts has changed. They are read once: a large workspace has thousands of them, and a batch holds a
    /// few.
    async fn integrate_all(
        &self,
        round: &Round<'_>,
        lease: &Lease,
        inputs: &mut [WorkspaceInput],
    ) -> Result<(), KeeperError> {
        while inputs.iter().any(|input| !input.integrated) {
            let writing = self.integrate_batch(round, lease, inputs).instrument(spans::workspace());
            let Some(taken) = writing.await? else { break };
            round.note_change(|r| r.workspace += 1);
            for input in inputs.iter_mut().filter(|input| taken.contains(&input.step)) {
                (input.integrated, input.contained) = (true, true);
            }
        }
        Ok(())
    }

    /// Integrates one batch, and returns the texts in it; `None` if one of them has changed.
    async fn integrate_batch(
        &self,
        round: &Round<'_>,
        lease: &Lease,
        inputs: &[WorkspaceInput],
    ) -> Result<Option<BTreeSet<StepId>>, KeeperError> {
        let head = self.head_of_workspace().await?;
        let draft = self.draft_from_inputs(round, head, inputs).await?;
        let taken: BTreeSet<StepId> = draft.hard.iter().copied().collect();
        let outcomes = self.save_steps(lease, vec![draft]).await?;
        Ok(matches!(outcomes.first(), Some(StepOutcome::Written(_))).then_some(taken))
    }

    pub(super) async fn head_of_workspace(&self) -> Result<Option<Head>, KeeperError> {
        let scope = MemoryScope::Workspace;
        let id = ScopeId::workspace();
        Ok(self.store.memory().head(&Visibility::Open, scope, &id, MemoryType::LongTerm).await?)
    }

    /// When the memory may be written again; `None` when it may be now, or when this very round wrote it, perhaps before
    /// it was killed: then the round continues.
    fn waits_until(&self, round: &Round<'_>, head: Option<&Head>) -> Option<Timestamp> {
        let written = head?.memory.updated_at();
        if round.policy.workspace_now || written >= round.began || self.interval_is_over(written) {
            return None;
        }
        Some(instant_after(written, Duration::from_secs(self.settings.long_term_update_interval_seconds)))
    }

    async fn draft_from_inputs(
        &self,
        round: &Round<'_>,
        head: Option<Head>,
        inputs: &[WorkspaceInput],
    ) -> Result<StepDraft, KeeperError> {
        let batch = self.batch_of_inputs(inputs);
        // A context always has a channel, and the workspace is none.
        let nowhere = Channel {
            id: ChannelId::new(""),
            name: String::new(),
            kind: ChannelKind::Public,
            external: false,
        };
        let mut context = summary_context(&nowhere, Vec::new(), None);
        for input in &batch {
            let memory = ChannelMemory::new(input.channel.id.clone(), input.channel.name.clone())
                .with_long_term(Some(input.content.clone()));
            context.channel_memories.insert(input.channel.id.clone(), memory);
        }
        let scope = MemoryScope::Workspace;
        let memory_type = MemoryType::LongTerm;
        // A memory taken over from myao2 that may hold private messages is not continued.
        let base = if self.store.memory().workspace_is_open().await? { head.as_ref() } else { None };
        let existing = base.map(|h| h.memory.content());
        let names = self.names_in(&[]).await?;
        let task = MemoryTask::of_workspace(existing);
        let written = self.write_memory_text(round, &context, &names, StepKind::Merge, &task).await?;
        let given = |input: &&WorkspaceInput| batch.iter().any(|b| b.step == input.step);
        let contained = || inputs.iter().filter(|input| input.contained || given(input));
        let count = contained().map(|input| input.source_message_count).sum();
        let latest = contained().filter_map(|input| input.source_latest_message_ts).max();
        let changed = batch.iter().filter(|input| !input.integrated).count();
        let (text, origin, calls) = written.into_parts(&format!("{changed} channels' memories changed"));
        let memory = create_memory(scope, ScopeId::workspace(), memory_type, text, count, latest)
            .map_err(SummaryError::from)?;
        let parent = head.as_ref().map(|h| h.step);
        let base = base.map(|h| h.step);
        Ok(StepDraft {
            memory,
            version: 1,
            origin,
            parent,
            hard: batch.iter().map(|input| input.step).chain(base).collect(),
            soft: Vec::new(),
            range: None,
            read_revision: 0,
            mark: FoldMark::default(),
            calls,
        })
    }

    /// All channels if they fit into the budget, otherwise those that changed, as many as fit, at least one.
    fn batch_of_inputs<'i>(&self, inputs: &'i [WorkspaceInput]) -> Vec<&'i WorkspaceInput> {
        let budget = self.budget_of_merge();
        let price = |input: &WorkspaceInput| {
            estimate_tokens(&input.content) + estimate_tokens(&input.channel.name) + HEADING_TOKENS
        };
        let all = inputs.iter().map(price).fold(0, usize::saturating_add);
        if all <= budget {
            return inputs.iter().collect();
        }
        let mut batch = Vec::new();
        let mut tokens = 0_usize;
        for input in inputs.iter().filter(|input| !input.integrated) {
            tokens = tokens.saturating_add(price(input));
            if tokens > budget && !batch.is_empty() {
                break;
            }
            batch.push(input);
        }
        batch
    }
}
