//! Recognises sentences that can be a question, and texts that can be an answer.

use myao_core::{
    text::{Lexicon, fold_for_comparison},
    worth::{
        has_number, is_question, is_said, weight_of_text, without_address, words_about_matter,
        words_with_spaces,
    },
};

use super::{judge::is_soft, sentences};

/// The least weight of a question: it has to say what it is about.
const LEAST_WEIGHT: i64 = 4;

static JAPANESE_NO_ANSWER: Lexicon = Lexicon::japanese("replies.no_answer");
static ENGLISH_NO_ANSWER: Lexicon = Lexicon::english("replies.no_answer");
static HESITATIONS: Lexicon = Lexicon::of_all("replies.hesitations");
static YES_OR_NO: Lexicon = Lexicon::of_all("replies.yes_or_no");
static ASKING: Lexicon = Lexicon::english("replies.asking");
static JAPANESE_NUMBERS: Lexicon = Lexicon::japanese("replies.numbers");
static ENGLISH_NUMBERS: Lexicon = Lexicon::english("replies.numbers");
static ASKS_BACK: Lexicon = Lexicon::japanese("replies.asks_back");

/// The questions in a text.
pub(super) fn questions_in_text(text: &str) -> Vec<String> {
    let sentences = sentences::split_into_sentences(text).into_iter().map(sentences::sentence_as_read);
    sentences
        .filter(|s| is_question(s) && !is_exclamation(s) && !is_soft(s) && weight_of_text(s) >= LEAST_WEIGHT)
        .collect()
}

/// Whether a text tells something and neither asks, thanks nor complains.
pub(super) fn is_reply(text: &str) -> bool {
    let folded = fold_for_comparison(text);
    let english = words_with_spaces(&folded);
    let no_answer = JAPANESE_NO_ANSWER.words().any(|word| folded.contains(word))
        || ENGLISH_NO_ANSWER.words().any(|word| english.contains(&format!(" {word} ")));
    let sentences = sentences::split_into_sentences(text);
    let asks =
        |sentence: &&str| is_question(sentence) || ends_with(sentence, &ASKS_BACK) || asks_first(sentence);
    // `!grub | ann` is a command to a bot.
    let no_answer =
        no_answer || folded.contains(" | ") || without_address(&folded).trim_start().starts_with('!');
    let no_answer = no_answer || begins_with(&folded, &HESITATIONS);
    !no_answer && !sentences.iter().any(asks) && sentences.iter().any(|s| is_said(s))
}

/// How many words a text shares with the questions.
pub(super) fn shared_words(text: &str, questions: &[String]) -> usize {
    let folded = fold_for_comparison(text);
    let asked = fold_for_comparison(&questions.join("\n"));
    words_about_matter(&folded).intersection(&words_about_matter(&asked)).count()
}

/// Whether one of the questions asks for a number or a time, and the text gives one.
pub(super) fn answers_with_number(text: &str, questions: &[String]) -> bool {
    let asked = fold_for_comparison(&questions.join("\n"));
    let english = words_with_spaces(&asked);
    let asks_number = JAPANESE_NUMBERS.words().any(|word| asked.contains(word))
        || ENGLISH_NUMBERS.words().any(|word| english.contains(&format!(" {word} ")));
    asks_number && has_number(&without_names(&fold_for_comparison(text)))
}

/// A text without names that hold a digit: the 6 of `v6` is no number.
fn without_names(folded: &str) -> String {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.contains(|c: char| c.is_ascii_digit())
    };
    let mut rest = String::with_capacity(folded.len());
    for run in folded.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = run.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        rest.push_str(if is_name(word) { run.strip_prefix(word).unwrap_or(run) } else { run });
    }
    rest
}

/// Whether a text begins with yes or no.
pub(super) fn is_verdict(text: &str) -> bool {
    begins_with(&fold_for_comparison(text), &YES_OR_NO)
}

/// Whether a text, without the name it addresses, begins with one of these words.
fn begins_with(folded: &str, list: &'static Lexicon) -> bool {
    let first = without_address(folded).trim_start();
    let first = match first.split_once("さん、") {
        Some((name, after)) if !name.contains(char::is_whitespace) => after.trim_start(),
        Some(_) | None => first,
    };
    let english = words_with_spaces(first);
    list.words().any(|word| {
        let is_english = word.is_ascii();
        (is_english && english.starts_with(&format!(" {word} "))) || (!is_english && first.starts_with(word))
    })
}

/// Whether an English sentence begins like a question, with or without a question mark.
fn asks_first(sentence: &str) -> bool {
    let folded = fold_for_comparison(sentence);
    let english = words_with_spaces(without_address(&folded));
    ASKING.words().any(|word| english.starts_with(&format!(" {word} ")))
}

fn ends_with(sentence: &str, list: &[&str]) -> bool {
    let folded = fold_for_comparison(sentence);
    let end = folded.trim_end_matches(|c: char| c.is_whitespace() || "。.!?…・♪w笑".contains(c));
    list.iter().any(|word| end.ends_with(word))
}

/// Whether a sentence is an exclamation or a thought rather than a question, even with a question mark.
fn is_exclamation(sentence: &str) -> bool {
    sentence.trim_end().ends_with(['!', '！']) || ends_with(sentence, &["なのか"])
}
