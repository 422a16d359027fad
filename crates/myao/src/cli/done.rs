//! How a command ended that did not fail.

/// How much of its work a command did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// All of it.
    All,
    /// Some of it; what is missing was printed.
    Partly,
}
