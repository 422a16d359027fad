//! What a prompt is made from, and who may see it.

mod assemble;
mod conversation;
pub mod memo;
mod memories;
mod origins;
mod span;
mod visibility;

pub use assemble::{Context, Persona};
pub use conversation::ChannelMessages;
pub use memo::{InvalidMemo, Memo, MemoChange, MemoDraft};
pub use memories::{ChannelMemory, ShortTerm, ThreadMemory};
pub use origins::Origins;
pub use span::{ChapterSpan, conversation_start};
pub use visibility::{Place, Visibility};
