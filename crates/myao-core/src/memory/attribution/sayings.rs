//! What the material of a request says, and who said it.

use std::{collections::BTreeSet, sync::LazyLock};

use super::{
    super::{line::lines_of_text, telling::is_telling},
    claims::AttributedClaim,
};
use crate::{
    chat::Speaker,
    ports::{Material, MemoryEntry, TalkLine},
    text::{Lexicon, english_stem, fold_for_comparison, is_japanese_char, letters_and_digits, terms_of_text},
    worth::{ARROW, speaker_of},
};

static REPORTING: Lexicon = Lexicon::of_all("attribution.reporting");
static REPORTING_WORDS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| REPORTING.iter().flat_map(|words| TellingWords::of(words).0).collect());

/// The letters of a sentence that is compared word for word, at least; a Japanese one counts as two.
const LEAST_LETTERS: usize = 14;

/// A message, or a line of a memory.
pub(super) struct Saying {
    /// Who said it, by number ([`super::names::KnownPeople`]); `None` where nobody is named, as in a note.
    pub(super) by: Option<usize>,
    /// The name of whoever said it, as it was shown; empty where nobody is named.
    pub(super) name: String,
    /// The folded text.
    pub(super) folded: String,
    /// The letters of each sentence of the speaker's own.
    sentences: Vec<String>,
    /// The telling words of the speaker's own.
    pub(super) words: TellingWords,
    /// The telling words of what the speaker quotes of others.
    quoted: TellingWords,
}

impl Saying {
    fn of(name: &str, text: &str) -> Self {
        let is_quotation = |line: &&str| line.trim_start().starts_with('>');
        let own: Vec<&str> = text.lines().filter(|line| !is_quotation(line)).collect();
        let quoted: Vec<&str> = text.lines().filter(is_quotation).collect();
        let own = own.join("\n");
        Self {
            by: None,
            name: name.to_owned(),
            folded: fold_for_comparison(text),
            sentences: letters_of_sentences(&own).collect(),
            words: TellingWords::of(&own),
            quoted: TellingWords::of(&quoted.join("\n")),
        }
    }

    /// Whether it holds a sentence of a claim word for word, or the claim a sentence of it.
    pub(super) fn shares_sentence(&self, claim: &AttributedClaim) -> bool {
        let claimed: Vec<String> = letters_of_sentences(&claim.words).collect();
        let all: String = self.sentences.concat();
        let whole: String = claimed.concat();
        claimed.iter().any(|letters| is_long(letters) && all.contains(letters.as_str()))
            || (!claim.is_quoted
                && self.sentences.iter().any(|letters| is_long(letters) && whole.contains(letters.as_str())))
    }

    /// The telling words, those of quotations only if they are wanted.
    pub(super) fn words_if(&self, with_quoted: bool) -> impl Iterator<Item = &TellingWords> {
        [Some(&self.words), with_quoted.then_some(&self.quoted)].into_iter().flatten()
    }
}

/// The letters of each sentence, by which sentences are compared.
fn letters_of_sentences(text: &str) -> impl Iterator<Item = String> {
    let folded = fold_for_comparison(text);
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | ';' | '\n' | '…');
    let letters: Vec<String> = folded.split(ends).map(letters_and_digits).collect();
    letters.into_iter().filter(|letters| !letters.is_empty())
}

/// Whether a sentence is so long that two people hardly say it by chance.
fn is_long(letters: &str) -> bool {
    let weight = |c: char| if is_japanese_char(c) { 2 } else { 1 };
    letters.chars().map(weight).sum::<usize>() >= LEAST_LETTERS
}

/// The words of a text by which it is found again in others: no grammar, no courtesies, no small numbers; English words by
/// their stem.
#[derive(Clone, Debug, Default)]
pub(super) struct TellingWords(BTreeSet<String>);

impl TellingWords {
    pub(super) fn of(text: &str) -> Self {
        let terms = terms_of_text(&fold_for_comparison(text)).into_iter();
        Self(terms.filter(|term| is_telling(term)).map(|term| english_stem(&term).into_owned()).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    /// The share of the words, in percent, that `has` is true of.
    pub(super) fn share(&self, has: impl Fn(&String) -> bool) -> usize {
        let had = self.0.iter().filter(|word| has(word)).count();
        (had * 100).checked_div(self.0.len()).unwrap_or_default()
    }

    pub(super) fn without(mut self, others: &BTreeSet<String>) -> Self {
        self.0.retain(|word| !others.contains(word));
        self
    }

    /// Without the words by which a summary tells that somebody said, promised or decided something.
    pub(super) fn without_reporting(self) -> Self {
        self.without(&REPORTING_WORDS)
    }
}

/// Everything that a request's material says, in its order.
pub(super) fn sayings_of_material(material: &Material) -> Vec<Saying> {
    match material {
        Material::Talk { existing, lines } => {
            let talk = lines.iter().filter(|line| line.speaker != Speaker::Own);
            sayings_of_memory(existing).chain(talk.map(saying_of_line)).collect()
        }
        Material::Memories { existing, entries } => {
            let entries = entries.iter().flat_map(|MemoryEntry { text, .. }| sayings_of_memory(text));
            sayings_of_memory(existing).chain(entries).collect()
        }
        Material::Conversation(_) => Vec::new(),
    }
}

fn saying_of_line(line: &TalkLine) -> Saying {
    Saying::of(&line.name, &line.text)
}

/// The lines of a memory; a question and its answer are two sayings.
fn sayings_of_memory(text: &str) -> impl Iterator<Item = Saying> {
    let parts = |words: String| -> Vec<Saying> {
        words
            .split(ARROW)
            .map(|part| {
                let (name, said) = speaker_of(part);
                Saying::of(name, said)
            })
            .collect()
    };
    lines_of_text(text).into_iter().flat_map(move |line| parts(line.words))
}
