//! Puts together what a reader sees of a message, each word once.
//!
//! Slack tells the same words several times: `text` is what blocks say in plain words, a fallback is what an attachment
//! says in short. So a piece is left out if all its words stand, in this order and together, in what is there already.

use std::borrow::Cow;

use crate::text::LOOSE;

/// The most characters of a message with what is beside its own text: more than Slack allows in its text (40,000), less
/// than in its blocks (fifty of 12,000).
const MOST_SHOWN: usize = 60_000;

/// What is seen so far.
#[derive(Default)]
pub(super) struct ShownPieces {
    pieces: Vec<String>,
    /// The words of all pieces.
    said: SaidWords,
    /// How many characters they have.
    length: usize,
}

impl ShownPieces {
    /// Adds a piece, unless its words stand there.
    pub(super) fn add(&mut self, piece: &str) {
        let words = WordRuns::of(piece);
        if words.is_empty() || !self.said.holds(&words) {
            self.put(piece, &words);
        }
    }

    /// Adds what somebody else said, unless just that stands there.
    pub(super) fn quote(&mut self, piece: &str) {
        let words = WordRuns::of(piece);
        if !words.is_empty() && !self.pieces.iter().any(|there| *there == without_marks(piece)) {
            self.put(piece, &words);
        }
    }

    /// Adds a piece whatever stands there.
    pub(super) fn put(&mut self, piece: &str, words: &WordRuns) {
        let piece = without_marks(piece);
        if piece.trim().is_empty() {
            return;
        }
        let length = piece.chars().count();
        let room = MOST_SHOWN.saturating_sub(self.length);
        self.said.take(words);
        self.length = self.length.saturating_add(length);
        if length <= room {
            self.pieces.push(piece.into_owned());
            return;
        }
        let kept: String = piece.chars().take(room).collect();
        if room > 0 {
            self.pieces.push(format!("{}…", kept.trim_end()));
        }
    }

    /// Puts the message's own text in front, however long it is: nothing of what somebody wrote is cut off.
    pub(super) fn put_whole(&mut self, text: &str, words: &WordRuns) {
        let text = without_marks(text);
        if !text.trim().is_empty() {
            self.said.take(words);
            self.length = self.length.saturating_add(text.chars().count());
            self.pieces.push(text.into_owned());
        }
    }

    /// Everything, a line for each piece.
    pub(super) fn text(&self) -> String {
        self.pieces.join("\n")
    }
}

/// The text without the marks around what is loose.
pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    if text.contains(LOOSE) { Cow::Owned(text.replace(LOOSE, "")) } else { Cow::Borrowed(text) }
}

/// The words of a text in their order: what is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WordRuns {
    /// Runs of words that stand together, each word between blanks.
    runs: Vec<String>,
}

impl WordRuns {
    /// The words of a text in the core's notation. Signs, emoji and what is marked as loose are none.
    pub(super) fn of(text: &str) -> Self {
        let runs = text.split(LOOSE).enumerate().filter(|(nth, _)| nth % 2 == 0);
        let runs = runs.map(|(_, run)| run_of(run)).filter(|run| !run.is_empty()).collect();
        Self { runs }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The words but for the last one, if the text breaks off there.
    pub(super) fn of_cut(text: &str) -> Self {
        let text = text.trim_end();
        match text.strip_suffix('…').or_else(|| text.strip_suffix("...")) {
            Some(rest) => Self::of(rest.trim_end_matches(|c: char| c.is_alphanumeric())),
            None => Self::of(text),
        }
    }
}

/// The words that stand somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct SaidWords {
    words: String,
}

impl SaidWords {
    pub(super) fn of(words: &WordRuns) -> Self {
        let mut said = Self::default();
        said.take(words);
        said
    }

    pub(super) fn take(&mut self, words: &WordRuns) {
        for run in &words.runs {
            self.words.push_str(run);
        }
        self.words.push('\n');
    }

    /// Whether these words stand there: each run as a whole, one behind the other.
    pub(super) fn holds(&self, words: &WordRuns) -> bool {
        let mut rest: &str = &self.words;
        words.runs.iter().all(|run| {
            let Some((_, after)) = rest.split_once(run.as_str()) else { return false };
            rest = after;
            true
        })
    }
}

/// The words of a text, each between blanks: ` a  b `.
fn run_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in without_emoji(text).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        out.push(' ');
        out.extend(word.chars().flat_map(char::to_lowercase));
        out.push(' ');
    }
    out
}

/// The text without names of emoji (`:tada:`).
fn without_emoji(text: &str) -> Cow<'_, str> {
    if !text.contains(':') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once(':') {
        out.push_str(before);
        let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '\'')));
        let name = end.and_then(|end| tail.split_at_checked(end)).filter(|(name, after)| {
            after.starts_with(':') && name.contains(|c: char| c.is_ascii_alphabetic())
        });
        match name {
            Some((_, after)) => rest = after.strip_prefix(':').unwrap_or(after),
            None => rest = tail,
        }
        out.push(' ');
    }
    out.push_str(rest);
    Cow::Owned(out)
}
