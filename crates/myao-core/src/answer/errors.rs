//! Recognises an error that a gateway sent as if it were an answer, with status 200 and as the model's words.
//!
//! It is the whole text, begins at once, and explains nothing. An answer about an error puts it into quotation marks or
//! code, says what it means, or repeats what it was asked about.

mod phrases;

use serde_json::Value;

use self::phrases::{
    ALONE, CALLS, CLASSES, EXPLAINS, GOES_ON, HEADS, LIBRARIES, NAMES, PAGES, SENTENCES, SIGNS,
    STATUS_GOES_ON, STATUSES, SUBJECTS,
};
use super::spoken::is_quoted_from;
use crate::{
    ports::{Request, Role},
    text::{head_of_text, is_japanese_char, one_line, parse_json},
};

/// Most characters of an error in words: some gateways add the error that they got, or where it happened.
const MOST_CHARS: usize = 1500;
/// Most characters behind a sentence that alone is an error: a number of the request, or whom to ask.
const MOST_BEHIND: usize = 240;
/// Most characters of the beginning in which an error names itself.
const HEAD: usize = 90;
/// Digits of an HTTP status.
const STATUS_DIGITS: usize = 3;
/// Fewest words of a sentence about a status.
const SENTENCE_WORDS: usize = 8;
/// Most characters of a page before its first words.
const PAGE_HEAD: usize = 600;
/// What people and programs put in front of an error.
const ORNAMENTS: [char; 14] =
    ['⚠', '\u{fe0f}', '❌', '🚨', '🔴', '‼', '✖', '❗', '*', '_', '[', '#', '>', ' '];

/// Whether a text is an error of a server in front of the model.
pub(super) fn is_server_error(text: &str, request: &Request) -> bool {
    let text = text.trim();
    if is_page(text) {
        return true;
    }
    if is_object(text) {
        return !may_repeat(request, text);
    }
    if text.is_empty() || text.chars().nth(MOST_CHARS).is_some() || text.contains("```") {
        return false;
    }
    let line = one_line(text.trim_start_matches(ORNAMENTS));
    let lower = line.to_lowercase();
    let is_told = is_sentence(&lower) || is_headed(&lower) || is_status(&lower);
    is_told && !explains_meaning(&lower, &line) && !may_repeat(request, text) && !tells_about(request, &line)
}

/// Whether a text that goes on may turn out to be an error, by its beginning.
pub(super) fn may_become_error(beginning: &str) -> bool {
    if beginning.chars().nth(MOST_CHARS).is_some() {
        return false;
    }
    let line = one_line(beginning.trim_start_matches(ORNAMENTS));
    let lower = line.to_lowercase();
    let is_short = lower.chars().nth(HEAD).is_none();
    let is_told = SENTENCES.iter().any(|(begin, _)| lower.starts_with(begin))
        || ALONE.iter().any(|alone| lower.starts_with(alone));
    is_short || is_told || calls_itself_error(&lower).is_some() || status_in_front(&lower).is_some()
}

/// Whether it may repeat what it was asked about. A memory never is a line of its talk.
fn may_repeat(request: &Request, text: &str) -> bool {
    request.role == Role::Response && is_quoted_from(request, text)
}

/// Whether it tells of a status that it was asked about: its number, and behind a colon a sentence.
fn tells_about(request: &Request, line: &str) -> bool {
    let Some((name, behind)) = line.split_once([':', '：']) else { return false };
    let number = name.split(|c: char| !c.is_ascii_digit()).find(|number| number.len() == STATUS_DIGITS);
    let is_asked = number.is_some_and(|number| is_quoted_from(request, number));
    let is_prose = behind.split_whitespace().count() >= SENTENCE_WORDS && !behind.contains(['{', '<']);
    request.role == Role::Response && is_asked && is_prose
}

/// Whether it is a server's page in HTML.
fn is_page(text: &str) -> bool {
    let begins = text.get(..15.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    if !(begins.starts_with("<!doctype html") || begins.starts_with("<html")) {
        return false;
    }
    // It names itself in its title or its first heading.
    let lower = head_of_text(text, PAGE_HEAD).to_lowercase();
    PAGES.iter().any(|page| lower.contains(page))
}

/// Whether it is an error as JSON.
fn is_object(text: &str) -> bool {
    let Some(Value::Object(fields)) =
        text.starts_with('{').then(|| parse_json(text.as_bytes()).ok()).flatten()
    else {
        return false;
    };
    let is_named = |key: &str| fields.get(key).is_some_and(|error| error.is_object() || error.is_string());
    is_named("error") || fields.get("type").is_some_and(|kind| kind == "error")
}

/// Whether it is a sentence that is nothing but an error, with hardly more behind it.
fn is_sentence(lower: &str) -> bool {
    let bare = lower.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_told = |(begin, also): &(&str, &str)| {
        let Some(rest) = lower.strip_prefix(begin) else { return false };
        let goes_on = GOES_ON.iter().any(|word| rest.starts_with(word));
        let ends = rest.chars().next().is_none_or(|c| ".:!;(…。".contains(c)) || goes_on;
        let fits = if also.is_empty() { ends } else { rest.contains(also) };
        fits && rest.chars().nth(MOST_BEHIND).is_none()
    };
    ALONE.contains(&bare) || SENTENCES.iter().any(is_told)
}

/// Whether it begins by calling itself an error: of a model or its server, or with a sign of one behind the colon.
fn is_headed(lower: &str) -> bool {
    let Some((kind, said)) = calls_itself_error(lower) else { return false };
    let shows_sign = || SIGNS.iter().any(|sign| said.contains(sign)) || holds_status(said);
    match kind {
        ErrorName::OfLibrary | ErrorName::OfCall => true,
        ErrorName::Bare | ErrorName::OfModel => shows_sign(),
    }
}

/// What a text calls itself that calls itself an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorName {
    /// By a library's name: that is one.
    OfLibrary,
    /// A call of a model: that is one, too.
    OfCall,
    /// The name of a kind of error.
    Bare,
    /// Something about a model: people tell of models, too.
    OfModel,
}

/// What a text calls itself, and the rest from the colon on, if it begins by calling itself an error.
fn calls_itself_error(lower: &str) -> Option<(ErrorName, &str)> {
    let head_end = lower.char_indices().nth(HEAD).map_or(lower.len(), |(at, _)| at);
    let head = lower.get(..head_end).unwrap_or(lower);
    let colon = head.find([':', '：'])?;
    let name = head.get(..colon).unwrap_or_default().trim();
    let said = lower.get(colon..).unwrap_or_default();
    if let Some((library, _)) = name.split_once('.') {
        return LIBRARIES.contains(&library).then_some((ErrorName::OfLibrary, said));
    }
    if CLASSES.contains(&name) || NAMES.contains(&name) {
        return Some((ErrorName::Bare, said));
    }
    let first = name.split_whitespace().next().unwrap_or_default();
    let is_japanese = name.chars().any(is_japanese_char);
    let begins = HEADS.iter().any(|head| name.starts_with(head));
    let ends = HEADS.iter().any(|head| name.ends_with(head)) && (is_japanese || SUBJECTS.contains(&first));
    let is_of_model = SUBJECTS.iter().any(|subject| has_word(name, subject));
    // Without a sign, what was done has to be a call.
    let is_call = first == "llm" || CALLS.iter().any(|call| name.contains(call));
    let kind = if is_call { ErrorName::OfCall } else { ErrorName::OfModel };
    ((begins || ends) && is_of_model).then_some((kind, said))
}

/// Whether it begins with an HTTP status in words, or with "error" and a status, and nobody adds a sentence.
fn is_status(lower: &str) -> bool {
    let Some(rest) = status_in_front(lower) else { return false };
    let rest = rest.trim_start_matches([' ', ':', '-']);
    let behind = STATUSES.iter().find_map(|status| rest.strip_prefix(status));
    let is_data = rest.starts_with('{');
    let goes_on = |behind: &str| {
        let behind = behind.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_end = behind.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
        is_end || STATUS_GOES_ON.iter().any(|word| behind.starts_with(word))
    };
    is_data || behind.is_some_and(goes_on)
}

/// What is behind the number of an HTTP status that a text begins with.
fn status_in_front(lower: &str) -> Option<&str> {
    let bare = lower.trim_start_matches("http ").trim_start_matches("error ").trim_start_matches("status ");
    let (number, rest) = bare.split_at_checked(STATUS_DIGITS)?;
    number.parse().is_ok_and(|status: u16| (400..600).contains(&status)).then_some(rest)
}

/// Whether a status of HTTP stands in the text as a word of its own.
fn holds_status(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() == 3);
    numbers
        .filter_map(|word| word.parse::<u16>().ok())
        .any(|status| matches!(status, 400..=405 | 408 | 409 | 413 | 422 | 424 | 429 | 500..=504 | 520..=530))
}

/// Whether a word stands in a text; one in Japanese has no edges.
fn has_word(text: &str, word: &str) -> bool {
    let edge = |c: Option<char>| !word.is_ascii() || c.is_none_or(|c| !c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        edge(before) && edge(text.get(at + word.len()..).and_then(|rest| rest.chars().next()))
    })
}

/// Whether it says what an error means, which no error does. Behind an English error, a Japanese sentence is somebody's.
fn explains_meaning(lower: &str, line: &str) -> bool {
    if EXPLAINS.iter().any(|phrase| lower.contains(phrase)) {
        return true;
    }
    let name = line.split([':', '：', '。']).next().unwrap_or_default();
    !name.chars().any(is_japanese_char) && line.chars().any(is_japanese_char)
}
