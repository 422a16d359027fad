//! Finds what bears on the messages to answer: a search through the same visibility and in the same snapshot.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{
        NamedInQuestion, Questioner, RecallFilter, RecallFloorCandidate, RenamedPerson, ends_of_messages,
        has_recall_floor, is_above_recall_floor, words_to_recall,
    },
    worth::is_question,
};

use super::{left_out::LeftOutMessages, questioner, request::GatherRequest, talk::TalkToAnswer};
use crate::{
    StoreError,
    db::Tx,
    hearing::visible::VisibilityBinds,
    recall::{
        BearingHouseWord, FoundForQuestion, RecallRequest, Recalled, RecalledText, VectorCache,
        mark_what_was_put_right, search_with_house_words,
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
    /// What was found as well and is below the floor: no prompt shows it. Best first.
    pub(super) below_floor: Vec<Recalled>,
    /// Words of the house in what is looked up, as messages explain them.
    pub(super) house_words: Vec<BearingHouseWord>,
    /// People whom it names who were called otherwise before.
    pub(super) renamed: Vec<RenamedPerson>,
    /// What was said before and after the messages among it, oldest first.
    pub(super) around: Vec<Message>,
    /// The instant as of which it was looked up, if the request or the question asks so.
    pub(super) as_of: Option<MessageTs>,
}

impl FoundForTalk {
    /// The messages that were found, those above the floor first.
    pub(super) fn hits(&self) -> Vec<&Message> {
        let found = self.recalled.iter().chain(&self.below_floor);
        found.filter_map(|found| found.text.as_message()).collect()
    }
}

/// The words used to look up what bears on a conversation.
pub(super) fn words_to_look_up(request: &GatherRequest, talk: &TalkToAnswer) -> String {
    let waiting: BTreeSet<MessageTs> = talk.unanswered.iter().copied().collect();
    words_to_recall(&talk.conversation.messages, &waiting, &request.place)
}

/// What bears on the messages to answer and is not part of the conversation, without what is left out; nothing yet of what
/// stands around it.
pub(super) async fn recall_for_talk(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    vectors: &VectorCache,
    request: &GatherRequest,
    talk: &TalkToAnswer,
    left_out: &LeftOutMessages,
) -> Result<FoundForTalk, StoreError> {
    if request.most_recalled == 0 {
        return Ok(FoundForTalk::default());
    }
    let known: BTreeSet<MessageTs> = talk.conversation.messages.iter().map(|message| message.ts).collect();
    let words = words_to_look_up(request, talk);
    if words.trim().is_empty() {
        return Ok(FoundForTalk { as_of: request.as_of, ..FoundForTalk::default() });
    }
    let asked = search_of_words(request, words, known.len());
    let as_of = asked.filter.as_of;
    let FoundForQuestion { recalled: mut found, house_words, renamed } =
        search_with_house_words(tx, seen, vectors, &asked).await?;
    let questioner = questioner::questioner_of_talk(tx, request, talk).await?;
    if let Some(questioner) = &questioner {
        questioner::add_own_words(tx, seen, vectors, &asked, questioner, &mut found).await?;
    }
    // What waits for an answer holds its own words best, and tells nothing.
    found.retain(|found| !talk.is_waiting(&request.place.channel, &found.text));
    // Who opted out ends nothing that others said, and is not compared with it.
    left_out.take_out_found(request, &mut found);
    mark_replaced_messages(&mut found, &request.zone);
    // However little else there is: a question about nothing brings nothing.
    found.retain(|found| !found.is_incidental);
    let mut below_floor = Vec::new();
    if !talk.unanswered.is_empty() && has_recall_floor(&asked.words) {
        below_floor = take_below_recall_floor(&mut found, questioner.as_ref(), request);
    }
    for found in [&mut found, &mut below_floor] {
        found.retain(|found| match &found.text {
            RecalledText::Message(message) => {
                message.channel != request.place.channel || !known.contains(&message.ts)
            }
            RecalledText::Line(_) => true,
        });
        weigh_by_place(found, request);
        if let Some(questioner) = &questioner {
            questioner::weigh_by_owner(found, questioner, request);
        }
    }
    keep_best(&mut found, &mut below_floor, request.most_recalled);
    let all = found.iter_mut().chain(&mut below_floor);
    mark_what_was_put_right(tx, all, as_of.unwrap_or(MessageTs::MAX)).await?;
    let found = FoundForTalk {
        words: asked.words,
        recalled: found,
        below_floor,
        house_words,
        renamed,
        as_of,
        ..FoundForTalk::default()
    };
    Ok(found)
}

/// The search by these words, for so many results more than the request wants.
fn search_of_words(request: &GatherRequest, words: String, more: usize) -> RecallRequest {
    let before = request.as_if_said.as_ref().map(|message| message.ts);
    let filter = RecallFilter { before, ..RecallFilter::default() };
    let as_of = request.as_of.or_else(|| NamedInQuestion::as_of_question(&words, request.now, &request.zone));
    RecallRequest {
        meaning: request.meaning.clone().filter(|meaning| meaning.words == words),
        words,
        filter: match as_of {
            Some(instant) => filter.with_as_of(instant),
            None => filter,
        },
        most: request.most_recalled.saturating_add(more),
        with_memories: true,
        now: MessageTs::from_timestamp(request.now),
        named_in: Some(request.zone.clone()),
    }
}

/// Notes of each message the day on which a later one that was found replaced what it says, whether a prompt shows that
/// one as found, in the conversation, or not at all.
fn mark_replaced_messages(found: &mut [Recalled], zone: &TimeZone) {
    let messages: Vec<&Message> = found.iter().filter_map(|one| one.text.as_message()).collect();
    let mut ends = ends_of_messages(&messages, zone).into_iter();
    for one in found.iter_mut().filter(|one| one.text.as_message().is_some()) {
        one.replaced_on = ends.next().flatten();
    }
}

/// Takes out what holds too little of the question beside the others, those of the conversation included.
fn take_below_recall_floor(
    found: &mut Vec<Recalled>,
    questioner: Option<&Questioner>,
    request: &GatherRequest,
) -> Vec<Recalled> {
    let is_of_others = |one: &Recalled| {
        questioner.is_some_and(|questioner| questioner::is_of_others(one, questioner, request))
    };
    let candidates: Vec<RecallFloorCandidate<'_>> = found
        .iter()
        .map(|one| RecallFloorCandidate {
            evidence: one.evidence.as_ref(),
            // Whoever asked the same answers nothing, nor does what others tell of themselves.
            is_statement: !is_question(&one.text.words()) && !is_of_others(one),
        })
        .collect();
    let mut is_above = is_above_recall_floor(&candidates).into_iter();
    found.extract_if(.., |_| !is_above.next().unwrap_or(true)).collect()
}

/// Whether something stands in the channel of the place, or in one that whoever asks looks at.
pub(super) fn is_at_home(text: &RecalledText, request: &GatherRequest) -> bool {
    let channel = text.channel();
    *channel == request.place.channel || request.in_view.contains(channel)
}

/// Weighs what was found by where it was said, the best first.
fn weigh_by_place(found: &mut [Recalled], request: &GatherRequest) {
    for found in found.iter_mut() {
        let is_line = matches!(found.text, RecalledText::Line(_));
        let by_place = if is_at_home(&found.text, request) { AT_HOME } else { 1.0 };
        found.score *= by_place * if is_line { OF_A_LINE } else { 1.0 };
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// Keeps at most `most` of both together, those above the floor before the others: without what scores less than
/// [`LEAST_SHARE`] of the best, and of a thread no more than [`MOST_OF_A_THREAD`].
fn keep_best(above: &mut Vec<Recalled>, below: &mut Vec<Recalled>, most: usize) {
    let best = |found: &[Recalled]| found.first().map_or(0.0, |best| best.score);
    let best_above = best(above);
    let best_of_all = best_above.max(best(below));
    let mut of_thread: BTreeMap<(ChannelId, MessageTs), usize> = BTreeMap::new();
    let mut left = most;
    for (found, best) in [(&mut *above, best_above), (&mut *below, best_of_all)] {
        found.retain(|found| match &found.text {
            _ if found.score < best * LEAST_SHARE => false,
            RecalledText::Message(message) => {
                let kept = of_thread.entry((message.channel.clone(), message.thread())).or_default();
                *kept += 1;
                *kept <= MOST_OF_A_THREAD
            }
            RecalledText::Line(_) => true,
        });
        found.truncate(left);
        left = left.saturating_sub(found.len());
    }
}
