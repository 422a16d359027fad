//! Everything that acts: calls models, keeps memories, answers, judges whether to speak up, runs tools, talks to Slack.
//!
//! Read in this order:
//! 1. [`ask`]: calls models and records every call.
//! 2. [`keeper`]: brings memories up to date.
//! 3. [`embedding`]: gives messages their embeddings, if a model for that is configured.
//! 4. [`companion`]: composes the prompt of a reply or a judgment from what is stored.
//! 5. [`tools`]: the tools that a model may use before it answers.
//! 6. [`live`]: `myao run`.
//! 7. [`replay`]: judges the past again, to see what would have been said unasked.
//! 8. [`trial`]: shows what a model would write into memories.
//! 9. What commands and pages both show or do: [`brief`] (what somebody missed), [`cost`], [`found`] (a search's hits),
//!    [`open_loops`] (what is promised, asked and to come), [`provenance`] (where words of a memory
//!    come from), [`by_hand`] (a person changes a memory), [`forgetting`]. [`commands`]: what people ask by a command.
//! 10. [`conversations`]: what other programs are told and want to be remembered.
//! 11. What both of our HTTP servers do: [`connections`].
//! 12. What traces tell of all this: [`spans`].

pub mod ask;
mod borrowed_words;
pub mod brief;
pub mod by_hand;
pub mod commands;
pub mod companion;
pub mod connections;
pub mod conversations;
pub mod cost;
pub mod embedding;
pub mod forgetting;
pub mod found;
pub mod keeper;
pub mod live;
pub mod model_trouble;
pub mod open_loops;
pub mod provenance;
pub mod replay;
mod shown_inputs;
pub mod spans;
pub mod tools;
pub mod trial;
