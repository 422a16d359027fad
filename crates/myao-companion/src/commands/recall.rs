//! `/myao recall`: what was said and is remembered, through the eyes of whoever asks.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, MessageTs, Names, UserId, Visibility},
    recall::{QueryError, RecallFilter, RecallQuery, people_with_name},
};
use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::{MemoryLine, RecallRequest, RecalledText, StoreError};
use serde_json::json;

use super::context::{CommandAsker, Commands, cut};
use crate::found::{self, RecallHit};

/// The most hits that are shown.
const MOST_HITS: usize = 8;
/// How many messages and lines are fetched for each of these: hits of one thread become one.
const LOOKED_AT: usize = 5;

/// Why a query cannot be answered.
enum UnclearCommand {
    Query(QueryError),
    Nobody(String),
    NoChannel(String),
}

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    typed: &str,
) -> Result<PrivateAnswer, StoreError> {
    let query = match RecallQuery::parse(typed, with.clock.now(), with.zone()) {
        Ok(query) => query,
        Err(error) => return Ok(told_unclear(with, &UnclearCommand::Query(error))),
    };
    let filter = match filter_of_query(with, &asker.visibility, &query).await? {
        Ok(filter) => filter,
        Err(unclear) => return Ok(told_unclear(with, &unclear)),
    };
    let names = with.names(&asker.visibility).await?;
    let mut instead = Vec::new();
    let mut hits: Vec<RecallHit> = if query.has_terms() {
        let request = RecallRequest {
            words: query.words.clone(),
            filter,
            most: MOST_HITS * LOOKED_AT,
            with_memories: true,
            now: MessageTs::from_timestamp(with.clock.now()),
            meaning: with.asker.meaning_of(&query.words).await,
            named_in: Some(with.zone().clone()),
        };
        let recalled = with.store.recall().search_typed_words(&asker.visibility, &request).await?;
        instead = recalled.instead;
        let hits = found::telling_hits(recalled.found);
        found::by_thread(found::without_copies(hits, |text| shown_words(text, &names)))
    } else {
        let newest = with.store.recall().newest_messages(&asker.visibility, &filter, MOST_HITS).await?;
        newest.into_iter().map(RecallHit::from).collect()
    };
    let has_more = hits.len() > MOST_HITS;
    hits.truncate(MOST_HITS);
    if hits.is_empty() {
        return Ok(PrivateAnswer::of_words(with.phrase("command-recall-nothing")));
    }
    let mut lines: Vec<AnswerLine> =
        instead.iter().map(|word| AnswerLine::of(found::told_instead(word, with.language()))).collect();
    let team_url = with.team_url().await?;
    for hit in &hits {
        lines.push(match &hit.text {
            RecalledText::Message(message) => with.line_of_message(message, &names, team_url.as_deref()),
            RecalledText::Line(line) => line_of_memory(with, line, &names),
        });
    }
    if has_more {
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
    let mut label = with.phrase_with("command-remembered-of", &values);
    if let Some(day) = line.ended {
        label.push(' ');
        label.push_str(&with.phrase_with("command-held-until", &json!({ "day": day.to_string() })));
    }
    AnswerLine { label: Some(label), address: None, text: cut(&names.show(&line.text)) }
}

fn told_unclear(with: &Commands<'_>, unclear: &UnclearCommand) -> PrivateAnswer {
    PrivateAnswer::of_words(match unclear {
        UnclearCommand::Query(QueryError::Empty) => with.phrase("command-recall-what").to_owned(),
        UnclearCommand::Query(error) => {
            with.phrase_with("command-recall-unclear", &json!({ "error": error.to_string() }))
        }
        UnclearCommand::Nobody(name) => with.phrase_with("command-recall-nobody", &json!({ "name": name })),
        UnclearCommand::NoChannel(name) => {
            with.phrase_with("command-recall-no-channel", &json!({ "name": name }))
        }
    })
}

/// The filter of a query, with its names resolved. A channel that is not seen counts as one that does not exist.
async fn filter_of_query(
    with: &Commands<'_>,
    visibility: &Visibility,
    query: &RecallQuery,
) -> Result<Result<RecallFilter, UnclearCommand>, StoreError> {
    let mut users: BTreeSet<UserId> = BTreeSet::new();
    if !query.from.is_empty() {
        let people = with.store.recall().named_users().await?;
        for name in &query.from {
            let meant = people_with_name(name, &people);
            if meant.is_empty() {
                return Ok(Err(UnclearCommand::Nobody(name.clone())));
            }
            users.extend(meant.into_iter().map(|user| user.id.clone()));
        }
    }
    let mut channels: BTreeSet<ChannelId> = BTreeSet::new();
    for name in &query.channels {
        let called = with.store.archive().channels_named(name.trim().trim_start_matches(['#', '＃'])).await?;
        let ids = called.into_iter().map(|channel| channel.id).collect();
        let seen = with.store.hearing().seen_among(visibility, ids).await?;
        if seen.is_empty() {
            return Ok(Err(UnclearCommand::NoChannel(name.clone())));
        }
        channels.extend(seen);
    }
    Ok(Ok(query.filter(users.into_iter().collect(), channels.into_iter().collect())))
}
