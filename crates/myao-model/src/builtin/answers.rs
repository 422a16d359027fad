//! Finds the answers to questions.
//!
//! A question and an answer belong together only where the talk itself says so: the answer calls the asker by name, is
//! in the thread of the question, or quotes it. A message that merely follows, or is about the same matter, may be
//! somebody's own problem or meant for another. If the talk can be read in two ways, no answer is found.

use std::collections::BTreeSet;

use myao_core::{
    text::{fold_for_comparison, letters_and_digits},
    worth::{is_question, weight_of_text, words_about_matter},
};

use super::{
    lines::SpeakerTurn,
    parts::{AddressedPart, parts_of_turns},
    replies::{answers_with_number, is_reply, is_verdict, questions_in_text, shared_words},
    sentences,
};

/// Minutes after a question in which words that call the asker may answer it; later calls are about something else.
const ANSWER_WITHIN_MINUTES: i64 = 15;
/// Somebody who spoke within this many minutes before a question may still be talking about something else.
const MIDWAY_MINUTES: i64 = 5;
/// How many parts after a question are searched for its answer.
const ANSWER_WITHIN_PARTS: usize = 150;
/// The least weight of a question that says by itself what it asks.
const FULL_QUESTION: i64 = 9;
/// Fewest letters of a quotation; fewer could be from any text.
const LEAST_QUOTED: usize = 8;
/// Minutes of silence after which a question counts as open although talk went on later.
const OPEN_AFTER_MINUTES: i64 = 60;
/// Turns after a question within which somebody may still take it up; then it is not open.
const TAKEN_UP_WITHIN_TURNS: usize = 50;

/// A question, and the turn it was asked in. A short one stands behind the question that it completes: `Which kiln? The new
/// one?`
pub(super) struct Question {
    pub(super) turn: usize,
    pub(super) sentences: Vec<String>,
}

/// An answer, sentence by sentence, and the turn it was said in.
pub(super) struct TurnAnswer {
    pub(super) turn: usize,
    pub(super) sentences: Vec<String>,
    /// Whether its first sentences answer, if there is too little room for all.
    pub(super) is_first_enough: bool,
}

/// The place of a message relative to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelativePlace {
    /// In its thread.
    Thread,
    /// At top level, like the question.
    Beside,
    Elsewhere,
}

/// Talk, indexed for searching answers in it.
pub(super) struct IndexedTalk<'a> {
    pub(super) turns: &'a [SpeakerTurn],
    pub(super) parts: Vec<AddressedPart>,
    folded: Vec<String>,
}

impl<'a> IndexedTalk<'a> {
    pub(super) fn new(turns: &'a [SpeakerTurn]) -> Self {
        let folded = turns.iter().map(|turn| fold_for_comparison(&turn.text)).collect();
        Self { turns, parts: parts_of_turns(turns), folded }
    }

    /// The questions that were certainly answered, with their answers. No answer belongs to two questions.
    pub(super) fn exchanges(&self) -> Vec<(Question, TurnAnswer)> {
        let mut taken = BTreeSet::new();
        let mut found = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let questions = questions_in_text(&part.text);
            if questions.is_empty() || self.is_program(part) {
                continue;
            }
            let Some((words, answer)) =
                self.called_answer(at, &questions).or_else(|| self.next_answer(at, &questions))
            else {
                continue;
            };
            if taken.insert((answer.turn, answer.sentences.clone())) {
                let question = Question { turn: part.turn, sentences: with_its_lead(&part.text, words) };
                found.push((question, answer));
            }
        }
        found
    }

    /// Which question of part `question_at` is answered by somebody who calls the asker or the like, and how.
    fn called_answer<'q>(&self, at: usize, questions: &'q [String]) -> Option<(&'q str, TurnAnswer)> {
        let by = self.parts.get(self.answer_to(at, questions)?)?;
        let words = the_one_answered(questions, &by.text)?;
        let sentences = all_sentences(&by.text);
        Some((words, TurnAnswer { turn: by.turn, sentences, is_first_enough: false }))
    }

    /// The same where the only other person there goes on. Of several questions that may be meant it is the last one.
    fn next_answer<'q>(&self, at: usize, questions: &'q [String]) -> Option<(&'q str, TurnAnswer)> {
        let answer = self.reply_between_two(at)?;
        let words = the_one_answered(questions, &answer.sentences.join("\n"));
        Some((words.or(questions.last().map(String::as_str))?, answer))
    }

    /// The part that answers the questions of part `question_at`. Only the first part said to the asker is considered.
    fn answer_to(&self, question_at: usize, questions: &[String]) -> Option<usize> {
        let question = self.parts.get(question_at)?;
        let asker = self.turns.get(question.turn)?;
        let mut turned_away = false;
        for (at, part) in self.parts.iter().enumerate().skip(question_at + 1).take(ANSWER_WITHIN_PARTS) {
            let turn = self.turns.get(part.turn)?;
            let place = relative_place(asker, turn);
            if turn.called == asker.called {
                let goes_on = part.to.is_empty() && questions_in_text(&part.text).is_empty();
                let is_same = part.turn == question.turn || place == RelativePlace::Thread;
                turned_away |= place != RelativePlace::Elsewhere && !(goes_on && is_same);
                continue;
            }
            let is_asked = question.to.is_empty() || question.calls(&turn.called);
            let is_for_another = !part.to.is_empty() && !part.calls(&asker.called);
            if turn.is_program || place == RelativePlace::Elsewhere || !is_asked || is_for_another {
                continue;
            }
            if questions.iter().any(|question| quotes_question(part, question)) {
                return is_reply(&part.text).then_some(at);
            }
            let is_near = asker.minutes_to(turn) <= ANSWER_WITHIN_MINUTES;
            if place == RelativePlace::Thread || (is_near && part.calls(&asker.called)) {
                let is_one = !turned_away
                    && is_reply(&part.text)
                    && self.takes_up(question_at, questions, part, place);
                return is_one.then_some(at);
            }
        }
        None
    }

    /// Whether `part`, said to the asker, is about the questions of part `question_at`. That is in doubt if the speaker
    /// was talking already and may go on with an earlier matter, or if the question was asked of nobody in particular.
    fn takes_up(
        &self,
        question_at: usize,
        questions: &[String],
        part: &AddressedPart,
        place: RelativePlace,
    ) -> bool {
        let is_asked = self.parts.get(question_at).is_some_and(|question| {
            // Further lines of a part may be said to everybody.
            !question.to.is_empty() && question.text.trim().lines().count() == 1
        });
        let asker = self.parts.get(question_at).and_then(|question| self.turns.get(question.turn));
        let is_root = asker.is_some_and(|asker| asker.thread.is_none());
        let shared = shared_words(&part.text, questions);
        let said = shared + usize::from(is_verdict(&part.text));
        if answers_with_number(&part.text, questions) {
            return true;
        }
        if self.is_midway(question_at, part, place) {
            shared > 0 && said > 1
        } else {
            (place == RelativePlace::Thread && is_root) || is_asked || said > 0
        }
    }

    /// Whether the speaker of `part` was talking in the same place, to the asker or to everybody, when part
    /// `question_at` was said.
    fn is_midway(&self, question_at: usize, part: &AddressedPart, place_now: RelativePlace) -> bool {
        let turn_of = |part: &AddressedPart| self.turns.get(part.turn);
        let Some(asker) = self.parts.get(question_at).and_then(turn_of) else { return false };
        let Some(other) = turn_of(part) else { return false };
        let before = self.parts.iter().take(question_at).rev().take(ANSWER_WITHIN_PARTS);
        before.filter(|part| part.to.is_empty() || part.calls(&asker.called)).filter_map(turn_of).any(
            |turn| {
                turn.called == other.called
                    && match place_now {
                        RelativePlace::Thread => is_same_thread(asker, turn),
                        RelativePlace::Beside | RelativePlace::Elsewhere => {
                            turn.minutes_to(asker) <= MIDWAY_MINUTES
                        }
                    }
            },
        )
    }

    fn is_program(&self, part: &AddressedPart) -> bool {
        self.turns.get(part.turn).is_none_or(|turn| turn.is_program)
    }

    /// Whether nobody took up the question of turn `i`, as far as can be told: nobody else spoke later and the talk has
    /// `ended`, or others spoke only after a long silence and about something else.
    pub(super) fn is_open(&self, i: usize, question: &str, ended: bool) -> bool {
        let Some(asker) = self.turns.get(i) else { return false };
        let question = fold_for_comparison(question);
        let wanted = words_about_matter(&question);
        let taken_up = |(j, turn): (usize, &SpeakerTurn)| {
            relative_place(asker, turn) == RelativePlace::Thread
                || self.folded.get(j).is_some_and(|text| {
                    text.contains(&asker.called) || !words_about_matter(text).is_disjoint(&wanted)
                })
        };
        let later = self.turns.iter().enumerate().skip(i + 1).take(TAKEN_UP_WITHIN_TURNS);
        let mut others = later.filter(|(_, turn)| turn.called != asker.called).peekable();
        match others.peek() {
            None => ended,
            Some((_, next)) => asker.minutes_to(next) >= OPEN_AFTER_MINUTES && !others.any(taken_up),
        }
    }
}

pub(super) fn relative_place(asker: &SpeakerTurn, turn: &SpeakerTurn) -> RelativePlace {
    match turn.thread {
        Some(root) if asker.thread == Some(root) => RelativePlace::Thread,
        Some(root) if asker.thread.is_none() && asker.messages.contains(&root) => RelativePlace::Thread,
        None if asker.thread.is_none() => RelativePlace::Beside,
        Some(_) | None => RelativePlace::Elsewhere,
    }
}

/// The one of several questions asked at once that shares words with the answer; `None` if not exactly one does.
fn the_one_answered<'q>(questions: &'q [String], answer: &str) -> Option<&'q str> {
    let answer = fold_for_comparison(answer);
    let said = words_about_matter(&answer);
    let shares = |question: &&String| {
        questions.len() == 1 || !words_about_matter(&fold_for_comparison(question)).is_disjoint(&said)
    };
    let mut candidates = questions.iter().filter(shares);
    let only = candidates.next()?;
    candidates.next().is_none().then_some(only)
}

/// A question of a text, behind the one right before it if it is too short to say what it asks.
fn with_its_lead(text: &str, question: &str) -> Vec<String> {
    let all = all_sentences(text);
    let at = all.iter().position(|sentence| sentence == question);
    let before = at.and_then(|at| all.get(at.checked_sub(1)?)).filter(|before| is_question(before));
    let lead = before
        .filter(|lead| weight_of_text(question) < FULL_QUESTION && weight_of_text(lead) >= FULL_QUESTION);
    lead.into_iter().cloned().chain([question.to_owned()]).collect()
}

/// Whether an earlier turn belongs to the thread that a question was asked in, its root included.
fn is_same_thread(asker: &SpeakerTurn, earlier: &SpeakerTurn) -> bool {
    asker.thread.is_some_and(|root| earlier.thread == Some(root) || earlier.messages.contains(&root))
}

/// Whether a part quotes a question, or enough of it.
fn quotes_question(part: &AddressedPart, question: &str) -> bool {
    let question = letters_and_digits(&fold_for_comparison(question));
    let enough = |text: &str| text.chars().nth(LEAST_QUOTED - 1).is_some();
    enough(&part.quotes) && enough(&question) && {
        question.contains(&part.quotes) || part.quotes.contains(&question)
    }
}

/// The sentences of a text in order; later ones may be about something else.
fn all_sentences(text: &str) -> Vec<String> {
    sentences::split_into_sentences(text).into_iter().map(sentences::sentence_as_read).collect()
}
