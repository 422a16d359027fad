//! Shortens English sentences: leaves out interjections, fillers and adverbs of emphasis.

use std::{collections::HashSet, sync::LazyLock};

use myao_core::text::Lexicon;

static OPENINGS: Lexicon = Lexicon::english("condense.openings");
static EXCLAMATIONS: Lexicon = Lexicon::english("condense.exclamations");
static FILLERS: Lexicon = Lexicon::english("condense.fillers");
static ENDINGS: Lexicon = Lexicon::english("condense.endings");
static CALLS: Lexicon = Lexicon::english("condense.calls");
static BELONGING: Lexicon = Lexicon::english("condense.belonging");
static NEGATIONS: Lexicon = Lexicon::english("condense.negations");

static OPENING: LazyLock<HashSet<&str>> = LazyLock::new(|| OPENINGS.words().collect());
static FILLER: LazyLock<HashSet<&str>> = LazyLock::new(|| FILLERS.words().collect());
static ENDING: LazyLock<HashSet<&str>> = LazyLock::new(|| ENDINGS.words().collect());
static CALL: LazyLock<HashSet<&str>> = LazyLock::new(|| CALLS.words().collect());
static BELONGS: LazyLock<HashSet<&str>> = LazyLock::new(|| BELONGING.words().collect());
static NEGATION: LazyLock<HashSet<&str>> = LazyLock::new(|| NEGATIONS.words().collect());
static EXCLAMATION: LazyLock<HashSet<&str>> = LazyLock::new(|| EXCLAMATIONS.words().collect());

/// A sentence without the words above.
pub(super) fn condense(text: &str) -> String {
    let all: Vec<&str> = text.split_whitespace().collect();
    let next = |at: usize| all.get(at + 1).map(|word| core_of_word(word)).unwrap_or_default();
    let opens = |(at, word): &(usize, &&str)| is_opening(word, &next(*at));
    let start = all.iter().enumerate().take_while(opens).count();
    let mut left = all.get(start..).unwrap_or_default();
    while let Some((_, before)) = left.split_last().filter(|(last, before)| is_ending(last, before.last())) {
        left = before;
    }
    let mut kept: Vec<String> = Vec::new();
    let mut quoted = false;
    for (at, word) in left.iter().enumerate() {
        let was_quoted = quoted;
        quoted ^= word.matches(['`', '"', '“', '”']).count() % 2 == 1;
        let plain = core_of_word(word);
        let before = kept.last().map(|word| core_of_word(word)).unwrap_or_default();
        // `the Very Large Telescope` is a name.
        let is_name = !kept.is_empty() && word.starts_with(char::is_uppercase);
        let filler = FILLER.contains(plain.as_str())
            && !is_name
            && !NEGATION.contains(before.as_str())
            && !before.ends_with("n't");
        let is_only = plain == "just" && left.get(at + 1).is_some_and(|next| names_a_part(next));
        let is_kept = is_only || holds_one_bracket(word) || opens_a_quotation(word) || word.contains('?');
        if was_quoted || quoted || !filler || is_kept {
            kept.push((*word).to_owned());
        }
    }
    kept.join(" ")
}

/// Whether a word behind `just` shows that it means `only`: `just the lid`, `just two`.
fn names_a_part(word: &str) -> bool {
    matches!(core_of_word(word).as_str(), "the" | "one" | "two")
        || word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_opening(word: &str, next: &str) -> bool {
    let plain = core_of_word(word);
    if opens_a_quotation(word) {
        return false;
    }
    let is_ended = word.ends_with([',', '!', '.', '…']);
    (OPENING.contains(plain.as_str()) && (is_ended || !BELONGS.contains(next)))
        || (EXCLAMATION.contains(plain.as_str()) && is_ended)
        || word.chars().all(|c| ".,!…*~".contains(c))
}

fn is_ending(word: &str, before: Option<&&str>) -> bool {
    let plain = core_of_word(word);
    let is_apart = before.is_none_or(|before| before.ends_with([',', '.', '!', '?', ';', ':', '…', ')']));
    let is_left_out = ENDING.contains(plain.as_str()) || (CALL.contains(plain.as_str()) && is_apart);
    // Without its mark, a question would be told as a statement.
    is_left_out && !holds_one_bracket(word) && !word.contains('?')
}

/// Whether quoted words begin with a word: all of them stay.
fn opens_a_quotation(word: &str) -> bool {
    word.starts_with(['\'', '"', '“', '‘', '`']) && !word.ends_with(['\'', '"', '”', '’', '`'])
}

/// Whether a bracket opens or closes in a word: without it the other one would stand alone.
fn holds_one_bracket(word: &str) -> bool {
    word.matches(['(', '[']).count() != word.matches([')', ']']).count()
}

fn core_of_word(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'")
}
