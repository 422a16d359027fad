//! Words by which names are told from other words that begin with a capital.

use std::{collections::BTreeSet, sync::LazyLock};

use crate::text::Lexicon;

static NAMES: Lexicon = Lexicon::english("names.names");

static CAPITALISED: Lexicon = Lexicon::english("names.capitalised");

static SPEAKS: Lexicon = Lexicon::english("names.speaks");

static ENDINGS: Lexicon = Lexicon::english("names.endings");
/// How many letters a word needs to be judged by its end.
const LEAST_ENDED: usize = 6;

static SETS: LazyLock<[BTreeSet<&str>; 3]> =
    LazyLock::new(|| [&NAMES, &CAPITALISED, &SPEAKS].map(|list| list.iter().copied().collect()));

/// Whether the word, in lower case, is a common name of people.
pub(super) fn is_persons_name(word: &str) -> bool {
    let [names, _, _] = &*SETS;
    names.contains(word)
}

/// Whether the word, in lower case, is no name although it is written with a capital.
pub(super) fn is_plain_word(word: &str) -> bool {
    let [_, capitalised, _] = &*SETS;
    let is_ended = word.chars().count() >= LEAST_ENDED && ENDINGS.iter().any(|end| word.ends_with(end));
    capitalised.contains(word) || is_ended
}

/// Whether the word, in lower case, tells what somebody says or does.
pub(super) fn is_said(word: &str) -> bool {
    let [_, _, speaks] = &*SETS;
    speaks.contains(word)
}

/// The last characters of words before さん that are nobody's name: お客さん, 店員さん, 奥さん.
const NO_NAME_BEFORE_TITLE: &str =
    "皆客奥母父兄姉弟妹娘子孫嫁婿祖屋者員家師士医社人長生達主番側坊婆爺猫犬神赤方手部隊様々衆供組局";

/// Whether kanji before さん or 氏 are what somebody is rather than a name.
pub(super) fn is_no_name(kanji: &str) -> bool {
    kanji.chars().next_back().is_some_and(|c| NO_NAME_BEFORE_TITLE.contains(c))
}
