//! The archive: every message as it stands now, and the channels and people it belongs to (DESIGN A).

mod apply;
mod read;
mod removal;

pub use apply::Applied;
pub(crate) use apply::apply_within;
pub use read::{ChannelRow, Range};
pub(crate) use read::{channels, message_columns, revision, users};
