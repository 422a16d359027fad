//! The archive: every message as it stands now, and the channels and people it belongs to (design §2).

mod apply;
mod coming_back;
mod copies;
mod deletions;
mod directory;
mod echo;
mod edit;
mod files;
mod inventory;
mod live;
mod misnamed;
mod older_secrets;
mod older_texts;
mod opting_out;
mod read;
pub(crate) mod removal;
pub(crate) mod secrets;
mod taking;

pub use apply::Applied;
pub(crate) use apply::arrive;
pub use deletions::{DeletedAddress, MissingIn, MissingSource};
pub(crate) use deletions::{EventGrounds, concluded_of};
pub use inventory::HeldChannel;
pub use live::Arrived;
pub(crate) use read::{
    ChannelColumns, channel, channel_columns, channel_row, channels, message_columns, revision, standing,
    users,
};
pub use read::{ChannelRow, Range};
pub(crate) use removal::{Removed, close_channel, note_removal, spread};
pub use secrets::SecretMessage;
pub(crate) use taking::{apply_within, delete_within};
