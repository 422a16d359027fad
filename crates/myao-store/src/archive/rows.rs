//! Converts between the core's values and the columns' integers and text.

use myao_core::chat::{ChannelId, FileRef, Message, MessageKind, MessageTs, UserId};

use super::secrets;
use crate::{
    StoreError,
    db::values::{opt_ts, row},
};

row! {
    /// A row of `messages`: the columns of `message_columns!`, in their order.
    #[derive(serde::Deserialize)]
    pub(crate) struct MessageRow {
        channel_id: String,
        ts: i64,
        thread_ts: i64,
        user_id: String,
        kind: String,
        text: String,
        files: String,
        edited_ts: i64,
        deleted: i64,
    }
}

/// A message without its secrets, as it is shown to everybody, models and indexes included.
pub(crate) fn message_of_row(row: MessageRow) -> Result<Message, StoreError> {
    Ok(secrets::mask_message(message_as_stored(row)?))
}

/// A message as the archive holds it, with its secrets: for storing it again, and for finding out which secrets it has.
pub(crate) fn message_as_stored(row: MessageRow) -> Result<Message, StoreError> {
    let files = files_of_message(&row.files, &row.channel_id, row.ts)?;
    Ok(Message {
        channel: ChannelId::new(row.channel_id),
        ts: MessageTs::from_micros(row.ts),
        thread_ts: opt_ts(row.thread_ts),
        user: UserId::new(row.user_id),
        kind: if row.kind == MessageKind::Talk.as_str() { MessageKind::Talk } else { MessageKind::Notice },
        text: row.text,
        files,
        edited_at: opt_ts(row.edited_ts),
        deleted: row.deleted != 0,
    })
}

/// The files of a message, as its row holds them.
pub(crate) fn files_of_message(json: &str, channel: &str, ts: i64) -> Result<Vec<FileRef>, StoreError> {
    serde_json::from_str(json)
        .map_err(|e| StoreError::Content(format!("files of message {channel}/{ts}: {e}")))
}
