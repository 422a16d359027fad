//! Finds messages that were deleted without an event: the archive holds them, the platform no longer lists them
//! (DESIGN A).

use std::collections::BTreeSet;

use super::MessageTs;

/// Up to this many missing messages are taken for deleted, however few messages should be listed.
const MOST_UNSUSPICIOUS: usize = 3;
/// More than [`MOST_UNSUSPICIOUS`] are taken for deleted if at most one message in this many is missing.
const ONE_IN: usize = 5;

/// The messages that the platform lists in a span of time, of which it should list all.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The time stamps of all listed messages.
    pub seen: &'a [MessageTs],
    /// The start of the span (exclusive).
    pub after: MessageTs,
    /// The end of the span (exclusive).
    pub before: MessageTs,
    /// Whether the platform says that it hides older messages: then a missing one may only be hidden.
    pub hides_older: bool,
}

/// What it means that messages are missing from a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// These were deleted; perhaps none.
    Deleted(Vec<MessageTs>),
    /// Too many are missing to be taken for deleted, or they may only be hidden: a person should look.
    Doubtful {
        /// How many messages are missing.
        missing: usize,
        /// How many messages should be listed.
        of: usize,
    },
}

/// Which of the `archived` messages were deleted, given what is listed. Nothing is said about messages outside
/// the span of the list. A list in which many messages are missing is not trusted, because a tombstone is permanent.
pub fn absent(archived: &[MessageTs], listed: Listed<'_>) -> Absence {
    let within = archived.iter().copied().filter(|ts| listed.after < *ts && *ts < listed.before).collect();
    missing(&within, listed.seen, listed.hides_older)
}

/// Compares the messages that should be listed with those that are.
pub(super) fn missing(expected: &BTreeSet<MessageTs>, seen: &[MessageTs], hides_older: bool) -> Absence {
    let seen: BTreeSet<MessageTs> = seen.iter().copied().collect();
    let missing: Vec<MessageTs> = expected.difference(&seen).copied().collect();
    let is_many = missing.len() > MOST_UNSUSPICIOUS && missing.len().saturating_mul(ONE_IN) > expected.len();
    if is_many || (hides_older && !missing.is_empty()) {
        return Absence::Doubtful { missing: missing.len(), of: expected.len() };
    }
    Absence::Deleted(missing)
}
