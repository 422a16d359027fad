//! The crate from outside: markup, messages, exports.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers outside the test functions fail and tell like the tests that call them"
)]

mod archives;
#[cfg(test)]
mod authors;
mod calls;
mod damage;
mod directory;
mod events;
mod history;
mod images;
mod interactions;
#[cfg(test)]
mod inventories;
mod layouts;
mod live;
mod manifest;
mod markup;
mod messages;
mod mrkdwn;
mod permalinks;
mod places;
#[cfg(test)]
mod posting;
mod reactions;
mod sample;
mod shown;
#[cfg(test)]
mod shown_kinds;
mod sockets;
#[cfg(test)]
mod statuses;
#[cfg(test)]
mod streams;
mod versions;
#[cfg(test)]
mod slow_tests {
    mod corpora;
    mod hostile;
}
