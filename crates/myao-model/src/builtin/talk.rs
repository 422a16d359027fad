//! Summarises talk as bullets, for the short-term memory of a chapter or thread.

use std::{cell::OnceCell, collections::BTreeMap};

use myao_core::{
    memory::Days,
    ports::TalkLine,
    worth::{ARROW, SAID, is_program, weight_of_text},
};

use super::{
    bullet::{Bullet, open_mark, space_for_words},
    choose::{Candidate, choose_that_fit, lines_by_day},
    exchange::remarks_of_turns,
    lines::{self, SpeakerTurn},
    passages::FillerSentences,
    read::bullets_of_text,
    said::Said,
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
/// Turns before a remark that it may repeat, and the weight from which on words are more than a repetition.
const ECHOED_TURNS: usize = 2;
const LONGEST_ECHO: i64 = 9;
/// Summarises `existing` and `lines` in at most `target` tokens.
pub(super) fn summarize_talk_lines(
    existing: &str,
    lines: &[TalkLine],
    kind: TalkKind,
    target: usize,
) -> String {
    let mut candidates: Vec<Candidate> = bullets_of_text(existing, None, "")
        .into_iter()
        .map(|bullet| Candidate {
            score: bullet.score(),
            by_program: is_program(bullet.speaker()),
            bullet,
            stretch: 0,
            turn: None,
            place: 0,
            mark: "",
            answered_in: None,
            is_echo: false,
            points: OnceCell::new(),
        })
        .collect();
    // Bullets without a date come first: below a date they would be read as said on that day.
    candidates.sort_by_key(|candidate| candidate.bullet.days.is_some());
    candidates.extend(candidates_of_talk(lines, kind));
    if !candidates.iter().any(|c| c.score >= SAID) {
        tell_that_somebody_spoke(&mut candidates);
    }
    lines_by_day(&choose_that_fit(&candidates, target))
}

/// If nothing worth a line was said, the memory tells at least who spoke, with the weightiest words of each of them.
fn tell_that_somebody_spoke(candidates: &mut [Candidate]) {
    let mut spoke: BTreeMap<String, (i64, std::cmp::Reverse<usize>)> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let words = (weight_of_text(candidate.bullet.text()), std::cmp::Reverse(at));
        let heaviest = spoke.entry(candidate.bullet.speaker().to_owned()).or_insert(words);
        *heaviest = (*heaviest).max(words);
    }
    for (_, std::cmp::Reverse(at)) in spoke.into_values() {
        if let Some(candidate) = candidates.get_mut(at) {
            candidate.score = candidate.score.max(SAID);
        }
    }
}

fn candidates_of_talk(lines: &[TalkLine], kind: TalkKind) -> Vec<Candidate> {
    let mut turns = lines::join_into_turns(lines.iter().map(lines::from_request));
    if turns.iter().any(|turn| !turn.is_noise) {
        turns.retain(|turn| !turn.is_noise);
    }
    let Some(first) = turns.first() else { return Vec::new() };
    let stretch_length = turns.len().div_ceil(STRETCHES).max(1);
    let room = space_for_words(Some(Days::one(first.at.date())), "");
    let remarks = remarks_of_turns(&turns, room, kind == TalkKind::Thread, FillerSentences::With);
    let candidate = |(place, remark): (usize, &super::exchange::Remark)| {
        let turn = turns.get(remark.turn)?;
        let bullet = Bullet::new(Some(Days::one(turn.at.date())), "", &remark.words)?;
        let mark = if remark.open { open_mark(&remark.words) } else { "" };
        let score = bullet.score() - bullet.announced_by_program(turn.is_program);
        let stretch = 1 + remark.turn / stretch_length;
        let by_program = turn.is_program;
        let turn = Some(remark.turn);
        let is_echo = is_echo(&turns, remark.turn, bullet.text());
        let answered_in = remark.answered_in;
        let points = OnceCell::new();
        Some(Candidate {
            score,
            bullet,
            by_program,
            stretch,
            turn,
            place,
            mark,
            answered_in,
            is_echo,
            points,
        })
    };
    remarks.iter().enumerate().filter_map(candidate).collect()
}

/// Whether words of turn `at` are few, and only say again what others said right before.
fn is_echo(turns: &[SpeakerTurn], at: usize, words: &str) -> bool {
    if weight_of_text(words) >= LONGEST_ECHO || words.contains(ARROW) {
        return false;
    }
    let speaker = turns.get(at).map(|turn| turn.called.as_str());
    let before = turns.iter().take(at).rev().take(ECHOED_TURNS);
    let others: Vec<&str> =
        before.filter(|turn| Some(turn.called.as_str()) != speaker).map(|turn| turn.text.as_str()).collect();
    !others.is_empty() && Said::of(words).is_echo_of(&Said::of(&others.join("\n")))
}
