//! Takes a message apart into the sentences that can teach a word: those that neither ask, guess, quote nor show code.

use std::sync::LazyLock;

use crate::{
    text::{Lexicon, fold_for_comparison},
    worth::{is_question, words_with_spaces},
};

static HEDGES: Lexicon = Lexicon::english("house_words.hedges");
static JAPANESE_HEDGES: Lexicon = Lexicon::japanese("house_words.hedges");
/// The same, as whole words are looked for.
static SPACED_HEDGES: LazyLock<Vec<String>> =
    LazyLock::new(|| HEDGES.words().map(|hedge| format!(" {hedge} ")).collect());

/// Stands where something was taken out: no sentence goes on over it.
const BREAK: char = '\u{1}';
/// The most characters between quotation marks that can be a name; more are somebody's words.
const LONGEST_QUOTED_NAME: usize = 24;
/// The most characters of a sentence that explains a word.
const LONGEST_SENTENCE: usize = 240;

/// The sentences that can teach a word, in their order.
pub(super) fn sentences_that_tell(text: &str) -> Vec<String> {
    let told: Vec<String> = text.split("```").step_by(2).flat_map(lines_of_own).collect();
    let mut sentences = Vec::new();
    for line in &told {
        split_line(line, &mut sentences);
    }
    sentences
}

/// The lines that are no quotation, without code, references and addresses.
fn lines_of_own(text: &str) -> Vec<String> {
    let own = text.lines().filter(|line| !line.trim_start().starts_with(['>', '＞', '|']));
    own.map(|line| without_quoted_words(&without_references(&without_code(line)))).collect()
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(&BREAK.to_string())
}

/// A line without mentions and addresses of pages.
fn without_references(line: &str) -> String {
    let mut rest = String::new();
    let mut reading = line;
    while let Some(at) = reading.find('<') {
        let (before, behind) = reading.split_at(at);
        rest.push_str(before);
        let end = behind.find('>').filter(|_| behind.starts_with(['<']));
        let is_reference = behind.starts_with("<@") || behind.starts_with("<#") || behind.starts_with("<~");
        rest.push(BREAK);
        reading = match end.filter(|_| is_reference) {
            Some(end) => behind.get(end + 1..).unwrap_or_default(),
            None => behind.get(1..).unwrap_or_default(),
        };
    }
    rest.push_str(reading);
    let word = |word: &str| if word.contains("://") { BREAK.to_string() } else { word.replace('’', "'") };
    rest.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A line without what somebody else said in it: only a name may stand between quotation marks.
fn without_quoted_words(line: &str) -> String {
    const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('«', '»')];
    let mut line = line.to_owned();
    for (open, close) in MARKS {
        let mut rest = String::new();
        let mut reading = line.as_str();
        while let Some((before, behind)) = reading.split_once(open) {
            let Some((quoted, after)) = behind.split_once(close) else { break };
            rest.push_str(before);
            if quoted.chars().count() <= LONGEST_QUOTED_NAME && !quoted.contains(['=', '＝', '(', '（']) {
                rest.extend([open]);
                rest.push_str(quoted);
                rest.extend([close]);
            } else {
                rest.push(BREAK);
            }
            reading = after;
        }
        rest.push_str(reading);
        line = rest;
    }
    line
}

/// Adds the sentences of a line that tell something.
fn split_line(line: &str, sentences: &mut Vec<String>) {
    let mut sentence = String::new();
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let is_point = c == '.' && letters.peek().is_none_or(|next| next.is_whitespace());
        let ends =
            matches!(c, '。' | '！' | '!' | '?' | '？' | BREAK) || (is_point && !ends_in_a_letter(&sentence));
        if !ends {
            sentence.push(c);
            continue;
        }
        let asks = matches!(c, '?' | '？');
        take_sentence(&std::mem::take(&mut sentence), asks, sentences);
    }
    take_sentence(&sentence, false, sentences);
}

/// Whether what stands before a point is a single letter: `a.k.a. `, `e.g. `.
fn ends_in_a_letter(sentence: &str) -> bool {
    let mut last = sentence.chars().rev();
    last.next().is_some_and(char::is_alphabetic)
        && last.next().is_some_and(|before| before == '.' || before.is_whitespace())
}

fn take_sentence(sentence: &str, asks: bool, sentences: &mut Vec<String>) {
    let sentence = sentence.trim().trim_start_matches(['•', '-', '*', '・', ' ']).trim();
    let is_short = sentence.chars().nth(LONGEST_SENTENCE).is_none();
    if sentence.is_empty() || asks || !is_short || is_question(sentence) || is_hedged(sentence) {
        return;
    }
    sentences.push(sentence.to_owned());
}

fn is_hedged(sentence: &str) -> bool {
    let folded = fold_for_comparison(sentence);
    let spaced = words_with_spaces(&folded);
    SPACED_HEDGES.iter().any(|hedge| spaced.contains(hedge.as_str()))
        || JAPANESE_HEDGES.words().any(|hedge| folded.contains(hedge))
}
