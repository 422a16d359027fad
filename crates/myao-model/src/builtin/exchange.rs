//! Questions with their answers, and questions that got none.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
};

use myao_core::prompt::estimate_tokens;

use super::{
    bullet::ARROW,
    lines::Turn,
    passages::passages,
    score::{WORTH, is_question, is_said, score},
    sentences,
    text::{clip, fold, one_line, terms},
};

/// An answer is looked for among so many turns after the question.
const ANSWER_WITHIN_TURNS: usize = 6;
/// And so many minutes; a question nobody followed for so long, though talk went on, is called open.
const ANSWER_WITHIN_MINUTES: i64 = 60;
/// Whether a question was taken up is looked for in so many turns after it.
const TAKEN_UP_WITHIN_TURNS: usize = 50;
/// An answer is shown with so many tokens at least; one that has no room for them stands by itself.
const LEAST_ANSWER_TOKENS: usize = 20;
/// Among so few people one shared word is enough to be on the same matter.
const SMALL_COMPANY: usize = 3;
/// Between so many, what is said straight after a question answers it.
const DIALOGUE: usize = 2;
/// The company is who speaks in so many turns before and after.
const COMPANY_TURNS: usize = 6;
/// What a sentence earns as an answer for naming the asker, and for a word it shares with the question.
const ANSWERS: i64 = 15;
/// A question that is to be called open has to say more than one that is answered.
const OPEN: i64 = WORTH;

/// What was said, as the words of a future bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    /// The turn it begins in.
    pub(super) turn: usize,
    /// `name: words`, and for an exchange ` → name: words` behind it.
    pub(super) words: String,
    /// It asks, and nobody answered.
    pub(super) open: bool,
}

/// A talk, prepared for looking around in it.
struct Scene<'a> {
    turns: &'a [Turn],
    folded: &'a [String],
    terms: &'a [BTreeSet<&'a str>],
}

/// The remarks of a talk, in its order, each of at most about `room` tokens: exchanges, open questions, and
/// what else is said. `ended` says that nothing was said after the last turn, as far as anybody knows.
pub(super) fn remarks(turns: &[Turn], room: usize, ended: bool) -> Vec<Remark> {
    let folded: Vec<String> = turns.iter().map(|turn| fold(&turn.text)).collect();
    let terms: Vec<BTreeSet<&str>> = folded.iter().map(|text| terms(text)).collect();
    let scene = Scene { turns, folded: &folded, terms: &terms };
    let room_of = |turn: &Turn| room.saturating_sub(estimate_tokens(&turn.name) + 2);
    let mut stretches: Vec<Vec<String>> =
        turns.iter().map(|turn| passages(&turn.text, room_of(turn))).collect();
    let mut remarks = Vec::new();
    for (i, turn) in turns.iter().enumerate() {
        let asks = |sentence: &str| is_question(sentence).then_some(0);
        let Some((points, question)) = stretches.get(i).and_then(|own| best(own, asks)) else { continue };
        if let Some(j) = scene.answer_to(i, &question) {
            let (Some(other), Some(own)) = (turns.get(j), stretches.get(j)) else { continue };
            let Some((_, answer)) = best(own, |s| fitness(s, &question, &turn.name)) else { continue };
            let Some(words) = exchange(&said(turn, &question), &said(other, &answer), room) else { continue };
            take_out(stretches.get_mut(i), &question);
            take_out(stretches.get_mut(j), &answer);
            remarks.push(Remark { turn: i, words, open: false });
        } else if points >= OPEN && scene.is_open(i, &question, ended) {
            take_out(stretches.get_mut(i), &question);
            remarks.push(Remark { turn: i, words: said(turn, &question), open: true });
        }
    }
    for (i, (turn, own)) in turns.iter().zip(stretches).enumerate() {
        remarks.extend(own.iter().map(|text| Remark { turn: i, words: said(turn, text), open: false }));
    }
    remarks.sort_by_key(|remark| remark.turn);
    remarks
}

fn said(turn: &Turn, words: &str) -> String {
    format!("{}: {words}", turn.name)
}

/// The sentence with the most points, its own and those it earns here; `None` from `earns` rules it out.
fn best(stretches: &[String], earns: impl Fn(&str) -> Option<i64>) -> Option<(i64, String)> {
    let all = stretches.iter().flat_map(|stretch| sentences::split(stretch));
    let ranked = all.filter_map(|sentence| Some((score(sentence) + earns(sentence)?, Reverse(sentence))));
    ranked.max().map(|(points, Reverse(sentence))| (points, sentence.to_owned()))
}

/// How well a sentence answers `question` by `asker`; `None` when it asks itself or is meant for another.
fn fitness(sentence: &str, question: &str, asker: &str) -> Option<i64> {
    if is_question(sentence) || speaks_to_another(sentence, asker) {
        return None;
    }
    let (sentence, question) = (fold(sentence), fold(question));
    let shares = !terms(&sentence).is_disjoint(&terms(&question));
    let to_asker = sentence.contains(&format!("@{}", fold(asker)));
    Some(ANSWERS * (i64::from(shares) + i64::from(to_asker)))
}

/// Whether a text begins with somebody's `@name`, and `name` is not addressed in it.
fn speaks_to_another(text: &str, name: &str) -> bool {
    text.trim_start().starts_with('@') && !fold(text).contains(&format!("@{}", fold(name)))
}

/// `question → answer`, when there is room for enough of the answer.
fn exchange(question: &str, answer: &str, room: usize) -> Option<String> {
    let left = room.checked_sub(estimate_tokens(question) + estimate_tokens(ARROW) + 1)?;
    let enough = left >= estimate_tokens(answer).min(LEAST_ANSWER_TOKENS);
    enough.then(|| format!("{question}{ARROW}{}", clip(answer, left)))
}

/// Removes a sentence that has found its place elsewhere.
fn take_out(stretches: Option<&mut Vec<String>>, sentence: &str) {
    let Some(stretches) = stretches else { return };
    for stretch in &mut *stretches {
        if stretch.contains(sentence) {
            *stretch = one_line(&stretch.replacen(sentence, " ", 1));
        }
    }
    stretches.retain(|stretch| is_said(stretch));
}

impl Scene<'_> {
    /// The turn that answers the question of turn `i`, if one certainly does: it speaks to the asker, or is on
    /// the same matter; or, coming straight after, its author was asked by name or is the only other one.
    fn answer_to(&self, i: usize, question: &str) -> Option<usize> {
        let asker = self.turns.get(i)?;
        let question = fold(question);
        let wanted = terms(&question);
        let to_asker = format!("@{}", fold(&asker.name));
        let company = self.company(i);
        let near = |turn: &Turn| asker.minutes_to(turn) <= ANSWER_WITHIN_MINUTES;
        let answers = |sentence: &&str| {
            !is_question(sentence) && is_said(sentence) && !speaks_to_another(sentence, &asker.name)
        };
        let related = |j: usize, turn: &Turn| {
            let shared = self.terms.get(j).map_or(0, |terms| terms.intersection(&wanted).count());
            let on_matter =
                if company <= SMALL_COMPANY { shared > 0 } else { shared > 1 && shared * 2 >= wanted.len() };
            let follows = j == i + 1 && (company <= DIALOGUE || question.contains(&fold(&turn.name)));
            on_matter || follows || self.folded.get(j).is_some_and(|text| text.contains(&to_asker))
        };
        let later = self.turns.iter().enumerate().skip(i + 1).take(ANSWER_WITHIN_TURNS);
        let mut others = later.take_while(|(_, turn)| near(turn)).filter(|(_, turn)| turn.name != asker.name);
        let found = others.find(|(j, turn)| {
            related(*j, turn)
                && !speaks_to_another(&turn.text, &asker.name)
                && sentences::split(&turn.text).iter().any(answers)
        });
        found.map(|(j, _)| j)
    }

    /// How many people talk around turn `i`.
    fn company(&self, i: usize) -> usize {
        let around = self.turns.iter().skip(i.saturating_sub(COMPANY_TURNS)).take(2 * COMPANY_TURNS);
        around.map(|turn| turn.name.as_str()).collect::<HashSet<_>>().len()
    }

    /// Whether nobody took the question of turn `i` up, as far as this can be told: in a thread that ended
    /// with it, or when talk went on elsewhere after a long silence.
    fn is_open(&self, i: usize, question: &str, ended: bool) -> bool {
        let Some(asker) = self.turns.get(i) else { return false };
        let question = fold(question);
        let wanted = terms(&question);
        let name = fold(&asker.name);
        let taken_up = |(j, _): (usize, &Turn)| {
            self.folded.get(j).is_some_and(|text| text.contains(&name))
                || self.terms.get(j).is_some_and(|terms| !terms.is_disjoint(&wanted))
        };
        let later = self.turns.iter().enumerate().skip(i + 1).take(TAKEN_UP_WITHIN_TURNS);
        let mut others = later.filter(|(_, turn)| turn.name != asker.name).peekable();
        match others.peek() {
            None => ended,
            Some((_, next)) => asker.minutes_to(next) >= ANSWER_WITHIN_MINUTES && !others.any(taken_up),
        }
    }
}
