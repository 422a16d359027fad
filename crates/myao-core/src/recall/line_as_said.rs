//! Whether a line of a memory repeats a message to the letter.
//!
//! A line says more than the message: the day, in the workspace's memory the channel, and who said it. It also says
//! less, since `builtin` takes single sentences out of a message and puts them side by side. So what stands in front is
//! set aside, and each sentence is looked for by itself. Nothing else may differ but width, case, white space and the
//! marks of the chat.

use jiff::civil::Date;
use unicode_normalization::UnicodeNormalization as _;

use crate::{memory::lines_of_text, text::one_line};

/// Words whose source is looked for: a line of a memory as it stands there, or any words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineAsSaid {
    day: Option<Date>,
    /// All of the words, as they are compared.
    whole: String,
    /// The words without bullet and day.
    undated: String,
}

impl LineAsSaid {
    /// The words, with or without bullet, day, channel and name in front.
    pub fn of(words: &str) -> Self {
        let line = lines_of_text(words).into_iter().next();
        let day = line.as_ref().and_then(|line| line.day);
        let undated = line.map_or_else(|| words.to_owned(), |line| line.words);
        Self { day, whole: comparable_words(words), undated: comparable_words(&undated) }
    }

    /// The day that the words name in front.
    pub fn day(&self) -> Option<Date> {
        self.day
    }

    /// The words without bullet and day, in the form in which they are compared.
    pub fn undated(&self) -> &str {
        &self.undated
    }

    /// Whether a text holds the words in one piece, with or without the day in front.
    pub fn stands_in(&self, text: &str) -> bool {
        let text = comparable_words(text);
        [&self.whole, &self.undated].into_iter().any(|words| !words.is_empty() && text.contains(words))
    }

    /// Whether a message of somebody called `name` says `text` to the letter: all of the words; or what stands behind
    /// day, channel and this name, sentence by sentence.
    pub fn is_said_by(&self, name: &str, text: &str) -> bool {
        let text = comparable_words(text);
        if !self.whole.is_empty() && text.contains(&self.whole) {
            return true;
        }
        let name = comparable_words(name);
        let bodies = [Some(self.undated.as_str()), without_channel(&self.undated)];
        bodies.into_iter().flatten().any(|body| {
            let named = body.strip_prefix(&*name).and_then(|rest| rest.strip_prefix(':'));
            let said = if name.is_empty() { None } else { named };
            holds_each_sentence(&text, body) || said.is_some_and(|said| holds_each_sentence(&text, said))
        })
    }
}

/// The words behind `#channel`, as the lines of the workspace's memory begin.
fn without_channel(words: &str) -> Option<&str> {
    words.strip_prefix('#')?.split_once(' ').map(|(_, rest)| rest)
}

/// Whether a text holds all sentences, each as whole words. What stands in brackets at the end names files, which are
/// not in a message's text.
fn holds_each_sentence(text: &str, words: &str) -> bool {
    let mut sentences = sentences_of(without_files(words)).peekable();
    sentences.peek().is_some() && sentences.all(|sentence| holds_whole_words(text, sentence))
}

fn without_files(words: &str) -> &str {
    let mut rest = words.trim();
    while let Some((before, files)) = rest.strip_suffix(']').and_then(|inner| inner.rsplit_once('['))
        && files.contains(": ")
    {
        rest = before.trim_end();
    }
    rest
}

/// The sentences of a line, without the marks between them.
fn sentences_of(words: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| ";。!?♪…".contains(c);
    let ends = words.split(is_end).flat_map(|part| part.split(". "));
    ends.map(|part| part.trim().trim_end_matches(['.', ',', '、', ':'])).filter(|part| !part.is_empty())
}

fn holds_whole_words(text: &str, sentence: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let begins_in_word = is_letter(sentence.chars().next());
    let ends_in_word = is_letter(sentence.chars().next_back());
    text.match_indices(sentence).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + sentence.len()..).and_then(|after| after.chars().next());
        let goes_on_before = begins_in_word && is_letter(before);
        let goes_on_behind = ends_in_word && is_letter(after);
        !goes_on_before && !goes_on_behind
    })
}

/// Text as it is compared: without differences of width (NFKC), case and white space, and without the chat's marks.
fn comparable_words(text: &str) -> String {
    let plain: String = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).collect()
    };
    // A memory names a page by its address without the scheme, and cuts long ones (`…` ends a sentence here).
    let plain = plain.replace("https://", "").replace("http://", "");
    one_line(&plain.replace(['*', '_', '~', '`'], ""))
}
