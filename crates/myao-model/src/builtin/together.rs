//! What follows a question where nobody is called by name: the next words between two people who are talking with each
//! other, and what takes the question up among several.

use std::collections::BTreeSet;

use myao_core::{
    text::fold_for_comparison,
    worth::{is_question, is_said, weight_of_text},
};

use super::{
    answers::{IndexedTalk, RelativePlace, TurnAnswer, relative_place},
    lines::SpeakerTurn,
    manner::is_courteous,
    replies::{answers_with_number, is_verdict, shared_words},
    sentences,
};

/// Turns before a question and behind its answer that show who is talking with whom.
const AROUND: (usize, usize) = (4, 3);
/// Fewest turns of each of two people who are talking with each other.
const TURNS_OF_EACH: usize = 2;
/// Most people of a small group, in which the next words are mostly meant for whoever asked.
const SMALL_GROUP: usize = 3;
/// Turns around a question that show how many people are there.
const GROUP_AROUND: usize = 6;
/// Turns by others among which what takes up a question is looked for.
const TAKEN_UP_BY: usize = 4;
/// Minutes within which they answer.
const WITHIN_MINUTES: i64 = 15;
/// Minutes of silence after which what is said belongs to something else.
const SILENCE_MINUTES: i64 = 60;
/// The least weight of words that tell something: a single noun has it.
const LEAST_TOLD: i64 = 2;
/// An answer of this weight says by itself what it is about.
const WHOLE_ANSWER: i64 = 12;

/// What followed a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowUp {
    /// Nobody else has said anything since.
    Nothing,
    /// This turn seems to answer it.
    Turn(usize),
    /// Others spoke, and it is not known whether they answered.
    Unknown,
}

impl IndexedTalk<'_> {
    /// The answer to the question of part `question_at` in the next words of the only other person there. `None` if they
    /// say nothing, or what says by itself what it is about.
    pub(super) fn reply_between_two(&self, question_at: usize) -> Option<TurnAnswer> {
        let question = self.parts.get(question_at)?;
        let asker = self.turns.get(question.turn)?;
        // In a thread it is known who answers whom.
        let beside = |turn: usize| {
            self.turns.get(turn).is_some_and(|turn| relative_place(asker, turn) == RelativePlace::Beside)
        };
        let mut later = self.parts.iter().skip(question_at + 1);
        let part = later.find(|part| part.turn != question.turn && beside(part.turn))?;
        let other = self.turns.get(part.turn)?;
        let is_theirs = other.called != asker.called
            && !other.is_program
            && asker.minutes_to(other) <= WITHIN_MINUTES
            && (question.to.is_empty() || question.calls(&other.called))
            && (part.to.is_empty() || part.calls(&asker.called));
        if !is_theirs || !self.are_alone(question.turn, part.turn) {
            return None;
        }
        let told = sentences::split_into_sentences(&part.text).into_iter().map(sentences::sentence_as_read);
        let before_asking = told.take_while(|sentence| !is_question(sentence));
        let said: Vec<String> =
            before_asking.skip_while(|sentence| !tells_asker_something(sentence)).collect();
        let first = said.first()?;
        let is_whole =
            !is_verdict(first) && said.iter().any(|sentence| weight_of_text(sentence) >= WHOLE_ANSWER);
        (!is_whole).then_some(TurnAnswer { turn: part.turn, sentences: said, is_first_enough: true })
    }

    /// Whether around two turns nobody but those who took them speaks, both more than once, and without calling each other.
    fn are_alone(&self, first: usize, last: usize) -> bool {
        let from = first.saturating_sub(AROUND.0);
        let around = || self.turns.iter().skip(from).take(last + AROUND.1 + 1 - from);
        let pair: BTreeSet<&str> = [first, last].iter().filter_map(|at| self.called(*at)).collect();
        let calls = |turn: &SpeakerTurn| {
            let said = fold_for_comparison(&turn.text);
            pair.iter().any(|name| said.strip_prefix(*name).is_some_and(|rest| rest.starts_with(':')))
        };
        pair.iter().all(|name| around().filter(|turn| turn.called == *name).count() >= TURNS_OF_EACH)
            && around().all(|turn| pair.contains(turn.called.as_str()) && !calls(turn))
    }

    fn called(&self, turn: usize) -> Option<&str> {
        self.turns.get(turn).map(|turn| turn.called.as_str())
    }

    /// What followed a question of turn `at` for which no answer is certain.
    pub(super) fn follow_up(&self, at: usize, question: &str) -> FollowUp {
        let Some(asker) = self.turns.get(at) else { return FollowUp::Unknown };
        let questions = [question.to_owned()];
        let is_small = self.is_small_group(at);
        let later = self.turns.iter().enumerate().skip(at + 1);
        let mut others = later
            .filter(|(_, turn)| {
                turn.called != asker.called && relative_place(asker, turn) != RelativePlace::Elsewhere
            })
            .peekable();
        if others.peek().is_none() {
            return FollowUp::Nothing;
        }
        for (nth, (turn_at, turn)) in others.take(TAKEN_UP_BY).enumerate() {
            if asker.minutes_to(turn) > SILENCE_MINUTES {
                break;
            }
            let takes_up = (nth == 0 && is_small)
                || shared_words(&turn.text, &questions) > 0
                || answers_with_number(&turn.text, &questions);
            let is_near = asker.minutes_to(turn) <= WITHIN_MINUTES && !turn.is_program;
            if is_near && takes_up && tells_something(turn) {
                return FollowUp::Turn(turn_at);
            }
        }
        FollowUp::Unknown
    }

    fn is_small_group(&self, at: usize) -> bool {
        let from = at.saturating_sub(GROUP_AROUND);
        let around = self.turns.iter().skip(from).take(at + GROUP_AROUND + 1 - from);
        around.map(|turn| turn.called.as_str()).collect::<BTreeSet<_>>().len() <= SMALL_GROUP
    }
}

/// Whether a sentence tells something to whoever asked, if only yes or no.
fn tells_asker_something(sentence: &str) -> bool {
    !is_courteous(sentence) && (weight_of_text(sentence) >= LEAST_TOLD || is_verdict(sentence))
}

fn tells_something(turn: &SpeakerTurn) -> bool {
    sentences::split_into_sentences(&turn.text)
        .iter()
        .any(|sentence| is_said(sentence) && !is_question(sentence))
}
