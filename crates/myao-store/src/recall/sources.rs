//! Leaves out of a search what tells nothing (ADR 101): what we said ourselves, which repeats others, what we were asked,
//! and the question itself where somebody asked it before. Else whoever asks again finds the asking.

use myao_core::{
    chat::{Message, Own},
    recall::FoldedText,
    worth::is_question,
};

use super::{request::RecallRequest, texts::RecalledText};
use crate::{StoreError, archive::team, db::Tx};

/// Japanese words that ask, in a message to us that ends without a mark.
const QUESTION_WORDS: [&str; 7] = ["いつ", "どこ", "誰", "いくら", "なぜ", "なんで", "教えて"];

/// What a search does not find.
pub(super) struct NoSources {
    own: Option<Own>,
    /// Whether the search is for what we said.
    wants_own: bool,
    /// The letters of the question, if it is one.
    question: Option<String>,
}

impl NoSources {
    /// For a search.
    pub(super) async fn read(tx: &mut Tx, request: &RecallRequest) -> Result<Self, StoreError> {
        let own = team::own_identity(tx).await?;
        let wants_own = own.as_ref().is_some_and(|own| request.filter.users.iter().any(|user| own.is(user)));
        // Else the words may be those of a message whose place is looked for.
        let asks = request.named_in.is_some() && asks_something(&request.words);
        let question = asks.then(|| folded_letters(&request.words));
        Ok(Self { own, wants_own, question })
    }

    /// Whether a text tells something.
    pub(super) fn tells(&self, text: &RecalledText) -> bool {
        match text {
            RecalledText::Message(message) => !self.is_ours(message) && !self.is_asked(message),
            RecalledText::Line(_) => true,
        }
    }

    fn is_ours(&self, message: &Message) -> bool {
        !self.wants_own && self.own.as_ref().is_some_and(|own| own.is(&message.user))
    }

    /// Whether a message asks us something, or asks what is looked for.
    fn is_asked(&self, message: &Message) -> bool {
        let call = self.own.as_ref().map(|own| format!("<@{}>", own.user));
        let said = call.as_ref().map_or_else(|| message.text.clone(), |call| message.text.replace(call, " "));
        let asks_us = call.is_some_and(|call| message.text.contains(&call)) && asks_something(&said);
        asks_us || self.question.as_ref().is_some_and(|question| folded_letters(&said) == *question)
    }
}

/// Whether a text asks something, also as people ask who type little: 「発送いつだっけ」.
fn asks_something(text: &str) -> bool {
    let said = text.trim().trim_end_matches(|c: char| c.is_whitespace() || "。！!…".contains(c));
    is_question(said) || said.ends_with("っけ") || QUESTION_WORDS.iter().any(|word| said.contains(word))
}

/// The letters and digits of a text, folded, without notation such as mentions.
fn folded_letters(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !word.starts_with(['<', '@', '＠']));
    let plain = words.collect::<Vec<_>>().join(" ");
    FoldedText::new(&plain).chars().iter().filter(|c| c.is_alphanumeric()).collect()
}
