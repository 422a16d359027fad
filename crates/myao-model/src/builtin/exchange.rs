//! Turns talk into remarks: questions joined with their answers, open questions, and other passages.

use myao_core::{
    prompt::estimate_tokens,
    text::{fold, head},
    worth::{ARROW, WORTH, is_question, is_said, score, weight},
};

use super::{
    answers::{IndexedTalk, TurnAnswer},
    bullet::tidy_words,
    condense::condense,
    dates::with_dates,
    lines::SpeakerTurn,
    parts::TITLES,
    passages::{Passage, condensed, join, passages},
    vocative::Pair,
};

/// Points that a question needs to be marked as open; an answered one needs fewer.
const OPEN: i64 = WORTH;
/// Most characters of the message that is quoted when none is worth it.
const LONGEST_ANYTHING: usize = 200;

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
    let pair = Pair::of(turns);
    let room_of = |turn: &SpeakerTurn| room.saturating_sub(estimate_tokens(&turn.name) + 2);
    let mut passages: Vec<Vec<Passage>> =
        turns.iter().map(|turn| passages(&turn.text, room_of(turn))).collect();
    let mut remarks = Vec::new();
    for (question, answer) in scene.exchanges() {
        let (Some(asker), Some(other)) = (turns.get(question.turn), turns.get(answer.turn)) else { continue };
        // A sentence that is in no passage of its turn, or has been used already, is skipped here too.
        let own = passages.get(question.turn);
        let is_there = own.zip(question.sentences.first()).is_some_and(|(own, first)| holds(own, first));
        let told = is_there.then(|| exchange(asker, &question.sentences, other, &answer, room)).flatten();
        let Some(words) = told else { continue };
        for sentence in &question.sentences {
            take_out(passages.get_mut(question.turn), sentence);
        }
        for sentence in &answer.sentences {
            take_out(passages.get_mut(answer.turn), sentence);
        }
        remarks.push(Remark { turn: question.turn, words, open: false });
    }
    for (i, turn) in turns.iter().enumerate() {
        let Some((points, question)) = passages.get(i).and_then(|own| best_question(own)) else { continue };
        if points >= OPEN && scene.is_open(i, &question, ended) {
            take_out(passages.get_mut(i), &question);
            remarks.push(Remark {
                turn: i,
                words: said(turn, &told(turn, &in_few_words(&question))),
                open: true,
            });
        }
    }
    for (i, (turn, own)) in turns.iter().zip(passages).enumerate() {
        for words in own.iter().map(|passage| condensed(passage)).filter(|words| !words.is_empty()) {
            let bare = pair.as_ref().map(|pair| pair.without_calls(turn, &words));
            let words = said(turn, &told(turn, bare.as_deref().unwrap_or(&words)));
            remarks.push(Remark { turn: i, words, open: false });
        }
    }
    if remarks.is_empty() {
        remarks.extend(anything(turns));
    }
    remarks.sort_by_key(|remark| remark.turn);
    remarks
}

/// What was said if nothing is worth quoting, such as a greeting or a sign: a memory says at least that somebody spoke.
fn anything(turns: &[SpeakerTurn]) -> Option<Remark> {
    let spoken = turns.iter().enumerate().filter(|(_, turn)| !turn.text.trim().is_empty());
    let (at, turn) = spoken.max_by_key(|(at, turn)| (weight(&turn.text), std::cmp::Reverse(*at)))?;
    let words = tidy_words(head(&turn.text, LONGEST_ANYTHING));
    let words = if words.is_empty() { "…" } else { &words };
    Some(Remark { turn: at, words: said(turn, words), open: false })
}

fn said(turn: &SpeakerTurn, words: &str) -> String {
    format!("{}: {words}", turn.name)
}

/// Words with the dates that `tomorrow` and the like meant when they were said.
fn told(turn: &SpeakerTurn, words: &str) -> String {
    with_dates(words, turn.at.date())
}

/// A sentence in few words; unchanged if it consists of courtesies only.
fn in_few_words(sentence: &str) -> String {
    let short = condense(sentence);
    if short.is_empty() { sentence.to_owned() } else { short }
}

/// The question with the most points, the first among equals.
fn best_question(passages: &[Passage]) -> Option<(i64, String)> {
    let questions = passages.iter().flatten().filter(|sentence| is_question(sentence));
    let best = questions.map(|sentence| (score(sentence), std::cmp::Reverse(sentence))).max();
    best.map(|(points, std::cmp::Reverse(sentence))| (points, sentence.clone()))
}

/// `asker: question → name: answer` in few words; `None` if there is too little room. A part of an answer would not do: it
/// may be about another matter, or lack what restricts it.
fn exchange(
    asker: &SpeakerTurn,
    question: &[String],
    other: &SpeakerTurn,
    answer: &TurnAnswer,
    room: usize,
) -> Option<String> {
    let short: Vec<String> = question.iter().map(|sentence| in_few_words(sentence)).collect();
    let begin = format!("{}{ARROW}{}: ", said(asker, &told(asker, &join(&short))), other.name);
    let left = room.checked_sub(estimate_tokens(&begin) + 1)?;
    let short = |sentence: &String| in_few_words(without_call(sentence, &asker.called));
    let words = told(other, &join(&answer.sentences.iter().map(short).collect::<Vec<_>>()));
    let is_whole = is_said(&words) && estimate_tokens(&words) <= left;
    is_whole.then(|| format!("{begin}{words}"))
}

/// An answer without the `@name` that calls the asker, who is named right before it.
fn without_call<'t>(sentence: &'t str, called: &str) -> &'t str {
    let rest = sentence.trim_start();
    let name = rest.strip_prefix('@').unwrap_or(rest).split([' ', ':', ',', '、']).next().unwrap_or_default();
    let bare = TITLES.iter().find_map(|title| name.strip_suffix(title)).unwrap_or(name);
    if bare.is_empty() || fold(bare) != called {
        return sentence;
    }
    let after = rest.trim_start_matches('@').get(name.len()..).unwrap_or_default();
    after.trim_start_matches([' ', ':', ',', '、'])
}

fn holds(passages: &[Passage], sentence: &str) -> bool {
    passages.iter().flatten().any(|own| own.contains(sentence))
}

/// Removes a sentence that is used elsewhere.
fn take_out(passages: Option<&mut Vec<Passage>>, sentence: &str) {
    let Some(passages) = passages else { return };
    for passage in &mut *passages {
        passage.retain(|own| own != sentence);
    }
    passages.retain(|passage| is_said(&join(passage)));
}
