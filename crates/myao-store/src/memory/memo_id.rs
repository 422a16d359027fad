//! Identifies a memo.

/// A memo's identity, which stays the same when the memo is renamed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoId(pub(crate) String);

impl MemoId {
    /// The memo of this id.
    pub(crate) fn of(id: &str) -> Self {
        Self(id.to_owned())
    }

    /// The id, as `myao memo log` takes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
