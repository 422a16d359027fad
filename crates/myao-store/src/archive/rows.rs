//! Converts between the core's values and the columns' integers and text.

use myao_core::chat::{ChannelId, FileRef, Message, MessageKind, MessageTs, UserId};

use super::secrets;
use crate::{StoreError, db::values::opt_ts};

/// A row of `messages` in the order of `message_columns!`.
pub(crate) type MessageRow = (String, i64, i64, String, String, String, String, i64, i64);

/// A message without its secrets, as it is shown to everybody, models and indexes included.
pub(crate) fn message_of_row(row: MessageRow) -> Result<Message, StoreError> {
    Ok(secrets::mask_message(message_as_stored(row)?))
}

/// A message as the archive holds it, with its secrets: for storing it again, and for finding out which secrets it has.
pub(crate) fn message_as_stored(row: MessageRow) -> Result<Message, StoreError> {
    let (channel, ts, thread_ts, user, kind, text, files, edited_ts, deleted) = row;
    let files = files_of_message(&files, &channel, ts)?;
    Ok(Message {
        channel: ChannelId::new(channel),
        ts: MessageTs::from_micros(ts),
        thread_ts: opt_ts(thread_ts),
        user: UserId::new(user),
        kind: if kind == MessageKind::Talk.as_str() { MessageKind::Talk } else { MessageKind::Notice },
        text,
        files,
        edited_at: opt_ts(edited_ts),
        deleted: deleted != 0,
    })
}

/// The files of a message, as its row holds them.
pub(crate) fn files_of_message(json: &str, channel: &str, ts: i64) -> Result<Vec<FileRef>, StoreError> {
    serde_json::from_str(json)
        .map_err(|e| StoreError::Content(format!("files of message {channel}/{ts}: {e}")))
}
