//! Chooses the passage of a line that is shown: where most of what is asked for stands together. It begins and ends
//! between words.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use unicode_normalization::char::is_combining_mark;

use super::highlight::Mark;
use crate::text::{LetterKind, is_invisible, letter_kind};

/// The worth of a term that stands in one place of a text; in two places it is half of it.
const WHOLE: usize = 5_040;
/// A term that stands in so many times as many places as the rarest one does not say where the passage is.
const TIMES_AS_OFTEN: usize = 3;
/// Joins two emoji into one.
const JOINER: char = '\u{200d}';

/// A text on one line. Places in it are counted in characters.
pub(super) struct PassageLine {
    chars: Vec<char>,
    /// Where each character begins, in bytes; at last, where the text ends.
    bytes: Vec<usize>,
    /// How many columns stand before each character; at last, those of the whole text.
    columns: Vec<usize>,
}

impl PassageLine {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let sums = |size: fn(&char) -> usize| {
            let ends = chars.iter().scan(0, move |sum, c| {
                *sum += size(c);
                Some(*sum)
            });
            std::iter::once(0).chain(ends).collect()
        };
        Self { bytes: sums(|c| c.len_utf8()), columns: sums(|c| terminal_columns(*c)), chars }
    }

    /// Where the character at `at` begins, in bytes.
    pub(super) fn byte(&self, at: usize) -> usize {
        self.bytes.get(at).or(self.bytes.last()).copied().unwrap_or(0)
    }

    /// How many characters there are.
    pub(super) fn length(&self) -> usize {
        self.chars.len()
    }

    fn width(&self, from: usize, to: usize) -> usize {
        let before = |at: usize| self.columns.get(at).or(self.columns.last()).copied().unwrap_or(0);
        before(to).saturating_sub(before(from))
    }

    /// The last place up to which, from `from` on, there are at most so many columns.
    fn reach(&self, from: usize, columns: usize) -> usize {
        let most = self.columns.get(from).copied().unwrap_or(0).saturating_add(columns);
        self.columns.partition_point(|before| *before <= most).saturating_sub(1)
    }

    /// The first place from which, up to `to`, there are at most so many columns.
    fn reach_back(&self, to: usize, columns: usize) -> usize {
        let least = self.columns.get(to).copied().unwrap_or(0).saturating_sub(columns);
        self.columns.partition_point(|before| *before < least)
    }

    /// Where the passage of at most `most` columns begins and ends.
    pub(super) fn passage(&self, marks: &[Mark], most: usize) -> (usize, usize) {
        let all = self.chars.len();
        if self.width(0, all) <= most {
            return (0, all);
        }
        let room = most.saturating_sub(2 * terminal_columns('…'));
        let (first, last) = self.densest(marks, room);
        let lead = room.saturating_sub(self.width(first, last)) / 3;
        let mut begin = self.beginning(self.reach_back(first, lead), first);
        if self.width(begin, all) < most {
            // Everything behind fits and leaves room: more of what stands before is shown.
            begin = self.beginning(self.reach_back(all, most.saturating_sub(1)), first);
            return (begin, all);
        }
        let left = most.saturating_sub(if begin > 0 { 2 } else { 1 });
        let end = self.ending(self.reach(begin, left), last.max(begin + 1), most / 3);
        (begin, end)
    }

    /// The stretch of at most `room` columns that holds most of what is asked for; of equals, the first. A term that stands
    /// in many places of a text says little about any of them.
    fn densest(&self, marks: &[Mark], room: usize) -> (usize, usize) {
        let place = |byte: usize| self.bytes.partition_point(|before| *before < byte);
        let mut places: Vec<(usize, usize, &BTreeSet<String>)> =
            marks.iter().map(|mark| (place(mark.range.start), place(mark.range.end), &mark.held)).collect();
        let mut standing: BTreeMap<&str, usize> = BTreeMap::new();
        places
            .iter()
            .flat_map(|(_, _, terms)| *terms)
            .for_each(|term| *standing.entry(term).or_default() += 1);
        let rarest = standing.values().copied().min().unwrap_or(1);
        let is_rare =
            |term: &str| standing.get(term).is_some_and(|places| *places <= rarest * TIMES_AS_OFTEN);
        places.retain(|(_, _, terms)| terms.iter().any(|term| is_rare(term)));
        // Whole numbers, so that the sums of all stretches are exact.
        let worth = |term: &str| {
            if is_rare(term) { WHOLE / standing.get(term).copied().unwrap_or(1).max(1) } else { 0 }
        };
        let mut held: BTreeMap<&str, usize> = BTreeMap::new();
        let mut best = (0, 0);
        let mut most = (0, 0);
        let mut opened = VecDeque::new();
        for (start, end, terms) in &places {
            opened.push_back((*start, *terms));
            terms.iter().for_each(|term| *held.entry(term).or_default() += 1);
            while opened.len() > 1 && opened.front().is_some_and(|(from, _)| self.width(*from, *end) > room) {
                let gone = opened.pop_front().map(|(_, terms)| terms);
                for term in gone.into_iter().flatten() {
                    if let Some(count) = held.get_mut(term.as_str()) {
                        *count -= 1;
                    }
                }
                held.retain(|_, count| *count > 0);
            }
            let found = (held.keys().map(|term| worth(term)).sum::<usize>(), opened.len());
            if found > most {
                most = found;
                best = (opened.front().map_or(*start, |(from, _)| *from), *end);
            }
        }
        best
    }

    /// Where the passage begins, between `from` and `to`: at a sentence if possible, else at a word.
    fn beginning(&self, from: usize, to: usize) -> usize {
        let sentence = (from..=to).find(|at| *at == 0 || self.is_between_sentences(*at));
        let word = || (from..=to).find(|at| self.is_between_words(*at));
        let at = sentence.or_else(word).unwrap_or(to);
        let is_blank =
            |at: &usize| self.chars.get(*at).is_some_and(|c| *c == ' ' || belongs_to_preceding(*c));
        (at..to).find(|at| !is_blank(at)).unwrap_or(to)
    }

    /// Where the passage ends, between `from` and `to`: at the end of a sentence if that loses no more than `most`
    /// columns, else at the end of a word.
    fn ending(&self, to: usize, from: usize, most: usize) -> usize {
        if from >= to {
            return to;
        }
        let near = self.reach_back(to, most).max(from);
        let sentence = (near..=to).rev().find(|at| self.is_between_sentences(*at));
        let word = || (from..=to).rev().find(|at| self.is_between_words(*at));
        let mut end = sentence.or_else(word).unwrap_or(to);
        while end > from && end.checked_sub(1).and_then(|last| self.chars.get(last)) == Some(&' ') {
            end -= 1;
        }
        end
    }

    fn around(&self, at: usize) -> (Option<char>, Option<char>) {
        let before = at.checked_sub(1).and_then(|at| self.chars.get(at));
        (before.copied(), self.chars.get(at).copied())
    }

    fn is_between_words(&self, at: usize) -> bool {
        let is_word = |c: char| c == '_' || letter_kind(c) == LetterKind::Spaced;
        match self.around(at) {
            (Some(before), Some(after)) => {
                let goes_on = is_combining_mark(after) || before == JOINER || is_invisible(after);
                !(goes_on || belongs_to_preceding(after) || (is_word(before) && is_word(after)))
            }
            (None, _) | (_, None) => true,
        }
    }

    fn is_between_sentences(&self, at: usize) -> bool {
        let (before, after) = self.around(at);
        let is_end = |c: char| matches!(c, '。' | '！' | '？' | '．');
        let is_stop = |at: usize| self.chars.get(at).is_some_and(|c| matches!(c, '.' | '!' | '?'));
        match before {
            Some(' ') => at.checked_sub(2).is_some_and(is_stop),
            Some(before) => {
                is_end(before) && !after.is_some_and(|after| is_end(after) || belongs_to_preceding(after))
            }
            None => false,
        }
    }
}

/// Whether a character belongs to what stands before it, so that no passage may begin with it.
fn belongs_to_preceding(c: char) -> bool {
    matches!(
        c,
        '。' | '、' | '，' | '．' | '！' | '？' | '」' | '』' | '）' | '】' | '〉' | '》' | '”' | 'ー'
    ) || matches!(c, '.' | ',' | '!' | '?' | ')' | ']' | ':' | ';' | '々' | 'っ' | 'ッ')
}

/// How many columns a terminal gives a character: a simplified form of Unicode's East Asian Width.
fn terminal_columns(c: char) -> usize {
    match c {
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
