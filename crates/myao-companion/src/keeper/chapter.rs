//! Writes the texts of chapters.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
};

use futures::{
    FutureExt as _, StreamExt as _, TryFutureExt as _,
    future::{self, Fuse, FusedFuture as _},
    stream,
};
use myao_core::{
    chat::{Channel, Mentions, Message, Names, Visibility},
    context::{ChannelMessages, Context, Persona},
    memory::{
        ClosedBy, FoldMark, MemoryScope, MemoryType, ScopeId, StepKind, Summarizer, SummaryError,
        create_memory,
    },
    ports::ModelError,
};
use myao_store::{CallRecord, ChapterWork, Range, StepDraft, StepOutcome};
use tracing::Instrument as _;

use super::{
    Keeper, KeeperError, RoundEvent,
    answer::{MemoryTask, WrittenText},
    lease::Lease,
    round::Round,
};
use crate::spans;

/// Chapters of one channel that are drafted concurrently, so that all model calls are used even when only one channel
/// has work. They are committed in order.
const DRAFTS_AHEAD: usize = 4;
/// Chapters committed in one transaction.
const COMMITS_AT_ONCE: usize = 50;
/// Chapters that are waited for before a transaction, as long as no provider was asked for one of them: each transaction
/// changes the index once, and what is lost with a process costs nothing to make again.
const LEAST_COMMIT: usize = 16;
/// How many chapters of one channel may fail in a round, each by itself, before no other is begun: a server that gives
/// no sensible answer is not asked about a whole archive.
const MOST_FAILED: usize = 3;
/// How often a channel's chapters are drafted while their messages change meanwhile.
pub(super) const MOST_LOOKS: u32 = 5;

impl Keeper {
    /// Writes every chapter of the channel that has no text.
    pub(super) async fn write_missing_chapters(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        for _ in 0..MOST_LOOKS {
            let work = self.chapters_for_now(round, &channel.id).await?;
            if work.is_empty() {
                return Ok(());
            }
            self.write_each(round, channel, lease, work).await?;
            if round.is_ending() {
                return Err(KeeperError::Stopped);
            }
        }
        Err(KeeperError::Restless(MOST_LOOKS))
    }

    /// Drafts these chapters and commits in order what is ready: a chapter that fails stays without a text, and those
    /// behind it are kept, since each is made from its own talk. After a failure that the next call would meet as well no
    /// other chapter is begun; calls under way are waited for: they are paid for and have to be settled.
    pub(super) async fn write_each(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
        work: Vec<ChapterWork>,
    ) -> Result<(), KeeperError> {
        let failures = AtomicUsize::new(0);
        let note = |error: &KeeperError| {
            let weight = if is_of_one_chapter(error) { 1 } else { MOST_FAILED };
            failures.fetch_add(weight, Ordering::Relaxed);
        };
        let goes_on = || failures.load(Ordering::Relaxed) < MOST_FAILED && !round.is_ending();
        let drafts = stream::iter(work)
            .take_while(|_| future::ready(goes_on()))
            .map(|chapter| {
                let span = spans::chapter(chapter.version);
                self.draft_one_chapter(round, channel, chapter).instrument(span).inspect_err(note)
            })
            .buffered(DRAFTS_AHEAD)
            .fuse();
        let mut drafts = pin!(drafts);
        let mut commit = pin!(Fuse::terminated());
        let mut result = Ok(());
        let mut is_stored = true;
        let mut ready = Vec::new();
        loop {
            let is_enough = ready.len() >= LEAST_COMMIT || ready.iter().any(is_paid_for) || drafts.is_done();
            if is_stored && commit.is_terminated() && !ready.is_empty() && is_enough {
                let chunk = ready.drain(..ready.len().min(COMMITS_AT_ONCE)).collect();
                commit.set(self.commit_chapter_chunk(round, channel, lease, chunk).fuse());
            }
            tokio::select! {
                // Drafts go on while others are committed: one that stood still in the middle of a read would keep its
                // connection to the server, and the commit might wait for just that one.
                draft = drafts.next(), if !drafts.is_done() => match draft {
                    Some(Ok(draft)) => ready.push(draft),
                    Some(Err(error)) => result = first_general_failure(result, error),
                    None => {}
                },
                done = &mut commit, if !commit.is_terminated() => if let Err(error) = done {
                    note(&error);
                    is_stored = false;
                    result = Err(error);
                },
                else => return result,
            }
        }
    }

    async fn commit_chapter_chunk(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
        chunk: Vec<StepDraft>,
    ) -> Result<(), KeeperError> {
        if chunk.is_empty() {
            return Ok(());
        }
        let kinds: Vec<StepKind> = chunk.iter().map(|draft| draft.origin.kind).collect();
        let outcomes = self.save_steps(lease, chunk).await?;
        let written: Vec<StepKind> = kinds
            .into_iter()
            .zip(outcomes)
            .filter_map(|(kind, outcome)| matches!(outcome, StepOutcome::Written(_)).then_some(kind))
            .collect();
        let count = |wanted| u64::try_from(written.iter().filter(|k| **k == wanted).count()).unwrap_or(0);
        round.note_change(|r| {
            r.verbatim += count(StepKind::Verbatim);
            r.summaries += count(StepKind::Summary);
            r.emptied += count(StepKind::Emptied);
        });
        let chapters = u64::try_from(written.len()).unwrap_or(0);
        (round.watch)(RoundEvent::Wrote { channel: channel.name.clone(), chapters });
        Ok(())
    }

    async fn draft_one_chapter(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        chapter: ChapterWork,
    ) -> Result<StepDraft, KeeperError> {
        let visibility = Visibility::only(&channel.id);
        let range = self.range_of(channel, &chapter).await?;
        let (read_revision, talk) = self.store.archive().talk_in_range(&visibility, &range).await?;
        let count = u64::try_from(talk.len()).unwrap_or(u64::MAX);
        let latest = talk.last().map(|message| message.ts);
        let auxiliary = round.workspace_for(channel);
        let aux_text = auxiliary.as_ref().map(|head| head.memory.content());
        let written = self.text_for_chapter(round, channel, talk, aux_text, &chapter).await?;
        let soft = auxiliary.filter(|_| written.had_auxiliary).map(|head| head.step).into_iter().collect();
        let why = match chapter.closed_by {
            ClosedBy::Window => "the window moved on",
            ClosedBy::Provisional => "the channel had no chapter yet",
            ClosedBy::Threshold | ClosedBy::Idle | ClosedBy::First | ClosedBy::Adopted => {
                "the chapter was closed"
            }
        };
        let (text, origin, calls) = written.into_parts(why);
        let memory = create_memory(
            MemoryScope::Channel,
            ScopeId::channel(&channel.id),
            MemoryType::ShortTerm,
            text,
            count,
            latest,
        )
        .map_err(SummaryError::from)?;
        Ok(StepDraft {
            memory,
            version: chapter.version,
            origin,
            parent: chapter.head,
            hard: Vec::new(),
            soft,
            range: Some(range),
            read_revision,
            mark: FoldMark::default(),
            calls,
        })
    }

    /// The messages that a chapter's text is made from: its own range, or in overwrite mode, once it has moved on, the
    /// window, extended to everything that is in no long-term memory yet.
    async fn range_of(&self, channel: &Channel, chapter: &ChapterWork) -> Result<Range, KeeperError> {
        // With the same end it is only written again, to take in what came late, anywhere in its range.
        if chapter.closed_by != ClosedBy::Window || chapter.head_to == Some(chapter.range.to) {
            return Ok(chapter.range.clone());
        }
        let fold = self.store.memory().channel_fold(&Visibility::only(&channel.id), &channel.id).await?;
        let is_folded = chapter.head.is_some() && fold.mark.step == chapter.head;
        let seen = chapter.head_to.filter(|_| is_folded).unwrap_or(chapter.range.from);
        let from = self.window_before(chapter.range.to).min(seen);
        Ok(Range { from, ..chapter.range.clone() })
    }

    async fn text_for_chapter(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        talk: Vec<Message>,
        auxiliary: Option<&str>,
        chapter: &ChapterWork,
    ) -> Result<WrittenText, KeeperError> {
        if talk.is_empty() {
            return Ok(WrittenText::by_keeper(String::new(), StepKind::Emptied));
        }
        let names = self.names_in(&talk).await?;
        let summarizer = self.summarizer_with_names(&names);
        if self.settings.history.verbatim_small
            && chapter.closed_by != ClosedBy::Window
            && let Some(text) = summarizer.verbatim(&talk)
        {
            return Ok(WrittenText::by_keeper(text, StepKind::Verbatim));
        }
        let context = summary_context(channel, talk, auxiliary);
        let target = MemoryTask::of_channel(channel, MemoryType::ShortTerm, chapter.version, None);
        self.write_memory_text(round, &context, &names, StepKind::Summary, &target).await
    }

    /// The names that are needed to write these messages down, without those of channels, which no memory holds
    /// ([`Names::for_memories`]).
    pub(super) async fn names_in(&self, talk: &[Message]) -> Result<Names, KeeperError> {
        let mut mentions = Mentions::default();
        for message in talk {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        Ok(self.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?.for_memories())
    }

    pub(super) fn summarizer_with_names<'a>(&'a self, names: &'a Names) -> Summarizer<'a> {
        Summarizer {
            templates: &self.templates,
            names,
            zone: &self.zone,
            settings: &self.settings,
            input_budget: self.room.tokens(),
        }
    }
}

/// Whether a provider was asked for a draft, so that it is stored at once.
fn is_paid_for(draft: &StepDraft) -> bool {
    draft.calls.iter().any(|call| matches!(call, CallRecord::Recorded(_)))
}

/// Whether it may be the chapter's own words that failed, so that the next one is worth a call.
fn is_of_one_chapter(error: &KeeperError) -> bool {
    match error {
        KeeperError::Refused(_) => true,
        KeeperError::Model(error) => {
            matches!(error.model_error(), Some(ModelError::Rejected(_) | ModelError::Invalid(_)))
        }
        KeeperError::Store(_)
        | KeeperError::Waits(_)
        | KeeperError::Stopped
        | KeeperError::Summary(_)
        | KeeperError::Restless(_) => false,
    }
}

/// The failure to report: the first that concerns more than one chapter, or else the first.
fn first_general_failure(result: Result<(), KeeperError>, error: KeeperError) -> Result<(), KeeperError> {
    match result {
        Ok(()) => Err(error),
        Err(before) if is_of_one_chapter(&before) && !is_of_one_chapter(&error) => Err(error),
        Err(before) => Err(before),
    }
}

/// A context for a summary: the messages, and the workspace's memory where it is shown beside them.
pub(crate) fn summary_context(channel: &Channel, talk: Vec<Message>, auxiliary: Option<&str>) -> Context {
    Context {
        persona: Persona { name: String::new(), system_prompt: String::new() },
        conversation_history: ChannelMessages::new(channel.clone(), talk),
        workspace_long_term_memory: auxiliary.map(str::to_owned),
        channel_memories: BTreeMap::new(),
        thread_memories: Vec::new(),
        target_thread_ts: None,
        memos: Vec::new(),
    }
}
