//! Makes sure that a memory says only what its own sources say (specification §6): a text that repeats what was shown
//! beside them is asked for again without that.

use myao_core::{
    chat::Names,
    context::Context,
    memory::{Draft, Refusal, StepKind, context_without_auxiliary, texts_beside_sources},
    text::{made_up, terms_borrowed_from},
};

use super::{
    Keeper, KeeperError,
    answer::{MemoryTask, WrittenText},
    round::Round,
};
use crate::borrowed_words::telling_among_borrowed;

impl Keeper {
    /// Writes the text of the memory `task` from `context`, in whose talk these `names` stand ([`Keeper::names_in`]).
    pub(super) async fn write_memory_text(
        &self,
        round: &Round<'_>,
        context: &Context,
        names: &Names,
        kind: StepKind,
        task: &MemoryTask<'_>,
    ) -> Result<WrittenText, KeeperError> {
        let summarizer = self.summarizer_with_names(names);
        let (scope, memory_type, existing) = task.memory();
        let draft = |context: &Context| summarizer.draft(context, scope, memory_type, existing);
        let alone = context_without_auxiliary(context);
        let join = |parts: &[String]| summarizer.join_part_summaries(&alone, scope, memory_type, parts);
        let own = draft(&alone)?;
        let shown: Vec<String> = own.request_texts().into_iter().map(str::to_owned).collect();
        let shown_own = || shown.iter().map(String::as_str);
        let beside = texts_beside_sources(context);
        let is_plain = beside.is_empty() || !self.settings.auxiliary || matches!(own, Draft::Keep(_));
        if is_plain || !self.workspace_stands(round).await? {
            let written = self.carry_out(round, own, kind, task, join).await?;
            self.note_own_words(&written, shown_own()).await?;
            return Ok(written);
        }
        let mut written = self.carry_out(round, draft(context)?, kind, task, &join).await?;
        let borrowed = terms_borrowed_from(&written.text, beside.iter().copied(), shown_own());
        if telling_among_borrowed(&self.store, task.channel(), borrowed).await?.is_empty() {
            self.note_own_words(&written, shown_own().chain(beside)).await?;
            written.had_auxiliary = true;
            return Ok(written);
        }
        round.note_change(|report| report.borrowed += 1);
        self.record_borrowed(task, written).await?;
        let written = self.carry_out(round, own, kind, task, join).await?;
        self.note_own_words(&written, shown_own()).await?;
        Ok(written)
    }

    /// Whether the workspace's memory may still be shown as it was when the round began: a channel may have been closed
    /// since.
    async fn workspace_stands(&self, round: &Round<'_>) -> Result<bool, KeeperError> {
        match round.workspace() {
            Some(head) => Ok(self.store.memory().has_text(head.step).await?),
            None => Ok(true),
        }
    }

    /// Notes the words that the model was not shown: they are its own, so that later they tell of no other place.
    async fn note_own_words(
        &self,
        written: &WrittenText,
        shown: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), KeeperError> {
        Ok(self.store.recall().note_model_words(&made_up(&written.text, shown)).await?)
    }

    /// Notes in the journal that a text was not kept, with the calls that it cost.
    async fn record_borrowed(&self, task: &MemoryTask<'_>, written: WrittenText) -> Result<(), KeeperError> {
        let refused = task.refusal_step(written.actor, Refusal::Borrowed.to_string(), written.calls)?;
        Ok(self.store.memory().record_borrowed(refused, self.clock.now()).await?)
    }
}
