//! How talk and requests are worded for a model.
//!
//! [`messages_as_lines`] writes talk down, [`Templates`] fill in the prompt files, [`PromptTask`] says what a prompt is for, and
//! `again` holds what a model is told whose answer cannot be used.

mod again;
mod talk;
mod task;
mod templates;

pub(crate) use again::ask_shorter;
pub use again::{ask_for_repair, ask_without_tools};
pub(crate) use talk::channel_label;
pub use talk::{MESSAGE_LIMIT, TalkFormat, line_text, lines_as_text, messages_as_lines, moment_in_prompt};
pub use task::PromptTask;
pub(crate) use task::{Abilities, span_in_words};
pub(crate) use templates::Filled;
pub use templates::{TemplateError, Templates};
