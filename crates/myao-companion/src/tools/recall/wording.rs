//! Describes the recall tool and its results to a model, and makes the search for the source of a memory's line.

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    ports::ToolSpec,
    recall::{RecallFilter, RecallQuestion},
    text::{Language, phrase},
};
use myao_store::RecallRequest;
use serde_json::json;

use super::RECALL;
use crate::tools::description::{spec_in_language, text_argument};

/// Most messages that are looked at for the source of a memory's line.
const MOST_SOURCES: usize = 1;

/// The tool's description, as short as it can be: it is sent with every prompt.
pub(super) fn description_for_model(language: Language) -> ToolSpec {
    spec_in_language(
        language,
        RECALL,
        "recall",
        &["query"],
        &json!({
            "query": text_argument(),
            "from": text_argument(),
            "in": text_argument(),
            "after": text_argument(),
            "before": text_argument(),
        }),
    )
}

/// What stands above the lines of a result.
pub(super) fn heading_of_results(language: Language) -> &'static str {
    phrase(language, "recall-results")
}

/// What is said when nothing was found.
pub(super) fn nothing_found(language: Language) -> &'static str {
    phrase(language, "recall-nothing-found")
}

/// Looks for the message that a line of a memory was made from: of its channel, and no newer than the memory.
pub(super) fn of_source(
    text: &str,
    channel: &ChannelId,
    until: Option<MessageTs>,
    now: Timestamp,
) -> RecallRequest {
    let after = |until: MessageTs| MessageTs::from_micros(until.as_micros().saturating_add(1));
    RecallRequest {
        words: text.to_owned(),
        filter: RecallFilter {
            channels: vec![channel.clone()],
            before: until.map(after),
            ..RecallFilter::default()
        },
        most: MOST_SOURCES,
        with_memories: false,
        now: MessageTs::from_timestamp(now),
        // What a line was made from says the same words.
        meaning: None,
        named_in: None,
    }
}

/// Whether a message that holds `terms` says most of what a line says.
pub(super) fn says_most(line: &str, terms: &[String]) -> bool {
    terms.len() * 2 > RecallQuestion::new(line).terms().len()
}
