//! Reads what was found: the texts as they stand now, who speaks in them, and the conversations that they belong to.

use std::collections::BTreeSet;

use myao_core::{
    chat::{Message, MessageTs},
    recall::{ConversationUnit, RecallCandidate, RecallFilter, TalkAround},
};

use super::{
    address,
    found_rows::FoundRows,
    plan::WordSearch,
    single, speakers,
    texts::{self, RecalledText},
    units,
};
use crate::{StoreError, db::Tx, hearing::visible::VisibilityBinds};

/// The most memories that are ranked for one question: each has dozens of lines, and every line is ranked.
const MOST_MEMORIES: usize = 50;

/// What is ranked.
pub(super) struct ReadCandidates {
    /// The texts, each with its address.
    pub(super) texts: Vec<(i64, RecalledText)>,
    /// For each text, what it is ranked by.
    pub(super) candidates: Vec<RecallCandidate>,
    /// The conversations that these belong to.
    pub(super) units: Vec<ConversationUnit>,
    /// The newest messages with the letter that a question of one letter consists of: the index does not know them.
    pub(super) with_letter: Vec<Message>,
}

/// Reads the rows that are worth it, as far as they are within the bounds of the search, and the roots of their threads.
pub(super) async fn read_candidates(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    search: &WordSearch,
    rows: &FoundRows,
) -> Result<ReadCandidates, StoreError> {
    let FoundRows { best, channels, .. } = rows;
    let before = search.filter.before;
    let mut texts = texts::read_visible_texts(tx, seen, channels, best).await?;
    keep_few_memories(&mut texts, best, &search.filter);
    speakers::name_line_speakers(tx, &mut texts).await?;
    let threads = units::threads_of_found(tx, channels, &texts, before).await?;
    texts.extend(threads.roots);
    texts.retain(|(_, text)| text.meets(&search.filter));
    let units = units::units_of_texts(channels, &texts, &threads.replies);
    let candidates = texts.iter().zip(&units.of_texts).map(|((address, text), unit)| RecallCandidate {
        address: *address,
        text: text.told_words(),
        at: text.said_at(),
        unit: unit.map(|(unit, _)| unit),
        is_root: unit.is_some_and(|(_, is_root)| is_root),
        around: text.as_message().map(|_| talk_around_address(*address, before)),
    });
    let candidates = candidates.collect();
    let with_letter = match search.question.lone_letter() {
        Some(letter) => single::newest_messages_with(tx, seen, &search.filter, letter).await?,
        None => Vec::new(),
    };
    Ok(ReadCandidates { texts, candidates, units: units.units, with_letter })
}

/// Drops the memories after the best [`MOST_MEMORIES`] of those within the bounds of a search.
fn keep_few_memories(texts: &mut Vec<(i64, RecalledText)>, best: &[i64], filter: &RecallFilter) {
    let within = texts.iter().filter(|(address, text)| address::is_memory(*address) && text.meets(filter));
    let within: BTreeSet<i64> = within.map(|(address, _)| *address).collect();
    let best = best.iter().filter(|address| within.contains(address));
    let kept: BTreeSet<i64> = best.take(MOST_MEMORIES).copied().collect();
    texts.retain(|(address, _)| !address::is_memory(*address) || kept.contains(address));
}

/// The talk of a message's channel, as far as it was said before `before`.
fn talk_around_address(address: i64, before: Option<MessageTs>) -> TalkAround {
    let number = address::channel_number(address);
    // The row that `before` lies in is not counted: it may be that of the question itself.
    let to = before.map_or(address::memories_of(number).0, |before| address::of_message(number, before));
    TalkAround { from: address::of_channel(number).0, to, minute: address::MINUTE }
}
