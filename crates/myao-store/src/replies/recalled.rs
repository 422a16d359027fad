//! Searches on behalf of a reply: what is found becomes something that the reply was shown (ADR 85).

use async_recursion::async_recursion as boxed;
use myao_core::{chat::Visibility, recall::RecallFilter};

use super::inputs::{ReplyInput, ReplyInputs, of_messages};
use crate::{
    RepliesHandle, StoreError,
    db::Tx,
    hearing::opt_outs,
    recall::{
        RecallRequest, Recalled, RecalledText, recent::newest_by_filter, search::recall_without_opted_out,
    },
};

/// What a search found, as inputs of the reply for which it was made.
pub(crate) async fn of_recalled(tx: &mut Tx, found: &[Recalled]) -> Result<ReplyInputs, StoreError> {
    let messages = found.iter().filter_map(|found| found.text.as_message());
    let mut inputs: ReplyInputs = of_messages(tx, messages).await?.into_iter().collect();
    for found in found {
        if let RecalledText::Line(line) = &found.text {
            inputs.add(ReplyInput::Memory { channel: Some(line.channel.clone()), step: line.step });
        }
    }
    Ok(inputs)
}

impl RepliesHandle<'_> {
    /// Like [`crate::RecallHandle::newest_messages`], with what was found as inputs of the reply for which it is looked
    /// up.
    #[boxed]
    pub async fn recent_for_reply(
        &self,
        visibility: &Visibility,
        filter: &RecallFilter,
        most: usize,
    ) -> Result<(Vec<Recalled>, ReplyInputs), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let hidden = opt_outs::hidden_people(&mut tx).await?;
        let mut found =
            newest_by_filter(&mut tx, &self.store.hearing().visibility_binds(visibility), filter, most)
                .await?;
        found.retain(|f| !f.text.as_message().is_some_and(|m| opt_outs::is_hidden(&hidden, m)));
        let inputs = of_recalled(&mut tx, &found).await?;
        Ok((found, inputs))
    }
}

impl RepliesHandle<'_> {
    /// Like [`crate::RecallHandle::search`], with what was found as inputs of the reply for which it is looked up.
    #[boxed]
    pub async fn recall_for_reply(
        &self,
        visibility: &Visibility,
        request: &RecallRequest,
    ) -> Result<(Vec<Recalled>, ReplyInputs), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        match recall_without_opted_out(&mut tx, &seen, &self.store.vectors, request).await {
            Err(StoreError::Damaged(damage)) => {
                self.store.recall().index_is_damaged(damage).await?;
                Ok(Default::default())
            }
            found => {
                let found = found?;
                let inputs = of_recalled(&mut tx, &found).await?;
                Ok((found, inputs))
            }
        }
    }
}
