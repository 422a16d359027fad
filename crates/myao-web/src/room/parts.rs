//! What the pages of a local workspace are made from, and what they answer where the workspace refuses something.

use std::sync::Arc;

use myao_companion::live::local::{LocalError, LocalWorkspace};
use myao_core::{chat::ChannelId, text::Language};
use tokio_util::sync::CancellationToken;

use crate::answer::PageError;

/// What the pages of a local workspace are made from, besides what all pages are made from.
pub struct Room {
    /// The workspace.
    pub workspace: Arc<LocalWorkspace>,
    /// The channel to show first, to everybody who sees it.
    pub first: Option<ChannelId>,
    /// What the strip of first steps offers, in the language of the workspace.
    pub steps: FirstSteps,
    /// The language of all pages until somebody chooses another. `None` for the one that the browser asks for.
    pub language: Option<Language>,
    /// The model that answers: `builtin`, or one of a provider.
    pub model: String,
    /// Cancelled when serving ends, so that streams end too.
    pub over: CancellationToken,
}

/// What the strip of first steps offers.
#[derive(Clone, Debug, Default)]
pub struct FirstSteps {
    /// Questions that the workspace can answer, to be asked in its first channel; none where it is somebody's own past.
    pub questions: Vec<OfferedQuestion>,
    /// Something worth remembering, to be said in the first channel.
    pub sentence: Option<&'static str>,
    /// The last entry of the journal that the workspace began with (`LocalHandle::note_beginning`).
    pub beginning: i64,
}

/// A question that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedQuestion {
    /// The question, without the mention of myao.
    pub ask: &'static str,
    /// The channel in which the answer was said, as in `#dev`, if that is another one.
    pub said_in: Option<&'static str>,
}

/// The answer to an act that was refused, where no page can say more about it than an error.
pub(super) fn refusal_response(error: LocalError) -> PageError {
    match error {
        LocalError::Store(error) => PageError::Store(error),
        LocalError::NotThere
        | LocalError::NotYours
        | LocalError::Empty
        | LocalError::TooLong
        | LocalError::BadName
        | LocalError::NameTaken
        | LocalError::NoEmoji => PageError::NotFound,
    }
}
