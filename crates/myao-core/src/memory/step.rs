//! What a journal entry records: every write of a memory is a step with a kind, an author and a reason.

use std::fmt;

/// A journal entry's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(pub i64);

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How a memory's text came about (design §3).
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
    /// What a person put right in a memory of a channel: texts that are written later are made with it.
    Correction,
}

stored_names!(StepKind, "kind of journal entry", {
    Verbatim => "verbatim",
    Summary => "summary",
    Merge => "merge",
    Emptied => "emptied",
    Adopted => "adopted",
    Revert => "revert",
    Edit => "edit",
    Refused => "refused",
    Dropped => "dropped",
    Correction => "correction",
});

/// Who wrote a memory and why; the journal stores it with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// How the text came about.
    pub kind: StepKind,
    /// A model's id, a person's name, or `keeper`.
    pub actor: String,
    /// Why, in a few words a person understands.
    pub reason: String,
}
