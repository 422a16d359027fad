//! What bears on what is to be answered: a search through the same visibility, in the same snapshot.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{RecallFilter, words_to_recall},
};

use super::{GatherRequest, VisibilityBinds};
use crate::{
    RecallRequest, Recalled, RecalledText, StoreError,
    db::Tx,
    recall::{VectorCache, recall},
};

/// Messages of one thread among what bears on a question: the rest of it is found by asking.
const MOST_OF_A_THREAD: usize = 2;
/// How much more something bears on a question that was said in the same channel, and how much less a line of a memory
/// does than a message: it says again what messages say.
const AT_HOME: f64 = 1.5;
const OF_A_LINE: f64 = 0.8;

/// The words by which is looked up what bears on a conversation.
pub(super) fn words(request: &GatherRequest, conversation: &[Message], unanswered: &[MessageTs]) -> String {
    let waiting: BTreeSet<MessageTs> = unanswered.iter().copied().collect();
    words_to_recall(conversation, &waiting, &request.place)
}

/// What bears on what is to be answered, and is not part of the conversation.
pub(super) async fn recalled(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    vectors: &VectorCache,
    request: &GatherRequest,
    (conversation, unanswered): (&[Message], &[MessageTs]),
) -> Result<(String, Vec<Recalled>), StoreError> {
    if request.most_recalled == 0 {
        return Ok(Default::default());
    }
    let known: BTreeSet<MessageTs> = conversation.iter().map(|message| message.ts).collect();
    let words = words(request, conversation, unanswered);
    let asked = RecallRequest {
        meaning: request.meaning.clone().filter(|meaning| meaning.words == words),
        words,
        filter: RecallFilter {
            before: request.as_if_said.as_ref().map(|message| message.ts),
            ..RecallFilter::default()
        },
        most: request.most_recalled.saturating_add(known.len()),
        with_memories: true,
        now: MessageTs::from_timestamp(request.now),
        named_in: Some(request.zone.clone()),
    };
    let mut found = recall(tx, seen, vectors, &asked).await?;
    found.retain(|found| match &found.text {
        RecalledText::Message(message) => {
            message.channel != request.place.channel || !known.contains(&message.ts)
        }
        RecalledText::Line(_) => true,
    });
    for found in &mut found {
        let is_at_home = *found.text.channel() == request.place.channel;
        let is_line = matches!(found.text, RecalledText::Line(_));
        found.score *= if is_at_home { AT_HOME } else { 1.0 } * if is_line { OF_A_LINE } else { 1.0 };
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut of_thread: BTreeMap<(ChannelId, MessageTs), usize> = BTreeMap::new();
    found.retain(|found| match &found.text {
        RecalledText::Message(message) => {
            let shown = of_thread.entry((message.channel.clone(), message.thread())).or_default();
            *shown += 1;
            *shown <= MOST_OF_A_THREAD
        }
        RecalledText::Line(_) => true,
    });
    found.truncate(request.most_recalled);
    Ok((asked.words, found))
}
