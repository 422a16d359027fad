//! The traits that the other crates implement for the core ([`Clock`], [`Model`], [`Chat`]), and the values that pass
//! through them.
//!
//! A [`Model`] is given a [`Request`] and gives a [`Response`] or a [`ModelError`]; `talk_line`, `image` and `thought` are
//! parts of these, `cost` estimates their tokens, and a [`Recording`] is how a call is written to a file.

mod chat;
mod clock;
mod cost;
mod day_limit;
mod image;
mod model;
mod model_error;
mod recording;
mod request;
mod response;
mod talk_line;
mod thought;

pub use chat::{Chat, NoImage, Post, PostError, PostMark, Reaction, ReactionOutcome};
pub use clock::{BoxFuture, Clock};
pub use cost::{IMAGE_TOKENS, estimate_request};
pub use day_limit::{BudgetKind, DayLimits, NoRoom, SpentByChannel, share_of};
pub use image::{Image, ImageFormat};
pub use model::{BUILTIN, Model, ShowWords};
pub use model_error::{ModelError, less_thought};
pub use recording::{ImageNote, RecordedOutcome, Recording};
pub use request::{
    DataMode, Material, MemoryEntry, Request, ResponseFormat, Role, ToolCall, ToolSpec, Turn, UNASKED,
};
pub use response::{Response, StopReason, Usage};
pub use talk_line::{ExplainedWord, FoundIn, TalkLine};
pub use thought::Thought;
