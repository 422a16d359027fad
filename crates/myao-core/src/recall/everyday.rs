//! Words that people use whatever they talk about. In an archive of some hundred messages they are rare, and yet they tell
//! nothing: who asks what something is used for does not want whatever is used for anything.

use std::{collections::HashSet, sync::LazyLock};

use crate::{
    text::{Lexicon, english_stem},
    worth::is_common_word,
};

static ENGLISH: Lexicon = Lexicon::english("recall.everyday");
static JAPANESE: Lexicon = Lexicon::japanese("recall.everyday");

static EVERYDAY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let english = ENGLISH.words().map(|word| english_stem(word).into_owned());
    english.chain(JAPANESE.words().map(str::to_owned)).collect()
});

/// Whether a term of a question, folded and stemmed, is such a word.
pub(super) fn is_everyday_word(term: &str) -> bool {
    EVERYDAY.contains(term) || is_common_word(term)
}
