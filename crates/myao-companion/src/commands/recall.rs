//! `/myao recall`: what was said and is remembered, through the eyes of whoever asks.

use jiff::civil::Date;
use myao_core::{
    chat::Names,
    recall::{QueryError, RecallQuery},
};
use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::{MemoryLine, RecalledText, StoreError};
use serde_json::json;

use super::context::{CommandAsker, Commands, cut};
use crate::found::{TypedSearch, UnmeantName, filter_of_query, told_instead};

/// The most hits that are shown.
const MOST_HITS: usize = 8;

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    typed: &str,
) -> Result<PrivateAnswer, StoreError> {
    let query = match RecallQuery::parse(typed, with.clock.now(), with.zone()) {
        Ok(query) => query,
        Err(error) => return Ok(told_unclear(with, &error)),
    };
    let filter = match filter_of_query(with.store, &asker.visibility, &query).await? {
        Ok(filter) => filter,
        Err(name) => return Ok(told_unmeant(with, &name)),
    };
    let names = with.names(&asker.visibility).await?;
    let search = TypedSearch {
        store: with.store,
        visibility: &asker.visibility,
        query: &query,
        filter,
        meaning: with.asker.meaning_of(&query.words).await,
        most: MOST_HITS,
        with_memories: true,
        each_message: false,
        now: with.clock.now(),
        zone: with.zone(),
    };
    let found = search.find(|text| shown_words(text, &names)).await?;
    if found.hits.is_empty() {
        return Ok(PrivateAnswer::of_words(with.phrase("command-recall-nothing")));
    }
    let mut lines: Vec<AnswerLine> =
        found.instead.iter().map(|word| AnswerLine::of(told_instead(word, with.language))).collect();
    let team_url = with.team_url().await?;
    for hit in &found.hits {
        lines.push(match &hit.text {
            RecalledText::Message(message) => {
                let line = with.line_of_message(message, &names, team_url.as_deref());
                AnswerLine { label: line.label.map(|label| with_end(with, label, hit.ended_on())), ..line }
            }
            RecalledText::Line(line) => line_of_memory(with, line, &names),
        });
    }
    if found.has_more {
        lines.push(AnswerLine::of(with.phrase("command-recall-more")));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

fn shown_words(text: &RecalledText, names: &Names) -> String {
    match text {
        RecalledText::Message(message) => names.resolve(&message.text),
        RecalledText::Line(line) => names.show(&line.text),
    }
}

/// A line of a memory, with the place it was made from.
fn line_of_memory(with: &Commands<'_>, line: &MemoryLine, names: &Names) -> AnswerLine {
    let values = json!({ "channel": names.channel(&line.channel) });
    let label = with_end(with, with.phrase_with("command-remembered-of", &values), line.ended);
    AnswerLine { label: Some(label), address: None, text: cut(&names.show(&line.text)) }
}

/// A label, with the day since which what it stands before no longer holds.
fn with_end(with: &Commands<'_>, label: String, ended: Option<Date>) -> String {
    match ended {
        Some(day) => {
            format!("{label} {}", with.phrase_with("command-held-until", &json!({ "day": day.to_string() })))
        }
        None => label,
    }
}

fn told_unclear(with: &Commands<'_>, error: &QueryError) -> PrivateAnswer {
    PrivateAnswer::of_words(match error {
        QueryError::Empty => with.phrase("command-recall-what").to_owned(),
        QueryError::Common(words) => with.phrase_with("command-recall-common", &json!({ "words": words })),
        QueryError::NoValue { key, .. } => {
            with.phrase_with("command-recall-no-value", &json!({ "key": key }))
        }
        QueryError::Day { key, value } => {
            with.phrase_with("command-recall-no-day", &json!({ "key": key, "value": value }))
        }
        QueryError::Has(value) => with.phrase_with("command-recall-unknown-has", &json!({ "value": value })),
    })
}

fn told_unmeant(with: &Commands<'_>, name: &UnmeantName) -> PrivateAnswer {
    PrivateAnswer::of_words(match name {
        UnmeantName::Person(name) => with.phrase_with("command-recall-nobody", &json!({ "name": name })),
        UnmeantName::Channel(name) => with.phrase_with("command-recall-no-channel", &json!({ "name": name })),
    })
}
