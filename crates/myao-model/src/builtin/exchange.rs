//! Turns talk into remarks: questions joined with their answers, open questions, and other passages.

use myao_core::{
    text::{Lexicon, estimate_tokens, fold_for_comparison, head_of_text},
    worth::{ARROW, WORTH, is_question, is_said, points_of_text, weight_of_text},
};

use super::{
    answers::{IndexedTalk, TurnAnswer},
    bullet::tidy_words,
    condense::condense,
    dates::explain_relative_days,
    lines::SpeakerTurn,
    parts::TITLES,
    passages::{FillerSentences, Passage, best_with_filling, condense_sentences, join_sentences},
    replies::is_verdict,
    together::FollowUp,
    vocative::Pair,
};

/// Points that a question needs to be marked as open; an answered one needs fewer.
const OPEN: i64 = WORTH;
static RESTRICTING: Lexicon = Lexicon::of_all("passages.restricting");
/// The least weight of a question that is told apart from its answer.
const LEAST_QUESTION: i64 = 4;
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
    /// The turn without which it is not told, if it asks: that turn seems to answer it.
    pub(super) answered_in: Option<usize>,
}

/// The remarks of talk, in its order, each of at most about `room` tokens: exchanges, open questions, and
/// other passages. `ended` says that the last turn is known to be the last.
pub(super) fn remarks_of_turns(
    turns: &[SpeakerTurn],
    room: usize,
    ended: bool,
    filling: FillerSentences,
) -> Vec<Remark> {
    let scene = IndexedTalk::new(turns);
    let pair = Pair::of(turns);
    let room_of = |turn: &SpeakerTurn| room.saturating_sub(estimate_tokens(&turn.name) + 2);
    let mut passages: Vec<Vec<Passage>> =
        turns.iter().map(|turn| best_with_filling(filling, &turn.text, room_of(turn))).collect();
    let mut remarks = Vec::new();
    for (question, answer) in scene.exchanges() {
        let (Some(asker), Some(other)) = (turns.get(question.turn), turns.get(answer.turn)) else { continue };
        // A sentence that is in no passage of its turn, or has been used already, is skipped here too.
        let own = passages.get(question.turn);
        let is_there =
            own.zip(question.sentences.first()).is_some_and(|(own, first)| passages_hold(own, first));
        let told = is_there
            .then(|| quote_exchange_shortened(asker, &question.sentences, other, &answer, room))
            .flatten();
        let Some(words) = told else { continue };
        for sentence in &question.sentences {
            take_out(passages.get_mut(question.turn), sentence);
        }
        for sentence in &answer.sentences {
            take_out(passages.get_mut(answer.turn), sentence);
        }
        remarks.push(Remark::new(question.turn, words));
    }
    for (i, turn) in turns.iter().enumerate() {
        let Some((points, question)) = passages.get(i).and_then(|own| best_question(own)) else { continue };
        if points >= OPEN && scene.is_open(i, &question, ended) {
            take_out(passages.get_mut(i), &question);
            let words = words_with_speaker(turn, &words_with_dates(turn, &in_few_words(&question)));
            remarks.push(Remark { open: true, ..Remark::new(i, words) });
        }
    }
    for (i, (turn, own)) in turns.iter().zip(passages).enumerate() {
        for passage in own {
            let words = condense_sentences(&passage);
            let follow_up = passage.last().filter(|sentence| is_question(sentence));
            let follow_up = follow_up.map(|question| scene.follow_up(i, question));
            let is_too_short = follow_up.is_some() && weight_of_text(&words) < LEAST_QUESTION;
            if words.is_empty() || is_too_short || follow_up == Some(FollowUp::Unknown) {
                continue;
            }
            let bare = pair.as_ref().map(|pair| pair.without_calls(turn, &words));
            let words = words_with_speaker(turn, &words_with_dates(turn, bare.as_deref().unwrap_or(&words)));
            let answered_in = follow_up.and_then(|follow_up| match follow_up {
                FollowUp::Turn(turn) => Some(turn),
                FollowUp::Nothing | FollowUp::Unknown => None,
            });
            remarks.push(Remark { answered_in, ..Remark::new(i, words) });
        }
    }
    if remarks.is_empty() {
        remarks.extend(anything_said(turns));
    }
    remarks.sort_by_key(|remark| remark.turn);
    remarks
}

impl Remark {
    fn new(turn: usize, words: String) -> Self {
        Self { turn, words, open: false, answered_in: None }
    }
}

/// What was said if nothing is worth quoting, such as a greeting or a sign: a memory says at least that somebody spoke.
fn anything_said(turns: &[SpeakerTurn]) -> Option<Remark> {
    let spoken = turns.iter().enumerate().filter(|(_, turn)| !turn.text.trim().is_empty());
    let (at, turn) = spoken.max_by_key(|(at, turn)| (weight_of_text(&turn.text), std::cmp::Reverse(*at)))?;
    let words = tidy_words(head_of_text(&turn.text, LONGEST_ANYTHING));
    let words = if words.is_empty() { "…" } else { &words };
    Some(Remark::new(at, words_with_speaker(turn, words)))
}

fn words_with_speaker(turn: &SpeakerTurn, words: &str) -> String {
    format!("{}: {words}", turn.name)
}

/// Words with the dates that `tomorrow` and the like meant when they were said.
fn words_with_dates(turn: &SpeakerTurn, words: &str) -> String {
    explain_relative_days(words, turn.at.date())
}

/// A sentence in few words; unchanged if it consists of courtesies only.
fn in_few_words(sentence: &str) -> String {
    let short = condense(sentence);
    if short.is_empty() { sentence.to_owned() } else { short }
}

/// The question with the most points, the first among equals.
fn best_question(passages: &[Passage]) -> Option<(i64, String)> {
    let questions = passages.iter().flatten().filter(|sentence| is_question(sentence));
    let best = questions.map(|sentence| (points_of_text(sentence), std::cmp::Reverse(sentence))).max();
    best.map(|(points, std::cmp::Reverse(sentence))| (points, sentence.clone()))
}

/// `asker: question → name: answer` in few words; `None` if there is too little room. A part of an answer would not do: it
/// may be about another matter, or lack what restricts it.
fn quote_exchange_shortened(
    asker: &SpeakerTurn,
    question: &[String],
    other: &SpeakerTurn,
    answer: &TurnAnswer,
    room: usize,
) -> Option<String> {
    let short: Vec<String> = question.iter().map(|sentence| in_few_words(sentence)).collect();
    let begin = format!(
        "{}{ARROW}{}: ",
        words_with_speaker(asker, &words_with_dates(asker, &join_sentences(&short))),
        other.name
    );
    let left = room.checked_sub(estimate_tokens(&begin) + 1)?;
    let short = |sentence: &String| in_few_words(without_call(sentence, &asker.called));
    let all: Vec<String> = answer.sentences.iter().map(short).collect();
    let told = |some: &[String]| words_with_dates(other, &join_sentences(some));
    let fits = |words: &String| estimate_tokens(words) <= left;
    if answer.is_first_enough {
        let most = (1..=all.len()).rev().filter(|most| ends_there(&all, *most));
        let mut parts = most.filter_map(|most| all.get(..most)).map(told);
        return parts.find(fits).map(|words| format!("{begin}{words}"));
    }
    let words = told(&all);
    (is_said(&words) && fits(&words)).then(|| format!("{begin}{words}"))
}

/// Whether the first sentences of an answer may stand without the next one: it takes nothing back, and they are more than
/// yes or no, unless that is all.
fn ends_there(all: &[String], most: usize) -> bool {
    let Some(next) = all.get(most) else { return true };
    let next = fold_for_comparison(next);
    let is_enough = all
        .get(..most)
        .is_some_and(|some| some.iter().any(|said| !is_verdict(said) || weight_of_text(said) > 4));
    is_enough && !RESTRICTING.iter().any(|word| next.starts_with(word))
}

/// An answer without the `@name` that calls the asker, who is named right before it.
fn without_call<'t>(sentence: &'t str, called: &str) -> &'t str {
    let rest = sentence.trim_start();
    let name = rest.strip_prefix('@').unwrap_or(rest).split([' ', ':', ',', '、']).next().unwrap_or_default();
    let bare = TITLES.iter().find_map(|title| name.strip_suffix(title)).unwrap_or(name);
    if bare.is_empty() || fold_for_comparison(bare) != called {
        return sentence;
    }
    let after = rest.trim_start_matches('@').get(name.len()..).unwrap_or_default();
    after.trim_start_matches([' ', ':', ',', '、'])
}

fn passages_hold(passages: &[Passage], sentence: &str) -> bool {
    passages.iter().flatten().any(|own| own.contains(sentence))
}

/// Removes a sentence that is used elsewhere.
fn take_out(passages: Option<&mut Vec<Passage>>, sentence: &str) {
    let Some(passages) = passages else { return };
    passages.retain_mut(|passage| {
        let before = passage.len();
        passage.retain(|own| own != sentence);
        passage.len() == before || is_said(&join_sentences(passage))
    });
}
