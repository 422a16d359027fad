//! How much each term of a question tells (ADR 68).
//!
//! Pairs of neighbouring characters overlap, so that a common phrase such as 「使い方を教えてください」 gives a dozen of
//! them, and the name that it follows gives one term. The pairs of a word are no independent evidence, and those across
//! the border of two words are none at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    fold::FoldedText,
    script::{LetterScript, ScriptRun, runs_of_text},
    terms::RawTerm,
};
use crate::text::{LetterKind, letter_kind};

/// By what the weight of a term is multiplied that is most likely grammar, or a pair across the border of two words. The
/// pairs of a run of hiragana count together: it is divided by the square root of their number.
const WEAK: f64 = 0.3;
/// The same for a kanji with the beginning of its ending (使い): the stem of a verb, or a noun before a particle.
const STEM: f64 = 0.6;
/// The same for a word that is written with spaces, if the question has pairs as well: it is one term, where a word
/// without spaces is several, and in a Japanese question it is most likely what is asked about.
const WORD_AMONG_PAIRS: f64 = 2.0;
/// So many letters of kana in a row are seldom shared by two words.
const LETTERS_OF_A_WORD: usize = 3;

/// What a term is in its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermRole {
    /// A word that is written with spaces.
    Word,
    /// A letter or sign by itself.
    Single,
    /// Two letters of a run, by its place in the list of runs.
    Pair(usize),
    /// A kanji and what follows or precedes it in another script, where nothing else holds the kanji.
    Stem,
    /// The last letter of one word and the first of the next.
    Border,
}

/// What the terms of a question are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct QuestionEvidence {
    /// For each term.
    roles: Vec<TermRole>,
    /// The runs of letters of the question.
    runs: Vec<ScriptRun>,
    /// Whether one of the terms is a pair.
    has_pairs: bool,
}

impl QuestionEvidence {
    pub(super) fn new(text: &FoldedText) -> Self {
        Self { roles: Vec::new(), runs: runs_of_text(text), has_pairs: false }
    }

    /// Adds the next term of the question, and tells whether it is most likely grammar or stands across a border.
    pub(super) fn add(&mut self, term: RawTerm<'_>) -> bool {
        let role = self.role(term);
        self.roles.push(role);
        self.has_pairs |= !matches!(role, TermRole::Word | TermRole::Single);
        term.is_weak || role == TermRole::Border
    }

    /// Whether the term at `at` is a word that is written with spaces.
    pub(super) fn is_word(&self, at: usize) -> bool {
        self.roles.get(at) == Some(&TermRole::Word)
    }

    fn role(&self, term: RawTerm<'_>) -> TermRole {
        let mut letters = term.text.chars();
        let first = letters.next();
        if !matches!(first.map(letter_kind), Some(LetterKind::Kanji | LetterKind::Unspaced)) {
            let is_word = first.is_some_and(|c| letter_kind(c) == LetterKind::Spaced);
            return if is_word { TermRole::Word } else { TermRole::Single };
        }
        if letters.next().is_none() {
            return TermRole::Single;
        }
        let at = self.runs.partition_point(|run| run.end() <= term.at);
        let (Some(run), next) = (self.runs.get(at), self.runs.get(at + 1)) else { return TermRole::Single };
        if term.at + 1 < run.end() {
            return TermRole::Pair(at);
        }
        let is_lone = |run: &ScriptRun| run.script == LetterScript::Kanji && run.letters.len() == 1;
        let is_prefix = run.script == LetterScript::Hiragana && matches!(first, Some('お' | 'ご'));
        let is_last = self.runs.get(at + 2).is_none_or(|after| after.script == LetterScript::Other);
        let holds_next = next
            .is_some_and(|next| is_prefix && next.script == LetterScript::Kanji || is_lone(next) && is_last);
        if is_lone(run) || holds_next { TermRole::Stem } else { TermRole::Border }
    }

    /// By what the weight of the term at `at` is multiplied. `is_weak` is what [`Self::add`] told, or false if the
    /// question has nothing else.
    pub(super) fn share(&self, at: usize, is_weak: bool) -> f64 {
        let weak = if is_weak { WEAK } else { 1.0 };
        match self.roles.get(at) {
            Some(TermRole::Word) if self.has_pairs => WORD_AMONG_PAIRS,
            Some(TermRole::Pair(run)) => match self.runs.get(*run) {
                Some(run) if run.script == LetterScript::Hiragana => weak / as_float(run.pairs()).sqrt(),
                Some(_) | None => weak,
            },
            Some(TermRole::Stem) => STEM,
            Some(TermRole::Border) => weak,
            Some(TermRole::Word | TermRole::Single) | None => 1.0,
        }
    }

    /// For each run of which a text holds terms, the root of the share of its pairs among them: half of a word is less
    /// than half as good as the word.
    pub(super) fn covered(&self, held: &BTreeMap<usize, f64>) -> HashMap<usize, f64> {
        let mut covered: HashMap<usize, f64> = HashMap::new();
        for run in held.keys().filter_map(|term| self.word_of(*term)) {
            *covered.entry(run).or_default() += 1.0;
        }
        for (run, count) in &mut covered {
            let pairs = self.runs.get(*run).map_or(1, ScriptRun::pairs);
            *count = (*count / as_float(pairs)).sqrt();
        }
        covered
    }

    /// The run that a term is a pair of, if the run is a word: most runs of hiragana are several.
    pub(super) fn word_of(&self, term: usize) -> Option<usize> {
        let Some(TermRole::Pair(at)) = self.roles.get(term) else { return None };
        self.runs.get(*at).filter(|run| run.script != LetterScript::Hiragana).map(|_| *at)
    }

    /// Whether a text that holds these terms of the question holds more than letters that two words happen to share.
    pub(super) fn is_word_held(&self, held: &BTreeMap<usize, f64>, text: &FoldedText) -> bool {
        let mut of_kana: BTreeSet<usize> = BTreeSet::new();
        for term in held.keys() {
            match self.roles.get(*term) {
                Some(TermRole::Pair(at)) => match self.runs.get(*at).map(|run| run.script) {
                    Some(LetterScript::Hiragana | LetterScript::Katakana) => drop(of_kana.insert(*at)),
                    Some(_) | None => return true,
                },
                Some(TermRole::Border) if self.roles.iter().any(|role| *role != TermRole::Border) => {}
                Some(_) | None => return true,
            }
        }
        let asked: Vec<&ScriptRun> = of_kana.iter().filter_map(|at| self.runs.get(*at)).collect();
        let runs = if asked.is_empty() { Vec::new() } else { runs_of_text(text) };
        let is_held = |run: &&ScriptRun| {
            let is_whole = |letters: &[char]| letters == run.letters;
            text.chars().windows(run.letters.len()).any(is_whole)
                || runs.iter().any(|other| has_word_of(other, run))
        };
        asked.iter().any(is_held)
    }
}

/// Whether a run of a text has a word in common with a run of kana in a question. A run of katakana is a word: the other
/// has to begin or end with it (ファイル, ファイルシステム), or to begin alike (サーバ, サーバー). A run of hiragana is
/// several, so that they have one in common if they have [`LETTERS_OF_A_WORD`] letters in a row.
fn has_word_of(run: &ScriptRun, asked: &ScriptRun) -> bool {
    let letters = &run.letters;
    let word = &asked.letters;
    let holds = |part: &[char]| word.windows(part.len()).any(|other| other == part);
    let is_long = letters.len() >= LETTERS_OF_A_WORD;
    match (run.script, asked.script) {
        (LetterScript::Katakana, LetterScript::Hiragana) if is_long && holds(letters) => true,
        (LetterScript::Katakana, _) => {
            let shared = word.iter().zip(letters).take_while(|(a, b)| a == b).count();
            let is_part = letters.len() > 1 && (shared == letters.len() || word.ends_with(letters));
            is_part || shared >= LETTERS_OF_A_WORD.max(word.len().div_ceil(2))
        }
        (LetterScript::Hiragana, LetterScript::Hiragana) => letters.windows(LETTERS_OF_A_WORD).any(holds),
        (LetterScript::Kanji | LetterScript::Hiragana | LetterScript::Unspaced | LetterScript::Other, _) => {
            false
        }
    }
}

fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
