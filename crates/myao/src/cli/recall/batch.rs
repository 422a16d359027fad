//! Answers the questions of a file, with one line for each. This is for measurements, and for programs that ask a lot.

use std::{fs, path::Path};

use myao_core::{chat::MessageTs, context::Visibility, recall::RecallFilter};
use myao_store::{RecallRequest, RecalledText};
use serde::Deserialize;
use serde_json::json;

use crate::{
    app::App,
    cli::{Done, Failure, output, read_stdin},
};

/// How many messages are found for a question that gives no limit.
const DEFAULT_LIMIT: usize = 20;

/// A question: a line of the file. `query` holds only words, since filters have fields of their own.
#[derive(Debug, Deserialize)]
struct BatchQuestion {
    id: String,
    r#in: Option<String>,
    query: String,
    before: Option<MessageTs>,
    limit: Option<usize>,
}

pub(super) async fn run(app: &App, file: &Path, visibility: &Visibility) -> Result<Done, Failure> {
    let lines = if file == Path::new("-") {
        read_stdin()?
    } else {
        fs::read_to_string(file).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?
    };
    let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (nth, line) in lines {
        let at = |error: &dyn std::fmt::Display| {
            Failure::usage(format!("{}, line {}: {error}", file.display(), nth + 1))
        };
        let question: BatchQuestion = serde_json::from_str(line).map_err(|error| at(&error))?;
        let answer = answer(app, question, visibility).await.map_err(|error| at(&error))?;
        output::say(&answer);
    }
    Ok(Done::All)
}

async fn answer(app: &App, question: BatchQuestion, visibility: &Visibility) -> Result<String, Failure> {
    let channels = match &question.r#in {
        Some(name) => vec![app.channel(name).await?.id],
        None => Vec::new(),
    };
    let filter = RecallFilter { channels, before: question.before, ..RecallFilter::default() };
    let request = RecallRequest {
        meaning: app.meaning_of(&question.query).await,
        named_in: Some(app.config.locale.timezone.clone()),
        words: question.query,
        filter,
        most: question.limit.unwrap_or(DEFAULT_LIMIT),
        with_memories: false,
        now: question.before.unwrap_or(MessageTs::from_timestamp(app.clock.now())),
    };
    let found = app.store.recall(visibility, &request).await?;
    let hits = found.iter().filter_map(|hit| match &hit.text {
        RecalledText::Message(message) => {
            Some(json!({ "ts": message.ts, "channel": message.channel, "score": hit.score }))
        }
        RecalledText::Line(_) => None,
    });
    Ok(json!({ "id": question.id, "hits": hits.collect::<Vec<_>>() }).to_string())
}
