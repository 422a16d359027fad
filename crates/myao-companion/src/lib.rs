//! Everything that acts: calls models, keeps memories, answers, judges whether to speak up, runs tools, talks to Slack.
//!
//! Read in this order:
//! 1. [`ask`]: calls models and records every call.
//! 2. [`keeper`]: brings memories up to date.
//! 3. [`companion`]: composes the prompt of a reply or a judgment from what is stored.
//! 4. [`tools`]: the tools that a model may use before it answers.
//! 5. [`live`]: `myao run`.
//! 6. [`replay`]: judges the past again, to see what would have been said unasked.

pub mod ask;
mod borrowed_words;
pub mod companion;
pub mod keeper;
pub mod live;
pub mod replay;
pub mod tools;
