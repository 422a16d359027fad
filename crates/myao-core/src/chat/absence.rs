//! Deletions that nobody told of: what the archive holds and the platform no longer lists (DESIGN A).

use std::collections::BTreeSet;

use super::MessageTs;

/// So few may be missing at once, however short the list is.
const MOST_UNSUSPICIOUS: usize = 3;
/// Beyond these few, no more than one in so many.
const ONE_IN: usize = 5;

/// A list of what the platform has, in a span of time of which it should list everything.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The time stamps of everything on it.
    pub seen: &'a [MessageTs],
    /// It begins after this instant.
    pub after: MessageTs,
    /// It ends before this one.
    pub before: MessageTs,
    /// Whether the platform says that it hides older messages: then what is absent may be hidden only.
    pub hides_older: bool,
}

/// What follows from a message's absence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// These were deleted; perhaps none.
    Deleted(Vec<MessageTs>),
    /// Too many are missing to be taken for deleted, or they may only be hidden: a person should look.
    Doubtful {
        /// How many are missing,
        missing: usize,
        /// of so many that should be listed.
        of: usize,
    },
}

/// Which of the `archived` messages were deleted, given what is listed. Nothing is said about messages outside
/// the span of the list. A tombstone is for ever, so that a list with large holes proves nothing.
pub fn absent(archived: &[MessageTs], listed: Listed<'_>) -> Absence {
    let within = archived.iter().copied().filter(|ts| listed.after < *ts && *ts < listed.before).collect();
    missing(&within, listed.seen, listed.hides_older)
}

/// Which of the messages that should be listed are not.
pub(super) fn missing(expected: &BTreeSet<MessageTs>, seen: &[MessageTs], hides_older: bool) -> Absence {
    let seen: BTreeSet<MessageTs> = seen.iter().copied().collect();
    let missing: Vec<MessageTs> = expected.difference(&seen).copied().collect();
    let is_many = missing.len() > MOST_UNSUSPICIOUS && missing.len().saturating_mul(ONE_IN) > expected.len();
    if is_many || (hides_older && !missing.is_empty()) {
        return Absence::Doubtful { missing: missing.len(), of: expected.len() };
    }
    Absence::Deleted(missing)
}
