//! Prints what was found as JSON.

use myao_core::chat::{FileRef, MessageTs};
use myao_store::{MemoryLine, RecalledText};
use serde_json::{Value, json};

use super::{RecallHit, RecallSearch, TypedHits, text::RecallFormatter};
use crate::cli::output;

/// The query as it was understood, and the hits.
pub(super) fn search_as_json(search: &RecallSearch, found: &TypedHits, formatter: &RecallFormatter) -> Value {
    let filter = &search.filter;
    let instead = found.instead.iter().map(|word| json!({"typed": word.typed, "shown": word.shown}));
    json!({
        "query": {
            "words": search.query.words,
            "phrases": filter.phrases,
            "from": filter.users,
            "in": filter.channels,
            "since": filter.since,
            "before": filter.before,
            "as_of": filter.as_of.map(MessageTs::to_timestamp),
            "has_link": filter.with_link,
            "has_file": filter.with_file,
            "instead": instead.collect::<Vec<_>>(),
        },
        "hits": found.hits.iter().map(|hit| hit_as_json(hit, formatter)).collect::<Vec<_>>(),
    })
}

fn hit_as_json(hit: &RecallHit, formatter: &RecallFormatter) -> Value {
    let channel = hit.text.channel();
    let shared = json!({
        "channel": formatter.channel(channel),
        "channel_id": channel,
        "reference": formatter.reference(&hit.text),
        "score": hit.score,
        "terms": hit.terms,
    });
    let own = match &hit.text {
        RecalledText::Message(message) => json!({
            "kind": "message",
            "ts": message.ts,
            "thread_ts": message.thread_ts,
            "user": formatter.person(&message.user),
            "user_id": message.user,
            "text": formatter.said(message),
            "files": message.files.iter().map(|file: &FileRef| &file.name).collect::<Vec<_>>(),
            "permalink": formatter.permalink(message),
            "ended_on": hit.replaced_on.map(|day| day.to_string()),
            "more_in_thread": hit.more,
        }),
        RecalledText::Line(line) => line_as_json(line, formatter),
    };
    output::merge_objects(own, shared)
}

fn line_as_json(line: &MemoryLine, formatter: &RecallFormatter) -> Value {
    json!({
        "kind": "memory",
        "memory_type": line.memory_type.as_str(),
        "version": line.version,
        "entry": line.step.0,
        "until": line.until,
        "ended_on": line.ended.map(|day| day.to_string()),
        "text": formatter.remembered(line),
    })
}
