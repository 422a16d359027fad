//! Asks a model of embeddings what texts mean (ADR 43): recorded and bounded by the day's budget like every other call,
//! as memory work. Nothing fails because of it: without a vector, recall goes by words.

use std::sync::PoisonError;

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    ports::{ModelError, Response, Role, StopReason, Usage},
    recall::{EmbeddedText, TextVector, words_to_embed},
    text::estimate_tokens,
};
use myao_model::{Embedded, EmbeddingModel};
use myao_store::{NewCall, QuestionVector};
use tracing::Instrument as _;

use super::{AskError, Asker, attempt};
use crate::spans;

/// How long a question's vector is waited for: people wait for the answer that it is needed for.
const QUESTION_WAIT: std::time::Duration = std::time::Duration::from_secs(2);
/// How long a server is not called after it failed, so that one that hangs does not hold up every reply.
const LEFT_ALONE: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause that a server may ask for.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);

impl Asker {
    /// The model of embeddings; `None` if none is configured.
    pub fn embeddings(&self) -> Option<&EmbeddingModel> {
        self.inner.embeddings.as_ref()
    }

    /// What the words of a question mean. `None` if no model is configured, it does not answer in time, the day's
    /// budget is used up, or the model failed a short while ago.
    #[boxed]
    pub async fn meaning_of(&self, words: &str) -> Option<QuestionVector> {
        let model = self.embeddings()?;
        let asked = words_to_embed(words)?;
        if self.embedding_paused_until().is_some() {
            return None;
        }
        let embedded = async {
            let text = self.with_model_mark(model, EmbeddedText::Question, &asked, "question").await?;
            self.embed_texts(model, &[text], "question").await
        };
        let error = match tokio::time::timeout(QUESTION_WAIT, embedded).await {
            Ok(Ok(embedded)) => {
                let vector = embedded.vectors.into_iter().next()?;
                return Some(QuestionVector {
                    model: model.id().to_owned(),
                    words: words.to_owned(),
                    vector,
                });
            }
            Ok(Err(error)) => error.to_string(),
            Err(_elapsed) => {
                self.leave_alone(LEFT_ALONE);
                format!("no answer within {} s", QUESTION_WAIT.as_secs())
            }
        };
        tracing::info!(error, "a question is looked up by its words alone");
        None
    }

    /// The vectors of texts that were said, in their order.
    ///
    /// # Errors
    /// As for [`Asker::ask`]; no call is tried again.
    #[boxed]
    pub async fn vectors_of(
        &self,
        model: &EmbeddingModel,
        words: &[&str],
    ) -> Result<Vec<TextVector>, AskError> {
        let mut marked = Vec::with_capacity(words.len());
        for words in words {
            marked.push(self.with_model_mark(model, EmbeddedText::Passage, words, "embedding").await?);
        }
        Ok(self.embed_texts(model, &marked, "embedding").await?.vectors)
    }

    /// The words with the mark that the model wants, unless its server sets it itself: that is asked once.
    async fn with_model_mark(
        &self,
        model: &EmbeddingModel,
        kind: EmbeddedText,
        words: &str,
        purpose: &'static str,
    ) -> Result<String, AskError> {
        if !EmbeddedText::has_mark(model.name()) {
            return Ok(words.to_owned());
        }
        let sets_marks = if let Some(known) = model.sets_marks() {
            known
        } else {
            let one = [EmbeddingModel::ONE_TOKEN.to_owned()];
            model.told(self.embed_texts(model, &one, purpose).await?.tokens)
        };
        Ok(if sets_marks { words.to_owned() } else { kind.with_model_mark(words, model.name()) })
    }

    /// Until when the model is not called, in steady time; `None` if it may be called now.
    pub fn embedding_paused_until(&self) -> Option<Timestamp> {
        let until = *self.inner.embedding_pause.lock().unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > self.inner.clock.steady())
    }

    async fn embed_texts(
        &self,
        model: &EmbeddingModel,
        texts: &[String],
        purpose: &'static str,
    ) -> Result<Embedded, AskError> {
        let inner = &*self.inner;
        let began = inner.clock.now();
        let tokens = texts.iter().map(|text| estimate_tokens(text)).sum::<usize>();
        let tokens = u64::try_from(tokens).unwrap_or(u64::MAX);
        let call = NewCall {
            at: began,
            day: began.to_zoned(inner.zone.clone()).date().to_string(),
            role: Role::Memory,
            purpose,
            channel: None,
            thread: None,
            model: model.id().to_owned(),
            attempt: 1,
            reserved: tokens,
        };
        let open = self.start_call(call, tokens).await?;
        let span = spans::embeddings(model.id(), purpose);
        let result = inner.stop.run_until_cancelled(model.embed(texts)).instrument(span.clone()).await;
        let millis = inner.clock.now().duration_since(began).as_millis();
        let as_response = result.as_ref().map(|result| {
            let embedded = result.as_ref().map_err(ModelError::clone)?;
            let usage = Usage {
                input: embedded.tokens.unwrap_or(tokens),
                estimated: embedded.tokens.is_none(),
                ..Usage::default()
            };
            let text = String::new();
            let calls = Vec::new();
            let thoughts = Vec::new();
            Ok(Response { text, calls, thoughts, stop: StopReason::End, usage })
        });
        let end = attempt::outcome_of_call(as_response.as_ref(), tokens, u64::try_from(millis).unwrap_or(0));
        spans::note_call_end(&span, &end, Some(open.id()), as_response.as_ref());
        drop(span);
        open.settle(end).await?;
        match result.ok_or(AskError::Stopped)? {
            Ok(embedded) => Ok(embedded),
            Err(error) => {
                self.pause_after(&error);
                Err(AskError::Model { model: model.id().to_owned(), error, attempts: 1 })
            }
        }
    }

    /// Pauses the calls of the model if it may answer later or only a person can help, but not if the text was at
    /// fault.
    fn pause_after(&self, error: &ModelError) {
        if let ModelError::Limited { seconds: Some(seconds), .. } = error {
            let told = SignedDuration::from_secs(i64::try_from(*seconds).unwrap_or(i64::MAX));
            self.leave_alone(told.clamp(LEFT_ALONE, LONGEST));
        } else if error.is_passing() || error.wants_a_person() || matches!(error, ModelError::Invalid(_)) {
            self.leave_alone(LEFT_ALONE);
        }
    }

    fn leave_alone(&self, span: SignedDuration) {
        let until = instant_after(self.inner.clock.steady(), span);
        let mut pause = self.inner.embedding_pause.lock().unwrap_or_else(PoisonError::into_inner);
        *pause = (*pause).max(Some(until));
    }
}
