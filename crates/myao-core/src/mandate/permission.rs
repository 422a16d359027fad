//! Decides whether a model that has read words from outside may still make a change by a tool (ADR 34).
//!
//! A model obeys whatever it reads. As long as it has read only what the people of the place said, it does what they
//! may ask of it. Once it has read anything else, it may change something only if a message that it answers asks for
//! that, and if everything that it writes or names stands in what people said.
//!
//! What people said is the talk of the conversation by those who are known to be people. What a person pastes or
//! forwards counts as said by that person.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
};

use jiff::tz::TimeZone;

use super::{always::is_wanted_always, intent::Intent};
use crate::{
    chat::{MessageTs, Names, Speaker},
    context::{Context, HIGHEST_OF_MODELS, HIGHEST_PRIORITY},
    text::terms_not_said,
    wording::moment_in_prompt,
};

/// The most terms that a refusal names: enough to know what to say in other words.
const MOST_NAMED: usize = 8;
/// Characters shown of each of them.
const NAMED_LENGTH: usize = 20;

/// Where words come from that no person of the place said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// A message of another bot or integration, or of somebody unknown.
    Bot,
    /// The name of a file, or the description of what it shows.
    File,
    /// An image that the model is shown.
    Image,
    /// A page that a message links to.
    Page,
    /// The result of a tool: a page, a search.
    Tool,
    /// A post of ours that was made, or may have been made, from words from outside.
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

/// What people said in a conversation that is being answered, and which other words the model is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mandate {
    /// The messages that are answered.
    asked: Vec<String>,
    /// Everything that people said in the conversation.
    said: Vec<String>,
    /// The names of these people, and the times of their messages.
    around: Vec<String>,
    outside: BTreeSet<Outside>,
}

/// Why a change is refused; worded for the model, which is to tell the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwanted {
    /// Nobody asked for it.
    #[error(
        "not done: {beside} is in view, and nobody asked for this in words of their own. Tell whoever asked: it is \
         done once they say themselves what is to be noted, changed or forgotten"
    )]
    Unasked {
        /// Words from outside that the model was shown.
        beside: Outside,
    },
    /// What is to be written or named holds words that people did not say.
    #[error(
        "not done: {beside} is in view, so that nothing may stand here but what people said, and these words are not \
         theirs: {}. Say it in their words, or tell whoever asked to say what they want noted", .words.join(", ")
    )]
    Words {
        /// Words from outside that the model was shown.
        beside: Outside,
        /// The first of the words that people did not say.
        words: Vec<String>,
    },
}

impl Mandate {
    /// The mandate of the conversation in `context`, in which the messages `answers` are answered. `clean` are those
    /// posts of ours that were made from people's words alone.
    pub fn of(
        context: &Context,
        names: &Names,
        zone: &TimeZone,
        answers: &[MessageTs],
        clean: &HashSet<MessageTs>,
    ) -> Self {
        let mut mandate = Self::default();
        for message in context.conversation_history.get_all_messages() {
            for file in &message.files {
                mandate.enter(if file.site.is_some() { Outside::Page } else { Outside::File });
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
                    mandate
                        .around
                        .extend([names.user(&message.user).to_owned(), moment_in_prompt(message.ts, zone)]);
                }
                Speaker::Person | Speaker::Bot => mandate.enter(Outside::Bot),
            }
        }
        mandate
    }

    /// Notes that the model is shown words from `outside` from now on.
    pub fn enter(&mut self, outside: Outside) {
        self.outside.insert(outside);
    }

    /// Whether the model was shown anything but people's words.
    pub fn is_mixed(&self) -> bool {
        !self.outside.is_empty()
    }

    /// The highest priority that a memo may get: any if a message that is answered wants something always remembered.
    pub fn highest_priority(&self) -> u8 {
        let is_always = self.asked.iter().any(|text| is_wanted_always(text));
        if is_always { HIGHEST_PRIORITY } else { HIGHEST_OF_MODELS }
    }

    /// Checks whether a change may be made that writes or names `words`. What is to be forgotten has to be named in a
    /// message that is answered; what is to be kept may have been said anywhere in the conversation.
    ///
    /// # Errors
    /// The reason why the change may not be made.
    pub fn covers(&self, intent: Intent, words: &str) -> Result<(), Unwanted> {
        let Some(beside) = self.outside.first().copied() else { return Ok(()) };
        if !self.asked.iter().any(|text| intent.is_told_in(text)) {
            return Err(Unwanted::Unasked { beside });
        }
        let texts = if intent == Intent::Forget { &self.asked } else { &self.said };
        let theirs = texts.iter().chain(&self.around);
        let short = |term: String| term.chars().take(NAMED_LENGTH).collect();
        let words: Vec<String> =
            terms_not_said(words, theirs).into_iter().take(MOST_NAMED).map(short).collect();
        if words.is_empty() { Ok(()) } else { Err(Unwanted::Words { beside, words }) }
    }
}
