//! Asks a model again without images if it does not take them. The prompt names the files, so that it can answer.

use std::sync::PoisonError;

use async_recursion::async_recursion as boxed;
use myao_core::ports::{ModelError, Request, ShowWords};

use super::{Answer, AskError, Asker, CallSubject};

impl Asker {
    /// [`Asker::ask`] without the second try when images are refused: `myao check` wants the error.
    #[boxed]
    pub async fn ask_as_it_is(&self, request: &Request, about: CallSubject) -> Result<Answer, AskError> {
        self.ask_model(self.model_of(request.role), request, &about, None).await
    }

    /// Asks with the images of a request, and again without them if the model refuses. A model that takes no images at
    /// all is given none from then on.
    pub(super) async fn ask_with_images(
        &self,
        request: &Request,
        about: &CallSubject,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Answer, AskError> {
        let model = self.model_of(request.role);
        let blind = || self.inner.blind.lock().unwrap_or_else(PoisonError::into_inner);
        let without = Request { images: Vec::new(), ..request.clone() };
        let is_blind = blind().contains(model.id());
        if is_blind {
            return self.ask_model(model, &without, about, show).await;
        }
        let (error, sees) = match self.ask_model(model, request, about, show).await {
            Err(AskError::Model { error: error @ ModelError::Unsupported(_), .. }) => (error, false),
            // It may fail to read one of the images, or all of them may be too much.
            Err(AskError::Model {
                error: error @ (ModelError::Rejected(_) | ModelError::TooLong(_)),
                ..
            }) => (error, true),
            other => return other,
        };
        let model_id = model.id();
        tracing::warn!(model = model_id, %error, "the model refuses the images; asking without them");
        let answer = self.ask_model(model, &without, about, show).await?;
        if !sees {
            blind().insert(model_id.to_owned());
        }
        Ok(answer)
    }
}
