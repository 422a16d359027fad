//! Prepares what a search found for people: one message of each thread, and nothing twice.

use std::collections::BTreeMap;

use myao_core::{
    chat::{ChannelId, MessageTs},
    text::{Language, one_line, phrase_with},
};
use myao_store::{Recalled, RecalledText, WordInstead};
use serde_json::json;

/// A hit that is shown.
#[derive(Clone, Debug)]
pub struct RecallHit {
    /// The message or the line of a memory.
    pub text: RecalledText,
    /// How well it fits; `None` if only the newest were looked for.
    pub score: Option<f64>,
    /// The words asked for that it holds, folded.
    pub terms: Vec<String>,
    /// How many others of its thread were found.
    pub more: usize,
}

impl From<Recalled> for RecallHit {
    fn from(found: Recalled) -> Self {
        Self { text: found.text, score: Some(found.score), terms: found.terms, more: 0 }
    }
}

/// The hits of a search for words. Those that hold none of the words, but only letters that one of the words happens to
/// share with another, are left out: somebody who reads the list takes it for an answer.
pub fn telling_hits(found: Vec<Recalled>) -> Vec<RecallHit> {
    found.into_iter().filter(|found| !found.is_incidental).map(RecallHit::from).collect()
}

/// Drops the lines of memories that only repeat a message that was found as well: a chapter of a few messages is kept
/// word for word. `shown` gives the words of a hit as they are shown.
pub fn without_copies(mut hits: Vec<RecallHit>, shown: impl Fn(&RecalledText) -> String) -> Vec<RecallHit> {
    let words = |text: &RecalledText| one_line(&shown(text));
    let is_message = |hit: &&RecallHit| matches!(hit.text, RecalledText::Message(_));
    let messages = hits.iter().filter(is_message);
    let said: Vec<(ChannelId, String)> =
        messages.map(|hit| (hit.text.channel().clone(), words(&hit.text))).collect();
    hits.retain(|hit| match &hit.text {
        RecalledText::Message(_) => true,
        RecalledText::Line(line) => {
            let line_words = words(&hit.text);
            // Before the colon stand a date and a name.
            let body = line_words.split_once(": ").map_or(line_words.as_str(), |(_, body)| body);
            let mut of_channel = said.iter().filter(|(channel, _)| *channel == line.channel);
            !of_channel.any(|(_, text)| !text.is_empty() && (text.contains(body) || body.contains(text)))
        }
    });
    hits
}

/// Keeps the best hit of each thread, with the number of the others.
pub fn by_thread(hits: Vec<RecallHit>) -> Vec<RecallHit> {
    let mut kept: Vec<RecallHit> = Vec::new();
    let mut places: BTreeMap<(ChannelId, MessageTs), usize> = BTreeMap::new();
    for hit in hits {
        if let RecalledText::Message(message) = &hit.text {
            let thread = (message.channel.clone(), message.thread());
            if let Some(best) = places.get(&thread).and_then(|at| kept.get_mut(*at)) {
                best.more += 1;
                continue;
            }
            places.insert(thread, kept.len());
        }
        kept.push(hit);
    }
    kept
}

/// The sentence that says in whose place other words are shown: "Nothing says `defualt`; shown is `default`."
pub fn told_instead(instead: &WordInstead, language: Language) -> String {
    let values = json!({ "typed": instead.typed, "shown": instead.shown });
    phrase_with(language, "recall-shown-instead", &values)
}
