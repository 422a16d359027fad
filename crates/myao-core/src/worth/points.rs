//! Scores a text by its own words: its substance and its kind of remark, less what makes it hard to read.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    finder::{Finder, words_with_spaces},
    lexicon::{
        ANNOUNCING, BOT_NOISE, COMMON_WORDS, DECISION, ENGLISH_BACKREFS, ENGLISH_COURTESIES,
        ENGLISH_PROPOSALS, ENGLISH_QUESTIONS, HEADINGS, JAPANESE_BACKREFS, JAPANESE_COURTESIES,
        JAPANESE_FRAGMENTS, JAPANESE_PROPOSALS, JAPANESE_QUESTIONS, JOKING, MARKERS, Marker, NO_DECISIONS,
    },
};
use crate::text::{
    Lexicon, WritingSystem, fold_for_comparison, head_of_text, runs_of_one_kind, writing_system,
};

/// A text with this many points is worth a line of a long-term memory; one with fewer is only kept if there is nothing
/// else.
pub const WORTH: i64 = 16;
/// A text with this many points says something, and is not just a courtesy or a sound.
pub const SAID: i64 = 6;

/// How many characters of a text are looked at.
pub(super) const LOOKED_AT: usize = 600;
/// The most points for substance: a bullet is short.
const MOST_SUBSTANCE: i64 = 36;
/// A text of less substance is a courtesy, a word or a sound, whatever else it has.
const LEAST_SUBSTANCE: i64 = 5;
/// Points for a question that says what it is about; one that does not (`why?`) is worth less than a remark.
const QUESTION: i64 = 10;
const SHORT_QUESTION: i64 = -7;
/// Points for a decision, a plan or a standing fact with a date or number in it, which people come back to.
const DATED: i64 = 8;
/// The least substance of a question that says what it is about.
const FULL_QUESTION: i64 = 9;
const DIGITS: i64 = 5;
const NAME: i64 = 6;
const BACKREF: i64 = 9;
const LAUGHTER: i64 = 6;
const CODE: i64 = 30;
const QUOTATION: i64 = 30;
const BOT: i64 = 60;
const JOKE: i64 = 90;
/// The share of signs among visible characters, in percent, of code, and of a text that is hard to read.
const CODE_SIGNS: usize = 28;
const MANY_SIGNS: usize = 16;
static JAPANESE_MARKERS: LazyLock<Finder<usize>> =
    LazyLock::new(|| finder_of_markers(|marker| &marker.japanese));
static ENGLISH_MARKERS: LazyLock<Finder<usize>> =
    LazyLock::new(|| finder_of_markers(|marker| &marker.english));
static UNDECIDED: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&NO_DECISIONS));
static COURTESIES: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&JAPANESE_COURTESIES));
static EMPTY_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ENGLISH_COURTESIES.words().collect());
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON_WORDS.words().collect());
static BACKREFS: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&JAPANESE_BACKREFS));
static BACK_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ENGLISH_BACKREFS.words().collect());
static FRAGMENTS: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&JAPANESE_FRAGMENTS));
static QUESTION_ENDS: LazyLock<Vec<&str>> = LazyLock::new(|| JAPANESE_QUESTIONS.words().collect());
static QUESTION_STARTS: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&ENGLISH_QUESTIONS));
static NOISE: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&BOT_NOISE));
static ANNOUNCEMENTS: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&ANNOUNCING));
static JOKES: LazyLock<Finder<()>> = LazyLock::new(|| finder_of_words(&JOKING));

fn finder_of_words(list: &'static Lexicon) -> Finder<()> {
    Finder::new(list.words().map(|word| (word, ())))
}

fn finder_of_markers(list: impl Fn(&'static Marker) -> &'static Lexicon) -> Finder<usize> {
    Finder::new(
        MARKERS.iter().zip(0..).flat_map(|(marker, kind)| list(marker).words().map(move |word| (word, kind))),
    )
}

/// The points of a text without its speaker: those for its substance and its kind of remark, less those for what makes
/// it hard to read out of context. They depend on the text alone, so that a memory scores the same wherever it is read
/// (design §3).
pub fn points_of_text(text: &str) -> i64 {
    let points = Points::of(text);
    match points.asks {
        _ if points.is_slight() => points.substance,
        Some(question) => points.said() + question,
        None => points.said(),
    }
}

/// The points of a text, by their reasons.
pub(super) struct Points {
    pub(super) substance: i64,
    remarks: i64,
    /// The points for its kinds of remark in a long-term memory.
    pub(super) lasting: i64,
    details: i64,
    pub(super) blemishes: i64,
    /// The points that it gets as a question, if it is one.
    asks: Option<i64>,
}

impl Points {
    pub(super) fn of(text: &str) -> Self {
        let text = head_of_text(text, LOOKED_AT);
        let folded = fold_for_comparison(text);
        let substance = substance_of_folded(&folded);
        let is_full = substance >= FULL_QUESTION && !is_surprise(&folded);
        let kinds = RemarkKinds::of(&folded);
        let digits = if kinds.has_number { DIGITS } else { 0 };
        let name = if names_something(text) { NAME } else { 0 };
        Self {
            substance: substance.min(MOST_SUBSTANCE),
            remarks: kinds.points(|marker| marker.points),
            lasting: kinds.points(|marker| marker.lasting),
            details: digits + name,
            blemishes: points_for_blemishes(text, &folded),
            asks: asks_question(&folded).then_some(if is_full { QUESTION } else { SHORT_QUESTION }),
        }
    }

    pub(super) fn is_slight(&self) -> bool {
        self.substance < LEAST_SUBSTANCE
    }

    fn said(&self) -> i64 {
        self.substance + self.remarks + self.details - self.blemishes
    }
}

/// Whether a text asks for something.
pub fn is_question(text: &str) -> bool {
    asks_question(&fold_for_comparison(head_of_text(text, LOOKED_AT)))
}

/// Whether a text tells what was decided. A question, a proposal, a joke and an announcement of a program do not.
pub fn is_decision(text: &str) -> bool {
    let text = head_of_text(text, LOOKED_AT);
    let folded = fold_for_comparison(text);
    let is_asked = asks_question(&folded) || proposes_decision(&folded) || folded.trim_end().ends_with('?');
    if is_asked
        || substance_of_folded(&folded) < LEAST_SUBSTANCE
        || points_for_blemishes(text, &folded) >= QUOTATION
    {
        return false;
    }
    let mut kinds = RemarkKinds::of(&folded).kinds.into_iter();
    kinds.any(|kind| MARKERS.get(kind).is_some_and(|marker| std::ptr::eq(*marker, &raw const DECISION)))
}

/// Whether a sentence says anything, or asks something that is worth keeping with an answer.
pub fn is_said(sentence: &str) -> bool {
    points_of_text(sentence) >= if is_question(sentence) { SAID + SHORT_QUESTION } else { SAID }
}

pub(super) fn asks_question(folded: &str) -> bool {
    let end = folded.trim_end_matches(|c: char| c.is_whitespace() || "。.!)」♪w笑…".contains(c));
    if proposes_decision(end) {
        return false;
    }
    if end.ends_with('?') || QUESTION_ENDS.iter().any(|ending| end.ends_with(ending)) {
        return true;
    }
    let start = words_with_spaces(head_of_text(without_address(folded), 40));
    let start = start.trim_start();
    QUESTION_STARTS
        .at_start(start)
        .any(|(words, ())| start.get(words.len()..).is_some_and(|t| t.starts_with(' ')))
}

/// Whether a folded sentence puts a decision as a question: 「じゃあ14時でいきますか？」, `3 May then, ok?`.
fn proposes_decision(folded: &str) -> bool {
    let end = folded.trim_end_matches(|c: char| c.is_whitespace() || "?。.!".contains(c));
    let is_english = |ending: &str| {
        end.strip_suffix(ending)
            .is_some_and(|before| before.ends_with([' ', ',']) && weight_of_text(before) >= FULL_QUESTION)
    };
    JAPANESE_PROPOSALS.words().any(|ending| end.ends_with(ending))
        || ENGLISH_PROPOSALS.words().any(is_english)
}

/// Whether a word is grammar or courtesy rather than a topic.
pub fn is_common_word(word: &str) -> bool {
    COMMON.contains(word) || EMPTY_WORDS.contains(word)
}

/// Whether a Japanese text begins in the middle of a sentence: with a particle or the like.
pub fn is_fragment(text: &str) -> bool {
    begins_with_particle(text) || FRAGMENTS.at_start(text).next().is_some()
}

/// Whether a Japanese text begins with a particle and a word.
pub fn begins_with_particle(text: &str) -> bool {
    let mut chars = text.chars();
    let particle = chars.next().is_some_and(|c| "はがをにとでのもへ".contains(c));
    let then_word =
        chars.next().is_some_and(|c| c.is_alphanumeric() && writing_system(c) != WritingSystem::Hiragana);
    particle && then_word
}

/// Whether a text expresses surprise rather than asking: `本当ですか!?`.
fn is_surprise(folded: &str) -> bool {
    folded.trim_end().ends_with("!?") || folded.trim_end().ends_with("?!")
}

/// The substance of a text: how much it says, whatever kind of remark it is.
pub fn weight_of_text(text: &str) -> i64 {
    substance_of_folded(&fold_for_comparison(head_of_text(text, LOOKED_AT)))
}

/// The substance of a folded text. Chinese characters, words and numbers count much, grammar little, and courtesies
/// nothing.
fn substance_of_folded(folded: &str) -> i64 {
    let words = without_address(folded).split_whitespace().filter(|word| !is_web_address(word));
    let rest = COURTESIES.without(&words.collect::<Vec<_>>().join(" "));
    let length = |run: &str| i64::try_from(run.chars().count()).unwrap_or(i64::MAX);
    let tenths = |(kind, run): (WritingSystem, &str)| match kind {
        WritingSystem::Han => 11 * length(run),
        WritingSystem::Katakana => 5 * length(run),
        WritingSystem::Hiragana => 3 * length(run),
        WritingSystem::Digit => 12,
        WritingSystem::Latin if length(run) == 1 || EMPTY_WORDS.contains(run) || is_laughter(run) => 0,
        WritingSystem::Latin if COMMON.contains(run) => 5,
        WritingSystem::Latin => 24,
        WritingSystem::Other => 0,
    };
    runs_of_one_kind(&rest).into_iter().map(tenths).sum::<i64>() / 10
}

/// A web address, whole or shortened to its host.
fn is_web_address(word: &str) -> bool {
    word.contains("://") || word.ends_with("/...") || word.starts_with("www.")
}

/// Whether a word repeats few letters: `ww`, `hahaha`, `hehe`, `lololol`, `zzz`.
fn is_laughter(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().all(|c| "wahelozxd".contains(c)) && {
        let kinds: BTreeSet<char> = word.chars().collect();
        kinds.len() == 1 || (kinds.len() == 2 && word.chars().nth(3).is_some())
    }
}

/// A text without the `@name` or `name:` by which it addresses somebody.
pub fn without_address(folded: &str) -> &str {
    let mut rest = folded.trim_start();
    while let Some(tail) = rest.strip_prefix('@') {
        rest = tail.split_once(char::is_whitespace).map_or("", |(_, after)| after).trim_start();
    }
    match rest.split_once(": ") {
        Some((name, after))
            if !name.contains(char::is_whitespace) && !name.is_empty() && !is_heading(name) =>
        {
            after
        }
        Some(_) | None => rest,
    }
}

/// Whether a word before a colon tells what kind of remark follows (`decided:`) rather than calling somebody.
fn is_heading(word: &str) -> bool {
    JAPANESE_MARKERS.within(word).next().is_some()
        || ENGLISH_MARKERS.at_start(word).any(|(marker, _)| marker == word)
        || HEADINGS.words().any(|heading| heading == word)
}

/// The kinds of remark that a text is, and whether it has a number or date.
struct RemarkKinds {
    kinds: BTreeSet<usize>,
    has_number: bool,
}

impl RemarkKinds {
    fn of(folded: &str) -> Self {
        let said = without_address(folded);
        let said = BACKREFS.at_start(said).find_map(|(word, ())| said.strip_prefix(word)).unwrap_or(said);
        let said = said.strip_prefix("agreed").filter(|rest| is_assent(rest)).unwrap_or(said);
        let english = words_with_spaces(said);
        let whole_word = |(at, word, kind): (usize, &str, usize)| {
            let ends = |word: &str| english.get(at + word.len()..).is_some_and(|tail| tail.starts_with(' '));
            let rest = english.get(at..).unwrap_or_default();
            let is_undecided = || UNDECIDED.at_start(rest).any(|(words, ())| ends(words));
            (ends(word) && !is_undecided()).then_some(kind)
        };
        let japanese = JAPANESE_MARKERS.within(said).map(|(_, _, kind)| kind);
        let english = ENGLISH_MARKERS.behind_spaces(&english).filter_map(whole_word);
        Self { kinds: japanese.chain(english).collect(), has_number: has_number(folded) }
    }

    /// The points for these kinds, each once, and for a number or date where it settles something.
    fn points(&self, points: impl Fn(&Marker) -> i64) -> i64 {
        let markers = || self.kinds.iter().filter_map(|kind| MARKERS.get(*kind));
        let dated = if self.has_number && markers().any(|marker| marker.is_dated) { DATED } else { 0 };
        markers().map(|marker| points(marker)).sum::<i64>() + dated
    }
}

/// Whether `agreed`, with these words behind it, says yes to somebody rather than what was agreed.
fn is_assent(behind: &str) -> bool {
    let rest = behind.trim_start_matches(|c: char| c.is_whitespace() || ",.!".contains(c));
    rest.is_empty() || rest.starts_with('@') || rest.starts_with("with ")
}

/// Whether a text has digits, or an amount or count in Chinese numerals.
pub fn has_number(folded: &str) -> bool {
    let numeral = |c: char| "一二三四五六七八九十百千万".contains(c);
    let counted = |(one, next): (char, char)| numeral(one) && "円人件個時分月年回歳倍割".contains(next);
    let pairs = folded.chars().zip(folded.chars().skip(1));
    folded.chars().any(|c| writing_system(c) == WritingSystem::Digit) || pairs.into_iter().any(counted)
}

/// Whether a text has a quoted title, inline code, or a capitalised word inside a sentence.
pub(super) fn names_something(text: &str) -> bool {
    let quoted = text.contains('「') || text.contains('『') || text.matches('`').count() >= 2;
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_alphabetic)
    };
    quoted || text.split_whitespace().skip(1).any(capital)
}

fn points_for_blemishes(text: &str, folded: &str) -> i64 {
    let said = without_address(folded);
    let first_word = said.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    let backref =
        BACKREFS.at_start(said).next().is_some() || is_fragment(said) || BACK_WORDS.contains(first_word);
    let laughter = ["(笑)", "ww", "lol", "haha"].iter().any(|sound| folded.contains(sound));
    let bot = NOISE.within(folded).next().is_some() || said.starts_with('!') || announces_something(folded);
    let joke = JOKES.within(folded).next().is_some();
    let visible = text.chars().filter(|c| !c.is_whitespace()).count();
    let signs = text.chars().filter(|c| "{}[]();=<>|\\/*&^%$#~_+".contains(*c)).count();
    let points = |blemish: bool, points: i64| if blemish { points } else { 0 };
    points(backref, BACKREF)
        + points(laughter, LAUGHTER)
        + points(bot, BOT)
        + points(joke, JOKE)
        + points(said.starts_with('>'), QUOTATION)
        + points(signs * 100 > visible * MANY_SIGNS, CODE)
        + points(signs * 100 > visible * CODE_SIGNS, CODE)
}

/// Whether a line is a program's announcement, such as that of a change of a repository.
pub fn is_announcement(line: &str) -> bool {
    announces_something(&fold_for_comparison(head_of_text(line, LOOKED_AT)))
}

fn announces_something(folded: &str) -> bool {
    ANNOUNCEMENTS.at_start(folded).next().is_some() || is_machine_line(folded)
}

/// How many words with the number of a colour in front a program's line has at least.
const COLOURED_WORDS: usize = 2;
/// The highest number of an IRC colour in use.
const HIGHEST_COLOUR: &str = "15";

/// Whether a program wrote a line in the colours of IRC. Only the numbers of the colours are left, each right before a
/// word, as in `03(new) Crash at start - 10https://…`.
fn is_machine_line(folded: &str) -> bool {
    let behind_colour = |word: &'_ str| {
        let (number, rest) = word.split_at_checked(2)?;
        let is_colour = number.bytes().all(|b| b.is_ascii_digit()) && number <= HIGHEST_COLOUR;
        let is_path =
            rest.strip_prefix('/').is_some_and(|path| path.starts_with(|c: char| c.is_ascii_alphabetic()));
        rest.chars().next().filter(|c| is_colour && (*c == '(' || is_path || c.is_ascii_alphabetic()))
    };
    let words = folded.split_whitespace().map(|word| word.trim_start_matches('('));
    let coloured: Vec<char> = words.filter_map(behind_colour).collect();
    // A change of a repository has its path in colour: `03ann * r4711 10/trunk/kiln.c: …`.
    let is_change = coloured.contains(&'/') && folded.contains(" * ");
    coloured.len() >= COLOURED_WORDS && (coloured.contains(&'(') || is_change)
}

/// How many letters a Latin word needs to count as a term; shorter ones are mostly grammar.
const TERM_LETTERS: usize = 4;

/// The words that two texts about the same matter are likely to share: Latin words of some length, runs of katakana
/// or of Chinese characters, numbers.
pub fn words_about_matter(folded: &str) -> BTreeSet<&str> {
    let telling = |(kind, run): &(WritingSystem, &str)| match kind {
        WritingSystem::Latin => run.chars().count() >= TERM_LETTERS && !is_common_word(run),
        WritingSystem::Katakana | WritingSystem::Han | WritingSystem::Digit => run.chars().nth(1).is_some(),
        WritingSystem::Hiragana | WritingSystem::Other => false,
    };
    runs_of_one_kind(folded).into_iter().filter(telling).map(|(_, run)| run).collect()
}
