//! What a prompt may show.

mod always;
mod channel_memory;
mod conversation;
mod intent;
mod mandate;
mod memo;
mod visibility;
