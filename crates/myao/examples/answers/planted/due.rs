//! A test of what should come back for a message and what should not: about eighty messages, to nearly half of which nothing
//! is due. One to three messages are due to the others.

use myao_core::chat::{Channel, Message, MessageKind, MessageTs};
use myao_testkit::facts::{
    FactSet, PlantedFact, draw_more_facts, draw_small_talk, draw_unheard_questions, draw_unsaid_questions,
};

use super::{corpus::Talk, unsaid_questions};
use crate::questions::{Question, Wanted};

/// Questions for one fact of each sort, those that last and those that changed.
const OF_ONE: usize = 19;
/// Messages that ask for two facts, and for three.
const OF_TWO: usize = 4;
const OF_THREE: usize = 2;
/// Messages of each of the four sorts to which nothing is due.
const OF_NOTHING: usize = 9;
/// How long before the end of the talk the facts that stand in it are said, and how long after one another, in seconds.
const BEFORE_END: i64 = 1_200;
const APART: i64 = 60;

/// Facts that are said at the end of the talk, so that the conversation shows them: in the three channels with most of it.
pub(super) fn facts_in_talk(set: FactSet, talk: &Talk) -> Vec<PlantedFact> {
    let said = talk.of_people();
    let count = |channel: &Channel| said.iter().filter(|message| message.channel == channel.id).count();
    let mut channels: Vec<(usize, &Channel)> =
        talk.channels.iter().map(|channel| (count(channel), channel)).collect();
    channels.sort_by_key(|(count, channel)| (std::cmp::Reverse(*count), channel.id.clone()));
    channels.truncate(3);
    let places = channels.iter().map(|(_, channel)| *channel).cycle();
    let facts = draw_more_facts(set, OF_NOTHING).into_iter().zip(places).zip(0..);
    facts
        .filter_map(|((fact, channel), nth)| {
            let user = said.iter().rfind(|message| message.channel == channel.id)?.user.clone();
            let first = Message {
                channel: channel.id.clone(),
                ts: MessageTs::from_micros((talk.now.plus_seconds(nth * APART - BEFORE_END)).as_micros()),
                thread_ts: None,
                user,
                kind: MessageKind::Talk,
                text: fact.said.clone(),
                files: Vec::new(),
                edited_at: None,
                deleted: false,
            };
            Some(PlantedFact { fact, first, change: None })
        })
        .collect()
}

/// The messages of the test; `asked` are the questions for every fact.
pub(super) fn questions(
    set: FactSet,
    talk: &Talk,
    asked: Vec<Question>,
    in_talk: &[PlantedFact],
) -> Vec<Question> {
    let unsaid = |sort: &str, texts: Vec<String>| {
        let of_nothing = texts.into_iter().take(OF_NOTHING).collect();
        let sorted = |question: Question| Question { sort: sort.to_owned(), ..question };
        unsaid_questions(of_nothing, &asked).into_iter().map(sorted).collect::<Vec<_>>()
    };
    let small_talk = unsaid("small talk", draw_small_talk(set).into_iter().map(str::to_owned).collect());
    let idle = |question: Question| Question { wanted: Wanted::Nothing, ..question };
    let mut nothing: Vec<Question> = small_talk.into_iter().map(idle).collect();
    nothing.extend(unsaid("unheard name", draw_unheard_questions(set)));
    nothing.extend(unsaid("another matter", draw_unsaid_questions(set)));
    for PlantedFact { fact, first, .. } in in_talk {
        let channel = talk.channels.iter().find(|channel| channel.id == first.channel);
        let (Some(channel), Some(like)) = (channel, asked.first()) else { continue };
        nothing.push(Question {
            text: fact.question.clone(),
            channel: channel.clone(),
            asked_at: like.asked_at,
            wanted: Wanted::Nothing,
            sort: "in the talk".to_owned(),
            replaced: Vec::new(),
        });
    }
    let mut changing = asked.iter().position(|one| !one.replaced.is_empty()).unwrap_or_default();
    let mut asked: Vec<Option<Question>> = asked.into_iter().map(Some).collect();
    let mut lasting = 0;
    let mut due = Vec::new();
    for (questions, facts) in [(OF_ONE, 1), (OF_TWO, 2), (OF_THREE, 3)] {
        for _ in 0..questions {
            due.extend(joined(asked.iter_mut().skip(lasting).take(facts).filter_map(Option::take)));
            lasting += facts;
            if facts == 1 {
                due.extend(joined(asked.iter_mut().skip(changing).take(1).filter_map(Option::take)));
                changing += 1;
            }
        }
    }
    due.into_iter().chain(nothing).collect()
}

/// One message that asks all of these questions, where the first is asked.
fn joined(questions: impl Iterator<Item = Question>) -> Option<Question> {
    questions.reduce(|mut all, next| {
        all.text = format!("{}\n{}", all.text, next.text);
        all.replaced.extend(next.replaced);
        if let (Wanted::Said { evidence, .. }, Wanted::Said { evidence: more, .. }) =
            (&mut all.wanted, next.wanted)
        {
            evidence.extend(more);
        }
        "asked for several".clone_into(&mut all.sort);
        all
    })
}
