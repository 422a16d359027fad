//! Decides which chapters are merged into long-term memory next, from what is stored (SPEC §2.2, DESIGN B).

use super::{MemorySettings, StepId};
use crate::chat::MessageTs;

/// Age in seconds of the oldest waiting verbatim chapter at which they are merged at the latest.
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
    /// Its text's estimated tokens.
    pub tokens: usize,
    /// Kept word for word.
    pub verbatim: bool,
    /// All its messages are gone.
    pub emptied: bool,
}

/// How far the long-term memory has come: the last chapter folded in, and its journal entry at that time.
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
    /// The mark after it, past emptied chapters at the end.
    pub mark: FoldMark,
}

/// The next merge of a channel, if one is due.
///
/// `written` are the channel's chapters that have a text, in order; what lies beyond a hole (a chapter still to
/// be written) waits, so that nothing is folded in before what was said earlier. `complete` says that no
/// chapter is still to be written; while some are, only full batches are merged, so that the result does not
/// depend on where a kill fell. `budget` is in tokens, for the chapters alone.
pub fn next_merge(
    mark: FoldMark,
    written: &[ChapterState],
    complete: bool,
    budget: usize,
    settings: &MemorySettings,
    now: MessageTs,
) -> Option<MergePlan> {
    let (waiting, gapless) = waiting_since(mark, written);
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

/// The chapters not folded in yet, up to the first gap in their numbers, and whether there is no gap. The mark's own
/// chapter waits again when its text is another than the one folded in (overwrite mode).
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

/// Whether the merge can wait for more: a few words kept verbatim lose nothing by it. A model's summary is merged at
/// once.
fn may_wait(waiting: &[ChapterState], settings: &MemorySettings, now: MessageTs) -> bool {
    let mut texts = waiting.iter().filter(|c| !c.emptied).peekable();
    let Some(oldest) = texts.peek() else { return true };
    let young = now.micros_since(oldest.to.plus_seconds(VERBATIM_WAIT_SECONDS)) < 0;
    let limit = usize::try_from(settings.short_term_summary_max_tokens).unwrap_or(usize::MAX);
    let (mut tokens, mut verbatim) = (0_usize, true);
    for chapter in texts {
        tokens = tokens.saturating_add(chapter.tokens);
        verbatim &= chapter.verbatim;
    }
    verbatim && young && tokens <= limit
}
