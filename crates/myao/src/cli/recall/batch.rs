//! Answers the questions of a file, with one line for each. This is for measurements, and for programs that ask a lot.

use std::{fs, path::Path};

use myao_core::{
    chat::{MessageTs, Visibility},
    recall::RecallFilter,
};
use myao_store::{RecallRequest, RecalledText};
use serde_json::{Map, Value, json};

use crate::{
    app::App,
    cli::{Done, Failure, output, read_stdin},
};

/// How many messages are found for a question that gives no limit.
const DEFAULT_LIMIT: u64 = 20;

/// A question: a line of the file. `query` holds only words, since filters have fields of their own.
#[derive(Debug)]
struct BatchQuestion {
    id: String,
    channel: Option<String>,
    query: String,
    before: Option<MessageTs>,
    limit: usize,
}

impl BatchQuestion {
    /// Reads a line; the error says what is wrong with it.
    fn read(line: &str) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| format!("no JSON object (see column {})", error.column());
        let fields: Map<String, Value> = serde_json::from_str(line).map_err(wrong)?;
        let field = |key: &str| fields.get(key).filter(|value| !value.is_null());
        let text = |key: &str| match field(key) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{key}` has to be a string")),
            None => Ok(None),
        };
        let needed = |key: &str| text(key)?.ok_or_else(|| format!("`{key}` is missing"));
        let ts = |text: String| {
            let wrong = |_| format!("`before` is no time stamp such as 1772442000.000100: {text}");
            text.parse::<MessageTs>().map_err(wrong)
        };
        let limit = field("limit").map_or(Some(DEFAULT_LIMIT), Value::as_u64).filter(|limit| *limit > 0);
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(Self {
            id: needed("id")?,
            query: needed("query")?,
            channel: text("in")?,
            before: text("before")?.map(ts).transpose()?,
            limit: limit.ok_or("`limit` has to be a whole number of at least 1")?,
        })
    }
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
        let question = BatchQuestion::read(line).map_err(|error| at(&error))?;
        let answer = answer_question(app, question, visibility).await.map_err(|error| at(&error))?;
        output::print_line(&answer);
    }
    Ok(Done::All)
}

async fn answer_question(
    app: &App,
    question: BatchQuestion,
    visibility: &Visibility,
) -> Result<String, Failure> {
    let channels = match &question.channel {
        Some(name) => vec![app.channel(name).await?.id],
        None => Vec::new(),
    };
    let filter = RecallFilter { channels, before: question.before, ..RecallFilter::default() };
    let request = RecallRequest {
        meaning: app.meaning_of(&question.query).await,
        named_in: Some(app.config.locale.timezone.clone()),
        words: question.query,
        filter,
        most: question.limit,
        with_memories: false,
        now: question.before.unwrap_or(MessageTs::from_timestamp(app.clock.now())),
    };
    let found = app.store.recall().search(visibility, &request).await?;
    let hits = found.iter().filter_map(|hit| match &hit.text {
        RecalledText::Message(message) => {
            Some(json!({ "ts": message.ts, "channel": message.channel, "score": hit.score }))
        }
        RecalledText::Line(_) => None,
    });
    Ok(json!({ "id": question.id, "hits": hits.collect::<Vec<_>>() }).to_string())
}
