//! The journal's vocabulary: every write of a memory is a step, and says why it happened.

use std::{fmt, str::FromStr};

/// A journal entry's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(pub i64);

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How a memory's text came about (DESIGN B).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// The talk itself, word for word.
    Verbatim,
    /// A model summarised talk.
    Summary,
    /// A model merged waiting memories into an existing one.
    Merge,
    /// Every message of the chapter is gone; the row stays, empty.
    Emptied,
    /// Taken over from a database of the predecessor.
    Adopted,
    /// A person went back to an earlier text.
    Revert,
    /// A person wrote the text.
    Edit,
    /// A model's text was not accepted; nothing changed.
    Refused,
    /// A person had the memory dropped, to be written anew.
    Dropped,
}

const KINDS: [StepKind; 9] = [
    StepKind::Verbatim,
    StepKind::Summary,
    StepKind::Merge,
    StepKind::Emptied,
    StepKind::Adopted,
    StepKind::Revert,
    StepKind::Edit,
    StepKind::Refused,
    StepKind::Dropped,
];

impl StepKind {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim",
            Self::Summary => "summary",
            Self::Merge => "merge",
            Self::Emptied => "emptied",
            Self::Adopted => "adopted",
            Self::Revert => "revert",
            Self::Edit => "edit",
            Self::Refused => "refused",
            Self::Dropped => "dropped",
        }
    }
}

impl FromStr for StepKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = KINDS.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| format!("`{text}` is no kind of journal entry"))
    }
}

/// Who wrote a memory and why; goes into the journal with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// How the text came about.
    pub kind: StepKind,
    /// A model's id, a person's name, or `keeper`.
    pub actor: String,
    /// Why, in a few words a person understands.
    pub reason: String,
}
