//! The archive: every message as it stands now, and the channels and people it belongs to (DESIGN A).

mod apply;
mod copies;
mod deletions;
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
pub(crate) use apply::{apply_within, arrive, delete_within};
pub use deletions::{DeletedAddress, MissingIn, MissingSource};
pub(crate) use deletions::{EventGrounds, concluded_of};
pub use inventory::HeldChannel;
pub use live::Arrived;
pub(crate) use read::{
    ChannelColumns, channel, channel_columns, channel_row, channels, message_columns, revision, standing,
    users,
};
pub use read::{ChannelRow, Range};
pub(crate) use removal::{Removed, note_removal, spread, was_taken_back};
pub use secrets::SecretMessage;
