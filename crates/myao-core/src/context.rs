//! What a prompt is made from, and who may see it.

mod always;
mod assemble;
mod conversation;
mod intent;
mod mandate;
pub mod memo;
mod memories;
mod origins;
mod span;
mod visibility;

pub use assemble::{Context, Persona};
pub use conversation::ChannelMessages;
pub use intent::Intent;
pub use mandate::{Mandate, Outside, Unwanted};
pub use memo::{InvalidMemo, Memo, MemoChange, MemoDraft};
pub use memories::{ChannelMemory, LineInForce, ShortTerm, ThreadMemory};
pub use origins::Origins;
pub use span::{ChapterSpan, conversation_start};
pub use visibility::{Place, Visibility};
