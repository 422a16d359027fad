//! Splits texts into terms, and finds terms that show where a text comes from (specification §6: a memory says only
//! what its own sources say).
//!
//! A term is the smallest piece of a text that can be looked for in another: a word, a number, an identifier; every
//! kanji and every pair of kanji; pieces of what is written without spaces; an emoji. The whole text is read, however
//! long, and no language is preferred.

use std::collections::BTreeSet;

use super::hidden::is_invisible;

/// How many characters each piece of a run written without spaces has; a shorter run is a term itself.
const PIECE: usize = 3;
/// The long-vowel mark, which is written in hiragana and in katakana.
const LONG_VOWEL: char = 'ー';
/// Up to this many hiragana in a row count as grammar: しています.
const MOST_HIRAGANA: usize = 6;
/// Latin words of up to this many letters count as grammar: the, of, for.
const SHORT_WORD: usize = 3;

/// What kind of letter a character is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetterKind {
    /// A kanji: a word, or half of one.
    Kanji,
    /// Written without spaces between words: kana, Hangul with its particles, Thai and its neighbours.
    Unspaced,
    /// Part of a word in a script with spaces; digits count as such.
    Spaced,
    /// A picture.
    Emoji,
    /// Blanks and punctuation.
    Between,
}

#[expect(clippy::match_same_arms, reason = "what most texts are made of is told first")]
pub(crate) fn letter_kind(c: char) -> LetterKind {
    match c {
        // Most letters of most texts.
        'a'..='z' | 'A'..='Z' | '0'..='9' => LetterKind::Spaced,
        '\0'..='\u{7f}' => LetterKind::Between,
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' => {
            LetterKind::Kanji
        }
        '\u{3041}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{0e00}'..='\u{0eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{ac00}'..='\u{d7ff}' => LetterKind::Unspaced,
        '\u{1f000}'..='\u{1faff}'
        | '\u{2300}'..='\u{23ff}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}' => LetterKind::Emoji,
        // Combining marks belong to the word of their letter.
        '\u{0300}'..='\u{036f}' | '\u{0900}'..='\u{0dff}' => LetterKind::Spaced,
        c if c.is_alphanumeric() => LetterKind::Spaced,
        _ => LetterKind::Between,
    }
}

/// The text in lower case, with full-width Latin letters and digits as plain ones, and without invisible characters,
/// even where a script needs them: they must not make another term of a word.
fn folded_letters(text: &str) -> Vec<char> {
    let plain = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    };
    let mut folded = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' => folded.push(c.to_ascii_lowercase()),
            // Japanese letters, which are visible and have no cases.
            '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}' | '\u{4e00}'..='\u{9fff}' => folded.push(c),
            c if is_invisible(c) => {}
            c => folded.extend(plain(c).to_lowercase()),
        }
    }
    folded
}

/// The terms of a text.
pub fn terms_of_text(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    visit_terms_of_text(text, |term| {
        if !terms.contains(term) {
            terms.insert(term.to_owned());
        }
    });
    terms
}

/// Visits the terms of a text, as often as they stand in it.
pub fn visit_terms_of_text(text: &str, visit: impl FnMut(&str)) {
    visit_terms_of_letters(&folded_letters(text), visit);
}

/// Visits the terms of folded letters, as often as they stand there.
fn visit_terms_of_letters(letters: &[char], mut visit: impl FnMut(&str)) {
    let mut rest = letters;
    let mut buffer = String::new();
    while let Some(first) = rest.first() {
        let kind = letter_kind(*first);
        let length = rest.iter().take_while(|c| letter_kind(**c) == kind).count();
        let (run, after) = rest.split_at(length);
        visit_terms_of_run(run, kind, &mut |term| {
            buffer.clear();
            buffer.extend(term);
            visit(&buffer);
        });
        rest = after;
    }
}

/// Visits the terms of a run of letters of one kind.
fn visit_terms_of_run(run: &[char], kind: LetterKind, visit: &mut impl FnMut(&[char])) {
    let pieces = match kind {
        LetterKind::Between => return,
        LetterKind::Spaced => run.len(),
        LetterKind::Unspaced => run.len().min(PIECE),
        LetterKind::Emoji => 1,
        LetterKind::Kanji => {
            run.chunks(1).for_each(&mut *visit);
            2
        }
    };
    run.windows(pieces).for_each(visit);
}

/// The key that a term is counted under: a hash of 64 bits (FNV-1a), so that no table holds the words themselves.
pub fn key_of_term(term: &str) -> i64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let hash = term.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    hash.cast_signed()
}

/// The terms of `text` that stand in `beside` and not in `own`: they may come from `beside`.
///
/// A short piece of unspaced writing also counts as standing in `own` if it is inside a longer run there.
pub fn terms_borrowed_from<'t>(
    text: &str,
    beside: impl IntoIterator<Item = &'t str>,
    own: impl IntoIterator<Item = &'t str>,
) -> BTreeSet<String> {
    let terms = terms_of_text(text);
    let mut left = BTreeSet::new();
    for source in beside {
        visit_terms_of_text(source, |term| {
            if !left.contains(term) && terms.contains(term) {
                left.insert(term.to_owned());
            }
        });
    }
    remove_terms_of(left, own)
}

/// The terms of `text` that stand in nothing that was `shown` to the model which wrote it: the model's own words.
/// Numbers are left out: a number that the model made up may be somebody's real one elsewhere.
pub fn made_up(text: &str, shown: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    let mut left = terms_of_text(text);
    left.retain(|term| !term.chars().any(char::is_numeric));
    remove_terms_of(left, shown)
}

/// The terms of `text` that stand in none of the texts `said`. Grammar does not count: a few hiragana in a row, Latin
/// words of up to three letters.
pub fn terms_not_said(text: &str, said: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    let mut left = BTreeSet::new();
    let is_one_run = |a: &char, b: &char| {
        letter_kind(*a) == letter_kind(*b)
            && (is_hiragana(*a) == is_hiragana(*b) || [*a, *b].contains(&LONG_VOWEL))
    };
    for run in folded_letters(text).chunk_by(is_one_run) {
        let is_grammar =
            run.iter().all(|c| is_hiragana(*c) || *c == LONG_VOWEL) && run.len() <= MOST_HIRAGANA;
        let is_short = run.iter().all(char::is_ascii_alphabetic) && run.len() <= SHORT_WORD;
        if !is_grammar && !is_short {
            let kind = run.first().map_or(LetterKind::Between, |c| letter_kind(*c));
            visit_terms_of_run(run, kind, &mut |term| {
                left.insert(term.iter().collect::<String>());
            });
        }
    }
    remove_terms_of(left, said)
}

/// Whether a term counts as grammar: hiragana alone, or a Latin word of up to three letters.
pub(crate) fn is_grammar(term: &str) -> bool {
    let is_kana = term.chars().all(|c| is_hiragana(c) || c == LONG_VOWEL);
    let is_short = term.chars().all(|c| c.is_ascii_alphabetic()) && term.len() <= SHORT_WORD;
    is_kana || is_short
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

/// Removes from `left` the terms that stand in one of `texts`.
fn remove_terms_of(
    mut left: BTreeSet<String>,
    texts: impl IntoIterator<Item = impl AsRef<str>>,
) -> BTreeSet<String> {
    for source in texts {
        let source = source.as_ref();
        if left.is_empty() {
            break;
        }
        let letters = folded_letters(source);
        visit_terms_of_letters(&letters, |term| {
            left.remove(term);
        });
        let is_unspaced = |term: &String| term.chars().all(|c| letter_kind(c) == LetterKind::Unspaced);
        if left.iter().any(is_unspaced) {
            let plain: String = letters.into_iter().collect();
            left.retain(|term| !(is_unspaced(term) && plain.contains(term.as_str())));
        }
    }
    left
}
