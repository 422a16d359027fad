//! Tells which messages are left out of what a place is shown: those by people who opted out, and those that keep changing.

use std::collections::BTreeSet;

use myao_core::chat::{Message, MessageTs};

use super::request::GatherRequest;
use crate::{
    StoreError,
    db::Tx,
    hearing::opt_outs,
    recall::Recalled,
    replies::inputs::{self, ReplyInput},
};

/// Which messages are left out.
pub(super) struct LeftOutMessages {
    /// Who had opted out by now, as an input of the reply.
    pub(super) opt_outs: ReplyInput,
    people: BTreeSet<String>,
}

impl LeftOutMessages {
    pub(super) async fn read(tx: &mut Tx) -> Result<Self, StoreError> {
        let changes = inputs::opt_outs(tx).await?;
        // Mostly nobody ever opted out.
        let people = if changes == 0 { BTreeSet::new() } else { opt_outs::hidden_people(tx).await? };
        Ok(Self { opt_outs: ReplyInput::OptOuts(changes), people })
    }

    fn holds(&self, request: &GatherRequest, message: &Message) -> bool {
        let changes =
            !request.left_out.is_empty() && request.left_out.contains(&(message.channel.clone(), message.ts));
        changes || opt_outs::is_hidden(&self.people, message)
    }

    /// Takes them out of a conversation, but for what waits for an answer.
    pub(super) fn remove_from_talk(
        &self,
        request: &GatherRequest,
        messages: &mut Vec<Message>,
        waiting: &[MessageTs],
    ) {
        messages.retain(|message| waiting.contains(&message.ts) || !self.holds(request, message));
    }

    /// Takes them out of what was found.
    pub(super) fn take_out_found(&self, request: &GatherRequest, found: &mut Vec<Recalled>) {
        found.retain(|found| !found.text.as_message().is_some_and(|message| self.holds(request, message)));
    }
}
