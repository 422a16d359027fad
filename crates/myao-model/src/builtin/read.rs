//! Takes a memory's text apart into bullets, no matter whether this model, another one or a person wrote it, or whether
//! it is talk kept word for word.

use myao_core::{
    memory::{Days, leading_days, parts_of_text},
    text::estimate_tokens,
    worth::{ARROW, speaker_of},
};

use super::{
    bullet::{Bullet, space_for_words, tidy_words},
    exchange::remarks_of_turns,
    lines::{self, SpeakerTurn},
    passages::{FillerSentences, best_of_message, join_sentences},
};

/// Bytes of a note above which it is surely too long for a bullet.
const LONGEST_NOTE: usize = 2_000;

/// The bullets of `text` in its order. A bullet without a date gets `days`, one without a channel gets `label`.
pub(super) fn bullets_of_text(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let mut found = Vec::new();
    let mut talk: Vec<SpeakerTurn> = Vec::new();
    for part in parts_of_text(text) {
        if let Some((at, name)) = part.said {
            talk.push(lines::new(at, &name, &part.text));
        } else {
            found.append(&mut bullets_of_talk(std::mem::take(&mut talk), label));
            found.append(&mut bullets_of_note(&part.text, part.under.or(days), label));
        }
    }
    found.append(&mut bullets_of_talk(talk, label));
    found
}

/// The bullets of talk kept word for word.
fn bullets_of_talk(lines: Vec<SpeakerTurn>, label: &str) -> Vec<Bullet> {
    let turns = lines::join_into_turns(lines);
    let Some(first) = turns.first() else { return Vec::new() };
    let room = space_for_words(Some(Days::one(first.at.date())), label);
    let remarks = remarks_of_turns(&turns, room, false, FillerSentences::Without);
    let day = |turn: usize| turns.get(turn).map(|turn| Days::one(turn.at.date()));
    remarks.into_iter().filter_map(|remark| Bullet::new(day(remark.turn), label, &remark.words)).collect()
}

/// The bullets of a note: the note itself if it is short enough, else its best passages.
fn bullets_of_note(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let words = tidy_words(text);
    let (own, rest) = leading_days(&words);
    let own: Vec<Option<Days>> =
        if own.is_empty() { vec![days] } else { own.into_iter().map(Some).collect() };
    let (label, words) = channel_of_note(rest, label);
    own.into_iter().flat_map(|days| place_bullets(days, label, words)).collect()
}

fn place_bullets(days: Option<Days>, label: &str, words: &str) -> Vec<Bullet> {
    let room = space_for_words(days, label);
    if fits_room(words, room) {
        return Bullet::new(days, label, words).into_iter().collect();
    }
    // Whoever says the first sentence of a note says the others too.
    let (speaker, said) = if words.contains(ARROW) { ("", words) } else { speaker_of(words) };
    let bullet = |passage: &Vec<String>| {
        // Words that begin with a date or a channel would be read back as a note of that day or channel.
        let words = tidy_words(&join_sentences(passage));
        let words = if speaker.is_empty() { words } else { format!("{speaker}: {words}") };
        let (own, rest) = if days.is_none() { leading_days(&words) } else { (Vec::new(), words.as_str()) };
        let (label, words) = channel_of_note(rest, label);
        Bullet::new(own.first().copied().or(days), label, words)
    };
    let space = room.saturating_sub(if speaker.is_empty() { 0 } else { estimate_tokens(speaker) + 2 });
    let found: Vec<Bullet> = best_of_message(said, space).iter().filter_map(bullet).collect();
    // Behind its date and channel, what was written may read like the end of a sentence. It was worth a line all the same.
    if found.is_empty() { Bullet::new(days, label, words).into_iter().collect() } else { found }
}

fn fits_room(words: &str, room: usize) -> bool {
    words.len() <= LONGEST_NOTE && estimate_tokens(words) <= room
}

/// The `#channel` that a note begins with, or `label` if that is known; and the rest of the note.
fn channel_of_note<'t>(text: &'t str, label: &'t str) -> (&'t str, &'t str) {
    match text.split_once(' ') {
        Some((own, rest)) if label.is_empty() && own.starts_with('#') && own.len() > 1 => (own, rest),
        Some(_) | None => (label, text),
    }
}
