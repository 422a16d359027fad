//! When it was certain that a chapter had ended: what is read as of an instant of talk goes by it (ADR 135).

use super::chapter::ClosedBy;
use crate::chat::MessageTs;

/// The end of a stored chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterEnd {
    /// The last message that it holds.
    pub to: MessageTs,
    /// Why it ended there.
    pub closed_by: ClosedBy,
    /// How many seconds of silence ended it, if silence did.
    pub conversation_idle_seconds: u64,
}

impl ChapterEnd {
    /// The first instant of talk at which the chapter had ended: with its last message where that filled it, and else
    /// after the silence that ended it. `None` for a provisional chapter, which has not ended.
    pub fn certain_at(self) -> Option<MessageTs> {
        match self.closed_by {
            ClosedBy::Threshold | ClosedBy::First | ClosedBy::Window | ClosedBy::Adopted => Some(self.to),
            ClosedBy::Idle => {
                let seconds = i64::try_from(self.conversation_idle_seconds).unwrap_or(i64::MAX);
                Some(self.to.plus_seconds(seconds))
            }
            ClosedBy::Provisional => None,
        }
    }

    /// Whether the chapter had ended by `instant`.
    pub fn had_ended_by(self, instant: MessageTs) -> bool {
        self.certain_at().is_some_and(|certain| certain <= instant)
    }
}
