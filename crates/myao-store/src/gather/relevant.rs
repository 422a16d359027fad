//! Finds what bears on the messages to answer: a search through the same visibility and in the same snapshot.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{NamedInQuestion, RecallFilter, words_to_recall},
};

use super::{request::GatherRequest, talk::TalkToAnswer};
use crate::{
    StoreError,
    db::Tx,
    hearing::visible::VisibilityBinds,
    recall::{
        BearingHouseWord, FoundForQuestion, RecallRequest, Recalled, RecalledText, VectorCache,
        search_with_house_words,
    },
};

/// The most messages of one thread in what bears on a question: asking finds the rest of it.
const MOST_OF_A_THREAD: usize = 2;

/// How much the score rises if something was said in the same channel, or in one that whoever asks looks at, and falls if
/// it is a line of a memory rather than a message: a line repeats what messages say.
const AT_HOME: f64 = 1.5;

const OF_A_LINE: f64 = 0.8;

/// What scores less than this share of the best is left out: it shares a word with the question and no more.
const LEAST_SHARE: f64 = 0.1;

/// What was found that bears on the messages to answer.
#[derive(Default)]
pub(super) struct FoundForTalk {
    /// The words that were looked up.
    pub(super) words: String,
    /// What was found, best first.
    pub(super) recalled: Vec<Recalled>,
    /// Words of the house in what is looked up, as messages explain them.
    pub(super) house_words: Vec<BearingHouseWord>,
    /// What was said before and after the messages among it, oldest first.
    pub(super) around: Vec<Message>,
    /// The instant as of which it was looked up, if the request or the question asks so.
    pub(super) as_of: Option<MessageTs>,
}

/// The words used to look up what bears on a conversation.
pub(super) fn words_to_look_up(request: &GatherRequest, talk: &TalkToAnswer) -> String {
    let waiting: BTreeSet<MessageTs> = talk.unanswered.iter().copied().collect();
    words_to_recall(&talk.conversation.messages, &waiting, &request.place)
}

/// What bears on the messages to answer and is not part of the conversation; nothing yet of what stands around it.
pub(super) async fn recall_for_talk(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    vectors: &VectorCache,
    request: &GatherRequest,
    talk: &TalkToAnswer,
) -> Result<FoundForTalk, StoreError> {
    if request.most_recalled == 0 {
        return Ok(FoundForTalk::default());
    }
    let known: BTreeSet<MessageTs> = talk.conversation.messages.iter().map(|message| message.ts).collect();
    let words = words_to_look_up(request, talk);
    let before = request.as_if_said.as_ref().map(|message| message.ts);
    let filter = RecallFilter { before, ..RecallFilter::default() };
    let as_of = request.as_of.or_else(|| NamedInQuestion::as_of_question(&words, request.now, &request.zone));
    let asked = RecallRequest {
        meaning: request.meaning.clone().filter(|meaning| meaning.words == words),
        words,
        filter: match as_of {
            Some(instant) => filter.with_as_of(instant),
            None => filter,
        },
        most: request.most_recalled.saturating_add(known.len()),
        with_memories: true,
        now: MessageTs::from_timestamp(request.now),
        named_in: Some(request.zone.clone()),
    };
    let FoundForQuestion { recalled: mut found, house_words } =
        search_with_house_words(tx, seen, vectors, &asked).await?;
    // However little else there is: a question about nothing brings nothing.
    found.retain(|found| !found.is_incidental);
    found.retain(|found| match &found.text {
        RecalledText::Message(message) => {
            message.channel != request.place.channel || !known.contains(&message.ts)
        }
        RecalledText::Line(_) => true,
    });
    for found in &mut found {
        let channel = found.text.channel();
        let is_at_home = *channel == request.place.channel || request.in_view.contains(channel);
        let is_line = matches!(found.text, RecalledText::Line(_));
        found.score *= if is_at_home { AT_HOME } else { 1.0 } * if is_line { OF_A_LINE } else { 1.0 };
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let least = found.first().map_or(0.0, |best| best.score * LEAST_SHARE);
    found.retain(|found| found.score >= least);
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
    Ok(FoundForTalk { words: asked.words, recalled: found, house_words, around: Vec::new(), as_of })
}
