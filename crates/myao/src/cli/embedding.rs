//! Embeds messages, if a model of embeddings is configured. This is done by commands that take their time anyway.

use myao_companion::{
    ask::AskError,
    embedding::{EmbeddingEnd, MOST_VECTORS, embed_waiting_messages},
};
use myao_store::EmbeddingProgress;
use serde_json::{Value, json};

use super::{Failure, output, stop_signals::StopSignals};
use crate::app::App;

/// Embeds the messages that have no vector yet. If it is stopped or the model fails, it goes on there the next time;
/// the command itself counts as done all the same.
pub(super) async fn embed_missing(app: &App) -> Result<(), Failure> {
    if app.config.embeddings.is_none() {
        return Ok(());
    }
    let asker = app.asker()?;
    let bar = output::progress_bar(0, "what messages mean", "messages");
    let shown = bar.clone();
    let told = move |progress: EmbeddingProgress| {
        shown.set_length(progress.embedded.saturating_add(progress.waiting));
        shown.set_position(progress.embedded);
    };
    let mut signals = StopSignals::new()?;
    let mut work = std::pin::pin!(embed_waiting_messages(&app.store, &asker, &app.clock, &told));
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = signals.next() => {
            asker.stop();
            work.await
        }
    };
    bar.finish_and_clear();
    let note = match ended? {
        EmbeddingEnd::Done => return Ok(()),
        EmbeddingEnd::Full => format!("as many messages have vectors as may: {MOST_VECTORS}"),
        EmbeddingEnd::Elsewhere => "another process finds out what messages mean".to_owned(),
        EmbeddingEnd::Failed(AskError::Stopped) => {
            "stopped; the next `myao memory build` or `myao run` goes on finding out what messages mean"
                .to_owned()
        }
        EmbeddingEnd::Failed(error) => format!(
            "what messages mean could not be found out ({error}); recall goes by words until the next \
             `myao memory build` or `myao run`"
        ),
    };
    output::print_to_stderr(&format!("note: {note}"));
    Ok(())
}

/// How many messages have vectors. `None` where no model is configured.
pub(super) async fn vector_progress(app: &App) -> Result<Option<EmbeddingProgress>, Failure> {
    // The id under which the model's calls are recorded (`EmbeddingModel::id`).
    let Some(endpoint) = &app.config.embeddings else { return Ok(None) };
    let id = myao_model::recorded_model_id(&endpoint.model_id);
    Ok(Some(app.store.recall().progress_with_model(&id).await?))
}

/// Says how many messages have vectors.
pub(super) fn print_progress(progress: Option<EmbeddingProgress>) {
    let Some(EmbeddingProgress { embedded, waiting, is_lined_up }) = progress else { return };
    let rest = match (is_lined_up, waiting) {
        (true, 0) => String::new(),
        (true, waiting) => format!("; {waiting} wait for theirs"),
        (false, _) => "; not all that was said is lined up yet".to_owned(),
    };
    let are_full = if embedded >= MOST_VECTORS { ", as many as may be" } else { "" };
    output::print_line(&format!(
        "embeddings: vectors of {}{are_full}{rest}",
        output::count_with_noun(embedded, "message")
    ));
}

pub(super) fn as_json(progress: Option<EmbeddingProgress>) -> Value {
    progress.map_or(Value::Null, |progress| {
        json!({
            "embedded": progress.embedded, "waiting": progress.waiting, "lined_up": progress.is_lined_up,
        })
    })
}
