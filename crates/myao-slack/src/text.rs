//! Turns Slack's markup into the core's notation (see [`myao_core::chat::Message`]).
//!
//! Slack writes what is not plain text as `<…>` and escapes the characters `&`, `<` and `>` of everything
//! else. In the core only `<@ID>`, `<~ID>` and `<#ID>` mean something; all the rest is as a reader would see it.

pub(crate) mod date;
mod token;

use std::borrow::Cow;

use token::MarkupToken;

/// Stands around words that are written in different ways in different parts of a message (see `message::once`).
pub(crate) const LOOSE: char = '\0';

/// What stands before each line that somebody else said.
const QUOTED: &str = "> ";

/// Put between `<` and `@` (or `#`) where somebody typed what would read as a reference: it looks as typed, but refers to
/// nobody.
pub const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// Turns a text in Slack's markup into one in the core's notation.
///
/// People and channels become `<@ID>` and `<#ID>`, everything else becomes what a reader sees: `@here`, the
/// name of a group, `label (https://…)`. Entities are unescaped exactly once, after the marks were split off, so that a
/// typed `&lt;@U1&gt;` stays text: a [`ZERO_WIDTH_SPACE`] keeps it from being a reference. What looks like a mark and is
/// none is kept as it stands. NUL is dropped, since not every database can store it.
/// Takes time linear in the length of the text.
pub fn markup_as_notation(markup: &str) -> String {
    let mut out = NotationWriter::default();
    out.markup(markup);
    out.finish()
}

/// Text without NUL, which not every database can store.
pub(crate) fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { Cow::Borrowed(text) }
}

/// Whether `id` may stand in a reference.
pub(crate) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Writes text in the core's notation, in which nothing but a reference can be mistaken for one.
#[derive(Default)]
pub(crate) struct NotationWriter {
    done: String,
    /// Words since the last reference. Kept apart, since a false reference may be made up of several pieces.
    words: String,
    /// The labels of mentions, by id: what people are called who may be known by nothing else.
    labels: Vec<(String, String)>,
    /// What stands at the beginning of each line.
    prefix: String,
    /// Whether these are somebody else's words, in which nobody is called.
    is_quoting: bool,
}

impl NotationWriter {
    /// Writes text with marks and entities.
    pub(crate) fn markup(&mut self, markup: &str) {
        let markup = without_nul(markup);
        let mut rest: &str = &markup;
        while let Some((before, tail)) = rest.split_once('<') {
            self.escaped(before);
            if let Some((token, after)) = MarkupToken::at(tail) {
                self.token(&token);
                rest = after;
            } else {
                self.words("<");
                rest = tail;
            }
        }
        self.escaped(rest);
    }

    /// Writes text with entities and no marks.
    pub(crate) fn escaped(&mut self, text: &str) {
        self.words(&unescape_entities(text));
    }

    /// A writer of somebody else's words: whom they call is named, and not called.
    pub(crate) fn quoting() -> Self {
        Self { is_quoting: true, ..Self::default() }
    }

    /// Writes text as it is.
    pub(crate) fn words(&mut self, words: &str) {
        let words = without_nul(words);
        if self.prefix.is_empty() || !words.contains('\n') {
            self.words.push_str(&words);
        } else {
            self.words.push_str(&words.replace('\n', &format!("\n{}", self.prefix)));
        }
    }

    /// Writes words that may be written differently elsewhere in the message.
    pub(crate) fn loose(&mut self, words: &str) {
        if self.words.ends_with('<') {
            // The marks are taken away, and what stood around them must not become a reference.
            self.words.push(ZERO_WIDTH_SPACE);
        }
        self.words.push(LOOSE);
        self.words(words);
        self.words.push(LOOSE);
    }

    /// Writes text that is in the core's notation already.
    pub(crate) fn notation(&mut self, text: &str) {
        self.settle();
        if self.prefix.is_empty() {
            self.done.push_str(text);
        } else {
            self.done.push_str(&text.replace('\n', &format!("\n{}", self.prefix)));
        }
    }

    /// Writes without line breaks what `write` writes.
    pub(crate) fn in_line(&mut self, write: impl FnOnce(&mut Self)) {
        let mut inner = Self { is_quoting: self.is_quoting, ..Self::default() };
        write(&mut inner);
        let (text, labels) = inner.finish_with_labels();
        self.labels.extend(labels);
        self.notation(&text.replace('\n', " "));
    }

    /// Writes what follows as a quotation, from a new line on.
    pub(crate) fn begin_quote(&mut self) {
        self.new_line();
        self.words.push_str(QUOTED);
        self.prefix.push_str(QUOTED);
    }

    /// Ends the quotation that began last.
    pub(crate) fn end_quote(&mut self) {
        let outer = self.prefix.len().saturating_sub(QUOTED.len());
        self.prefix.truncate(outer);
    }

    /// Writes a mention as `<@ID>`, or as plain words when the id is not valid.
    pub(crate) fn user(&mut self, id: &str) {
        if self.is_quoting && is_id(id) {
            self.words.push('@');
            self.reference('~', id);
        } else {
            self.reference('@', id);
        }
    }

    /// Writes somebody who is named, and not called, as `<~ID>`.
    pub(crate) fn person(&mut self, id: &str) {
        self.reference('~', id);
    }

    /// Writes a channel as `<#ID>`, or as plain words when the id is not valid.
    pub(crate) fn channel(&mut self, id: &str) {
        self.reference('#', id);
    }

    /// Writes a link with its label, or only the address if the label says the same.
    pub(crate) fn link(&mut self, address: &str, label: Option<&str>) {
        self.words(&token::link_as_text(address, label));
    }

    /// Writes a line break, unless nothing was written yet or a line has just begun.
    pub(crate) fn new_line(&mut self) {
        let last = if self.words.is_empty() { &self.done } else { &self.words };
        let has_begun = match last.strip_suffix(self.prefix.as_str()) {
            Some(before) => {
                (self.prefix.is_empty() && before.is_empty()) || before.ends_with('\n') || before.is_empty()
            }
            None => last.is_empty(),
        };
        if !has_begun {
            self.words.push('\n');
            self.words.push_str(&self.prefix);
        }
    }

    /// The text written.
    pub(crate) fn finish(self) -> String {
        self.finish_with_labels().0
    }

    /// The text written, and the labels of the people it mentions.
    pub(crate) fn finish_with_labels(mut self) -> (String, Vec<(String, String)>) {
        self.settle();
        (self.done, self.labels)
    }

    fn token(&mut self, token: &MarkupToken<'_>) {
        match token {
            MarkupToken::User(id, label) => {
                if let Some(label) = label {
                    self.labels.push(((*id).to_owned(), unescape_entities(label).into_owned()));
                }
                self.user(id);
            }
            MarkupToken::Channel(id) => self.channel(id),
            MarkupToken::Words(words) => self.words(words),
        }
    }

    fn reference(&mut self, sigil: char, id: &str) {
        if !is_id(id) {
            self.words.push(sigil);
            self.words(id);
            return;
        }
        self.settle();
        self.done.push('<');
        self.done.push(sigil);
        self.done.push_str(id);
        self.done.push('>');
    }

    /// Moves the words to the finished text, and breaks every false reference in them.
    fn settle(&mut self) {
        let words = std::mem::take(&mut self.words);
        let mut rest: &str = &words;
        while let Some((before, tail)) = rest.split_once('<') {
            self.done.push_str(before);
            self.done.push('<');
            if reads_as_reference(tail) {
                self.done.push(ZERO_WIDTH_SPACE);
            }
            rest = tail;
        }
        self.done.push_str(rest);
    }
}

/// Whether the core would take a `<` before `tail` for the beginning of a reference.
fn reads_as_reference(tail: &str) -> bool {
    tail.strip_prefix(['@', '~', '#']).is_some_and(|id| {
        let after = id.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        after.len() < id.len() && after.starts_with('>')
    })
}

/// Unescapes Slack's three entities, each once; any other `&` stays.
pub(crate) fn unescape_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('&') {
        out.push_str(before);
        let (character, after) = [("lt;", '<'), ("gt;", '>'), ("amp;", '&')]
            .into_iter()
            .find_map(|(entity, character)| Some((character, tail.strip_prefix(entity)?)))
            .unwrap_or(('&', tail));
        out.push(character);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}
