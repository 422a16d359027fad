//! What a prompt is made from: the [`Context`] of a place, and the talk, memories and notes in it.

mod assemble;
mod conversation;
pub mod memo;
mod memories;
mod span;

pub use assemble::{Context, Persona};
pub use conversation::ChannelMessages;
pub(crate) use memo::{HIGHEST_OF_MODELS, HIGHEST_PRIORITY};
pub use memo::{InvalidMemo, Memo, MemoChange, MemoDraft};
pub use memories::{ChannelMemory, LineInForce, ShortTerm, ThreadMemory};
pub use span::{ChapterSpan, conversation_start};
