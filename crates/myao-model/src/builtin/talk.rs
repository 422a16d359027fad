//! Summarises talk as bullets, for the short-term memory of a chapter or thread.

use std::collections::BTreeSet;

use myao_core::{
    memory::Days,
    ports::TalkLine,
    prompt::estimate_tokens,
    text::{WritingSystem, fold, pairs, runs},
    worth::{Level, SAID, concreteness, order},
};

use super::{
    bullet::{Bullet, LONGEST, cost, open_mark, space},
    exchange::remarks,
    lines,
    read::bullets,
};

/// The memory that talk is summarised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TalkKind {
    /// A stretch of a channel: what comes after it is not known.
    Chapter,
    /// A thread as it stands now.
    Thread,
}

/// Stretches that talk is divided into, each of which should be represented.
const STRETCHES: usize = 6;
/// Points off for every further bullet of the same person in a stretch, of the same stretch, and of the same person.
const SAME_PERSON_IN_STRETCH: i64 = 10;
const SAME_STRETCH: i64 = 8;
const SAME_PERSON: i64 = 4;
/// Points for any line, and the tokens of one whose points are what it is worth.
const EVERY_LINE: i64 = 15;
const USUAL_LINE: i64 = 60;
/// The share of the shorter bullet's letter pairs, in percent, from which on two bullets say the same.
const SAME_PERCENT: usize = 65;

/// A bullet that may become part of the memory.
struct Candidate {
    score: i64,
    bullet: Bullet,
    stretch: usize,
    mark: &'static str,
}

/// Summarises `existing` and `lines` in at most `target` tokens.
pub(super) fn summarize(existing: &str, lines: &[TalkLine], kind: TalkKind, target: usize) -> String {
    let mut candidates: Vec<Candidate> = bullets(existing, None, "")
        .into_iter()
        .map(|bullet| Candidate { score: bullet.score(), bullet, stretch: 0, mark: "" })
        .collect();
    // What has no date would be read as of the day above it.
    candidates.sort_by_key(|candidate| candidate.bullet.days.is_some());
    candidates.extend(spoken(lines, kind));
    if candidates.iter().any(|c| c.score >= SAID) {
        candidates.retain(|c| c.score >= SAID);
    }
    written(&choose(&candidates, target))
}

/// The lines, each day's under its date: a date before every line would take a third of the room.
fn written(chosen: &[&Candidate]) -> String {
    let mut lines = Vec::new();
    let mut under = None;
    for candidate in chosen {
        let days = candidate.bullet.days.filter(|days| Some(*days) != under);
        lines.extend(days.map(|days| days.to_string()));
        under = days.or(under);
        lines.push(candidate.line());
    }
    lines.join("\n")
}

fn spoken(lines: &[TalkLine], kind: TalkKind) -> Vec<Candidate> {
    let mut turns = lines::turns(lines.iter().map(lines::from_request));
    if turns.iter().any(|turn| !turn.is_noise) {
        turns.retain(|turn| !turn.is_noise);
    }
    let Some(first) = turns.first() else { return Vec::new() };
    let stretch_length = turns.len().div_ceil(STRETCHES).max(1);
    let remarks = remarks(&turns, space(Some(Days::one(first.at.date())), ""), kind == TalkKind::Thread);
    let candidate = |remark: &super::exchange::Remark| {
        let turn = turns.get(remark.turn)?;
        let bullet = Bullet::new(Some(Days::one(turn.at.date())), "", &remark.words)?;
        let mark = if remark.open { open_mark(&remark.words) } else { "" };
        let score = bullet.score() - bullet.announced_by_program(turn.is_program);
        Some(Candidate { score, bullet, stretch: 1 + remark.turn / stretch_length, mark })
    };
    remarks.iter().filter_map(candidate).collect()
}

impl Candidate {
    /// What it says for the room that it takes: several short lines before a long one.
    fn worth(&self) -> i64 {
        let price = i64::try_from(cost(&self.line())).unwrap_or(i64::MAX);
        let score = self.score + concreteness(self.bullet.text());
        (score + EVERY_LINE) * USUAL_LINE / price.max(1)
    }

    fn line(&self) -> String {
        format!("- {}{}", self.bullet.body, self.mark)
    }
}

/// The best candidates that fit, in their order; one that says the same as a better one is left out.
fn choose(candidates: &[Candidate], target: usize) -> Vec<&Candidate> {
    let scores: Vec<i64> = candidates.iter().map(Candidate::worth).collect();
    let levels = [
        Level::new(candidates.iter().map(|c| (c.stretch, c.bullet.speaker())), SAME_PERSON_IN_STRETCH),
        Level::new(candidates.iter().map(|c| c.stretch), SAME_STRETCH),
        Level::new(candidates.iter().map(|c| c.bullet.speaker()), SAME_PERSON),
    ];
    let room = target.max(LONGEST);
    let mut said: Vec<Said> = Vec::new();
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    let at = |chosen: &BTreeSet<usize>| chosen.iter().filter_map(|i| candidates.get(*i)).collect::<Vec<_>>();
    for i in order(&scores, &levels) {
        let Some(candidate) = candidates.get(i) else { continue };
        let words = Said::of(candidate.bullet.text());
        if said.iter().any(|other| other.is_same(&words)) {
            continue;
        }
        chosen.insert(i);
        if estimate_tokens(&written(&at(&chosen))) <= room {
            said.push(words);
        } else {
            chosen.remove(&i);
        }
    }
    at(&chosen)
}

/// What a bullet says, as it is compared with others.
struct Said {
    pairs: BTreeSet<(char, char)>,
    numbers: BTreeSet<String>,
}

impl Said {
    fn of(text: &str) -> Self {
        let folded = fold(text);
        let digits = runs(&folded).into_iter().filter(|(kind, _)| *kind == WritingSystem::Digit);
        Self { pairs: pairs(&folded), numbers: digits.map(|(_, run)| run.to_owned()).collect() }
    }

    /// Whether both say the same. With another number it is not: something was moved, or corrected.
    fn is_same(&self, other: &Self) -> bool {
        let shorter = self.pairs.len().min(other.pairs.len());
        let shared = self.pairs.intersection(&other.pairs).count();
        shorter > 0 && shared * 100 >= shorter * SAME_PERCENT && self.numbers == other.numbers
    }
}
