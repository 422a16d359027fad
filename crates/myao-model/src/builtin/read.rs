//! Takes a memory's text apart into bullets, whoever wrote it: this model, another one, a person, or talk kept word for
//! word.

use jiff::civil::Date;
use myao_core::prompt::estimate_tokens;

use super::{
    bullet::{Bullet, Days, after_head, space, tidy_words},
    exchange::remarks,
    lines::{self, SpeakerTurn},
    passages::{join, passages},
};

/// Bytes of a note above which it is surely too long for a bullet.
const LONGEST_NOTE: usize = 2_000;

/// A piece of a memory's text.
enum MemoryPiece {
    /// `[2026-03-02 10:15] hana: …` with its continuation lines.
    Talk(SpeakerTurn),
    /// A bullet or paragraph, under the date of the heading above it.
    Note { under: Option<Days>, text: String },
}

/// The bullets of `text` in its order. A bullet without a date gets `days`, one without a channel gets `label`.
pub(super) fn bullets(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let mut found = Vec::new();
    let mut talk: Vec<SpeakerTurn> = Vec::new();
    for piece in pieces(text) {
        match piece {
            MemoryPiece::Talk(turn) => talk.push(turn),
            MemoryPiece::Note { under, text } => {
                found.append(&mut talked(std::mem::take(&mut talk), label));
                found.append(&mut noted(&text, under.or(days), label));
            }
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
    let remarks = remarks(&turns, room, false);
    let day = |turn: usize| turns.get(turn).map(|turn| Days::one(turn.at.date()));
    remarks.into_iter().filter_map(|remark| Bullet::new(day(remark.turn), label, &remark.words)).collect()
}

/// The bullets of a note: the note itself if it is short enough, else its best passages.
fn noted(text: &str, days: Option<Days>, label: &str) -> Vec<Bullet> {
    let words = tidy_words(text);
    let (own, rest) = dates(&words);
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
        let (own, rest) = if days.is_none() { dates(&words) } else { (Vec::new(), words.as_str()) };
        let (label, words) = channel(rest, label);
        Bullet::new(own.first().copied().or(days), label, words)
    };
    passages(words, room).iter().filter_map(bullet).collect()
}

fn fits(words: &str, room: usize) -> bool {
    words.len() <= LONGEST_NOTE && estimate_tokens(words) <= room
}

fn pieces(text: &str) -> Vec<MemoryPiece> {
    let mut pieces: Vec<MemoryPiece> = Vec::new();
    let (mut under, mut open) = (None, false);
    for line in text.lines() {
        let bare = line.trim();
        let indented = line.starts_with("  ");
        if indented && let Some(MemoryPiece::Talk(turn)) = pieces.last_mut() {
            turn.text.push('\n');
            turn.text.push_str(line.strip_prefix("  ").unwrap_or(line));
        } else if bare.is_empty() {
            open = false;
        } else if let Some(turn) = talk_line(line) {
            pieces.push(MemoryPiece::Talk(turn));
        } else if let Some(title) = heading(bare) {
            under = dates(title).0.first().copied();
            open = false;
        } else if let Some(day) = only_a_day(bare) {
            under = Some(day);
            open = false;
        } else if let Some(words) = marked(bare) {
            pieces.push(MemoryPiece::Note { under, text: words.to_owned() });
            open = true;
        } else if open && let Some(MemoryPiece::Note { text, .. }) = pieces.last_mut() {
            text.push('\n');
            text.push_str(bare);
        } else {
            pieces.push(MemoryPiece::Note { under, text: bare.to_owned() });
            open = true;
        }
    }
    pieces
}

/// `[YYYY-MM-DD HH:MM] name: text` (SPEC §2.4).
fn talk_line(line: &str) -> Option<SpeakerTurn> {
    let (when, said) = line.strip_prefix('[')?.split_once("] ")?;
    let (name, text) = said.split_once(": ").or_else(|| said.strip_suffix(':').map(|name| (name, "")))?;
    Some(lines::new(lines::parse_when(when)?, name, text))
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let depth = line.len() - title.len();
    ((1..=6).contains(&depth) && title.starts_with(' ')).then(|| title.trim())
}

/// The day or days that are all of a line: what follows happened then.
fn only_a_day(line: &str) -> Option<Days> {
    let (found, rest) = dates(line);
    found.first().copied().filter(|_| rest.is_empty() && line.starts_with(|c: char| c.is_ascii_digit()))
}

/// The words behind a bullet's mark or number.
fn marked(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "• ", "・", "– "].iter().find_map(|mark| line.strip_prefix(mark));
    bullet.map(str::trim_start).or_else(|| {
        let number = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.get(number..)?;
        (1..=3)
            .contains(&number)
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    })
}

/// The dates a note begins with, `2026-03-02`, `2026-03-02..2026-03-09` or several with commas, and the rest.
fn dates(text: &str) -> (Vec<Days>, &str) {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(['*', '[', '(', ' ', '【', '（']);
    while let Some((from, after)) = date(rest) {
        let range = after.strip_prefix("..").and_then(date).filter(|(to, _)| *to >= from);
        let (days, after) = match range {
            Some((to, after)) => (Days { from, to }, after),
            None => (Days::one(from), after),
        };
        found.push(days);
        rest = after;
        match after.strip_prefix(", ").filter(|next| date(next).is_some()) {
            Some(next) => rest = next,
            None => break,
        }
    }
    if found.is_empty() { (found, text) } else { (found, after_head(rest)) }
}

/// `2026-03-02`, `2026/3/2` or `2026年3月2日`, and what follows.
pub(super) fn date(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix(['-', '/', '年'])?, 2)?;
    let (day, rest) = number(rest.strip_prefix(['-', '/', '月'])?, 2)?;
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let rest = rest.strip_prefix('日').unwrap_or(rest);
    // Chats are not that old, and dates are written with four digits of the year.
    (year >= 1000 && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some((date, rest))
}

fn number(text: &str, most_digits: usize) -> Option<(i16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits.min(most_digits))?;
    Some((number.parse().ok()?, text.get(number.len()..)?))
}

/// The `#channel` a note begins with, unless it is known to be of `label`'s, and the rest.
fn channel<'t>(text: &'t str, label: &'t str) -> (&'t str, &'t str) {
    match text.split_once(' ') {
        Some((own, rest)) if label.is_empty() && own.starts_with('#') && own.len() > 1 => (own, rest),
        Some(_) | None => (label, text),
    }
}
