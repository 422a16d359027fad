//! Summarises talk as bullets, for the short-term memory of a chapter or thread.

use std::collections::BTreeSet;

use myao_core::ports::TalkLine;

use super::{
    bullet::{Bullet, Days, LONGEST, cost, open_mark, space},
    exchange::remarks,
    lines,
    read::bullets,
    score::SAID,
    select::{Level, order},
    text::{fold, pairs},
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
    candidates.extend(spoken(lines, kind));
    if candidates.iter().any(|c| c.score >= SAID) {
        candidates.retain(|c| c.score >= SAID);
    }
    let written: Vec<String> = choose(&candidates, target).iter().map(|c| c.line()).collect();
    written.join("\n")
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
    fn line(&self) -> String {
        format!("{}{}", self.bullet.render(), self.mark)
    }
}

/// The best candidates that fit, in their order; one that says the same as a better one is left out.
fn choose(candidates: &[Candidate], target: usize) -> Vec<&Candidate> {
    let scores: Vec<i64> = candidates.iter().map(|c| c.score).collect();
    let levels = [
        Level::new(candidates.iter().map(|c| (c.stretch, c.bullet.speaker())), SAME_PERSON_IN_STRETCH),
        Level::new(candidates.iter().map(|c| c.stretch), SAME_STRETCH),
        Level::new(candidates.iter().map(|c| c.bullet.speaker()), SAME_PERSON),
    ];
    let mut left = target.max(LONGEST);
    let mut said: Vec<BTreeSet<(char, char)>> = Vec::new();
    let mut chosen: Vec<usize> = Vec::new();
    for i in order(&scores, &levels) {
        let Some(candidate) = candidates.get(i) else { continue };
        let pairs = pairs(&fold(candidate.bullet.text()));
        let price = cost(&candidate.line());
        if price <= left && !said.iter().any(|other| same(other, &pairs)) {
            left -= price;
            said.push(pairs);
            chosen.push(i);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|i| candidates.get(i)).collect()
}

fn same(one: &BTreeSet<(char, char)>, other: &BTreeSet<(char, char)>) -> bool {
    let shorter = one.len().min(other.len());
    shorter > 0 && one.intersection(other).count() * 100 >= shorter * SAME_PERCENT
}
