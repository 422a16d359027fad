//! Somebody stops an answer that is being written.

use super::{ids::UserId, ts::MessageTs, visibility::Place};

/// Somebody pressed stop in a place. What was asked there before that is not answered any more; what was asked later is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerStop {
    /// Where it was pressed.
    pub place: Place,
    /// Who pressed it; `None` if the platform does not tell.
    pub by: Option<UserId>,
    /// When, by the platform's clock: the one that dates messages.
    pub at: MessageTs,
}
