//! What a round tells whoever watches it.

/// One thing a round did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundEvent {
    /// All channels are cut: so many chapters are to be written.
    Planned {
        /// Chapters without a text.
        chapters: u64,
    },
    /// Chapters of a channel were written.
    Wrote {
        /// The channel's name.
        channel: String,
        /// How many.
        chapters: u64,
    },
    /// Chapters of a channel were folded into its long-term memory.
    Merged {
        /// The channel's name.
        channel: String,
        /// How many.
        chapters: u64,
    },
    /// A channel could not be brought up to date.
    Failed {
        /// The channel's name.
        channel: String,
        /// Why.
        reason: String,
    },
    /// The workspace's memory is being written.
    Workspace,
}

/// Watches a round. Called from several tasks.
pub type RoundObserver<'a> = &'a (dyn Fn(RoundEvent) + Send + Sync);
