//! Finds the secrets in a text by the rules.

use std::{collections::BTreeSet, ops::Range};

use regex::bytes::Match;

use super::{
    checks::SecretCheck,
    phrases::{SHORTEST_PHRASE, has_many_short_words},
    rules::{SecretCandidate, SecretRule, SecretRules},
};

/// How many digits the shortest number has that is looked at.
const LONG_NUMBER: usize = 12;
/// How many letters and digits the shortest IBAN has.
const SHORTEST_IBAN: usize = 15;
/// How many characters before a secret are searched for words that announce it.
const ANNOUNCED_WITHIN: usize = 120;
/// How many characters before and behind a secret are searched for a word that says what it is ([`SecretRule::near`]).
const NEAR: usize = 300;

/// A secret, and the bytes of the text where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundSecret {
    pub(super) kind: &'static str,
    pub(super) range: Range<usize>,
}

/// The secrets of a text, in order. None overlaps another one or a mask.
pub(super) fn find_all_secrets(rules: &'static SecretRules, text: &str) -> Vec<FoundSecret> {
    let candidates = candidate_rules(rules, text);
    if candidates.is_empty() {
        return Vec::new();
    }
    let folded = Folded::of(text);
    let masks = places_of_masks(rules, text);
    let mut found: Vec<FoundSecret> = Vec::new();
    for rule in candidates.into_iter().filter_map(|number| rules.all.get(number)) {
        for range in told_by(rule, rules, text, &folded) {
            if !masks.iter().any(|mask| mask.start < range.end && range.start < mask.end) {
                found.push(FoundSecret { kind: &rule.id, range });
            }
        }
    }
    found.sort_by_key(|secret| (secret.range.start, usize::MAX - secret.range.end));
    let mut apart: Vec<FoundSecret> = Vec::new();
    for secret in found {
        match apart.last_mut() {
            Some(last) if secret.range.start < last.range.end => {
                last.range.end = last.range.end.max(secret.range.end);
            }
            _ => apart.push(secret),
        }
    }
    apart
}

/// The rules that may find something in a text, by index: it holds one of their keywords, or, for rules without
/// keywords, what their check looks at.
fn candidate_rules(rules: &SecretRules, text: &str) -> BTreeSet<usize> {
    let mut candidates = BTreeSet::new();
    if let Some(keywords) = &rules.keywords {
        for hit in keywords.find_overlapping_iter(text) {
            candidates.extend(rules.by_keyword.get(hit.pattern().as_usize()).into_iter().flatten());
        }
    }
    let bytes = text.as_bytes();
    let counts = AsciiCounts::of(bytes);
    let mut numbers = None;
    let mut ibans = None;
    let mut phrases = None;
    for number in rules.without_keywords.iter().copied() {
        let may_hold = match rules.all.get(number).and_then(|rule| rule.check) {
            Some(SecretCheck::Iban) => {
                *ibans.get_or_insert_with(|| counts.may_be_iban() && may_hold_iban(bytes))
            }
            Some(SecretCheck::SeedPhrase) => {
                *phrases.get_or_insert_with(|| counts.may_be_phrase() && has_many_short_words(bytes))
            }
            Some(SecretCheck::Luhn | SecretCheck::MyNumber | SecretCheck::Password) | None => {
                *numbers.get_or_insert_with(|| counts.may_be_long_number() && has_long_number(bytes))
            }
        };
        if may_hold {
            candidates.insert(number);
        }
    }
    candidates
}

/// What a text holds at all: counted in much less time than it takes to look at what stands together, and most messages
/// hold too little.
struct AsciiCounts {
    letters: usize,
    digits: usize,
    /// Whether there may be full-width digits.
    has_full_width: bool,
}

impl AsciiCounts {
    fn of(text: &[u8]) -> Self {
        Self {
            letters: count_bytes(text, u8::is_ascii_alphabetic),
            digits: count_bytes(text, u8::is_ascii_digit),
            has_full_width: text.contains(&0xef),
        }
    }

    fn may_be_iban(&self) -> bool {
        self.letters >= 2 && self.digits >= 2 && self.letters + self.digits >= SHORTEST_IBAN
    }

    fn may_be_phrase(&self) -> bool {
        self.letters >= SHORTEST_PHRASE
    }

    fn may_be_long_number(&self) -> bool {
        self.digits >= LONG_NUMBER || self.has_full_width
    }
}

/// How many bytes are of a kind. Sums that fit into a byte are added up many at a time.
#[inline]
fn count_bytes(text: &[u8], is_of_kind: impl Fn(&u8) -> bool) -> usize {
    let sum = |some: &[u8]| some.iter().map(|byte| u8::from(is_of_kind(byte))).sum::<u8>();
    text.chunks(usize::from(u8::MAX)).map(|some| usize::from(sum(some))).sum()
}

/// Whether [`LONG_NUMBER`] digits stand together, full-width ones included, with nothing but blanks, dots and dashes
/// between them.
fn has_long_number(text: &[u8]) -> bool {
    let mut digits = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits += 1,
            // The last byte of a full-width digit.
            0x90..=0x99 if text.get(..at).is_some_and(|before| before.ends_with(&[0xef, 0xbc])) => {
                digits += 1;
            }
            b' ' | b'-' | b'.' | 0xef | 0xbc => {}
            _ => digits = 0,
        }
        if digits >= LONG_NUMBER {
            return true;
        }
    }
    false
}

/// Whether two letters and two digits begin a row of as many letters and digits as the shortest IBAN has, blanks and
/// dashes aside.
fn may_hold_iban(text: &[u8]) -> bool {
    text.windows(4).enumerate().any(|(at, begin)| {
        let [a, b, c, d] = begin else { return false };
        let begins =
            a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit();
        let is_inside = at.checked_sub(1).and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        begins && !is_inside && {
            let rest =
                text.iter().skip(at).take_while(|byte| byte.is_ascii_alphanumeric() || b" -".contains(byte));
            rest.filter(|byte| byte.is_ascii_alphanumeric()).take(SHORTEST_IBAN).count() == SHORTEST_IBAN
        }
    })
}

/// A text in ASCII, one byte for each character. Full-width forms become the ASCII characters that they stand for.
/// Everything else becomes a blank, since a Japanese word ends a token just as a blank does.
struct Folded {
    bytes: Vec<u8>,
    /// Where each of these characters stands in the text, and at last the length of the text.
    at: Vec<usize>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut folded =
            Self { bytes: Vec::with_capacity(text.len()), at: Vec::with_capacity(text.len() + 1) };
        for (at, c) in text.char_indices() {
            let half = match c {
                '\u{ff01}'..='\u{ff5e}' => u32::from(c) - 0xfee0,
                c => u32::from(c),
            };
            folded.bytes.push(u8::try_from(half).ok().filter(u8::is_ascii).unwrap_or(b' '));
            folded.at.push(at);
        }
        folded.at.push(text.len());
        folded
    }

    fn in_text(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(*self.at.get(range.start)?..*self.at.get(range.end)?)
    }

    /// The lines that contain a range.
    fn lines(&self, range: &Range<usize>) -> &[u8] {
        let (before, rest) = self.bytes.split_at(range.start.min(self.bytes.len()));
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let from = range.end.saturating_sub(before.len());
        let end = rest.iter().skip(from).position(|byte| *byte == b'\n').map_or(rest.len(), |at| from + at);
        self.bytes.get(start..before.len() + end).unwrap_or_default()
    }
}

/// Where one rule finds secrets.
fn told_by(rule: &SecretRule, rules: &SecretRules, text: &str, folded: &Folded) -> Vec<Range<usize>> {
    let Some(regex) = rule.regex() else { return Vec::new() };
    let mut told = Vec::new();
    for captures in regex.captures_iter(&folded.bytes) {
        let Some(whole) = captures.get(0) else { continue };
        let is_filled = |group: &Match<'_>| !group.is_empty();
        let group = match rule.secret_group {
            0 => captures.iter().skip(1).flatten().find(is_filled),
            group => captures.get(group).filter(is_filled),
        };
        let secret = group.unwrap_or(whole);
        let all = 0..secret.len();
        let parts = rule.check.map_or_else(|| vec![all], |check| check.passing(secret.as_bytes()));
        if secret.is_empty() || shannon_entropy(secret.as_bytes()) < rule.entropy {
            continue;
        }
        let in_text =
            |part: Range<usize>| folded.in_text(&(secret.start() + part.start..secret.start() + part.end));
        let stands = |range: &Range<usize>| {
            let before = last_of(text.get(..range.start).unwrap_or_default(), ANNOUNCED_WITHIN);
            rule.is_announced_by(before) && (rule.near.is_empty() || stands_near(&rule.near, text, range))
        };
        let found: Vec<Range<usize>> = parts.into_iter().filter_map(in_text).filter(stands).collect();
        if found.is_empty() {
            continue;
        }
        // The line may be as long as the text, so it is looked for only now.
        let candidate = SecretCandidate {
            secret: secret.as_bytes(),
            whole: whole.as_bytes(),
            line: folded.lines(&whole.range()),
        };
        if !rules.allow.iter().chain(&rule.allow).any(|list| list.allows(&candidate)) {
            told.extend(found);
        }
    }
    told
}

/// The last `most` characters of a text.
fn last_of(text: &str, most: usize) -> &str {
    let first = text.char_indices().rev().take(most).last().map_or(text.len(), |(at, _)| at);
    text.get(first..).unwrap_or_default()
}

/// Whether one of the words stands near the range.
fn stands_near(words: &[String], text: &str, range: &Range<usize>) -> bool {
    let before: String = text.get(..range.start).unwrap_or_default().chars().rev().take(NEAR).collect();
    let before: String = before.chars().rev().collect();
    let after: String = text.get(range.end..).unwrap_or_default().chars().take(NEAR).collect();
    let near = format!("{before}\n{after}").to_lowercase();
    words.iter().any(|word| near.contains(word.as_str()))
}

/// The entropy of a secret in bits per character (Shannon).
#[expect(clippy::cast_precision_loss, reason = "a secret has fewer characters than a float counts")]
fn shannon_entropy(secret: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in secret {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let share = |count: u32| f64::from(count) / secret.len() as f64;
    -counts
        .into_iter()
        .filter(|count| *count > 0)
        .map(|count| share(count) * share(count).log2())
        .sum::<f64>()
}

/// Where masks stand in a text.
fn places_of_masks(rules: &SecretRules, text: &str) -> Vec<Range<usize>> {
    let end_of_mask = |at: usize| {
        let kind = text.get(at + MASK_BEGINS.len()..)?.split_once(']')?.0;
        let is_known = rules.all.iter().any(|rule| rule.id == kind);
        is_known.then(|| at..at + MASK_BEGINS.len() + kind.len() + 1)
    };
    text.match_indices(MASK_BEGINS).filter_map(|(at, _)| end_of_mask(at)).collect()
}

/// How every mask begins.
pub const MASK_BEGINS: &str = "[secret: ";
