//! Which of the messages that a question needs stand in a prompt, and in which of its fragments.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{Message, MessageTs},
    prompt::Prompt,
    recall::{FoldedText, RecalledItem, RecalledWords, terms_in_order},
    text::estimate_tokens,
};

use crate::sections::{Fragment, lines};

/// A line holds a message if it has this share of its terms, in percent.
const SHARE: usize = 60;

/// What a prompt holds of what a question needs.
#[derive(Debug)]
pub(crate) struct PromptHeld {
    /// For each message with evidence, the fragments that hold it.
    pub evidence: Vec<BTreeSet<Fragment>>,
    /// The tokens of each fragment.
    pub tokens: BTreeMap<Fragment, usize>,
    /// The tokens of all of it.
    pub all_tokens: usize,
}

/// A message with evidence.
pub(crate) struct Evidence {
    message: Message,
    terms: BTreeSet<String>,
}

impl Evidence {
    /// Of a message.
    pub(crate) fn new(message: Message) -> Self {
        let terms = terms_of(&message.text);
        Self { message, terms }
    }

    /// Whether it shares no word with a question.
    pub(crate) fn shares_nothing(&self, question: &str) -> bool {
        terms_of(question).is_disjoint(&self.terms)
    }

    /// Whether something that a search found is the message.
    pub(crate) fn is(&self, found: &RecalledItem) -> bool {
        found.channel == self.message.channel && found.said_at() == Some(self.message.ts)
    }

    /// Whether something that a search found is the message, or a line that tells it.
    pub(crate) fn is_told_by(&self, found: &RecalledWords) -> bool {
        match found {
            RecalledWords::Message(message) => {
                (&message.channel, message.ts) == (&self.message.channel, self.message.ts)
                    || self.is_in(&terms_of(&message.text))
            }
            RecalledWords::Line { text, .. } => self.is_in(&terms_of(text)),
        }
    }

    fn is_in(&self, line: &BTreeSet<String>) -> bool {
        !self.terms.is_empty() && self.terms.intersection(line).count() * 100 >= self.terms.len() * SHARE
    }
}

/// The terms of a text that are more than grammar.
pub(crate) fn terms_of(text: &str) -> BTreeSet<String> {
    let terms = terms_in_order(&FoldedText::new(text)).into_iter().filter(|term| !term.is_weak);
    terms.map(|term| term.text).collect()
}

/// What the prompt of a `question` holds of its `evidence`. A message is held where it is shown itself, or where a line
/// has most of its terms. Lines that repeat the question hold nothing.
pub(crate) fn measure(prompt: &Prompt, own: &str, question: &str, evidence: &[Evidence]) -> PromptHeld {
    let mut tokens: BTreeMap<Fragment, String> = BTreeMap::new();
    let mut told: Vec<(Fragment, BTreeSet<String>)> = Vec::new();
    let asked = question.lines().next().unwrap_or_default().trim();
    for (fragment, line) in lines(prompt, own) {
        let text = tokens.entry(fragment).or_default();
        text.push_str(line);
        text.push('\n');
        if !line.contains(asked) && fragment != Fragment::Instructions {
            told.push((fragment, terms_of(line)));
        }
    }
    let found: BTreeSet<(&str, MessageTs)> = prompt
        .recalled
        .iter()
        .filter_map(|shown| match &shown.item.text {
            RecalledWords::Message(message) => Some((message.channel.as_str(), message.ts)),
            RecalledWords::Line { .. } => None,
        })
        .collect();
    let held = |evidence: &Evidence| {
        let Message { channel, ts, .. } = &evidence.message;
        let mut held: BTreeSet<Fragment> =
            told.iter().filter(|(_, line)| evidence.is_in(line)).map(|(fragment, _)| *fragment).collect();
        if found.contains(&(channel.as_str(), *ts)) {
            held.insert(Fragment::Recall);
        }
        if prompt.conversation.contains(ts) {
            held.insert(Fragment::Conversation);
        }
        held
    };
    PromptHeld {
        evidence: evidence.iter().map(held).collect(),
        tokens: tokens.into_iter().map(|(fragment, text)| (fragment, estimate_tokens(&text))).collect(),
        all_tokens: prompt.tokens,
    }
}
