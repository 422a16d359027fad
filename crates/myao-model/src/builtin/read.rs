//! Takes a memory's text apart into bullets, no matter whether this model, another one or a person wrote it, or whether
//! it is talk kept word for word.

use myao_core::{
    memory::{Days, leading_days, parts},
    text::estimate_tokens,
};

use super::{
    bullet::{Bullet, space, tidy_words},
    exchange::remarks,
    lines::{self, SpeakerTurn},
    passages::{FillerSentences, join, passages},
};

/// Bytes of a note above which it is surely too long for a bullet.
const LONGEST_NOTE: usize = 2_000;

/// The bullets of `text` in its order. A bullet without a date gets `days`, one without a channel gets `label`.
pub(super) fn bullets(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let mut found = Vec::new();
    let mut talk: Vec<SpeakerTurn> = Vec::new();
    for part in parts(text) {
        if let Some((at, name)) = part.said {
            talk.push(lines::new(at, &name, &part.text));
        } else {
            found.append(&mut talked(std::mem::take(&mut talk), label));
            found.append(&mut noted(&part.text, part.under.or(days), label));
        }
    }
    found.append(&mut talked(talk, label));
    found
}

/// The bullets of talk kept word for word.
fn talked(lines: Vec<SpeakerTurn>, label: &str) -> Vec<Bullet> {
    let turns = lines::turns(lines);
    let Some(first) = turns.first() else { return Vec::new() };
    let room = space(Some(Days::one(first.at.date())), label);
    let remarks = remarks(&turns, room, false, FillerSentences::Without);
    let day = |turn: usize| turns.get(turn).map(|turn| Days::one(turn.at.date()));
    remarks.into_iter().filter_map(|remark| Bullet::new(day(remark.turn), label, &remark.words)).collect()
}

/// The bullets of a note: the note itself if it is short enough, else its best passages.
fn noted(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let words = tidy_words(text);
    let (own, rest) = leading_days(&words);
    let own: Vec<Option<Days>> =
        if own.is_empty() { vec![days] } else { own.into_iter().map(Some).collect() };
    let (label, words) = channel(rest, label);
    own.into_iter().flat_map(|days| placed(days, label, words)).collect()
}

fn placed(days: Option<Days>, label: &str, words: &str) -> Vec<Bullet> {
    let room = space(days, label);
    if fits(words, room) {
        return Bullet::new(days, label, words).into_iter().collect();
    }
    let bullet = |passage: &Vec<String>| {
        // Words that begin with a date or a channel would be read back as a note of that day or channel.
        let words = tidy_words(&join(passage));
        let (own, rest) = if days.is_none() { leading_days(&words) } else { (Vec::new(), words.as_str()) };
        let (label, words) = channel(rest, label);
        Bullet::new(own.first().copied().or(days), label, words)
    };
    let found: Vec<Bullet> = passages(words, room).iter().filter_map(bullet).collect();
    // Behind its date and channel, what was written may read like the end of a sentence. It was worth a line all the same.
    if found.is_empty() { Bullet::new(days, label, words).into_iter().collect() } else { found }
}

fn fits(words: &str, room: usize) -> bool {
    words.len() <= LONGEST_NOTE && estimate_tokens(words) <= room
}

/// The `#channel` that a note begins with, or `label` if that is known; and the rest of the note.
fn channel<'t>(text: &'t str, label: &'t str) -> (&'t str, &'t str) {
    match text.split_once(' ') {
        Some((own, rest)) if label.is_empty() && own.starts_with('#') && own.len() > 1 => (own, rest),
        Some(_) | None => (label, text),
    }
}
