//! The crate from outside: markup, messages, exports.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers outside the test functions fail and tell like the tests that call them"
)]

mod corpora;
mod damage;
mod layouts;
mod markup;
mod messages;
mod mrkdwn;
mod sample;
mod versions;
