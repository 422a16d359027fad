//! Images that a model does not take: it is asked without them. The words name them, so that it can answer.

use std::sync::PoisonError;

use myao_core::ports::{ModelError, Request};

use super::{Answer, AskError, Asker, CallSubject};

impl Asker {
    /// The same as [`Asker::ask`], without asking once more where images are refused: for whoever wants to know.
    pub async fn ask_as_it_is(&self, request: &Request, about: CallSubject) -> Result<Answer, AskError> {
        self.ask_model(self.inner.models.of(request.role), request, &about).await
    }

    /// Asks with the images of a request, and without where the model refuses it as it is. One that does not see
    /// at all is shown none any more.
    pub(super) async fn ask_with_images(
        &self,
        request: &Request,
        about: &CallSubject,
    ) -> Result<Answer, AskError> {
        let model = self.inner.models.of(request.role);
        let blind = || self.inner.blind.lock().unwrap_or_else(PoisonError::into_inner);
        let without = Request { images: Vec::new(), ..request.clone() };
        let is_blind = blind().contains(model.id());
        if is_blind {
            return self.ask_model(model, &without, about).await;
        }
        let (error, sees) = match self.ask_model(model, request, about).await {
            Err(AskError::Model { error: error @ ModelError::Unsupported(_), .. }) => (error, false),
            // It may be one image that it cannot read, or all of them more than it takes.
            Err(AskError::Model {
                error: error @ (ModelError::Rejected(_) | ModelError::TooLong(_)),
                ..
            }) => (error, true),
            other => return other,
        };
        let model_id = model.id();
        tracing::warn!(model = model_id, %error, "asked again without images");
        let answer = self.ask_model(model, &without, about).await?;
        if !sees {
            blind().insert(model_id.to_owned());
        }
        Ok(answer)
    }
}
