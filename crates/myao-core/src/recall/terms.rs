//! The terms under which a text is found: what an index holds of it.
//!
//! What is written without spaces is cut into pairs of neighbouring characters, so that no dictionary is needed and a
//! word of two characters is found wherever it stands; a single kanji is a term as well. What is written with spaces is
//! cut into words, and English words are reduced to their stems. An index holds a hash of each term and not the term
//! itself: both databases split hashes in the same way, and nobody can read words in the index.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{BTreeSet, HashMap, HashSet},
    fmt,
    ops::Range,
    sync::LazyLock,
};

use super::{fold::FoldedText, phrase::comparable_form};
use crate::{
    chat::UserId,
    text::{LetterKind, english_stem, key_of_term, letter_kind},
};

/// How many letters a term has in an index. Each stands for five bits, so 35 of the 64 bits of [`key_of_term`] are used.
/// Two terms share a key once in some thirty billion pairs, and what is found is read and compared before it is shown.
const KEY_LENGTH: usize = 7;
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// The most letters of a word that gets an entry in an index: longer ones are keys and the like.
const LONGEST_WORD: usize = 64;

/// The most letters of a term in an index: its own, those of any channel's number, and a mark.
const MOST_LETTERS: usize = 22;

/// A term as an index holds it: seven letters that say nothing of the term. More letters follow where it is a closed
/// channel's ([`IndexTerm::apart`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexTerm {
    /// The letters, and zeros behind them: a text has some tens of terms, too many to allocate each.
    letters: [u8; MOST_LETTERS],
    length: u8,
}

impl IndexTerm {
    fn new(term: &str) -> Self {
        let mut bits = key_of_term(term).cast_unsigned();
        let mut key = Self { letters: [0; MOST_LETTERS], length: 0 };
        for _ in 0..KEY_LENGTH {
            key.push(letter_of_bits(bits));
            bits >>= 5;
        }
        key
    }

    fn push(&mut self, letter: u8) {
        if let Some(place) = self.letters.get_mut(usize::from(self.length)) {
            *place = letter;
            self.length += 1;
        }
    }

    /// The term that every row holds that this person said.
    pub fn said_by(user: &UserId) -> Self {
        // No term of a text has an at sign in it.
        Self::new(&format!("@{user}"))
    }

    /// The term that every row holds that explains a word of the house whose first unit, or that of its meaning, is this.
    pub(super) fn of_house_word(unit: &str) -> Self {
        // No term of a text has an equals sign in it.
        Self::new(&format!("={unit}"))
    }

    /// The term that every row holds that explains a word of the house.
    pub fn of_house_words() -> Self {
        Self::new("=")
    }

    /// The term that every row of an index holds.
    pub fn of_every_row() -> Self {
        Self::new("@")
    }

    /// The same term where a closed channel says it: in the rows of the channel with this number, which is above 0. Its
    /// first letters are those of the term.
    #[must_use]
    pub fn apart(&self, number: i64) -> Self {
        let mut key = *self;
        let mut rest = number.max(1).cast_unsigned();
        while rest > 0 {
            key.push(letter_of_bits(rest));
            rest >>= 5;
        }
        key
    }

    /// The same term where any closed channel says it. Only counts are kept under it: no row of an index holds it.
    #[must_use]
    pub fn apart_anywhere(&self) -> Self {
        let mut key = *self;
        // No letter of a number.
        key.push(b'0');
        key
    }

    /// The term itself, of a term that a closed channel may have said.
    pub fn base(letters: &str) -> &str {
        letters.get(..KEY_LENGTH).unwrap_or(letters)
    }

    /// Its letters.
    pub fn as_str(&self) -> &str {
        let letters = self.letters.get(..usize::from(self.length)).unwrap_or_default();
        std::str::from_utf8(letters).unwrap_or_default()
    }
}

/// The letter of the last five bits.
fn letter_of_bits(bits: u64) -> u8 {
    usize::try_from(bits & 31).ok().and_then(|index| LETTERS.get(index)).copied().unwrap_or(b'a')
}

/// By their letters: the first eight at once, which are all letters of most terms.
impl Ord for IndexTerm {
    fn cmp(&self, other: &Self) -> Ordering {
        let first =
            |term: &Self| term.letters.first_chunk().map_or(0, |letters| u64::from_be_bytes(*letters));
        first(self).cmp(&first(other)).then_with(|| self.letters.cmp(&other.letters))
    }
}

impl PartialOrd for IndexTerm {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for IndexTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IndexTerm").field(&self.as_str()).finish()
    }
}

impl fmt::Display for IndexTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// English words that stand in every text, so that they tell nothing of what it is about.
const EVERYWHERE: &str = "a about after all also am an and any are as at be because been but by can could did do does \
    dont for from get got had has have he her him his how i if im in into is it its ive just like me my no not of on or \
    our out she so some than that the their them then there these they this those to too up us was we were what when \
    where which who why will with would you your";
/// The same in the form that is left without an apostrophe, as many people write them.
const CONTRACTED: &str = "aint arent cannot cant couldnt didnt doesnt hadnt hasnt havent heres hes isnt lets mustnt neednt \
    shes shouldnt thats theres theyll theyre theyve wasnt werent weve whats wheres whos wont wouldnt yall youd youll youre \
    youve";
static STOP_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| EVERYWHERE.split_whitespace().chain(CONTRACTED.split_whitespace()).collect());
/// Such words that are names of something where they stand in capitals among other letters.
const NAMES_IN_CAPITALS: [&str; 3] = ["it", "us", "who"];

/// The letters of the longest of these words.
const LONGEST_STOP_WORD: usize = 8;

/// Whether an English word stands in every text, so that no index holds it.
pub(super) fn is_everywhere(word: &str) -> bool {
    word.len() <= LONGEST_STOP_WORD && STOP_WORDS.contains(word)
}

/// A term of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The term, folded; for an English word, its stem.
    pub text: String,
    /// Whether it is most likely grammar: two hiragana in a row.
    pub is_weak: bool,
}

impl Term {
    /// The term in the form in which an index holds it.
    pub fn key(&self) -> IndexTerm {
        IndexTerm::new(&self.text)
    }
}

/// The most characters between two terms that stand together.
const MOST_BETWEEN: usize = 3;

/// A term that is not stemmed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawTerm<'t> {
    /// The term, folded.
    pub(super) text: &'t str,
    /// The same as for a [`Term`].
    pub(super) is_weak: bool,
    /// Whether it is written in the letters of English: then the term is its stem.
    pub(super) is_english: bool,
    /// Where it begins in the text; for a part of a word, where the word begins.
    pub(super) at: usize,
}

impl<'t> RawTerm<'t> {
    fn strong(text: &'t str, at: usize) -> Self {
        Self { text, is_weak: false, is_english: false, at }
    }

    /// Where it ends in the text.
    pub(super) fn end(self) -> usize {
        self.at + self.text.chars().count()
    }

    /// Whether it stands right behind what ends at `end`: nothing but a blank, a mark or a letter may be between them.
    pub(super) const fn follows(self, end: usize) -> bool {
        self.at <= end + MOST_BETWEEN
    }

    /// The text of the term.
    pub(super) fn stem(self) -> Cow<'t, str> {
        if self.is_english { english_stem(self.text) } else { Cow::Borrowed(self.text) }
    }
}

/// The terms under which a text is found.
pub fn terms_to_index(text: &str) -> BTreeSet<IndexTerm> {
    let mut terms = Vec::new();
    WordStems::default().collect_index_terms(text, &mut terms);
    terms.into_iter().collect()
}

/// The most words whose terms are known.
const MOST_KNOWN_STEMS: usize = 4096;

/// Terms of English words that were looked for already. Texts of one time and place have many words in common, and to
/// find a stem takes longer than anything else of a word.
#[derive(Debug, Default)]
pub struct WordStems(HashMap<String, IndexTerm>);

impl WordStems {
    /// Adds the terms under which a text is found, in no order and some more than once.
    pub fn collect_index_terms(&mut self, text: &str, terms: &mut Vec<IndexTerm>) {
        let folded = FoldedText::new(text);
        visit_each_term(&folded, &mut |term| terms.push(self.key_of(term)));
        let singles = folded.chars().iter().filter(|c| letter_kind(**c) == LetterKind::Kanji);
        terms.extend(singles.map(|c| IndexTerm::new(c.encode_utf8(&mut [0; 4]))));
        // Pairs of letters between which only marks, blanks or the address of a link stand: a phrase goes on there.
        if let Some(joined) = joined_text(text) {
            visit_each_term(&FoldedText::new(&joined), &mut |term| terms.push(self.key_of(term)));
        }
    }

    fn key_of(&mut self, term: RawTerm<'_>) -> IndexTerm {
        if !term.is_english {
            return IndexTerm::new(term.text);
        }
        if let Some(known) = self.0.get(term.text) {
            return *known;
        }
        let key = IndexTerm::new(&term.stem());
        if self.0.len() < MOST_KNOWN_STEMS {
            self.0.insert(term.text.to_owned(), key);
        }
        key
    }
}

/// A text as a phrase is looked for in it, if it has letters that are written without spaces and stands otherwise.
fn joined_text(text: &str) -> Option<String> {
    let is_unspaced = |c: char| matches!(letter_kind(c), LetterKind::Kanji | LetterKind::Unspaced);
    text.contains(is_unspaced).then(|| comparable_form(text)).filter(|joined| joined != text)
}

/// The terms of a text in their order, as often as they stand in it.
pub fn terms_in_order(folded: &FoldedText) -> Vec<Term> {
    let mut terms = Vec::new();
    visit_each_term(folded, &mut |term| {
        terms.push(Term { text: term.stem().into_owned(), is_weak: term.is_weak });
    });
    terms
}

/// Visits the terms of a text in their order, as often as they stand in it.
pub(super) fn visit_each_term(folded: &FoldedText, visit: &mut impl FnMut(RawTerm<'_>)) {
    let mut buffer = String::new();
    let mut at = 0;
    while let Some(c) = folded.chars().get(at) {
        let rest = folded.chars().get(at..).unwrap_or_default();
        let length = match letter_kind(*c) {
            LetterKind::Kanji | LetterKind::Unspaced => {
                let length = rest.iter().take_while(|c| is_unspaced(**c)).count();
                visit_pairs(folded, at..at + length, &mut buffer, visit);
                length
            }
            LetterKind::Spaced => {
                if let Some(length) = time_length(rest) {
                    visit_time(rest.get(..length).unwrap_or(rest), at, &mut buffer, visit);
                    length
                } else {
                    let length = word_length(rest);
                    visit_word(folded, at..at + length, &mut buffer, visit);
                    length
                }
            }
            LetterKind::Emoji => {
                visit(RawTerm::strong(c.encode_utf8(&mut [0; 4]), at));
                1
            }
            LetterKind::Between => notation_length(rest).unwrap_or(1),
        };
        at += length;
    }
}

fn is_unspaced(c: char) -> bool {
    matches!(letter_kind(c), LetterKind::Kanji | LetterKind::Unspaced)
}

/// Visits the pairs of neighbouring characters; a character that stands alone is a term itself.
fn visit_pairs(
    folded: &FoldedText,
    place: Range<usize>,
    buffer: &mut String,
    visit: &mut impl FnMut(RawTerm<'_>),
) {
    let start = place.start;
    let run = folded.chars().get(place).unwrap_or_default();
    if let [c] = run {
        return visit(RawTerm::strong(c.encode_utf8(&mut [0; 4]), start));
    }
    for (at, pair) in (start..).zip(run.windows(2)) {
        let is_weak = folded.is_hiragana(at) && folded.is_hiragana(at + 1);
        buffer.clear();
        buffer.extend(pair);
        visit(RawTerm { text: buffer, is_weak, is_english: false, at });
    }
}

/// How many characters a time of day has: `9:05`, `23:00`, `23:00:15`.
pub(super) fn time_length(rest: &[char]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        rest.iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let colon = |at: usize| rest.get(at) == Some(&':');
    let hours = digits(0);
    if !matches!(hours, 1 | 2) || !colon(hours) || digits(hours + 1) != 2 {
        return None;
    }
    let minutes = hours + 3;
    let length = if colon(minutes) && digits(minutes + 1) == 2 { minutes + 3 } else { minutes };
    // More of them are an address or a length.
    (!colon(length) || digits(length + 1) == 0).then_some(length)
}

/// Visits a time of day: hours and minutes as one word.
fn visit_time(time: &[char], at: usize, buffer: &mut String, visit: &mut impl FnMut(RawTerm<'_>)) {
    let written: String = time.iter().collect();
    let mut parts = written.split(':');
    let hours = parts.next().unwrap_or_default();
    let minutes = parts.next().unwrap_or_default();
    buffer.clear();
    buffer.push_str(hours.strip_prefix('0').filter(|rest| !rest.is_empty()).unwrap_or(hours));
    buffer.push(':');
    buffer.push_str(minutes);
    visit(RawTerm::strong(buffer, at));
}

/// How many letters there are up to the end of a word. What points, hyphens and apostrophes join is one word.
fn word_length(rest: &[char]) -> usize {
    let is_letter = |c: Option<&char>| c.is_some_and(|c| *c == '_' || letter_kind(*c) == LetterKind::Spaced);
    let mut length = 0;
    loop {
        let joins =
            matches!(rest.get(length), Some('.' | '-' | '\'' | '’')) && is_letter(rest.get(length + 1));
        if !joins && !is_letter(rest.get(length)) {
            return length;
        }
        length += 1;
    }
}

/// Visits a word, its parts, and the parts of these: `foo_bar`, `Data.Map`, `fooBar`.
fn visit_word(
    folded: &FoldedText,
    place: Range<usize>,
    buffer: &mut String,
    visit: &mut impl FnMut(RawTerm<'_>),
) {
    let Range { start, end } = place;
    let word = folded.chars().get(place).unwrap_or_default();
    buffer.clear();
    buffer.extend(word);
    if matches!(buffer.as_str(), "http" | "https" | "www") {
        return;
    }
    let is_joined = word.iter().any(|c| matches!(c, '.' | '-' | '_' | '\'' | '’'));
    // A capital letter at the beginning of a word does not divide it.
    if !is_joined && !(start + 1..end).any(|at| folded.is_upper(at)) {
        return visit_buffer(start, word.len(), buffer, visit);
    }
    if NAMES_IN_CAPITALS.contains(&buffer.as_str()) && folded.is_name_in_capitals(start, end) {
        let name = buffer.to_uppercase();
        return visit(RawTerm::strong(&name, start));
    }
    let word: Vec<(usize, char)> = (start..).zip(word.iter().copied()).collect();
    let without_apostrophes: Vec<(usize, char)> = without_endings(word);
    let parts: Vec<&[(usize, char)]> = without_apostrophes
        .split(|(_, c)| matches!(c, '.' | '-' | '_'))
        .filter(|part| !part.is_empty())
        .collect();
    let mut push = |letters: &[(usize, char)]| {
        buffer.clear();
        buffer.extend(letters.iter().map(|(_, c)| *c));
        visit_buffer(start, letters.len(), buffer, visit);
    };
    if parts.len() > 1 {
        push(&without_apostrophes);
    }
    for part in parts {
        push(part);
        let is_one_hump =
            |a: &(usize, char), b: &(usize, char)| folded.is_upper(a.0) || !folded.is_upper(b.0);
        let humps: Vec<_> = part.chunk_by(is_one_hump).collect();
        let has_digits = part.iter().any(|(_, c)| c.is_numeric());
        if humps.len() > 1 && !has_digits {
            humps.into_iter().filter(|hump| hump.len() > 1).for_each(&mut push);
        }
    }
}

/// A word without apostrophes and without endings such as 's: `don't` becomes `dont`, and `it's` becomes `it`.
fn without_endings(word: Vec<(usize, char)>) -> Vec<(usize, char)> {
    let is_apostrophe = |(_, c): &(usize, char)| matches!(c, '\'' | '’');
    let Some(at) = word.iter().rposition(is_apostrophe) else { return word };
    let ending: String = word.iter().skip(at + 1).map(|(_, c)| *c).collect();
    let length =
        if matches!(ending.as_str(), "s" | "re" | "ve" | "ll" | "d" | "m") { at } else { word.len() };
    word.into_iter().take(length).filter(|letter| !is_apostrophe(letter)).collect()
}

/// Visits the word in the buffer, unless it tells nothing.
fn visit_buffer(at: usize, length: usize, buffer: &str, visit: &mut impl FnMut(RawTerm<'_>)) {
    if length > LONGEST_WORD || length == 0 || is_everywhere(buffer) {
        return;
    }
    let is_english = buffer.bytes().all(|b| b.is_ascii_lowercase());
    visit(RawTerm { text: buffer, is_weak: false, is_english, at });
}

/// The length of notation that is no word: `<@U1>`, `<~U1>`, `<#C1>`, the name of an emoji between colons.
fn notation_length(rest: &[char]) -> Option<usize> {
    match rest {
        ['<', '@' | '~' | '#' | '!', ..] => rest.iter().position(|c| *c == '>').map(|at| at + 1),
        [':', name @ ..] => {
            let length =
                name.iter().take_while(|c| c.is_ascii_alphanumeric() || "_+'-".contains(**c)).count();
            let has_letter = name.iter().take(length).any(char::is_ascii_alphabetic);
            (has_letter && name.get(length) == Some(&':')).then_some(length + 2)
        }
        _ => None,
    }
}
