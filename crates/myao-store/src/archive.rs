//! The archive: every message as it stands now, and the channels and people it belongs to (DESIGN A).

mod apply;
mod copies;
mod directory;
mod echo;
mod inventory;
mod live;
mod older_secrets;
mod older_texts;
mod opting_out;
mod read;
pub(crate) mod removal;
pub(crate) mod secrets;

pub use apply::Applied;
pub(crate) use apply::{apply_within, arrive};
pub use live::Arrived;
pub(crate) use read::{
    ChannelColumns, channel, channel_columns, channel_row, channels, message_columns, revision, standing,
    users,
};
pub use read::{ChannelRow, Range};
pub(crate) use removal::{Removed, note_removal, spread, was_taken_back};
pub use secrets::SecretMessage;
