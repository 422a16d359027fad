//! What people put right in memories, and how it is said again in texts that are written later: a text that is made anew from
//! the same talk says the old thing again (ADR 136).
//!
//! A correction knows what it replaces by a number that is made from its letters, so nothing that was wrong, and perhaps is
//! to be gone, is kept in it.

use std::collections::BTreeSet;

use jiff::civil::Date;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{
    line::{TextPart, leading_days, parts_of_text},
    reworded::states_what_was_replaced,
};
use crate::{
    text::{
        fold_for_comparison, key_of_term, letter_pairs, letters_and_digits, name_as_label, one_line,
        terms_of_text,
    },
    worth::speaker_of,
};

/// Up to so many statements are put right or struck out at once. Who changed more may have written the text anew, or made
/// it shorter: then only what is much like the statement before it puts that right.
const MOST_AT_ONCE: usize = 3;
/// How many of their pairs of letters two statements that are much alike share at least, in percent.
const ALIKE_PERCENT: usize = 60;

/// Tells a statement by its letters and digits alone, without its day, its bullet and the marks between its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementKey(pub i64);

impl StatementKey {
    /// The key of some words; `None` if they hold no letter and no digit.
    fn of(words: &str) -> Option<Self> {
        let letters = letters_and_digits(&fold_for_comparison(words));
        (!letters.is_empty()).then(|| Self(key_of_term(&letters)))
    }
}

/// A statement that somebody put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What was wrong; `None` once that is not to be known any more.
    pub replaced: Option<StatementKey>,
    /// The keys of the terms of what was wrong ([`key_of_term`]); none once it is not to be known any more.
    pub replaced_terms: BTreeSet<i64>,
    /// What holds instead, one statement a line; empty if the statement was struck out.
    pub words: String,
    /// Who put it right.
    pub actor: String,
    /// The day on which they did (UTC).
    pub day: Date,
    /// The mark behind what was wrong, which stays, since somebody else said it; `None` if it goes.
    pub mark: Option<String>,
}

/// A statement that somebody replaced in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedStatement {
    /// What stood there.
    pub replaced: StatementKey,
    /// The keys of the terms of what stood there ([`key_of_term`]): once one of them is said no more, it is not to be known.
    pub terms: BTreeSet<i64>,
    /// What stands there now, one statement a line; empty if nothing does.
    pub words: String,
}

impl ReplacedStatement {
    /// What stands instead of these words; `None` if they hold no letter and no digit.
    pub fn of(replaced: &str, words: String) -> Option<Self> {
        let terms = terms_of_text(replaced).iter().map(|term| key_of_term(term)).collect();
        Some(Self { replaced: StatementKey::of(replaced)?, terms, words })
    }
}

/// A text with everything in it put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPutRight {
    /// The text.
    pub text: String,
    /// The places of the corrections that it was made with: those that changed it, and those whose words stand in it.
    pub used: Vec<usize>,
}

/// Which statements of a text somebody replaced or struck out by changing it. What they only added is none; where they
/// changed many, only what is much like the statement before it counts.
pub fn replaced_statements(before: &str, after: &str) -> Vec<ReplacedStatement> {
    let (old, new) = (parts_of_text(before), parts_of_text(after));
    let whole = |part: &TextPart| {
        let said = part.said.as_ref().map(|(at, name)| format!("{at} {name}: ")).unwrap_or_default();
        format!("{said}{}", part.text)
    };
    let old_words: Vec<String> = old.iter().map(whole).collect();
    let new_words: Vec<String> = new.iter().map(whole).collect();
    let mut replaced: Vec<(bool, ReplacedStatement)> = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
        if matches!(change, DiffOp::Equal { .. } | DiffOp::Insert { .. }) {
            continue;
        }
        let gone = old.get(change.old_range()).unwrap_or_default();
        let mut instead = new.get(change.new_range()).unwrap_or_default();
        for (at, part) in gone.iter().enumerate() {
            // What stands at the end of the change instead of more statements belongs to the last of them.
            let own = if at + 1 == gone.len() { instead.len() } else { instead.len().min(1) };
            let (taken, rest) = instead.split_at_checked(own).unwrap_or((instead, &[]));
            instead = rest;
            let is_alike = taken.first().is_some_and(|new| are_alike(&part.text, &new.text));
            replaced.extend(replaced_by(part, taken).map(|statement| (is_alike, statement)));
        }
    }
    let is_pointed = replaced.len() <= MOST_AT_ONCE;
    let counts = |(is_alike, _): &(bool, ReplacedStatement)| is_pointed || *is_alike;
    replaced.into_iter().filter(counts).map(|(_, statement)| statement).collect()
}

/// Whether two statements are much alike, as a statement is to itself with another value.
fn are_alike(old: &str, new: &str) -> bool {
    let pairs = |words: &str| letter_pairs(&fold_for_comparison(words));
    let (old, new) = (pairs(old), pairs(new));
    let shared = old.intersection(&new).count() * 2;
    shared * 100 >= (old.len() + new.len()).max(1) * ALIKE_PERCENT
}

/// What was put right where these parts of a text stand instead of another; `None` if they only say more, or the same with
/// other marks.
fn replaced_by(old: &TextPart, new: &[TextPart]) -> Option<ReplacedStatement> {
    let gone = body_of(&old.text);
    let words = new.iter().map(|part| one_line(&part.text)).collect::<Vec<_>>().join("\n");
    let [only] = new else { return ReplacedStatement::of(gone, words) };
    let instead = body_of(&only.text);
    if StatementKey::of(gone) == StatementKey::of(instead) {
        let (before, after) = (words_with_speaker(old), words_with_speaker(only));
        let is_same = StatementKey::of(&before) == StatementKey::of(&after);
        return if is_same { None } else { ReplacedStatement::of(&before, words) };
    }
    let (before, after) = (sentences_of(gone), sentences_of(instead));
    let left = |all: &[&str], others: &[&str]| -> Vec<String> {
        let has = |sentence: &&&str| {
            !others.iter().any(|other| StatementKey::of(other) == StatementKey::of(sentence))
        };
        all.iter().filter(has).map(|sentence| one_line(sentence)).collect()
    };
    let (lost, won) = (left(&before, &after), left(&after, &before));
    match lost.as_slice() {
        [] => None,
        [lost] if before.len() > 1 => {
            ReplacedStatement::of(lost, won.join(" ").trim_end_matches(';').to_owned())
        }
        _ => ReplacedStatement::of(gone, words),
    }
}

/// A text with these corrections, in their order: what they replaced is gone from it, and their words stand there, as
/// statements of their own with the day and the name of who put it right. A later statement than a correction's is left
/// alone. `stays` tells of a correction, by its place, whether its words are to stand in this text even where nothing that
/// it replaces does.
pub fn text_put_right(text: &str, corrections: &[Correction], stays: impl Fn(usize) -> bool) -> TextPutRight {
    let mut right = TextPutRight { text: text.to_owned(), used: Vec::new() };
    for (at, correction) in corrections.iter().enumerate() {
        let changed = with_correction(&right.text, correction, stays(at));
        let is_changed = changed.is_some();
        if let Some(changed) = changed {
            right.text = changed;
        }
        if is_changed || stands_in(&parts_of_text(&right.text), correction) {
            right.used.push(at);
        }
    }
    right
}

/// The latest of these corrections, given in their order, that replaced something of what a text says.
pub fn correction_of_text<'c>(text: &str, corrections: &[&'c Correction]) -> Option<&'c Correction> {
    if corrections.is_empty() {
        return None;
    }
    let parts = parts_of_text(text);
    let replaced_some = |correction: &&&Correction| {
        parts
            .iter()
            .any(|part| may_be_older(part, correction.day) && rest_of_part(part, correction).is_some())
    };
    corrections.iter().rev().find(replaced_some).copied()
}

/// The text with one correction; `None` if it changes nothing.
fn with_correction(text: &str, correction: &Correction, stays: bool) -> Option<String> {
    let parts = parts_of_text(text);
    let mut missing = !correction.words.is_empty() && !stands_in(&parts, correction);
    let wrong: Vec<(&TextPart, String)> = parts
        .iter()
        .filter(|part| may_be_older(part, correction.day))
        .filter_map(|part| Some((part, rest_of_part(part, correction)?)))
        .collect();
    if wrong.is_empty() {
        let lines = lines_to_add("", correction).join("\n");
        return (stays && missing).then(|| format!("{}\n{lines}", text.trim_end()).trim_start().to_owned());
    }
    let mut lines: Vec<String> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((part, rest)) = wrong.iter().find(|(part, _)| part.nth <= at && at <= part.last) else {
            lines.push(line.to_owned());
            continue;
        };
        if at > part.nth {
            continue;
        }
        let head = head_of_part(line, part);
        if !rest.is_empty() {
            lines.push(format!("{head}{rest}"));
        }
        if missing {
            lines.extend(lines_to_add(head, correction));
            missing = false;
        }
    }
    Some(lines.join("\n"))
}

/// Whether a statement may have been there when something was put right on that day. Days of talk are those of a zone, so
/// one more counts.
fn may_be_older(part: &TextPart, day: Date) -> bool {
    let own = part.said.as_ref().map(|(at, _)| at.date());
    let own = own.or_else(|| leading_days(&part.text).0.first().map(|days| days.from));
    let own = own.or(part.under.map(|days| days.from));
    own.is_none_or(|own| own <= day.tomorrow().unwrap_or(day))
}

/// What is left of a part without the statement, or with its mark; `None` if it does not hold it.
fn rest_of_part(part: &TextPart, correction: &Correction) -> Option<String> {
    let replaced = correction.replaced?;
    let (body, with_speaker) = (body_of(&part.text), words_with_speaker(part));
    let has_mark = correction.mark.as_ref().is_some_and(|mark| body.contains(mark.trim()));
    let is_reworded = |sentence: &str| !has_mark && states_what_was_replaced(sentence, correction);
    // What stands before the colon may be no speaker: "Village party: Friday".
    let is_all = [body, &with_speaker].iter().any(|words| StatementKey::of(words) == Some(replaced))
        || (sentences_of(body).len() == 1 && is_reworded(&with_speaker));
    let is_it =
        |sentence: &str| is_all || StatementKey::of(sentence) == Some(replaced) || is_reworded(sentence);
    let sentences = if is_all { vec![body] } else { sentences_of(body) };
    if !sentences.iter().any(|sentence| is_it(sentence)) {
        return None;
    }
    let left = |sentence: &str| match &correction.mark {
        _ if !is_it(sentence) => sentence.to_owned(),
        Some(mark) => with_mark(sentence, mark),
        None => String::new(),
    };
    let rest: String = sentences.iter().map(|sentence| left(sentence)).collect();
    Some(one_line(rest.trim().trim_end_matches(';')))
}

/// A sentence with a mark behind its words, before the sign that ends it: so it is another one.
fn with_mark(sentence: &str, mark: &str) -> String {
    let words = sentence.trim_end_matches(|c: char| !c.is_alphanumeric() && !")）」".contains(c));
    format!("{words}{mark}{}", sentence.get(words.len()..).unwrap_or_default())
}

/// Whether the words of a correction stand in a text.
fn stands_in(parts: &[TextPart], correction: &Correction) -> bool {
    let says = |part: &TextPart, words: &str| {
        let body = body_of(words);
        let is_same = |said: &str| StatementKey::of(said) == StatementKey::of(body);
        is_same(body_of(&part.text)) || sentences_of(body_of(&part.text)).iter().any(|said| is_same(said))
    };
    let all = |words: &str| parts.iter().any(|part| says(part, words));
    !correction.words.is_empty() && correction.words.lines().all(all)
}

/// The lines that say a correction, beside a line that begins with `head`.
fn lines_to_add(head: &str, correction: &Correction) -> Vec<String> {
    let mark = head
        .find(|c: char| c.is_alphanumeric() || "[#<".contains(c))
        .map_or(head, |at| head.get(..at).unwrap_or_default());
    let bullet = if mark.trim().is_empty() { "- " } else { mark };
    let channel = head
        .strip_prefix(bullet)
        .map_or("", |rest| rest.strip_suffix(without_channel(rest)).unwrap_or_default());
    let line = |words: &str| {
        let is_told = !leading_days(words).0.is_empty() || !speaker_of(words).0.is_empty();
        let who = if is_told {
            String::new()
        } else {
            format!("{} {}: ", correction.day, name_as_label(&correction.actor))
        };
        format!("{bullet}{channel}{who}{words}")
    };
    correction.words.lines().map(line).collect()
}

/// What stands in a part's first line before its body: bullet, day, channel and speaker.
fn head_of_part<'l>(line: &'l str, part: &TextPart) -> &'l str {
    let body = body_of(&part.text).lines().next().unwrap_or_default().trim_end();
    line.trim_end().strip_suffix(body).unwrap_or_default()
}

/// The words of a statement without day, channel and speaker in front.
fn body_of(text: &str) -> &str {
    speaker_of(undated(text)).1
}

fn undated(text: &str) -> &str {
    leading_days(without_channel(leading_days(text).1)).1
}

/// The words behind `#channel`, or the reference to one, as the lines of the workspace's memory begin.
fn without_channel(words: &str) -> &str {
    let named = words.starts_with(['#', '<']).then(|| words.split_once(' ')).flatten();
    named.map_or(words, |(_, rest)| rest)
}

/// The words of a statement together with its speaker.
fn words_with_speaker(part: &TextPart) -> String {
    match &part.said {
        Some((_, name)) => format!("{name}: {}", part.text),
        None => undated(&part.text).to_owned(),
    }
}

/// The sentences of a statement, each with the marks behind it: together they are the statement.
fn sentences_of(body: &str) -> Vec<&str> {
    body.split_inclusive(['。', '！', '？', '!', '?', ';', '\n'])
        .flat_map(|piece| piece.split_inclusive(". "))
        .collect()
}

/// The keys of everything in a text that somebody may have put right: its statements, with and without their speakers, and
/// their sentences.
pub fn keys_of_text(text: &str) -> BTreeSet<StatementKey> {
    let mut keys = BTreeSet::new();
    for part in parts_of_text(text) {
        let body = body_of(&part.text);
        keys.extend(StatementKey::of(body));
        keys.extend(StatementKey::of(&words_with_speaker(&part)));
        keys.extend(sentences_of(body).into_iter().filter_map(StatementKey::of));
    }
    keys
}

/// What the parts of a memory's text say, sentence by sentence, without day and speaker.
pub fn statements_of_text(text: &str) -> Vec<String> {
    parts_of_text(text).iter().flat_map(|part| statements_said(body_of(&part.text))).collect()
}

/// What somebody said, sentence by sentence, without the sign that ends it where that is a semicolon.
pub fn statements_said(said: &str) -> Vec<String> {
    let sentence = |sentence: &&str| one_line(sentence.trim().trim_end_matches(';'));
    sentences_of(said).iter().map(sentence).filter(|sentence| StatementKey::of(sentence).is_some()).collect()
}
