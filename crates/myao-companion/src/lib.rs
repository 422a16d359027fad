//! What acts: asks models, keeps memories, answers, judges whether to speak up, uses tools, lives in Slack.
//!
//! Read in this order:
//! 1. [`ask`]: the one way to a model; every call is recorded.
//! 2. [`keeper`]: the memory reconciler.
//! 3. [`companion`]: what a reply is made from.
//! 4. [`tools`]: what a model may do before it answers.
//! 5. [`live`]: `myao run`.
//! 6. [`replay`]: what would have been said unasked, over the past.

pub mod ask;
mod borrowed_words;
pub mod companion;
pub mod keeper;
pub mod live;
pub mod replay;
pub mod tools;
