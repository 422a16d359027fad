//! Summarises talk as bullets, for the short-term memory of a chapter or thread.

use myao_core::{
    memory::Days,
    ports::TalkLine,
    worth::{SAID, is_program},
};

use super::{
    bullet::{Bullet, open_mark, space},
    choose::{Candidate, choose, written},
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
/// Summarises `existing` and `lines` in at most `target` tokens.
pub(super) fn summarize(existing: &str, lines: &[TalkLine], kind: TalkKind, target: usize) -> String {
    let mut candidates: Vec<Candidate> = bullets(existing, None, "")
        .into_iter()
        .map(|bullet| Candidate {
            score: bullet.score(),
            by_program: is_program(bullet.speaker()),
            bullet,
            stretch: 0,
            turn: None,
            place: 0,
            mark: "",
        })
        .collect();
    // Bullets without a date come first: below a date they would be read as said on that day.
    candidates.sort_by_key(|candidate| candidate.bullet.days.is_some());
    candidates.extend(spoken(lines, kind));
    // If nothing worth a line was said, the memory tells at least that somebody spoke.
    if !candidates.iter().any(|c| c.score >= SAID) {
        for candidate in &mut candidates {
            candidate.score = candidate.score.max(SAID);
        }
    }
    written(&choose(&candidates, target))
}

fn spoken(lines: &[TalkLine], kind: TalkKind) -> Vec<Candidate> {
    let mut turns = lines::turns(lines.iter().map(lines::from_request));
    if turns.iter().any(|turn| !turn.is_noise) {
        turns.retain(|turn| !turn.is_noise);
    }
    let Some(first) = turns.first() else { return Vec::new() };
    let stretch_length = turns.len().div_ceil(STRETCHES).max(1);
    let remarks = remarks(&turns, space(Some(Days::one(first.at.date())), ""), kind == TalkKind::Thread);
    let candidate = |(place, remark): (usize, &super::exchange::Remark)| {
        let turn = turns.get(remark.turn)?;
        let bullet = Bullet::new(Some(Days::one(turn.at.date())), "", &remark.words)?;
        let mark = if remark.open { open_mark(&remark.words) } else { "" };
        let score = bullet.score() - bullet.announced_by_program(turn.is_program);
        let stretch = 1 + remark.turn / stretch_length;
        let (by_program, turn) = (turn.is_program, Some(remark.turn));
        Some(Candidate { score, bullet, by_program, stretch, turn, place, mark })
    };
    remarks.iter().enumerate().filter_map(candidate).collect()
}
