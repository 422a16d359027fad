//! What our words around memories cost in a prompt, so that a budget can be added up before the prompt is written.

use crate::text::Language;

/// Tokens of our words around what a prompt shows, without names and periods: those of our templates, line breaks
/// included. An owner's template may have more words, so [`super::compose::Composer`] counts the whole prompt in the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// The heading over all memories.
    pub(super) memories: usize,
    /// The heading of the workspace's memory.
    pub(super) workspace: usize,
    /// The heading of a channel.
    pub(super) channel: usize,
    /// The heading of a channel's long-term memory.
    pub(super) long_term: usize,
    /// The heading of a channel's versions, and that of each.
    pub(super) history: usize,
    pub(super) version: usize,
    /// The heading of threads, and that of each.
    pub(super) threads: usize,
    pub(super) thread: usize,
    /// The heading of notes, and the line break behind each.
    pub(super) notes: usize,
    pub(super) note: usize,
    /// The heading of lines in force.
    pub(super) lines: usize,
    /// Heading and introduction of what a search found.
    pub(super) recalled: usize,
    /// Heading and introduction of lines about people.
    pub(super) people: usize,
}

impl Around {
    /// Those of our templates in `language`.
    pub(super) const fn of(language: Language) -> Self {
        match language {
            Language::En => Self {
                memories: 22,
                workspace: 15,
                channel: 6,
                long_term: 13,
                history: 14,
                version: 13,
                threads: 6,
                thread: 20,
                notes: 6,
                note: 2,
                lines: 21,
                recalled: 112,
                people: 52,
            },
            Language::Ja => Self {
                memories: 29,
                workspace: 17,
                channel: 6,
                long_term: 13,
                history: 18,
                version: 14,
                threads: 12,
                thread: 25,
                notes: 8,
                note: 2,
                lines: 24,
                recalled: 140,
                people: 75,
            },
        }
    }
}
