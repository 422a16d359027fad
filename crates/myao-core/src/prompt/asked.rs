//! Names what is to be answered once more, at the end of a prompt: small models answer what they read last (ADR 98).

use std::collections::BTreeSet;

use super::conversation::WAITS;
use crate::{
    chat::MessageTs,
    context::ChannelMessages,
    text::{clip_to_tokens, one_line},
    wording::TalkFormat,
};

/// The most messages that are named again: the newest ones. Each is shown in full in the conversation.
const MOST: usize = 3;
/// The most tokens of each.
const LONGEST: usize = 100;

/// `● Noor: words`, for the newest of the messages that wait for an answer.
pub(super) fn lines_to_answer(
    history: &ChannelMessages,
    waiting: &BTreeSet<MessageTs>,
    format: &TalkFormat<'_>,
) -> Vec<String> {
    let waits = history.get_all_messages().iter().filter(|message| waiting.contains(&message.ts));
    let waits: Vec<_> = waits.collect();
    let newest = waits.get(waits.len().saturating_sub(MOST)..).unwrap_or_default();
    let line = |message| {
        let line = format.line(message);
        format!("{WAITS}{}: {}", line.name, clip_to_tokens(&one_line(&line.text), LONGEST))
    };
    newest.iter().map(|message| line(message)).collect()
}
