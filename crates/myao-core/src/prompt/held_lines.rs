//! Chooses the lines in force of the own channel that a prompt has room for: lines of older versions that no later line
//! has replaced.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::{
    conversation::Conversation,
    newest_lines::{LaterLines, ParsedLine, worth_of_newest},
    repeated::lines_shown,
    selection::Selection,
};
use crate::{
    context::{ChannelMemory, LineInForce},
    memory::Line,
    text::{
        clip_to_tokens, estimate_tokens, fold_for_comparison, letters_and_digits,
        without_invisible_characters,
    },
    worth::{Level, SAID, best_first, words_about_matter},
};

/// How many tokens of a line are shown.
const LONGEST: usize = 80;
/// Tokens of the bullet and the line break of a line.
const AROUND: usize = 3;
/// The fewest tokens of a line of a memory: only as many lines are chosen from as would fit if all were so short.
pub const LEAST_LINE_TOKENS: usize = 12;
/// The points that a line loses for each better line of the same subject, of the same day and of the same month, so
/// that all subjects and times are represented.
const SAME_SUBJECT: i64 = 16;
const SAME_DAY: i64 = 10;
const SAME_MONTH: i64 = 3;

/// The lines that a prompt has room for.
#[derive(Debug, Default)]
pub(super) struct ChosenLines {
    /// The best first.
    taken: Vec<(Option<Date>, String)>,
}

/// What else a prompt shows of the own channel.
pub(super) struct ShownBeside<'a> {
    pub(super) memory: Option<&'a ChannelMemory>,
    pub(super) chosen: &'a Selection,
    pub(super) conversation: &'a Conversation,
    /// Words of the channel that it shows elsewhere.
    pub(super) elsewhere: Vec<&'a str>,
}

impl ChosenLines {
    /// Takes the best lines of all times that say something that nothing in `beside` says, or says otherwise of a later
    /// day: as many as fit below a `heading` of so many tokens into `most` tokens and into `room`.
    pub(super) fn take(beside: &ShownBeside<'_>, most: usize, heading: usize, room: &mut usize) -> Self {
        let Some(memory) = beside.memory.filter(|memory| !memory.lines_in_force.is_empty()) else {
            return Self::default();
        };
        let shown = beside.lines();
        let mut said: BTreeSet<String> =
            shown.iter().map(|line| letters_and_digits(&fold_for_comparison(&line.words))).collect();
        let later = LaterLines::new(&shown);
        let talk = fold_for_comparison(&beside.conversation.words());
        let topics = words_about_matter(&talk);
        let mut left = most.min(*room).saturating_sub(heading);
        let before = left;
        let elsewhere: Vec<String> =
            beside.elsewhere.iter().map(|words| letters_and_digits(&fold_for_comparison(words))).collect();
        let is_elsewhere =
            |key: &str| elsewhere.iter().any(|words| !words.is_empty() && key.ends_with(words.as_str()));
        let mut taken = Vec::new();
        let compared: Vec<ParsedLine<'_>> = memory.lines_in_force.iter().map(ParsedLine::new).collect();
        for compared in best_by_worth(&compared, most / LEAST_LINE_TOKENS, &topics) {
            let line = compared.line;
            let key = letters_and_digits(&fold_for_comparison(&line.words));
            let text = text_of_line(line);
            let tokens = estimate_tokens(&text) + AROUND;
            if tokens <= left && !said.contains(&key) && !is_elsewhere(&key) && !later.replace(compared) {
                left -= tokens;
                said.insert(key);
                taken.push((line.day, text));
            }
        }
        if !taken.is_empty() {
            *room = room.saturating_sub(before - left + heading);
        }
        Self { taken }
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = self.taken.clone();
        lines.sort();
        lines.into_iter().map(|(_, text)| text).collect()
    }

    /// Whether a line with these words is among them.
    pub(super) fn says(&self, words: &str) -> bool {
        let key = letters_and_digits(&fold_for_comparison(words));
        !key.is_empty()
            && self
                .taken
                .iter()
                .any(|(_, text)| letters_and_digits(&fold_for_comparison(text)).ends_with(&key))
    }

    /// Gives up the least important line; `false` if none was left.
    pub(super) fn put_back(&mut self) -> bool {
        self.taken.pop().is_some()
    }
}

/// The `most` best lines that say something, best first. They are ordered by worth; lines of equal worth by how many
/// terms they share with the conversation, then by day, the latest first. Each line then loses points for the better
/// ones of the same subject, day and month.
fn best_by_worth<'c, 'l>(
    lines: &'c [ParsedLine<'l>],
    most: usize,
    topics: &BTreeSet<&str>,
) -> Vec<&'c ParsedLine<'l>> {
    let worth = worth_of_newest(lines);
    let mut sorted: Vec<(i64, &ParsedLine<'l>)> = worth.into_iter().zip(lines).collect();
    sorted.retain(|(worth, _)| *worth >= SAID);
    let shared = |line: &LineInForce| {
        words_about_matter(&fold_for_comparison(&line.words)).intersection(topics).count()
    };
    sorted.sort_by_cached_key(|(worth, ParsedLine { line, .. })| {
        (std::cmp::Reverse((*worth, shared(line), line.day)), &line.words)
    });
    sorted.truncate(most);
    let points: Vec<i64> = sorted.iter().map(|(worth, _)| *worth).collect();
    let sorted: Vec<&ParsedLine<'l>> = sorted.into_iter().map(|(_, compared)| compared).collect();
    let days = || sorted.iter().map(|compared| compared.line.day);
    let subject = |compared: &&'c ParsedLine<'l>| {
        compared.said.telling_subjects().into_iter().max_by_key(|word| word.chars().count())
    };
    let levels = [
        Level::new(sorted.iter().map(subject), SAME_SUBJECT),
        Level::new(days(), SAME_DAY),
        Level::new(days().map(|day| day.map(|day| (day.year(), day.month()))), SAME_MONTH),
    ];
    best_first(&points, &levels).into_iter().filter_map(|at| sorted.get(at).copied()).collect()
}

/// `2026-03-02 hana: what she said`
fn text_of_line(line: &LineInForce) -> String {
    let day = line.day.map(|day| format!("{day} ")).unwrap_or_default();
    format!("{day}{}", clip_to_tokens(&without_invisible_characters(&line.words), LONGEST))
}

impl ShownBeside<'_> {
    /// The lines of the own channel's long-term memory and versions, as far as these are shown.
    fn lines(&self) -> Vec<Line> {
        self.memory.into_iter().flat_map(|memory| lines_shown(memory, self.chosen)).collect()
    }
}
