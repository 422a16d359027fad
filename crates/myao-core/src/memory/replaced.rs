//! Finds out which statement replaces which earlier one: "the party is on 3 May now" ends "the party is on 12 April".
//!
//! No model is asked. A later statement ends an earlier one if it says that something changes, if both speak of the
//! same thing, and if both give a value of the same kind (a number, a day, a name) but different values. If that is not
//! clear, nothing is replaced: a wrong end is worse than none (specification §2.1).

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use jiff::civil::Date;

use super::former::no_longer_valid_values;
use crate::{
    text::{
        Lexicon, WritingSystem, english_stem, fold_for_comparison, runs_of_one_kind,
        without_compatibility_forms,
    },
    worth::{WordFinder, is_common_word, is_question, speaker_of},
};

/// A sentence of more characters than this is not compared, since it speaks of more than one thing.
const LONGEST: usize = 160;
/// How many words two statements about the same thing have in common at least.
const LEAST_SHARED: usize = 2;
/// The same where the later statement names the value of the earlier one, which counts as well.
const LEAST_SHARED_WITH_VALUES: usize = 3;
/// Of the words that a statement speaks of, at least this share, in percent, must be in the other statement as well:
/// first for the later statement, then for the earlier one.
const SHARED_PERCENT: (usize, usize) = (66, 50);
/// The same, for both statements, where the value is a name: names stand in many sentences.
const SHARED_PERCENT_OF_NAMED: usize = 75;
/// By how many words of a statement other statements are looked up.
const LOOKED_UP: usize = 8;

static ENGLISH_CHANGES: Lexicon = Lexicon::english("changes.changes");
static JAPANESE_CHANGES: Lexicon = Lexicon::japanese("changes.changes");
static JAPANESE_TOPICS: Lexicon = Lexicon::japanese("changes.topics");
static JAPANESE_BECOMES: Lexicon = Lexicon::japanese("changes.becomes");
static BEHIND_PLACE: Lexicon = Lexicon::japanese("changes.behind_place");
static NO_CHANGES: Lexicon = Lexicon::of_all("changes.no_changes");
static WEEKDAYS_AND_MONTHS: Lexicon = Lexicon::of_all("changes.days");
/// Characters of dates and amounts, and characters that are common in any talk. A word made of these alone does not
/// tell what a statement speaks of.
const COUNTERS: &str = "月日時分年円人名個件回歳度階番今何私僕方気間者本前後中上下行来見言思出入使";
/// Characters of words that tell when. Such a word before の is no owner: 「来週の会議」 (next week's meeting).
const TIMES: &str = "今来先次前後週日月年時毎";
/// An English word with fewer letters than this tells nothing.
const TELLING_LETTERS: usize = 3;

static CHANGES: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("changes.changes"));
static ENGLISH_CUES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| ENGLISH_CHANGES.words().flat_map(str::split_whitespace).collect());
static JAPANESE_CUES: LazyLock<Vec<&str>> = LazyLock::new(|| JAPANESE_CHANGES.words().collect());
static DAYS: LazyLock<HashSet<&str>> = LazyLock::new(|| WEEKDAYS_AND_MONTHS.words().collect());

/// A kind of value. A value is only replaced by one of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ValueKind {
    Number,
    Day,
    Name,
}

/// A statement taken apart.
#[derive(Default)]
struct Statement {
    /// What it speaks of: its words that mean something, folded, including names; of English words their stems.
    subject: BTreeSet<String>,
    values: BTreeSet<(ValueKind, String)>,
    /// Its names; each is the set of the name's words.
    names: Vec<BTreeSet<String>>,
    /// Japanese words followed by の, which say whose something is or where it belongs.
    owners: BTreeSet<String>,
    /// The values that it names as those that hold no more: "now on 9 June, not 2 May".
    former: BTreeSet<(ValueKind, String)>,
}

/// The folded words by which to look up the earlier statements that this line may end: what it speaks of, and the numbers
/// that it says hold no more. `None` if the line does not say that anything changes.
pub fn announces_change(line: &str) -> Option<BTreeSet<String>> {
    let changes: Vec<String> =
        sentences_to_compare(line).into_iter().filter(|said| says_change(said)).collect();
    let former = || {
        changes
            .iter()
            .flat_map(|said| of_kind(&Statement::of(said).former, ValueKind::Number))
            .take(LOOKED_UP)
    };
    (!changes.is_empty()).then(|| looked_up(&changes).into_iter().chain(former()).collect())
}

/// The folded words by which to look up the later line that may end this one: what it speaks of, and its numbers.
pub fn words_of_end(line: &str) -> BTreeSet<String> {
    let said = sentences_to_compare(line);
    let own =
        said.iter().flat_map(|said| of_kind(&Statement::of(said).values, ValueKind::Number)).take(LOOKED_UP);
    looked_up(&said).into_iter().chain(own).collect()
}

/// A line taken apart, to be compared with many others.
pub struct Statements(Vec<Statement>);

impl Statements {
    /// The statements of a line, given as [`super::line::Line`]. `builtin` joins sentences by semicolons.
    pub fn of(line: &str) -> Self {
        let sentences = sentences_to_compare(line);
        Self(sentences.iter().flat_map(|said| said.split("; ")).map(Statement::of).collect())
    }

    /// The folded words that they speak of. A statement that replaces another has one of them in common with it.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|said| said.subject.iter().map(String::as_str))
    }

    /// The few of these words that tell most of what a line is about.
    pub(crate) fn telling_subjects(&self) -> BTreeSet<&str> {
        longest_words(self.subjects().collect()).into_iter().collect()
    }

    /// Whether they may replace what an earlier line says even if they do not say that anything changes: both speak of
    /// the same thing, with different values.
    pub fn may_replace(&self, earlier: &Self) -> bool {
        self.0.iter().any(|new| earlier.0.iter().any(|old| new.ends(old).is_some()))
    }
}

fn of_kind(values: &BTreeSet<(ValueKind, String)>, kind: ValueKind) -> BTreeSet<String> {
    values.iter().filter(|(own, _)| *own == kind).map(|(_, value)| value.clone()).collect()
}

fn looked_up(said: &[String]) -> BTreeSet<String> {
    let subject = said.iter().flat_map(|said| Statement::without_former(said).subject).collect();
    longest_words(subject).into_iter().collect()
}

/// The longest of these words: long words are mostly rare ones, so they are the ones to keep.
fn longest_words<W: AsRef<str>>(mut words: Vec<W>) -> Vec<W> {
    words.sort_by_key(|word| std::cmp::Reverse(word.as_ref().chars().count()));
    words.truncate(LOOKED_UP);
    words
}

/// The folded words that both lines speak of, if what `later` says replaces what `earlier` says; otherwise `None`. Both
/// are given as [`super::line::Line`]. If all of these words are everyday ones, the two may still speak of different
/// things.
pub fn subjects_if_replaced(later: &str, earlier: &str) -> Option<BTreeSet<String>> {
    AnnouncedChanges::of(later).subjects_if_replaced(earlier)
}

/// What a line says that changes, taken apart once to be compared with many earlier lines.
pub struct AnnouncedChanges(Vec<Statement>);

impl AnnouncedChanges {
    /// The changes of a line, given as [`super::line::Line`].
    pub fn of(later: &str) -> Self {
        let changes = sentences_to_compare(later).into_iter().filter(|said| says_change(said));
        Self(changes.map(|said| Statement::of(&said)).collect())
    }

    /// Whether the line says of nothing that it changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The folded words that both lines speak of, if these changes replace what `earlier` says: see
    /// [`subjects_if_replaced`].
    pub fn subjects_if_replaced(&self, earlier: &str) -> Option<BTreeSet<String>> {
        if self.0.is_empty() {
            return None;
        }
        self.subjects_if_replacing(&EarlierLine::of(earlier))
    }

    /// The same of a line that is compared with the changes of several lines.
    pub fn subjects_if_replacing(&self, earlier: &EarlierLine) -> Option<BTreeSet<String>> {
        self.0.iter().find_map(|new| earlier.0.iter().find_map(|old| new.ends(old)))
    }
}

/// What a line says, taken apart once to be compared with the changes of many later lines.
pub struct EarlierLine(Vec<Statement>);

impl EarlierLine {
    /// The sentences of a line, given as [`super::line::Line`].
    pub fn of(line: &str) -> Self {
        Self(sentences_to_compare(line).iter().map(|said| Statement::of(said)).collect())
    }
}

/// Which of these lines say something that a line of a later day names as what holds no more, each by its place, with the
/// first such day. They are given with the day that each is about.
pub fn lines_denied_later(lines: &[(Option<Date>, &str)]) -> Vec<(usize, Date)> {
    let sentences: Vec<Vec<String>> = lines.iter().map(|(_, line)| sentences_to_compare(line)).collect();
    let names_former =
        |said: &String| !no_longer_valid_values(&fold_for_comparison(said), is_number_or_day).is_empty();
    if !sentences.iter().flatten().any(names_former) {
        return Vec::new();
    }
    let statements = |said: &Vec<String>| said.iter().map(|said| Statement::of(said)).collect();
    let statements: Vec<Vec<Statement>> = sentences.iter().map(statements).collect();
    let days = || lines.iter().map(|(day, _)| *day).zip(&statements);
    let first_denial = |day: Date, said: &[Statement]| {
        let denies = |new: &Statement| said.iter().any(|old| new.denies(old).is_some());
        let later = days().filter_map(|(later, new)| Some((later.filter(|later| *later > day)?, new)));
        later.filter(|(_, new)| new.iter().any(denies)).map(|(later, _)| later).min()
    };
    let end =
        |(at, (day, said)): (usize, (Option<Date>, &Vec<Statement>))| Some((at, first_denial(day?, said)?));
    days().enumerate().filter_map(end).collect()
}

/// The sentences of a line to compare, without the speaker and without web addresses. Questions and sentences of more
/// than [`LONGEST`] characters are left out.
fn sentences_to_compare(line: &str) -> Vec<String> {
    let (_, said) = speaker_of(line);
    let words = said.split_whitespace().filter(|word| !word.contains("://") && !word.ends_with('/'));
    let plain = words.collect::<Vec<_>>().join(" ");
    // "Pencil in 3 May, ok?" only asks for agreement: it counts as a statement.
    let plain = plain.trim_end_matches("ok?").trim_end_matches("OK?");
    let marked = plain.replace(". ", ".\n").replace(['。', '！', '!'], "\n").replace(['？', '?'], "?\n");
    let sentences = marked.lines().map(str::trim).filter(|said| said.chars().nth(LONGEST).is_none());
    sentences.filter(|said| !said.is_empty() && !is_question(said)).map(str::to_owned).collect()
}

fn says_change(said: &str) -> bool {
    let said = fold_for_comparison(said);
    let mut without_denials = Cow::Borrowed(said.as_str());
    for denial in NO_CHANGES.iter() {
        if without_denials.contains(denial) {
            without_denials = Cow::Owned(without_denials.replace(denial, " "));
        }
    }
    CHANGES.stands_in(&without_denials)
        || (has_one(&without_denials, &JAPANESE_TOPICS) && has_one(&without_denials, &JAPANESE_BECOMES))
        || !no_longer_valid_values(&said, is_number_or_day).is_empty()
}

fn has_one(said: &str, list: &[&str]) -> bool {
    list.iter().any(|word| said.contains(word))
}

fn is_number_or_day(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || DAYS.contains(word)
}

/// Whether a word says that something changes, or is part of a phrase that does.
fn is_cue(word: &str) -> bool {
    if word.is_ascii() {
        return ENGLISH_CUES.contains(word);
    }
    let is_part =
        |cue: &&str| word.contains(*cue) || (cue.starts_with(word) && word.chars().nth(1).is_some());
    JAPANESE_CUES.iter().any(is_part)
}

/// A word as it is compared with others: "posted" and "post" are the same.
fn comparable_word(kind: WritingSystem, run: &str) -> String {
    let word = fold_for_comparison(run);
    if kind == WritingSystem::Latin { english_stem(&word).into_owned() } else { word }
}

impl Statement {
    fn of(said: &str) -> Self {
        let mut statement = Self::without_former(said);
        for part in no_longer_valid_values(&fold_for_comparison(said), is_number_or_day) {
            let values = Self::without_former(&part).values.into_iter();
            statement.former.extend(values.filter(|(kind, _)| *kind != ValueKind::Name));
        }
        statement
    }

    fn without_former(said: &str) -> Self {
        let plain = without_compatibility_forms(said);
        let mut statement = Self::default();
        let mut is_first = true;
        let mut follows_name = false;
        let tells_place = has_one(&plain, &JAPANESE_TOPICS);
        let mut follows_topic = false;
        let mut rest = &*plain;
        for (kind, run) in runs_of_one_kind(&plain) {
            let at = rest.find(run).unwrap_or_default();
            let before = rest.get(..at).unwrap_or_default();
            rest = rest.get(at + run.len()..).unwrap_or_default();
            is_first |= before.contains(['.', '!', '?', ':']);
            let values = statement.values.len();
            statement.add(kind, run, rest, is_first);
            // The place in 「会場は図書館です」 is a value, although its writing shows no name.
            let is_place = follows_topic && kind == WritingSystem::Han && run.chars().nth(1).is_some();
            if tells_place && is_place && BEHIND_PLACE.iter().any(|end| rest.starts_with(end)) {
                statement.values.insert((ValueKind::Name, fold_for_comparison(run)));
            }
            follows_topic = kind == WritingSystem::Hiragana && run.ends_with('は');
            let added = (statement.values.len() > values).then(|| comparable_word(kind, run));
            let name = added.filter(|word| statement.values.contains(&(ValueKind::Name, word.clone())));
            let goes_on = follows_name && before == " ";
            follows_name = name.is_some();
            if let Some(name) = name {
                statement.note_name(name, goes_on);
            }
            is_first = false;
        }
        statement
    }

    /// Notes a word as a new name, or, if `goes_on`, as one more word of the last name.
    fn note_name(&mut self, word: String, goes_on: bool) {
        match self.names.last_mut().filter(|_| goes_on) {
            Some(name) => drop(name.insert(word)),
            None => self.names.push(BTreeSet::from([word])),
        }
    }

    fn add(&mut self, kind: WritingSystem, run: &str, rest: &str, is_first: bool) {
        let word = fold_for_comparison(run);
        let length = word.chars().count();
        if DAYS.contains(word.as_str()) {
            self.values.insert((ValueKind::Day, word));
            return;
        }
        match kind {
            WritingSystem::Digit => drop(self.values.insert((ValueKind::Number, word))),
            WritingSystem::Latin if length < TELLING_LETTERS || is_common_word(&word) => {}
            WritingSystem::Latin => {
                let stem = comparable_word(kind, run);
                if run.starts_with(char::is_uppercase) && !(is_first && is_cue(&word)) {
                    self.values.insert((ValueKind::Name, stem.clone()));
                }
                if !is_cue(&word) {
                    self.subject.insert(stem);
                }
            }
            WritingSystem::Katakana | WritingSystem::Han => {
                // In 番号変わった (the number changed) the run of kanji is 番号変, and the word is 番号.
                let is_verb = rest.starts_with(['わ', 'え']);
                let word =
                    word.strip_suffix(['変', '替', '換']).filter(|_| is_verb).unwrap_or(&word).to_owned();
                let length = word.chars().count();
                if rest.starts_with("さん") || (kind == WritingSystem::Katakana && length > 2) {
                    self.values.insert((ValueKind::Name, word.clone()));
                }
                if rest.starts_with('の') && !word.contains(|c| TIMES.contains(c)) {
                    self.owners.insert(word.clone());
                }
                let is_stem = length == 1 && rest.starts_with(|c| ('ぁ'..='ん').contains(&c));
                let is_told = (length > 1 || is_stem) && !word.chars().all(|c| COUNTERS.contains(c));
                if is_told && !is_cue(&word) {
                    self.subject.insert(word);
                }
            }
            WritingSystem::Hiragana | WritingSystem::Other => {}
        }
    }

    /// The words that both speak of, if this statement replaces `old`; otherwise `None`.
    fn ends(&self, old: &Self) -> Option<BTreeSet<String>> {
        if let Some(shared) = self.denies(old) {
            return Some(shared);
        }
        let shared = self.subject.intersection(&old.subject);
        shared.clone().nth(LEAST_SHARED - 1)?;
        let shared: BTreeSet<String> = shared.cloned().collect();
        let percent = |of: usize| shared.len() * 100 / of.max(1);
        let of_new = percent(self.spoken_of(old));
        let of_old = percent(old.spoken_of(self));
        let is_same = of_new >= SHARED_PERCENT.0 && of_old >= SHARED_PERCENT.1;
        let has_other = |kind: ValueKind| self.has_other(old, kind);
        let is_other = has_other(ValueKind::Number)
            || has_other(ValueKind::Day)
            || (has_other(ValueKind::Name)
                && (of_new.min(of_old) >= SHARED_PERCENT_OF_NAMED || self.mentions_names_of(old)));
        (is_same && is_other && !self.is_elsewhere(old)).then_some(shared)
    }

    /// The words and numbers that both have, if this statement names the value of `old` as one that holds no more. Then
    /// fewer words need to be the same for both to speak of one thing.
    fn denies(&self, old: &Self) -> Option<BTreeSet<String>> {
        if self.former.is_empty() {
            return None;
        }
        let numbers = of_kind(&old.values, ValueKind::Number);
        let days = of_kind(&old.values, ValueKind::Day);
        let no_more = of_kind(&self.former, ValueKind::Number);
        let other_days = of_kind(&self.former, ValueKind::Day);
        let denied_days = days.intersection(&other_days).count();
        let is_denied = if numbers.is_empty() {
            denied_days > 0 && denied_days == days.len()
        } else {
            // A weekday may stand beside a date, but not another month.
            numbers.is_subset(&no_more) && (denied_days > 0 || days.is_empty() || other_days.is_empty())
        };
        let mut shared: BTreeSet<String> = self.subject.intersection(&old.subject).cloned().collect();
        let is_same =
            !shared.is_empty() && shared.len() + numbers.len() + denied_days >= LEAST_SHARED_WITH_VALUES;
        shared.extend(numbers);
        (is_denied && is_same && !self.is_elsewhere(old)).then_some(shared)
    }

    /// Whether it and `old` speak of two things of the same sort: "the Holm fair" says nothing of "the Lindwell fair".
    /// They do if each has an owner, or a name, that the other has not. If the value is a name, each may have one such
    /// name.
    fn is_elsewhere(&self, old: &Self) -> bool {
        let others = |a: &Self, b: &Self| {
            let is_other = |name: &&BTreeSet<String>| b.names.iter().all(|known| known.is_disjoint(name));
            a.names.iter().filter(is_other).count()
        };
        let is_named_value = !self.has_other(old, ValueKind::Number) && !self.has_other(old, ValueKind::Day);
        let most = usize::from(is_named_value);
        let of_others = self.owners.difference(&old.owners).next().is_some()
            && old.owners.difference(&self.owners).next().is_some();
        of_others || (others(self, old) > most && others(old, self) > most)
    }

    /// How many words it speaks of, without the names that the other does not speak of: those are values.
    fn spoken_of(&self, other: &Self) -> usize {
        let is_value = |word: &String| {
            self.values.contains(&(ValueKind::Name, word.clone())) && !other.subject.contains(word)
        };
        self.subject.iter().filter(|word| !is_value(word)).count()
    }

    /// Whether both have values of this kind, and it has one that the other has not.
    fn has_other(&self, other: &Self, kind: ValueKind) -> bool {
        let new = of_kind(&self.values, kind);
        let old = of_kind(&other.values, kind);
        !old.is_empty() && new.difference(&old).next().is_some()
    }

    /// Whether it has every name that the other has.
    fn mentions_names_of(&self, other: &Self) -> bool {
        other
            .values
            .iter()
            .filter(|(kind, _)| *kind == ValueKind::Name)
            .all(|value| self.values.contains(value))
    }
}
