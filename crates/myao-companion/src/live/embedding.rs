//! Gives messages their embeddings in the background: nothing waits for it.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_store::StoreError;

use super::{LiveError, RunContext};
use crate::{
    ask::AskError,
    embedding::{EmbeddingEnd, embed_waiting_messages},
};

/// How often we look whether something was said: the latest messages stand in every prompt anyway.
const LOOKED_AT_EVERY: SignedDuration = SignedDuration::from_secs(30);
/// The first wait after the model failed, and the longest: each further wait is twice as long as the one before.
const FIRST_WAIT: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(30);

/// Gives messages their vectors until the run ends.
pub(super) async fn keep_messages_embedded(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let Some(model) = shared.asker.embeddings() else {
        shared.stop.cancelled().await;
        return Ok(());
    };
    let mut failed_wait = FIRST_WAIT;
    loop {
        // Loaded now, so that the first reply does not have to wait for it.
        if let Err(error) = shared.store.recall().load_vectors(model.id()).await {
            tell_database(&error);
        }
        let wait = match embed_waiting_messages(&shared.store, &shared.asker, &shared.clock, &|_| {}).await {
            Ok(end) => wait_after_end(&end, &mut failed_wait),
            Err(error) => {
                tell_database(&error);
                FIRST_WAIT
            }
        };
        if !shared.pause(wait).await {
            return Ok(());
        }
    }
}

fn wait_after_end(end: &EmbeddingEnd, failed_wait: &mut SignedDuration) -> SignedDuration {
    match end {
        EmbeddingEnd::Failed(AskError::Stopped) | EmbeddingEnd::Elsewhere | EmbeddingEnd::Full => {
            LOOKED_AT_EVERY
        }
        EmbeddingEnd::Done => {
            *failed_wait = FIRST_WAIT;
            LOOKED_AT_EVERY
        }
        EmbeddingEnd::Failed(error @ AskError::Budget { .. }) => {
            tracing::info!(%error, "what messages mean is found out tomorrow");
            LONGEST_WAIT
        }
        EmbeddingEnd::Failed(error @ (AskError::Model { .. } | AskError::Store(_))) => {
            let wait = *failed_wait;
            tracing::warn!(%error, wait = wait.as_secs(), "what messages mean is not found out; recall goes by words");
            *failed_wait = wait.saturating_mul(2).min(LONGEST_WAIT);
            wait
        }
    }
}

fn tell_database(error: &StoreError) {
    tracing::error!(%error, "what messages mean is not found out; trying again");
}
