//! The words of the replies' record (DESIGN D).

use std::str::FromStr;

/// Why we reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Somebody called us by name.
    Mention,
    /// Somebody wrote to us directly.
    Dm,
    /// Nobody asked: it was judged right to speak up.
    Judgment,
}

impl Cause {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mention => "mention",
            Self::Dm => "dm",
            Self::Judgment => "judgment",
        }
    }
}

impl FromStr for Cause {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Mention, Self::Dm, Self::Judgment]
            .into_iter()
            .find(|cause| cause.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no cause of a reply"))
    }
}

/// How far a reply has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyState {
    /// Waits for its words.
    Wanted,
    /// Has its words; not all of them are posted.
    Written,
    /// Is posted.
    Done,
    /// Is not given, for a reason of ours.
    Skipped,
    /// Could not be given.
    Failed,
}

impl ReplyState {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wanted => "wanted",
            Self::Written => "written",
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for ReplyState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Wanted, Self::Written, Self::Done, Self::Skipped, Self::Failed]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no state of a reply"))
    }
}
