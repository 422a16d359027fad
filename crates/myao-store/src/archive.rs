//! The archive's rows: every message as it stands now, the channels and people it belongs to, and why a tombstone
//! stands. Rows and reads only; `intake` writes what arrives.

pub(crate) mod deletions;
pub(crate) mod former_names;
mod inventory;
mod locale;
pub(crate) mod names;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod secrets;
pub(crate) mod team;

use crate::Store;
pub use deletions::{DeletedAddress, MissingIn, MissingSource};
pub(crate) use deletions::{EventGrounds, concluded_of};
pub use inventory::HeldChannel;
pub use locale::{KnownLocale, NotedLocale};
pub(crate) use read::{
    ChannelColumns, all_channel_rows, all_users, channel_columns, channel_revision, channel_row,
    find_channel_row, message_columns, standing_message,
};
pub use read::{ChannelRow, Range};
pub use secrets::SecretMessage;

/// What is archived: messages, channels and people, and why a tombstone stands.
///
/// [`Store::archive`] gives it.
#[derive(Debug)]
pub struct ArchiveHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What is archived: messages, channels and people, and why a tombstone stands.
    pub fn archive(&self) -> ArchiveHandle<'_> {
        ArchiveHandle { store: self }
    }
}
