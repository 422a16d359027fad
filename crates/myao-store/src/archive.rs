//! The archive's rows: every message as it stands now, the channels and people it belongs to, and why a tombstone
//! stands. Rows and reads only; `intake` writes what arrives.

pub(crate) mod deletions;
mod inventory;
pub(crate) mod names;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod secrets;
pub(crate) mod team;

pub use deletions::{DeletedAddress, MissingIn, MissingSource};
pub(crate) use deletions::{EventGrounds, concluded_of};
pub use inventory::HeldChannel;
pub(crate) use read::{
    ChannelColumns, channel, channel_columns, channel_row, channels, message_columns, revision, standing,
    users,
};
pub use read::{ChannelRow, Range};
pub use secrets::SecretMessage;
