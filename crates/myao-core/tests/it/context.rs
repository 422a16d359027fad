//! What a prompt may show.

mod channel_memory;
mod conversation;
mod memo;
mod visibility;
