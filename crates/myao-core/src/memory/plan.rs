//! Decides which chapters are merged into long-term memory next, from what is stored (specification §2.2, design §3).

use super::{settings::MemorySettings, step::StepId};
use crate::chat::MessageTs;

/// Verbatim chapters are merged at the latest this many seconds after the end of the oldest that waits.
const VERBATIM_WAIT_SECONDS: i64 = 24 * 3600;

/// A written chapter, as far as the plan needs to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterState {
    /// Its number.
    pub version: u32,
    /// The journal entry its text came from.
    pub step: StepId,
    /// The end of its range.
    pub to: MessageTs,
    /// How many tokens its text has, estimated.
    pub tokens: usize,
    /// Whether it is kept word for word.
    pub verbatim: bool,
    /// Whether all its messages are deleted.
    pub emptied: bool,
    /// Whether its chapter is still open: it is written anew when that closes.
    pub provisional: bool,
}

/// How far the long-term memory has come: the last chapter that was folded in, and its journal entry at that time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldMark {
    /// The chapter's number; 0 before the first.
    pub version: u32,
    /// Its journal entry when it was folded in.
    pub step: Option<StepId>,
}

/// Chapters to fold in with one call, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergePlan {
    /// What is given to the model: at least one, none of them emptied.
    pub chapters: Vec<ChapterState>,
    /// The mark after the merge. Emptied chapters behind the last of `chapters` count as folded in.
    pub mark: FoldMark,
}

/// The next merge of a channel, if one is due.
///
/// `written` are the channel's chapters that have a text, in order. Those behind a gap (a chapter still to be written)
/// wait, so that nothing is folded in before what was said earlier. `complete` says that no chapter is still to be
/// written; while some are, only full batches are merged, so that the result does not depend on when the process was
/// killed. `budget` is in tokens, for the chapters alone.
///
/// A provisional version waits until its chapter is closed, so that what is folded in does not depend on when it was
/// made. In literal mode ([`MemorySettings::is_literal`]) nothing waits, and each merge takes one version.
pub fn next_merge(
    mark: FoldMark,
    written: &[ChapterState],
    complete: bool,
    budget: usize,
    settings: &MemorySettings,
    now: MessageTs,
) -> Option<MergePlan> {
    let (mut waiting, gapless) = waiting_since(mark, written);
    if settings.is_literal() {
        return first_of(mark, waiting);
    }
    waiting.retain(|chapter| !chapter.provisional);
    if may_wait(&waiting, settings, now) {
        return None;
    }
    // At least one waiting chapter has a text, so the batch will not be empty.
    let mut batch = MergePlan { chapters: Vec::new(), mark };
    let mut tokens = 0_usize;
    let mut full = false;
    for chapter in waiting {
        if !chapter.emptied {
            tokens = tokens.saturating_add(chapter.tokens);
            full = tokens > budget && !batch.chapters.is_empty();
            if full {
                break;
            }
            batch.chapters.push(chapter);
        }
        batch.mark = FoldMark { version: chapter.version, step: Some(chapter.step) };
    }
    (full || (complete && gapless)).then_some(batch)
}

/// A merge of the oldest of these chapters that has a text.
fn first_of(mark: FoldMark, waiting: Vec<ChapterState>) -> Option<MergePlan> {
    let mut batch = MergePlan { chapters: Vec::new(), mark };
    for chapter in waiting {
        batch.mark = FoldMark { version: chapter.version, step: Some(chapter.step) };
        if !chapter.emptied {
            batch.chapters.push(chapter);
            return Some(batch);
        }
    }
    None
}

/// The chapters that are not folded in yet, up to the first gap in their numbers, and whether there is no gap. The
/// mark's own chapter waits again if its text is not the one that was folded in (overwrite mode).
fn waiting_since(mark: FoldMark, written: &[ChapterState]) -> (Vec<ChapterState>, bool) {
    let mut reached = mark.version;
    let mut waiting = Vec::new();
    for chapter in written.iter().filter(|c| c.version >= mark.version) {
        if chapter.version > reached.saturating_add(1) {
            return (waiting, false);
        }
        reached = chapter.version;
        if chapter.version > mark.version || mark.step != Some(chapter.step) {
            waiting.push(*chapter);
        }
    }
    (waiting, true)
}

/// Whether the merge can wait for more chapters: short talk that is kept verbatim loses nothing by waiting. A model's
/// summary is merged at once.
fn may_wait(waiting: &[ChapterState], settings: &MemorySettings, now: MessageTs) -> bool {
    let mut texts = waiting.iter().filter(|c| !c.emptied).peekable();
    let Some(oldest) = texts.peek() else { return true };
    let young = now.micros_since(oldest.to.plus_seconds(VERBATIM_WAIT_SECONDS)) < 0;
    let limit = usize::try_from(settings.short_term_summary_max_tokens).unwrap_or(usize::MAX);
    let mut tokens = 0_usize;
    let mut verbatim = true;
    for chapter in texts {
        tokens = tokens.saturating_add(chapter.tokens);
        verbatim &= chapter.verbatim;
    }
    verbatim && young && tokens <= limit
}
