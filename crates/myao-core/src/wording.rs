//! How talk and requests are worded for a model.
//!
//! [`talk_lines`] writes talk down, [`Templates`] fill in the prompt files, [`PromptTask`] says what a prompt is for, and
//! `again` holds what a model is told whose answer cannot be used.

mod again;
mod talk;
mod task;
mod templates;

pub(crate) use again::ask_shorter;
pub use again::{ask_without_tools, repaired};
pub(crate) use talk::channel_label;
pub use talk::{MESSAGE_LIMIT, TalkFormat, line_text, moment, talk_lines, talk_text};
pub use task::PromptTask;
pub(crate) use task::{Abilities, span};
pub(crate) use templates::Filled;
pub use templates::{TemplateError, Templates};
