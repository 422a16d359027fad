//! Chooses what a memory of talk says: first what lasts, each in a line of its own, then as much of the rest as fits.
//!
//! Decisions, plans, changes, and words with a number or date come first, in up to three quarters of the room: they are
//! mostly short, and are looked up one by one. The rest of the room tells more of fewer messages, because half of a
//! message says less than half of it. What is told of one message stands in one line.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use myao_core::{
    memory::announces_change,
    text::{estimate_tokens, is_japanese},
    worth::{ARROW, Level, SAID, best_first, is_question, points_for_concreteness, weight_of_text},
};

use super::{
    bullet::{Bullet, LONGEST, most_line_tokens, space_for_words},
    manner::points_for_manner,
    passages::{LEAST_FILLING, join_sentences},
    said::Said,
};

/// Points off for every further bullet of the same person in a stretch, of the same stretch, and of the same person.
const SAME_PERSON_IN_STRETCH: i64 = 10;
const SAME_STRETCH: i64 = 8;
const SAME_PERSON: i64 = 4;
/// Points that every line gets, and the tokens of a line that is worth exactly its points.
const EVERY_LINE: i64 = 15;
const USUAL_LINE: i64 = 60;
/// A line with at least this many points in a long-term memory is chosen before all others, and stands by itself.
const LASTS: i64 = 10;
/// The same for an exchange, which takes the room of its question besides.
const LASTS_IN_EXCHANGE: i64 = 20;
/// How many points fewer than `LASTS` a change of something that can be looked up needs, and the points for any change:
/// a memory that knows only what held before is worse than none.
const CHANGE_LASTS: i64 = 20;
const CHANGE: i64 = 40;
/// Japanese words for `now`, which may say that something has changed.
const NOW: [&str; 2] = ["今は", "は今"];
/// The share of a line's points in a long-term memory, in percent, that is added when lines are chosen one by one.
const LASTING_PERCENT: i64 = 50;
/// The share of the room for lines that last, in percent.
const SHARE_OF_LASTING: usize = 75;
/// The points of a fact in a long-term memory. With more of them than this the talk is dense, and they get the whole room.
const FACT: i64 = 60;
const MANY_FACTS: usize = 5;
/// How many times a line's substance, and what can be looked up in it, count where the rest of a talk is told.
const SUBSTANCE: i64 = 3;
const CONCRETE: i64 = 2;
/// What a program's line is worth, in percent, where the rest of a talk is told: it has many names and numbers in it.
const PROGRAM_PERCENT: i64 = 40;
/// What an exchange is worth, in percent, where the rest of a talk is told: its question tells nothing.
const EXCHANGE_PERCENT: i64 = 60;
/// What a line is worth, in percent, if the one beside it from the same turn is told, and the tokens that it saves by
/// standing in the same line.
const BESIDE_PERCENT: i64 = 250;
const BESIDE_SAVES: i64 = 5;
/// Fewest tokens of a line.
const LEAST_LINE: usize = 3;
/// Factor before a division, so that fractions of a point count in comparisons.
const FINE: i64 = 100;

/// A bullet that may become part of the memory.
pub(super) struct Candidate {
    pub(super) score: i64,
    pub(super) bullet: Bullet,
    pub(super) by_program: bool,
    /// The stretch of talk that it is from.
    pub(super) stretch: usize,
    /// The turn that it is from, if it is not from a memory.
    pub(super) turn: Option<usize>,
    /// Its place among all remarks.
    pub(super) place: usize,
    pub(super) mark: &'static str,
    /// The turn that has to be told with it, if it is a question.
    pub(super) answered_in: Option<usize>,
    /// Whether it only says again what others have just said.
    pub(super) is_echo: bool,
    /// What its words are worth, once that has been asked.
    pub(super) points: OnceCell<WordPoints>,
}

/// What a candidate's words are worth. It is asked again with every line that is chosen, and follows from words that never
/// change: so it is worked out once.
#[derive(Debug)]
pub(super) struct WordPoints {
    /// Its points in a long-term memory.
    lasting: i64,
    /// Its points for what can be looked up in it.
    concreteness: i64,
    /// The tokens of its line.
    price: i64,
    /// Whether it says that something changes, and what.
    changes: bool,
    /// Whether a question stands in it before its answer.
    is_exchange: bool,
    /// Its points for its substance and manner, which only count where the rest of a talk is told.
    filling: OnceCell<i64>,
}

impl WordPoints {
    fn of(candidate: &Candidate) -> Self {
        let text = candidate.bullet.text();
        Self {
            lasting: candidate.bullet.lasting(),
            concreteness: points_for_concreteness(text),
            price: i64::try_from(most_line_tokens(&candidate.line())).unwrap_or(i64::MAX),
            changes: NOW.iter().any(|now| text.contains(now))
                || announces_change(text).is_some_and(|subject| !subject.is_empty()),
            is_exchange: text.contains(ARROW),
            filling: OnceCell::new(),
        }
    }
}

impl Candidate {
    fn points(&self) -> &WordPoints {
        self.points.get_or_init(|| WordPoints::of(self))
    }

    /// Its worth relative to the room that it takes: several short lines come before a long one.
    fn worth(&self) -> i64 {
        let points = self.points();
        let lasting = points.lasting.max(0) * LASTING_PERCENT / 100;
        let change = if points.changes { CHANGE } else { 0 };
        let score = self.score + points.concreteness + lasting + change;
        (score + EVERY_LINE) * USUAL_LINE / points.price.max(1)
    }

    /// Whether it says something, rather than being a courtesy or a sound.
    fn is_said(&self) -> bool {
        self.score >= SAID
    }

    /// Whether it says at least a little: a sentence that points back, or a few words.
    fn says_little(&self) -> bool {
        !self.is_said() && self.score >= 0 && weight_of_text(self.bullet.text()) >= LEAST_FILLING
    }

    /// Whether it tells something that is come back to, and when or how much.
    fn is_fact(&self) -> bool {
        self.points().lasting >= FACT
    }

    /// What it adds to the rest of a talk, relative to the room that it takes.
    fn adds(&self, is_beside: bool) -> i64 {
        let points = self.points();
        let filling = points.filling.get_or_init(|| {
            let text = self.bullet.text();
            weight_of_text(text) * SUBSTANCE + points_for_manner(text)
        });
        let told = self.score + points.concreteness * CONCRETE + filling + EVERY_LINE;
        let told = if self.by_program { told * PROGRAM_PERCENT / 100 } else { told };
        let told = if points.is_exchange { told * EXCHANGE_PERCENT / 100 } else { told };
        let (percent, saved) = if is_beside { (BESIDE_PERCENT, BESIDE_SAVES) } else { (100, 0) };
        told * percent * FINE / (points.price - saved).max(1)
    }

    fn lasts(&self) -> bool {
        let points = self.points();
        let is_change = points.changes && points.concreteness > 0;
        let least = if points.is_exchange { LASTS_IN_EXCHANGE } else { LASTS };
        points.lasting >= least - if is_change { CHANGE_LASTS } else { 0 }
    }

    /// Whether it may share a line with other words of the same turn.
    fn may_join(&self) -> bool {
        let is_plain = self.mark.is_empty() && !self.points().is_exchange;
        is_plain && self.turn.is_some() && !self.bullet.speaker().is_empty() && !self.lasts()
    }

    /// Whether it was said right behind another one in the same turn. What was said between two sentences may be what the
    /// second one is about.
    fn goes_on(&self, other: &Self) -> bool {
        self.turn == other.turn && self.place == other.place + 1 && self.answered_in == other.answered_in
    }

    fn line(&self) -> String {
        format!("- {}{}", self.bullet.body, self.mark)
    }
}

/// The lines, each day's under its date: a date before every line would take a third of the room.
pub(super) fn lines_by_day(chosen: &[&Candidate]) -> String {
    let mut lines = Vec::new();
    let mut under = None;
    // The words of the last line, and the candidate at its end, if what was said right behind it may join it.
    let mut open: Option<(String, &Candidate)> = None;
    for candidate in chosen {
        let days = candidate.bullet.days.filter(|days| Some(*days) != under);
        lines.extend(days.map(|days| days.to_string()));
        under = days.or(under);
        let before = open.take().filter(|(_, last)| candidate.may_join() && candidate.goes_on(last));
        let longer = before.and_then(|(words, _)| {
            let words = join_sentences(&[words, candidate.bullet.text().to_owned()]);
            let body = format!("{}: {words}", candidate.bullet.speaker());
            (estimate_tokens(&body) <= space_for_words(candidate.bullet.days, "")).then_some((words, body))
        });
        let words = if let Some((words, body)) = longer {
            lines.pop();
            lines.push(format!("- {body}"));
            words
        } else {
            lines.push(candidate.line());
            candidate.bullet.text().to_owned()
        };
        open = candidate.may_join().then_some((words, candidate));
    }
    lines.join("\n")
}

/// The best candidates that fit into `target` tokens, in their order; one that says the same as a better one is left out.
pub(super) fn choose_that_fit(candidates: &[Candidate], target: usize) -> Vec<&Candidate> {
    let room = target.max(LONGEST);
    let mut choice = Choice::among(candidates);
    // Japanese messages are short and say one thing: their lines are chosen one by one.
    let japanese = candidates.iter().filter(|c| is_japanese(c.bullet.text()).unwrap_or(false)).count();
    let one_by_one = japanese * 2 > candidates.len();
    let is_dense = candidates.iter().filter(|c| c.is_fact()).count() > MANY_FACTS;
    let room_of_lasting = if one_by_one || is_dense { room } else { room * SHARE_OF_LASTING / 100 };
    let ranked = in_order(candidates);
    for i in &ranked {
        if candidates.get(*i).is_some_and(|c| c.is_said() && !c.is_echo && (one_by_one || c.lasts())) {
            choice.add(*i, room_of_lasting);
        }
    }
    if !one_by_one {
        choice.left_out.clear();
        while let Some(i) = choice.next() {
            choice.add(i, room);
        }
    }
    // Candidates that say little fill the room that nothing else fits into, those that say most first.
    let mut little: Vec<(i64, usize)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.says_little() && !candidate.is_echo)
        .map(|(i, candidate)| (-weight_of_text(candidate.bullet.text()), i))
        .collect();
    little.sort_unstable();
    let asked =
        ranked.iter().copied().filter(|i| candidates.get(*i).is_some_and(|c| c.answered_in.is_some()));
    for i in asked.chain(little.into_iter().map(|(_, i)| i)) {
        choice.add(i, room);
    }
    choice.told()
}

/// The indices of the candidates, best first, spread over all stretches and speakers.
fn in_order(candidates: &[Candidate]) -> Vec<usize> {
    let scores: Vec<i64> = candidates.iter().map(Candidate::worth).collect();
    let levels = [
        Level::new(candidates.iter().map(|c| (c.stretch, c.bullet.speaker())), SAME_PERSON_IN_STRETCH),
        Level::new(candidates.iter().map(|c| c.stretch), SAME_STRETCH),
        Level::new(candidates.iter().map(|c| c.bullet.speaker()), SAME_PERSON),
    ];
    best_first(&scores, &levels)
}

/// What has been chosen so far.
struct Choice<'c> {
    candidates: &'c [Candidate],
    /// For each question that needs an answer, the candidate that is its answer, if there is one.
    answers: BTreeMap<usize, Option<usize>>,
    /// The tokens of what is told.
    spent: usize,
    told: BTreeSet<usize>,
    left_out: BTreeSet<usize>,
    said: Vec<Said>,
}

impl<'c> Choice<'c> {
    fn among(candidates: &'c [Candidate]) -> Self {
        let answer_in = |turn: usize| {
            candidates.iter().position(|candidate| {
                candidate.turn == Some(turn)
                    && candidate.answered_in.is_none()
                    && candidate.is_said()
                    && !is_question(candidate.bullet.text())
            })
        };
        let asked = candidates.iter().enumerate();
        let answers =
            asked.filter_map(|(i, candidate)| Some((i, answer_in(candidate.answered_in?)))).collect();
        let told = BTreeSet::new();
        let left_out = BTreeSet::new();
        Self { candidates, answers, spent: 0, told, left_out, said: Vec::new() }
    }

    /// Tells the candidate, and its answer if it is a question that needs one. It is left out if that does not fit into
    /// `room`, if the same has been told, or if nothing of the answer can be told.
    fn add(&mut self, i: usize, room: usize) {
        let Some(candidate) = self.candidates.get(i) else { return };
        let answer = self.answers.get(&i).copied();
        if answer == Some(None) || self.spent + LEAST_LINE > room {
            self.left_out.insert(i);
            return;
        }
        let added: BTreeSet<usize> =
            [Some(i), answer.flatten()].into_iter().flatten().filter(|i| !self.told.contains(i)).collect();
        let words = Said::of(candidate.bullet.text());
        let is_new = !self.said.iter().any(|other| other.is_same(&words));
        self.told.extend(&added);
        let tokens = if is_new { estimate_tokens(&lines_by_day(&self.told())) } else { 0 };
        if is_new && tokens <= room {
            self.spent = tokens;
            self.said.push(words);
            let answer = answer.flatten().filter(|answer| added.contains(answer));
            let answer = answer.and_then(|answer| self.candidates.get(answer));
            self.said.extend(answer.map(|answer| Said::of(answer.bullet.text())));
        } else {
            self.told.retain(|i| !added.contains(i));
            self.left_out.insert(i);
        }
    }

    /// The candidate that adds most for its room, the first among equals.
    fn next(&self) -> Option<usize> {
        let is_waiting = |i: &usize| !self.told.contains(i) && !self.left_out.contains(i);
        // A question with an answer that is told apart from it is told if there is room left.
        let is_told_first = |c: &Candidate| c.is_said() && c.answered_in.is_none();
        let is_said = |i: &usize| self.candidates.get(*i).is_some_and(is_told_first);
        let waiting = (0..self.candidates.len()).filter(is_waiting).filter(is_said);
        let adds = |i: usize| Some((self.candidates.get(i)?.adds(self.is_beside(i)), std::cmp::Reverse(i)));
        waiting.filter_map(adds).max().map(|(_, std::cmp::Reverse(i))| i)
    }

    /// Whether the candidate right before or behind it in the same turn is told.
    fn is_beside(&self, i: usize) -> bool {
        let turn = self.candidates.get(i).and_then(|candidate| candidate.turn);
        let is_told = |j: usize| {
            self.told.contains(&j) && self.candidates.get(j).is_some_and(|other| other.turn == turn)
        };
        turn.is_some() && (i.checked_sub(1).is_some_and(is_told) || is_told(i + 1))
    }

    /// What is told, in its order, but each question right before its answer.
    fn told(&self) -> Vec<&'c Candidate> {
        let place = |i: &usize| {
            let answer = self.answers.get(i).copied().flatten();
            (answer.unwrap_or(*i), answer.is_none(), *i)
        };
        let mut told: Vec<(usize, bool, usize)> = self.told.iter().map(place).collect();
        told.sort_unstable();
        told.into_iter().filter_map(|(_, _, i)| self.candidates.get(i)).collect()
    }
}
