//! Takes off what a model puts around its text: fences, tags, titles, prefaces, closing remarks.
//!
//! A preface is recognised by all of its words, not by its beginning: a line says nothing of its own if nothing is left
//! of it without the words of prefaces. So no line with a name, a date or a topic is taken off.

use super::lines::{first_sentence, is_bulleted};
use crate::{answer::text_behind_thoughts, text::Lexicon};

/// How many wrappers, one inside another, are taken off at most; the deepest we saw were three: a preface, a fence and
/// a title.
const MOST_LAYERS: usize = 8;

/// The text without its wrappers; possibly nothing.
pub(super) fn take_wrappers_off(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..MOST_LAYERS {
        let layers = [
            text_behind_thoughts,
            without_tag,
            without_fence,
            without_quotation,
            without_rule,
            without_preface,
            without_closing_line,
        ];
        let Some(inner) = layers.iter().find_map(|layer| layer(text)) else { break };
        text = inner.trim();
    }
    text
}

/// Takes off a tag around the whole text: `<summary>…</summary>`.
fn without_tag(text: &str) -> Option<&str> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let inner = rest.strip_suffix(&format!("</{name}>")).filter(|_| is_name)?;
    (!inner.contains(&format!("<{name}>"))).then_some(inner)
}

/// Takes off a fence around the whole text. A text that begins and ends with a block of code has two pairs of fences:
/// then the first fence inside is a closing one, without a word behind it, and nothing is taken off.
fn without_fence(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    let (mark, word) = fence_mark(first)?;
    let inside = |line: &&str| fence_mark(line).is_some_and(|(m, _)| m.starts_with(mark));
    let (inner, last) = rest.rsplit_once('\n').unwrap_or(("", rest));
    if fence_mark(last).is_some_and(|(m, w)| m.starts_with(mark) && w.is_empty()) {
        let next = inner.lines().find(inside).and_then(fence_mark);
        return next.is_none_or(|(_, word)| !word.is_empty()).then_some(inner);
    }
    // Opened and never closed: a wrapper if its word says that it holds text and no code.
    let is_text = ["", "markdown", "md", "text", "txt", "plaintext"].contains(&word.to_lowercase().as_str());
    (is_text && rest.lines().find(inside).is_none()).then_some(rest)
}

/// A fence's mark and the word behind it.
fn fence_mark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let kind = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let word = line.trim_start_matches(kind);
    let mark = line.strip_suffix(word)?;
    (mark.len() >= 3 && !word.contains(kind)).then_some((mark, word.trim()))
}

/// Takes off quotation marks around the whole text.
fn without_quotation(text: &str) -> Option<&str> {
    let within = |open: char, close: char| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    };
    within('"', '"').or_else(|| within('“', '”'))
}

/// Takes off a horizontal rule before or behind everything else.
fn without_rule(text: &str) -> Option<&str> {
    let is_rule = |line: &str| {
        let line = line.trim();
        line.len() >= 3 && ["-", "*", "_", "="].iter().any(|mark| line.replace(mark, "").is_empty())
    };
    let first = text.split_once('\n').filter(|(line, _)| is_rule(line)).map(|(_, rest)| rest);
    first.or_else(|| text.rsplit_once('\n').filter(|(_, line)| is_rule(line)).map(|(rest, _)| rest))
}

/// Takes off a sentence before the text: "Certainly.", "Here is the summary:", "# Summary".
fn without_preface(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    if is_bulleted(first) {
        return None;
    }
    let (said, rest) = first_sentence(text);
    if is_nod(said) {
        // With more behind it on its line, an acknowledgement may begin a sentence of the text itself: then it is only
        // taken off together with a preface behind it.
        let goes_on = !rest.is_empty() && !rest.starts_with('\n');
        return if goes_on { without_preface(rest.trim_start()) } else { Some(rest) };
    }
    let is_title =
        said.ends_with([':', '：']) || rest.is_empty() || rest.starts_with('\n') || points_ahead(said);
    (is_title && says_nothing(said, &[]) && names_a_summary(said)).then_some(rest)
}

/// Takes off a last line of an assistant: "That is all.", "Let me know if anything is missing."
fn without_closing_line(text: &str) -> Option<&str> {
    let (rest, last) = text.rsplit_once('\n')?;
    if is_bulleted(last) {
        return None;
    }
    let lower = last.trim().to_lowercase().replace('’', "'");
    let is_offer = OFFERS.iter().any(|offer| lower.starts_with(offer));
    let ends = holds_one_of(last, &CLOSING_ENDS);
    (is_offer || (ends && says_nothing(last, &CLOSING))).then_some(rest)
}

static OFFERS: Lexicon = Lexicon::english("wrapper.offers");
static NODS: Lexicon = Lexicon::japanese("wrapper.nods");
static ENGLISH_NODS: Lexicon = Lexicon::english("wrapper.nods");
static SUMMARIES: Lexicon = Lexicon::of_all("wrapper.summaries");
static JAPANESE: Lexicon = Lexicon::japanese("wrapper.prefaces");
static CLOSING: Lexicon = Lexicon::japanese("wrapper.closing");
static ENGLISH: Lexicon = Lexicon::english("wrapper.prefaces");

static POINTERS: Lexicon = Lexicon::of_all("wrapper.pointers");
static CLOSING_ENDS: Lexicon = Lexicon::japanese("wrapper.closing_ends");

/// Whether it speaks of a summary.
fn names_a_summary(said: &str) -> bool {
    holds_one_of(said, &SUMMARIES)
}

/// Whether it points at what follows: then it may end in a full stop as well as in a colon.
fn points_ahead(said: &str) -> bool {
    holds_one_of(said, &POINTERS)
}

fn holds_one_of(said: &str, list: &[&str]) -> bool {
    let lower = said.to_lowercase();
    list.iter().any(|word| lower.contains(word))
}

/// Whether it is an assistant's acknowledgement, such as "Certainly."
fn is_nod(said: &str) -> bool {
    let plain = plain_sentence(said);
    plain.chars().any(char::is_alphabetic)
        && (leaves_nothing(&plain, &[&NODS])
            || english_words(&plain).all(|word| ENGLISH_NODS.iter().any(|nod| *nod == word)))
}

/// Whether `said` consists of the words of prefaces and of `others`.
fn says_nothing(said: &str, others: &[&str]) -> bool {
    let plain = plain_sentence(said);
    if plain.is_ascii() || plain.contains('’') {
        let known =
            |word: &str| [&ENGLISH, &ENGLISH_NODS, &SUMMARIES].iter().any(|list| list.contains(&word));
        return english_words(&plain).all(|word| known(&word) || word.starts_with('#'));
    }
    leaves_nothing(&plain, &[others, &JAPANESE])
}

/// A sentence in lower case, without the marks of a title or of its end.
fn plain_sentence(said: &str) -> String {
    let is_mark = |c: char| c.is_whitespace() || "*_【】：:。.！!".contains(c);
    let heading = said.trim_start_matches('#');
    let said = if heading.starts_with(' ') { heading } else { said };
    said.trim_matches(is_mark).to_lowercase()
}

/// The words of an English sentence.
fn english_words(plain: &str) -> impl Iterator<Item = String> {
    let words = plain.split(|c: char| c.is_whitespace() || ",.!:;*—–".contains(c));
    words.filter(|word| !word.is_empty()).map(|word| word.replace('’', "'"))
}

/// Whether `text` is made of `known` words, channels' names and punctuation.
fn leaves_nothing(text: &str, known: &[&[&str]]) -> bool {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let known = known.iter().copied().flatten().copied();
        let word = known.filter(|word| rest.starts_with(word)).max_by_key(|word| word.len());
        rest = match (word, c) {
            (Some(word), _) => rest.strip_prefix(word).unwrap_or_default(),
            (None, '#') => rest.trim_start_matches(|c: char| !c.is_whitespace() && c != 'の'),
            (None, c) if c.is_whitespace() || "、。，！：*".contains(c) => {
                rest.strip_prefix(c).unwrap_or_default()
            }
            (None, _) => return false,
        };
    }
    true
}
