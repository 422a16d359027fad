//! Tries the model of embeddings with a small call.

use jiff::SignedDuration;
use myao_companion::ask::AskError;

use super::finding::{CheckReport, Finding};
use crate::app::App;

/// How long recall waits for the vector of a question, before it looks the question up by its words alone.
const FAST_ENOUGH: SignedDuration = SignedDuration::from_secs(2);

/// Tries the model, where one is configured. Nothing else of a run needs it.
pub(super) async fn try_embedding_model(app: &App, report: &mut CheckReport) {
    let Some(endpoint) = &app.config.embeddings else { return };
    let subject = format!("recall.embeddings ({})", endpoint.model_id);
    // If there is no asker, the check of the models has already said why.
    let Ok(asker) = app.asker() else { return };
    let Some(model) = asker.embeddings() else { return };
    let began = app.clock.now();
    let finding = match asker.vectors_of(model, &["Is the tea still warm?"]).await {
        Ok(vectors) => {
            let took = app.clock.now().duration_since(began);
            let dimensions = vectors.first().map_or(0, myao_core::recall::TextVector::dimensions);
            let text =
                format!("gives vectors of {dimensions} dimensions, within {:.1} s", took.as_secs_f64());
            if took <= FAST_ENOUGH {
                Finding::fine(subject, text)
            } else {
                let advice = "a question is waited for 2 s at most, and then looked up by its words alone";
                Finding::noted(subject, text, advice)
            }
        }
        Err(AskError::Model { error, .. }) => {
            let advice = "recall goes by words until it answers; set recall.embeddings.api_base to the address that \
                          /embeddings follows, as in http://localhost:8000/v1";
            Finding::wrong(subject, error.to_string(), advice)
        }
        Err(error) => Finding::wrong(subject, error.to_string(), ""),
    };
    report.add(finding);
}
