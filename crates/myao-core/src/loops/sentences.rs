//! Takes a message apart into the sentences that its author says in their own words.

use crate::{
    chat::UserId,
    text::{fold_for_comparison, head_of_text, is_japanese_char},
    worth::{WordFinder, is_question, words_with_spaces},
};

/// How many characters of a message are looked at: a longer one is a document.
const LOOKED_AT: usize = 1_500;
/// Fences around code.
pub(super) const FENCE: &str = "```";
/// Signs around words of others or of machines, each with what ends them.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('`', '`')];

/// A sentence of a message.
#[derive(Clone, Debug)]
pub(super) struct OwnSentence<'t> {
    /// As it was written, in the notation of messages.
    pub(super) said: &'t str,
    /// Folded, without what is quoted, called by name or linked, and without emoji.
    pub(super) plain: String,
    /// The English words of `plain`, with single spaces around each.
    pub(super) spaced: String,
    /// Whether it asks something.
    pub(super) asks: bool,
    /// Whether it has Japanese letters.
    pub(super) is_japanese: bool,
}

impl OwnSentence<'_> {
    /// Whether one of the words stands in it.
    pub(super) fn has(&self, words: &WordFinder) -> bool {
        words.stands_in_words(&self.plain, &self.spaced)
    }
}

/// The sentences of a text, without quoted lines and code.
pub(super) fn own_sentences(text: &str) -> Vec<OwnSentence<'_>> {
    let text = head_of_text(text, LOOKED_AT);
    let masked = without_foreign_words(text);
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = masked.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let end = at + c.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => next.is_none(),
        };
        if ends {
            found.extend(sentence(text.get(from..end), masked.get(from..end)));
            from = end;
        }
    }
    found
}

fn sentence<'t>(said: Option<&'t str>, masked: Option<&str>) -> Option<OwnSentence<'t>> {
    let said = said?.trim();
    let plain = fold_for_comparison(masked?.trim());
    if !plain.chars().any(char::is_alphanumeric) {
        return None;
    }
    let asks = plain.trim_end().ends_with('?') || is_question(&plain);
    let is_japanese = plain.chars().any(is_japanese_char);
    Some(OwnSentence { said, spaced: words_with_spaces(&plain), plain, asks, is_japanese })
}

/// The text with blanks in place of what is quoted, code, names in angle brackets, emoji and addresses. Every other
/// character stands where it stood.
fn without_foreign_words(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        let is_fence = line.contains(FENCE);
        let is_quoted = line.trim_start().starts_with(['>', '＞']);
        if is_code || is_fence || is_quoted {
            masked.extend(line.chars().map(|c| if c == '\n' { "\n".to_owned() } else { blanks(c) }));
        } else {
            mask_line(line, &mut masked);
        }
        is_code ^= line.matches(FENCE).count() % 2 == 1;
    }
    masked
}

fn mask_line(line: &str, masked: &mut String) {
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = foreign_length(rest).or_else(|| called_length(rest, masked)).unwrap_or_default();
        let (foreign, after) = rest.split_at_checked(length).unwrap_or(("", rest));
        if foreign.is_empty() {
            masked.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        } else {
            masked.extend(foreign.chars().map(blanks));
            rest = after;
        }
    }
}

/// How many bytes at the beginning of a text are not its author's own words.
fn foreign_length(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    if first == '<' && rest.get(1..).is_some_and(|name| name.starts_with(['@', '~', '#', '!'])) {
        return rest.find('>').map(|at| at + 1);
    }
    if first == ':' {
        return emoji_length(rest);
    }
    if rest.starts_with("http://") || rest.starts_with("https://") {
        return Some(rest.find(|c: char| c.is_whitespace() || is_japanese_char(c)).unwrap_or(rest.len()));
    }
    let (_, close) = QUOTES.iter().find(|(open, _)| *open == first)?;
    let inside = rest.get(first.len_utf8()..)?;
    inside.find(*close).map(|at| first.len_utf8() + at + close.len_utf8())
}

/// How many bytes a name has that calls somebody without the platform's notation, as where talk comes over a bridge:
/// `@ann will do`. An address of mail has letters before it.
fn called_length(rest: &str, before: &str) -> Option<usize> {
    let name = rest.strip_prefix('@').filter(|_| !before.ends_with(|c: char| !c.is_whitespace()))?;
    let length = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))).unwrap_or(name.len());
    (length > 0).then_some(length + 1)
}

/// How many bytes the name of an emoji between colons has: `:tada:`, `:+1:`.
fn emoji_length(rest: &str) -> Option<usize> {
    let name = rest.get(1..)?;
    let length = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_+'-".contains(c)))?;
    let is_name = name.get(..length)?.contains(|c: char| c.is_ascii_alphabetic() || "+-".contains(c));
    (is_name && name.get(length..)?.starts_with(':')).then_some(length + 2)
}

/// As many blanks as a character has bytes.
fn blanks(c: char) -> String {
    " ".repeat(c.len_utf8())
}

/// The people whom a text calls, in order, each once.
pub(super) fn people_called(text: &str) -> Vec<UserId> {
    let mut called: Vec<UserId> = Vec::new();
    for (at, _) in text.match_indices("<@") {
        let id = text.get(at + 2..).and_then(|rest| rest.split_once('>')).map(|(id, _)| UserId::new(id));
        called.extend(id.filter(|id| !called.contains(id)));
    }
    called
}

/// Whether a text has code or words of others in it, which may be what was asked for.
pub(super) fn has_quoted(text: &str) -> bool {
    text.contains(|c: char| QUOTES.iter().any(|(open, _)| *open == c))
}

/// Whether a text links to something.
pub(super) fn has_link(text: &str) -> bool {
    text.contains("http://") || text.contains("https://")
}
