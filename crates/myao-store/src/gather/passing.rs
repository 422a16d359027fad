//! Adds what people who opted out wait for to the prompt that answers it, and to no other (ADR 51).

use myao_core::chat::MessageTs;

use super::{conversation::ConversationRows, request::GatherRequest};
use crate::{StoreError, db::Tx, replies::passing};

/// Adds the messages of people who opted out that wait for an answer; `true` if there are any.
pub(super) async fn add_waiting_messages(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: &mut ConversationRows,
    unanswered: &mut Vec<MessageTs>,
) -> Result<bool, StoreError> {
    let passing = passing::unanswered_messages(tx, &request.place).await?;
    if passing.is_empty() {
        return Ok(false);
    }
    unanswered.extend(passing.iter().map(|message| message.ts));
    unanswered.sort_unstable();
    conversation.messages.extend(passing);
    conversation.messages.sort_by_key(|message| message.ts);
    Ok(true)
}
