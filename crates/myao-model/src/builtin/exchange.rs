//! Turns talk into remarks: questions joined with their answers, open questions, and other passages.

use myao_core::prompt::estimate_tokens;

use super::{
    answers::{IndexedTalk, TurnAnswer},
    bullet::ARROW,
    lines::SpeakerTurn,
    passages::passages,
    score::{WORTH, is_question, is_said, score},
    sentences,
    text::{clip, one_line},
};

/// Tokens that an answer needs behind its question; with less room it is a remark by itself.
const LEAST_ANSWER_TOKENS: usize = 16;
/// Points that a question needs to be marked as open; an answered one needs fewer.
const OPEN: i64 = WORTH;

/// The words of a future bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    /// The turn it begins in.
    pub(super) turn: usize,
    /// `name: words`, and for an exchange ` → name: words` behind it.
    pub(super) words: String,
    /// Whether it asks and nobody answered.
    pub(super) open: bool,
}

/// The remarks of talk, in its order, each of at most about `room` tokens: exchanges, open questions, and
/// other passages. `ended` says that the last turn is known to be the last.
pub(super) fn remarks(turns: &[SpeakerTurn], room: usize, ended: bool) -> Vec<Remark> {
    let scene = IndexedTalk::new(turns);
    let room_of = |turn: &SpeakerTurn| room.saturating_sub(estimate_tokens(&turn.name) + 2);
    let mut stretches: Vec<Vec<String>> =
        turns.iter().map(|turn| passages(&turn.text, room_of(turn))).collect();
    let mut remarks = Vec::new();
    for (question, answer) in scene.exchanges() {
        let (Some(asker), Some(other)) = (turns.get(question.turn), turns.get(answer.turn)) else { continue };
        // A sentence that is in no passage of its turn, or has been used already, is skipped here too.
        let is_there = stretches.get(question.turn).is_some_and(|own| holds(own, &question.words));
        let told = is_there.then(|| exchange(&said(asker, &question.words), other, &answer, room)).flatten();
        let Some((words, used)) = told else { continue };
        take_out(stretches.get_mut(question.turn), &question.words);
        for sentence in &used {
            take_out(stretches.get_mut(answer.turn), sentence);
        }
        remarks.push(Remark { turn: question.turn, words, open: false });
    }
    for (i, turn) in turns.iter().enumerate() {
        let Some((points, question)) = stretches.get(i).and_then(|own| best_question(own)) else { continue };
        if points >= OPEN && scene.is_open(i, &question, ended) {
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

fn said(turn: &SpeakerTurn, words: &str) -> String {
    format!("{}: {words}", turn.name)
}

/// The question with the most points, the first among equals.
fn best_question(stretches: &[String]) -> Option<(i64, String)> {
    let all = stretches.iter().flat_map(|stretch| sentences::split(stretch));
    let questions = all.filter(|sentence| is_question(sentence));
    let best = questions.map(|sentence| (score(sentence), std::cmp::Reverse(sentence))).max();
    best.map(|(points, std::cmp::Reverse(sentence))| (points, sentence.to_owned()))
}

/// `question → name: answer` with as much of the answer's beginning as there is room for, and the sentences used;
/// `None` if there is too little room.
fn exchange(
    question: &str,
    other: &SpeakerTurn,
    answer: &TurnAnswer,
    room: usize,
) -> Option<(String, Vec<String>)> {
    let begin = format!("{question}{ARROW}{}: ", other.name);
    let left = room.checked_sub(estimate_tokens(&begin) + 1)?;
    let mut words = String::new();
    let mut used = Vec::new();
    for sentence in &answer.sentences {
        let longer = if words.is_empty() { sentence.clone() } else { format!("{words} {sentence}") };
        if !words.is_empty() && estimate_tokens(&longer) > left {
            break;
        }
        words = longer;
        used.push(sentence.clone());
    }
    let enough = is_said(&words) && left >= estimate_tokens(&words).min(LEAST_ANSWER_TOKENS);
    enough.then(|| (format!("{begin}{}", clip(&words, left)), used))
}

fn holds(stretches: &[String], sentence: &str) -> bool {
    stretches.iter().any(|stretch| stretch.contains(sentence))
}

/// Removes a sentence that is used elsewhere.
fn take_out(stretches: Option<&mut Vec<String>>, sentence: &str) {
    let Some(stretches) = stretches else { return };
    for stretch in &mut *stretches {
        if stretch.contains(sentence) {
            *stretch = one_line(&stretch.replacen(sentence, " ", 1));
        }
    }
    stretches.retain(|stretch| is_said(stretch));
}
