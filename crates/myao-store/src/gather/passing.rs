//! What people who opted out wait for, in the prompt that answers it and in no other (ADR 51).

use myao_core::chat::MessageTs;

use super::{GatherRequest, conversation::ConversationRows};
use crate::{StoreError, db::Tx, passing};

/// A request that looks nothing up.
pub(super) fn without_recall(request: &GatherRequest) -> GatherRequest {
    GatherRequest { most_recalled: 0, meaning: None, ..request.clone() }
}

/// Adds what people who opted out wait for; whether there is any of it.
pub(super) async fn join(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: &mut ConversationRows,
    unanswered: &mut Vec<MessageTs>,
) -> Result<bool, StoreError> {
    let passing = passing::unanswered(tx, &request.place).await?;
    if passing.is_empty() {
        return Ok(false);
    }
    unanswered.extend(passing.iter().map(|message| message.ts));
    unanswered.sort_unstable();
    conversation.messages.extend(passing);
    conversation.messages.sort_by_key(|message| message.ts);
    Ok(true)
}
