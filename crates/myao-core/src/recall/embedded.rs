//! Chooses the words of a message, or of a question, that a model of embeddings is given.

use crate::{
    chat::{FileRef, Message, without_references},
    prompt::{without_codes, without_hidden},
};

/// The most characters of a text: about as much as the usual models read of one.
const MOST_CHARS: usize = 1_000;

/// The kind of a text that a model is given. e5 models were trained with the kind in front of the text, and find less
/// without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedText {
    /// Something that was said.
    Passage,
    /// Something that is looked for.
    Question,
}

/// The words of a message and of its files that a model is given, without references to people and channels. `None`
/// where nothing is left that could mean anything.
pub fn words_of_message(message: &Message) -> Option<String> {
    let files = message.files.iter().map(FileRef::words);
    let texts: Vec<String> = std::iter::once(message.text.clone()).chain(files).collect();
    words_to_embed(&texts.join("\n"))
}

/// The same for any text.
pub fn words_to_embed(text: &str) -> Option<String> {
    let text = without_references(text);
    let clean = without_hidden(&without_codes(&text)).into_owned();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = words.chars().take(MOST_CHARS).collect();
    words.chars().any(char::is_alphanumeric).then_some(words)
}

impl EmbeddedText {
    /// The words, with the kind in front of them if the model with this name was trained so.
    pub fn marked(self, words: &str, model: &str) -> String {
        if !model.to_lowercase().contains("e5") {
            return words.to_owned();
        }
        match self {
            Self::Passage => format!("passage: {words}"),
            Self::Question => format!("query: {words}"),
        }
    }
}
