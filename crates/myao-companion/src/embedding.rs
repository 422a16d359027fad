//! Gives messages their embeddings in the background: the newest first, some at a time (ADR 43).
//!
//! Which messages wait follows from rows, so that the work can stop anywhere and go on there. One process at a time
//! does it.

use std::{collections::VecDeque, sync::Arc};

use async_recursion::async_recursion as boxed;
use myao_core::{
    ports::{Clock, ModelError},
    recall::TextVector,
};
use myao_store::{EmbeddingProgress, Store, StoreError, UnembeddedText};

use crate::{
    ask::{AskError, Asker},
    keeper::Lease,
};

/// The subject of the claim under which this is done.
const SUBJECT: &str = "embeddings";
/// Texts of one call.
const TEXTS_AT_ONCE: usize = 32;
/// Most messages that have vectors: more would fill the memory of a process, and each question looks at all of them.
pub const MOST_VECTORS: u64 = 1_000_000;

/// Why no more messages are looked at for now.
#[derive(Debug)]
pub enum EmbeddingEnd {
    /// Every message that can have a vector has one.
    Done,
    /// [`MOST_VECTORS`] messages have one.
    Full,
    /// Another process does it.
    Elsewhere,
    /// The model did not answer; or the day's budget is used up, or the program stops.
    Failed(AskError),
}

/// Gives waiting messages their vectors, until none waits or the model fails. `told` gets the progress at the beginning
/// and after each call.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn embed_waiting_messages(
    store: &Store,
    asker: &Asker,
    clock: &Arc<dyn Clock>,
    told: &(dyn Fn(EmbeddingProgress) + Send + Sync),
) -> Result<EmbeddingEnd, StoreError> {
    let Some(model) = asker.embeddings() else { return Ok(EmbeddingEnd::Done) };
    let before = store.recall().progress_with_model(model.id()).await?;
    if before.is_lined_up && before.waiting == 0 {
        return Ok(EmbeddingEnd::Done);
    }
    let Some(lease) = Lease::take(store, clock, SUBJECT).await? else { return Ok(EmbeddingEnd::Elsewhere) };
    let ended = embed_waiting(store, asker, told).await;
    lease.release().await?;
    ended
}

async fn embed_waiting(
    store: &Store,
    asker: &Asker,
    told: &(dyn Fn(EmbeddingProgress) + Send + Sync),
) -> Result<EmbeddingEnd, StoreError> {
    let Some(model) = asker.embeddings() else { return Ok(EmbeddingEnd::Done) };
    while !store.recall().line_up_some(model.id()).await? {}
    let mut progress = store.recall().progress_with_model(model.id()).await?;
    let mut began_anew = false;
    loop {
        told(progress);
        if progress.embedded >= MOST_VECTORS {
            return Ok(EmbeddingEnd::Full);
        }
        let texts = store.recall().texts_to_embed(TEXTS_AT_ONCE).await?;
        if texts.is_empty() {
            return Ok(EmbeddingEnd::Done);
        }
        let taken = u64::try_from(texts.len()).unwrap_or(0);
        let vectors = match vectors_of(asker, texts).await {
            Ok(vectors) => vectors,
            Err(error) => return Ok(EmbeddingEnd::Failed(error)),
        };
        progress.embedded += store.recall().put_vectors(model.id(), vectors).await?;
        progress.waiting = progress.waiting.saturating_sub(taken);
        if !store.recall().line_up_some(model.id()).await? {
            // The model gives vectors of another length than before: all are asked for anew, but only once, since a
            // model that keeps changing the length would be asked for ever.
            if began_anew {
                let error =
                    ModelError::Invalid("its vectors are now of one length, now of another".to_owned());
                return Ok(EmbeddingEnd::Failed(AskError::Model {
                    model: model.id().to_owned(),
                    error,
                    attempts: 1,
                }));
            }
            began_anew = true;
            while !store.recall().line_up_some(model.id()).await? {}
            progress = store.recall().progress_with_model(model.id()).await?;
        }
    }
}

/// A vector for each text that has words. A text that the model refuses is left without one: a call that it refuses is
/// asked again in halves, down to single texts.
async fn vectors_of(
    asker: &Asker,
    texts: Vec<UnembeddedText>,
) -> Result<Vec<(UnembeddedText, Option<TextVector>)>, AskError> {
    let Some(model) = asker.embeddings() else { return Ok(Vec::new()) };
    let (with, without): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| text.words.is_some());
    let mut done: Vec<(UnembeddedText, Option<TextVector>)> =
        without.into_iter().map(|text| (text, None)).collect();
    let mut waiting = VecDeque::from([with]);
    while let Some(mut texts) = waiting.pop_front() {
        let words: Vec<&str> = texts.iter().filter_map(|text| text.words.as_deref()).collect();
        if words.is_empty() {
            continue;
        }
        match asker.vectors_of(model, &words).await {
            Ok(vectors) => done.extend(texts.into_iter().zip(vectors.into_iter().map(Some))),
            Err(AskError::Model { error, .. }) if is_the_texts_fault(&error) => {
                let half = texts.split_off(texts.len() / 2);
                if texts.is_empty() {
                    tracing::warn!(%error, "a message is found by its words alone: its meaning could not be found out");
                    done.extend(half.into_iter().map(|text| (text, None)));
                } else {
                    waiting.extend([texts, half]);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Whether the model might accept another text.
fn is_the_texts_fault(error: &ModelError) -> bool {
    match error {
        ModelError::TooLong(_) | ModelError::Rejected(_) | ModelError::Unsupported(_) => true,
        ModelError::Timeout(_)
        | ModelError::Limited { .. }
        | ModelError::Unavailable(_)
        | ModelError::Unauthorised(_)
        | ModelError::Spent(_)
        | ModelError::WrongAddress(_)
        | ModelError::NoSuchModel(_)
        | ModelError::Invalid(_) => false,
    }
}
