//! Ranks what was found (ADR 42).
//!
//! Nothing is read here: the caller has looked up in the index where terms stand, and in the archive what stands there.
//! A text is ranked by its own terms (BM25), and by those of the conversation that it belongs to, because one line
//! seldom holds everything that a question asks for.

use std::collections::{HashMap, HashSet};

use super::{
    asked_shares::{AskedShares, AskedWords},
    counts::{TermCounter, TermCounts},
    evidence::QuestionEvidence,
    fold::FoldedText,
    question::{COMMON, IndexSize, RecallQuestion},
    recall_floor::HeldEvidence,
    terms::{Term, terms_in_order},
    weights::{RankParts, RankWeights},
    whole_words::WholeWords,
};
use crate::chat::MessageTs;

/// How many terms are used to find candidates: the rarest ones.
const MOST_TERMS: usize = 24;
/// How many addresses of all terms together are looked at; the rarest term is used in any case.
const MOST_PLACES: usize = 30_000;
/// How many times as much a rare name weighs: whoever asks about Palewater wants to know about nothing else.
const OF_A_NAME: f64 = 2.0;
/// The same for the name of somebody whom the question is about: it is a word of whoever speaks to them.
const OF_A_PERSON: f64 = 0.3;
/// A name is rare if it stands in at most one row of this many.
const RARE_SHARE: u64 = 500;
/// BM25's k1: the larger it is, the more a term counts that stands in a text several times.
const SATURATION: f64 = 1.2;
/// BM25's b: how much less a term counts in a long text than in a short one (0: no less).
const LENGTH: f64 = 0.75;
/// The same two for a conversation.
const UNIT_SATURATION: f64 = 2.0;
const UNIT_LENGTH: f64 = 0.8;
/// How many messages a conversation has that is neither long nor short.
const UNIT_SIZE: f64 = 8.0;
/// The words of a question that a text lacks count if they were said within so many minutes of it; a third of that after
/// a sixth of this time.
const BESIDE_MINUTES: f64 = 30.0;
const NEAR_MINUTES: f64 = 5.0;
/// A term tells what a question is about if it stands in at most one row of this many.
const TELLING_SHARE: u64 = 50;
/// A smaller index is treated as if it had so many rows: what a few people talk of all the time still tells what they
/// ask about.
const SMALL_ARCHIVE: u64 = 3_000;
/// The same for what is most likely grammar: in a small index every pair of hiragana is rare.
const SMALL_ARCHIVE_OF_GRAMMAR: u64 = 1_000;
/// What a word of the question counts that stands in the thread of a text, in the thread that it opened, or was said right
/// beside it.
const OF_THREAD: f64 = 0.5;
const OF_OWN_THREAD: f64 = 0.8;
const OF_BESIDE: f64 = 0.2;
/// What is left of a text's own score if the question's words stand in it only inside of longer words.
const INSIDE: f64 = 0.7;

/// The rows of an index in which a term of a question stands.
#[derive(Clone, Debug)]
pub struct Postings {
    /// The term's place in the question.
    pub term: usize,
    /// The addresses of the rows, ascending. Within a channel, addresses rise with time.
    pub addresses: Vec<i64>,
}

/// What an index said about a question.
#[derive(Debug)]
pub struct Matches {
    weights: Vec<f64>,
    /// For each term, whether it tells what the question is about.
    telling: Vec<bool>,
    /// The terms that are more than grammar and names of people.
    wanted: Vec<usize>,
    asked: AskedShares,
    used: Vec<Postings>,
    /// For each address, in ascending order, the sum of the weights of the terms that stand there.
    scores: Vec<(i64, f64)>,
    evidence: QuestionEvidence,
    counter: TermCounter,
    words: WholeWords,
}

/// A text that was found.
#[derive(Clone, Debug)]
pub struct RecallCandidate {
    /// Where the index has it.
    pub address: i64,
    /// Its words.
    pub text: String,
    /// When it was said.
    pub at: MessageTs,
    /// The conversation that it belongs to, by its place in the list of units.
    pub unit: Option<usize>,
    /// Whether it is the root of that conversation, a thread.
    pub is_root: bool,
    /// The talk around it; `None` for what nobody said.
    pub around: Option<TalkAround>,
}

/// The stretch of a channel's talk that may count for a text beside it.
#[derive(Clone, Copy, Debug)]
pub struct TalkAround {
    /// The first address.
    pub from: i64,
    /// The address after the last: nothing at or behind it may count.
    pub to: i64,
    /// How many addresses a minute has.
    pub minute: i64,
}

/// A candidate's place in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedText {
    /// The candidate's place in the list of candidates.
    pub candidate: usize,
    /// Its score: how well it fits, compared with the others.
    pub score: f64,
    /// What the score is made of.
    pub parts: RankParts,
    /// Whether neither it nor its thread holds a word that tells what the question is about, two of its words that stand
    /// together, or all of them, nor any word of it beside what was said within minutes and holds the first. Letters that
    /// such a word happens to share with another are none: っく of ふぁっくす in ゆっくり.
    pub is_incidental: bool,
    /// The terms of the question that it holds, by their places in [`RecallQuestion::terms`].
    pub held: Vec<usize>,
    /// How much of what is asked it holds, by itself, in its thread or beside it.
    pub evidence: HeldEvidence,
}

/// The terms of a question that a text lacks and that were said within minutes of it.
#[derive(Debug, Default)]
struct TermsBeside {
    /// Their weights, each by how near it is.
    sum: f64,
    /// Whether one of those that stand very near tells what the question is about.
    tells: bool,
    /// Each with how near it is, from 0 to 1.
    near: Vec<(usize, f64)>,
}

/// A conversation: a thread, or a chapter of a channel.
#[derive(Clone, Debug)]
pub struct ConversationUnit {
    /// Where its messages stand.
    pub places: UnitPlaces,
    /// How many messages it has.
    pub size: u64,
    /// Whether it is a thread, and not a chapter.
    pub is_thread: bool,
}

/// Where the messages of a conversation stand.
#[derive(Clone, Debug)]
pub enum UnitPlaces {
    /// A thread: at these addresses.
    These(Vec<i64>),
    /// A chapter: from the first address to the second, both included.
    Between(i64, i64),
}

impl Matches {
    /// Takes in where the terms of a question stand. Only the rarest terms are used, as many as the limits allow, and
    /// those that are most likely grammar come last.
    pub fn new(question: &RecallQuestion, text: &str, size: &IndexSize, mut found: Vec<Postings>) -> Self {
        found.sort_by_key(|postings| (question.is_weak(postings.term), postings.addresses.len()));
        let counts: HashMap<usize, usize> = found.iter().map(|p| (p.term, p.addresses.len())).collect();
        let names = names_in(text);
        let weight = |(at, term): (usize, &Term)| {
            let rows = question.rows_with(at, size, counts.get(&at).copied());
            let is_name = !question.is_person(at)
                && names.contains(&term.text)
                && rows.saturating_mul(RARE_SHARE) <= size.rows_at_least();
            let share = if question.is_person(at) {
                OF_A_PERSON
            } else {
                question.evidence().share(at, term.is_weak)
            };
            rarity_of_term(rows, size.rows_at_least()).powi(2)
                * if is_name { share.max(OF_A_NAME) } else { share }
        };
        let weights: Vec<f64> = question.terms().iter().enumerate().map(weight).collect();
        let tells = |at: usize| {
            let rows = question.rows_with(at, size, counts.get(&at).copied());
            let least = if question.is_weak(at) { SMALL_ARCHIVE_OF_GRAMMAR } else { SMALL_ARCHIVE };
            let all = size.rows.max(least);
            let is_known = !question.is_weak(at) || counts.contains_key(&at);
            is_known && question.may_tell(at) && rows.saturating_mul(TELLING_SHARE) <= all
        };
        let telling = (0..weights.len()).map(tells).collect();
        let wanted =
            (0..weights.len()).filter(|at| !question.is_weak(*at) && !question.is_person(*at)).collect();
        let asked =
            AskedWords { question, weights: &weights, text, capitals: &names, size, found: &counts }.shares();
        let mut places = 0;
        let mut used = Vec::new();
        for postings in found.into_iter().filter(|postings| !postings.addresses.is_empty()).take(MOST_TERMS) {
            let is_common = u64::try_from(postings.addresses.len()).is_ok_and(|rows| rows > COMMON);
            places += postings.addresses.len();
            if !used.is_empty() && (is_common || places > MOST_PLACES) {
                break;
            }
            used.push(postings);
        }
        let scores = sum_weights_by_address(&used, &weights);
        let evidence = question.evidence().clone();
        let counter = TermCounter::new(question);
        let words = WholeWords::new(text);
        Self { weights, telling, wanted, asked, used, scores, evidence, counter, words }
    }

    /// The addresses that `is_wanted` and whose texts are worth reading, `most` at most: those that hold most of what is
    /// asked for; of equals, the newest.
    pub fn best(&self, most: usize, is_wanted: impl Fn(i64) -> bool) -> Vec<i64> {
        let best_first = |a: &(i64, f64), b: &(i64, f64)| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0));
        let wanted = self.scores.iter().filter(|(address, _)| is_wanted(*address));
        let mut scored: Vec<(i64, f64)> = wanted.copied().collect();
        if scored.len() > most {
            scored.select_nth_unstable_by(most, best_first);
            scored.truncate(most);
        }
        scored.sort_unstable_by(best_first);
        scored.into_iter().map(|(address, _)| address).collect()
    }

    /// The candidates, best first. Left out are those that neither hold a term of the question nor belong to a
    /// conversation that does.
    pub fn rank(
        &self,
        candidates: &[RecallCandidate],
        units: &[ConversationUnit],
        now: MessageTs,
    ) -> Vec<RankedText> {
        let texts: Vec<FoldedText> =
            candidates.iter().map(|candidate| FoldedText::new(&candidate.text)).collect();
        let counted: Vec<TermCounts> = texts.iter().map(|text| self.counter.count(text)).collect();
        let total: f64 = counted.iter().map(|counts| counts.length).sum();
        let mean = (total / as_float(counted.len()).max(1.0)).max(1.0);
        let scores: Vec<f64> = units.iter().map(|unit| self.of_unit(unit)).collect();
        let mut ranked: Vec<RankedText> = Vec::new();
        for (at, (candidate, (counts, text))) in candidates.iter().zip(counted.iter().zip(&texts)).enumerate()
        {
            let whole = self.words.share_of_whole(text).mul_add(1.0 - INSIDE, INSIDE);
            let unit = candidate.unit.and_then(|unit| Some((units.get(unit)?, *scores.get(unit)?)));
            let around = candidate.around;
            let beside = around.map(|around| self.beside(candidate.address, around, counts));
            let beside = beside.unwrap_or_default();
            let parts = RankParts {
                own: self.of_text(counts, mean) * whole,
                thread: unit.filter(|(unit, _)| unit.is_thread).map_or(0.0, |(_, score)| score),
                is_root: candidate.is_root || (self.wanted.len() > 1 && self.holds_all(counts)),
                chapter: unit.filter(|(unit, _)| !unit.is_thread).map_or(0.0, |(_, score)| score),
                beside: beside.sum,
                days_ago: days_between(candidate.at, now),
            };
            let score = RankWeights::FROZEN.score(&parts);
            if score > 0.0 {
                let is_incidental = !self.is_telling(counts, text, beside.tells);
                let held = counts.held.keys().copied().collect();
                let thread = unit.map(|(unit, _)| unit).filter(|unit| unit.is_thread);
                let evidence =
                    self.asked.evidence(&self.held_shares(counts, (thread, candidate.is_root), &beside.near));
                ranked.push(RankedText { candidate: at, score, parts, is_incidental, held, evidence });
            }
        }
        let newest_first = |text: &RankedText| candidates.get(text.candidate).map(|candidate| candidate.at);
        ranked
            .sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| newest_first(b).cmp(&newest_first(a))));
        let thread = |text: &RankedText| {
            let unit = candidates.get(text.candidate).and_then(|candidate| candidate.unit);
            unit.filter(|unit| units.get(*unit).is_some_and(|unit| unit.is_thread))
        };
        let telling: HashSet<usize> =
            ranked.iter().filter(|text| !text.is_incidental).filter_map(thread).collect();
        for text in &mut ranked {
            text.is_incidental &= thread(text).is_none_or(|thread| !telling.contains(&thread));
        }
        ranked
    }

    /// The terms of the question that a text, its thread, or the talk beside it holds, each with how much that counts,
    /// from 0 to 1.
    fn held_shares(
        &self,
        counts: &TermCounts,
        (thread, is_root): (Option<&ConversationUnit>, bool),
        near: &[(usize, f64)],
    ) -> HashMap<usize, f64> {
        let mut held: HashMap<usize, f64> =
            near.iter().map(|(term, nearness)| (*term, nearness * OF_BESIDE)).collect();
        for postings in thread.iter().flat_map(|_| &self.used) {
            if thread.is_some_and(|unit| unit.places.held(&postings.addresses) > 0) {
                held.insert(postings.term, if is_root { OF_OWN_THREAD } else { OF_THREAD });
            }
        }
        let covered = self.evidence.covered(&counts.held);
        for term in counts.held.keys() {
            let word = self.evidence.word_of(*term);
            let share = word.and_then(|word| covered.get(&word)).copied().unwrap_or(1.0);
            held.insert(*term, share);
        }
        held
    }

    fn of_text(&self, counts: &TermCounts, mean: f64) -> f64 {
        let norm = SATURATION * (1.0 - LENGTH + LENGTH * counts.length / mean);
        let covered = self.evidence.covered(&counts.held);
        let share =
            |term| self.evidence.word_of(term).and_then(|word| covered.get(&word)).copied().unwrap_or(1.0);
        let held = counts.held.iter();
        let held = held.filter_map(|(term, count)| Some((self.weights.get(*term)? * share(*term), *count)));
        held.map(|(weight, count)| weight * count * (SATURATION + 1.0) / (count + norm)).sum()
    }

    /// Whether a text with these terms holds what tells that it is about the question, or some word of it while what
    /// tells was said beside it.
    fn is_telling(&self, counts: &TermCounts, text: &FoldedText, tells_beside: bool) -> bool {
        let tells = counts.held.keys().any(|term| self.telling.get(*term).copied().unwrap_or(false));
        let tells = tells || (tells_beside && counts.held.keys().any(|term| self.wanted.contains(term)));
        (tells || counts.stand_together || self.holds_all(counts))
            && self.evidence.is_word_held(&counts.held, text)
    }

    /// Whether a text with these terms holds everything that is asked for.
    fn holds_all(&self, counts: &TermCounts) -> bool {
        !self.wanted.is_empty() && self.wanted.iter().all(|term| counts.held.contains_key(term))
    }

    /// The terms that a text lacks and that stand near it.
    fn beside(&self, address: i64, around: TalkAround, counts: &TermCounts) -> TermsBeside {
        let minute = as_float(usize::try_from(around.minute).unwrap_or(usize::MAX)).max(1.0);
        let mut terms = TermsBeside::default();
        for postings in self.used.iter().filter(|postings| !counts.held.contains_key(&postings.term)) {
            let at = postings.addresses.partition_point(|other| *other < address);
            let before = at.checked_sub(1).and_then(|at| postings.addresses.get(at));
            let after =
                postings.addresses.get(at..).and_then(|rest| rest.iter().find(|other| **other > address));
            let is_around = |other: &&i64| around.from <= **other && **other < around.to;
            let distances = [before, after].into_iter().flatten().filter(is_around);
            let nearest = distances.map(|other| other.abs_diff(address)).min();
            let minutes = nearest.map(|far| as_float(usize::try_from(far).unwrap_or(usize::MAX)) / minute);
            let Some(minutes) = minutes.filter(|minutes| *minutes <= BESIDE_MINUTES) else { continue };
            let weight = self.weights.get(postings.term).copied().unwrap_or_default();
            let nearness = (-minutes / NEAR_MINUTES).exp();
            terms.sum += weight * nearness;
            terms.near.push((postings.term, nearness));
            terms.tells |=
                minutes <= NEAR_MINUTES && self.telling.get(postings.term).copied().unwrap_or(false);
        }
        terms
    }

    fn of_unit(&self, unit: &ConversationUnit) -> f64 {
        let size = f64::from(u32::try_from(unit.size).unwrap_or(u32::MAX));
        let norm = UNIT_SATURATION * (1.0 - UNIT_LENGTH + UNIT_LENGTH * size / UNIT_SIZE);
        let mut score = 0.0;
        for postings in &self.used {
            let count = as_float(unit.places.held(&postings.addresses));
            let weight = self.weights.get(postings.term).copied().unwrap_or_default();
            if count > 0.0 {
                score += weight * count * (UNIT_SATURATION + 1.0) / (count + norm);
            }
        }
        score
    }
}

impl UnitPlaces {
    /// How many of these addresses lie in it.
    fn held(&self, addresses: &[i64]) -> usize {
        match self {
            Self::These(places) => {
                places.iter().filter(|place| addresses.binary_search(place).is_ok()).count()
            }
            Self::Between(from, to) => {
                let before = addresses.partition_point(|address| address < from);
                let until = addresses.partition_point(|address| address <= to);
                until.saturating_sub(before)
            }
        }
    }
}

/// The terms of words that begin with a capital letter, except those that begin a sentence or stand in capitals only.
fn names_in(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut begins = true;
    for word in text.lines().flat_map(|line| std::iter::once("\n").chain(line.split_whitespace())) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut letters = bare.chars();
        let is_capital = letters.next().is_some_and(char::is_uppercase);
        if !begins && is_capital && letters.any(char::is_lowercase) {
            names.extend(terms_in_order(&FoldedText::new(bare)).into_iter().map(|term| term.text));
        }
        begins = word.ends_with(['\n', '.', '!', '?', ':']);
    }
    names
}

/// For each address, in ascending order, the sum of the weights of the terms that stand there.
fn sum_weights_by_address(used: &[Postings], weights: &[f64]) -> Vec<(i64, f64)> {
    let weighted = used.iter().flat_map(|postings| {
        let weight = weights.get(postings.term).copied().unwrap_or_default();
        postings.addresses.iter().map(move |address| (*address, weight))
    });
    let mut scores: Vec<(i64, f64)> = weighted.collect();
    scores.sort_by_key(|(address, _)| *address);
    scores.dedup_by(|other, first| {
        let is_same = other.0 == first.0;
        first.1 += if is_same { other.1 } else { 0.0 };
        is_same
    });
    scores
}

/// How telling a term is that stands in `rows` of `all` rows.
fn rarity_of_term(rows: u64, all: u64) -> f64 {
    let rows = f64::from(u32::try_from(rows).unwrap_or(u32::MAX));
    let all = f64::from(u32::try_from(all).unwrap_or(u32::MAX)).max(rows);
    (1.0 + (all - rows + 0.5) / (rows + 0.5)).ln()
}

/// How many days before `now` something was said.
fn days_between(at: MessageTs, now: MessageTs) -> f64 {
    const MICROS_OF_A_MINUTE: i64 = 60_000_000;
    const MINUTES_OF_A_DAY: f64 = 1_440.0;
    let minutes = now.micros_since(at).max(0) / MICROS_OF_A_MINUTE;
    f64::from(u32::try_from(minutes).unwrap_or(u32::MAX)) / MINUTES_OF_A_DAY
}

fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
