//! Has the model of a place answer there, where a rule for places names one (ADR 139).

use std::borrow::Cow;

use myao_core::chat::ChannelId;
use myao_store::StoreError;

use super::Answering;

impl Answering {
    /// The same, by which the model of this channel answers.
    pub(super) async fn with_model_of(&self, channel: &ChannelId) -> Result<Cow<'_, Self>, StoreError> {
        if !self.config.places.have_models() {
            return Ok(Cow::Borrowed(self));
        }
        let asker = self.asker.answering_in(channel).await?;
        Ok(Cow::Owned(Self { asker, ..self.clone() }))
    }
}
