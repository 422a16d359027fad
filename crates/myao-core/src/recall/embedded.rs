//! Chooses the words of a message, or of a question, that a model of embeddings is given.

use jiff::tz::TimeZone;

use crate::{
    chat::{FileRef, Message, name_in_talk, without_references},
    text::{without_colour_codes, without_invisible_characters},
};

/// The most characters of a text: about as much as the usual models read of one.
const MOST_CHARS: usize = 1_000;

/// The kind of a text that a model is given. Many models were trained with the kind in front of the text, and find less
/// without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedText {
    /// Something that was said.
    Passage,
    /// Something that is looked for.
    Question,
}

/// The words of a message and of its files that a model is given, without references to people and channels, behind the
/// day on which it was said (in UTC) and the name of who said it: `(20 Jan 2023) Jon: the tea is ready`. A question names
/// these more often than the message does. `None` where nothing is left that could mean anything.
pub fn words_of_message(message: &Message, name: &str) -> Option<String> {
    let files = message.files.iter().map(FileRef::words);
    let texts: Vec<String> = std::iter::once(message.text.clone()).chain(files).collect();
    let words = words_to_embed(&texts.join("\n"))?;
    let day = message.ts.to_timestamp().to_zoned(TimeZone::UTC).strftime("%-d %b %Y");
    Some(format!("({day}) {}: {words}", name_in_talk(name)))
}

/// The words of any text that a model is given.
pub fn words_to_embed(text: &str) -> Option<String> {
    let text = without_references(text);
    let clean = without_invisible_characters(&without_colour_codes(&text)).into_owned();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = words.chars().take(MOST_CHARS).collect();
    words.chars().any(char::is_alphanumeric).then_some(words)
}

/// What models of a kind want in front of texts, as they were trained.
struct ModelMarks {
    /// The names of its models hold this.
    name: &'static str,
    passage: &'static str,
    question: &'static str,
}

const fn marks_of_model(name: &'static str, passage: &'static str, question: &'static str) -> ModelMarks {
    ModelMarks { name, passage, question }
}

const FOR_SEARCH: &str = "Represent this sentence for searching relevant passages: ";
/// The first whose name fits counts.
const MARKS: [ModelMarks; 8] = [
    // These take an instruction instead, and only with questions.
    marks_of_model("e5-mistral", "", ""),
    marks_of_model("e5-large-instruct", "", ""),
    marks_of_model("e5", "passage: ", "query: "),
    marks_of_model("nomic-embed-text", "search_document: ", "search_query: "),
    marks_of_model("ruri-v3", "検索文書: ", "検索クエリ: "),
    marks_of_model("ruri", "文章: ", "クエリ: "),
    marks_of_model("mxbai-embed-large", "", FOR_SEARCH),
    marks_of_model("embeddinggemma", "title: none | text: ", "task: search result | query: "),
];

impl EmbeddedText {
    /// The words, with the mark of the kind in front of them if the model with this name was trained so.
    pub fn with_model_mark(self, words: &str, model: &str) -> String {
        let mark = marks_of(model).map_or("", |marks| match self {
            Self::Passage => marks.passage,
            Self::Question => marks.question,
        });
        format!("{mark}{words}")
    }

    /// Whether the model with this name wants a mark in front of any text.
    pub fn has_mark(model: &str) -> bool {
        marks_of(model).is_some_and(|marks| !marks.passage.is_empty() || !marks.question.is_empty())
    }
}

fn marks_of(model: &str) -> Option<&'static ModelMarks> {
    let model = model.to_lowercase();
    MARKS.iter().find(|marks| model.contains(marks.name))
}
