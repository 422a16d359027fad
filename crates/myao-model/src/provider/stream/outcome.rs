//! What to do after a piece.

/// What to do after a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceOutcome {
    /// More follows.
    More,
    /// That was the last one.
    Last,
}
