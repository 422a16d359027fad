//! What those who ask may be taken to want, once words from outside stand beside theirs (ADR 34).
//!
//! A model obeys whatever it reads. Where it has read people of the place alone, what it does is what they may ask of it.
//! Once it has read anything else, it changes something only if a message that it answers says so, in words, and
//! everything that it writes or names stands in what people said.
//!
//! What people said is the talk of the conversation by those who are known to be people: a person answers for what they
//! paste or forward.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
};

use jiff::tz::TimeZone;

use super::{Context, Intent};
use crate::{
    chat::{MessageTs, Names, Speaker},
    memory::unspoken,
    prompt::moment,
};

/// Terms that a refusal names at most: enough to say it in other words.
const MOST_NAMED: usize = 8;
/// Letters of each.
const NAMED_LENGTH: usize = 20;

/// From where words come that no person of the place said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// Another bot or integration said them, or somebody of whom nothing is known.
    Bot,
    /// The name of a file, or what it is said to show.
    File,
    /// An image that the model is shown.
    Image,
    /// A page that a message links to.
    Page,
    /// What a tool gave back: a page, a search.
    Tool,
    /// A post of ours that was made from such words, or of which that is not known.
    Post,
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bot => "another bot's message",
            Self::File => "a file",
            Self::Image => "an image",
            Self::Page => "a linked page",
            Self::Tool => "what a tool found",
            Self::Post => "an earlier answer that was made from such words",
        })
    }
}

/// What the people who ask for an answer said, and what stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mandate {
    /// The messages that are answered.
    asked: Vec<String>,
    /// What people said in the conversation.
    said: Vec<String>,
    /// What they are called, and when they said it.
    around: Vec<String>,
    outside: BTreeSet<Outside>,
}

/// Why nothing is changed; worded for the model, which is to tell the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwanted {
    /// Nobody said that it is to be done.
    #[error(
        "not done: {beside} is in view, and nobody asked for this in words of their own. Tell whoever asked: it is \
         done once they say themselves what is to be noted, changed or forgotten"
    )]
    Unasked {
        /// What is in view.
        beside: Outside,
    },
    /// It says something that people did not.
    #[error(
        "not done: {beside} is in view, so that nothing may stand here but what people said, and these words are not \
         theirs: {}. Say it in their words, or tell whoever asked to say what they want noted", .words.join(", ")
    )]
    Words {
        /// What is in view.
        beside: Outside,
        /// The first of the words.
        words: Vec<String>,
    },
}

impl Mandate {
    /// Of the conversation in `context`, of which the messages `answers` are to be answered. `clean` are the posts of
    /// ours that were made from people's words alone.
    pub fn of(
        context: &Context,
        names: &Names,
        zone: &TimeZone,
        answers: &[MessageTs],
        clean: &HashSet<MessageTs>,
    ) -> Self {
        let mut mandate = Self::default();
        for message in context.conversation_history.get_all_messages() {
            if !message.files.is_empty() {
                mandate.enter(Outside::File);
            }
            match names.speaker(&message.user) {
                Speaker::Own if clean.contains(&message.ts) => {}
                Speaker::Own => mandate.enter(Outside::Post),
                Speaker::Person if names.knows(&message.user) => {
                    let text = names.resolve(&message.text);
                    if answers.contains(&message.ts) {
                        mandate.asked.push(text.clone());
                    }
                    mandate.said.push(text);
                    mandate.around.extend([names.user(&message.user).to_owned(), moment(message.ts, zone)]);
                }
                Speaker::Person | Speaker::Bot => mandate.enter(Outside::Bot),
            }
        }
        mandate
    }

    /// Words of this kind are shown to the model from now on.
    pub fn enter(&mut self, outside: Outside) {
        self.outside.insert(outside);
    }

    /// Whether the model was shown anything but people's words.
    pub fn is_mixed(&self) -> bool {
        !self.outside.is_empty()
    }

    /// Whether something may be done that says or names `words`. What is to be taken away is named by those who ask;
    /// what is to be kept, people may have said before.
    ///
    /// # Errors
    /// Why not.
    pub fn covers(&self, intent: Intent, words: &str) -> Result<(), Unwanted> {
        let Some(beside) = self.outside.first().copied() else { return Ok(()) };
        if !self.asked.iter().any(|text| intent.is_told_in(text)) {
            return Err(Unwanted::Unasked { beside });
        }
        let texts = if intent == Intent::Forget { &self.asked } else { &self.said };
        let theirs = texts.iter().chain(&self.around);
        let short = |term: String| term.chars().take(NAMED_LENGTH).collect();
        let words: Vec<String> = unspoken(words, theirs).into_iter().take(MOST_NAMED).map(short).collect();
        if words.is_empty() { Ok(()) } else { Err(Unwanted::Words { beside, words }) }
    }
}
