//! Who asks for what is theirs, and how much what was found bears on that (ADR 146): of two appointments, that of whoever
//! asks "when is my appointment?" comes first.

use std::collections::BTreeSet;

use super::{called_person::CalledPerson, question_owner::QuestionOwner};
use crate::{
    chat::{Message, MessageTs, Place, UserId},
    text::{Lexicon, fold_for_comparison},
    worth::{is_question, words_with_spaces},
};

/// By what the score is multiplied of what is told by or of whom a question means, and of what others tell of themselves.
const OF_MEANT: f64 = 2.0;
const OF_OTHERS: f64 = 0.5;
static SPEAKER: Lexicon = Lexicon::english("owner.speaker");
static SPEAKER_JAPANESE: Lexicon = Lexicon::japanese("owner.speaker");
static SPEAKERS: Lexicon = Lexicon::english("owner.speakers");
static SPEAKERS_JAPANESE: Lexicon = Lexicon::japanese("owner.speakers");

/// Somebody who asks for a thing of theirs, or of their group.
#[derive(Clone, Debug)]
pub struct Questioner {
    owner: QuestionOwner,
    user: UserId,
    called: Option<CalledPerson>,
}

/// Something that was found.
#[derive(Clone, Copy, Debug)]
pub struct FoundWords<'a> {
    /// Whether whoever asks said it.
    pub is_by_asker: bool,
    /// Its words.
    pub text: &'a str,
    /// Whether it was said where the question is asked.
    pub is_here: bool,
}

/// Of whom something tells, as far as its words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldOf {
    /// Of whom the question means.
    Meant,
    /// Of nobody in particular.
    Anybody,
    /// Of whoever said it, whom the question does not mean.
    Others,
}

impl Questioner {
    /// Of the messages that wait for an answer in `place`: `None` if none asks for anybody's things, or if several people
    /// ask for theirs.
    pub fn of(messages: &[Message], waiting: &BTreeSet<MessageTs>, place: &Place) -> Option<Self> {
        let is_there = |message: &&Message| match place.thread {
            Some(root) => message.thread() == root,
            None => message.thread_ts.is_none(),
        };
        let waits = messages.iter().filter(is_there).filter(|message| waiting.contains(&message.ts));
        let asking = waits.filter_map(|message| Some((QuestionOwner::of(&message.text)?, &message.user)));
        let asking: Vec<(QuestionOwner, &UserId)> =
            asking.filter(|(owner, _)| *owner != QuestionOwner::Hearer).collect();
        let (owner, user) = *asking.last()?;
        let is_alone = asking.iter().all(|(_, other)| *other == user);
        is_alone.then(|| Self { owner, user: user.clone(), called: None })
    }

    /// Who asks.
    pub const fn user(&self) -> &UserId {
        &self.user
    }

    /// Whether the question asks for what is theirs, and not their group's.
    pub const fn is_meant(&self) -> bool {
        self.owner.is_questioner()
    }

    /// The same with the name of whoever asks, and those they bore before: what names them tells of them.
    #[must_use]
    pub fn called(self, name: &str, former: &[String]) -> Self {
        let called = former.iter().fold(CalledPerson::new(name), |called, name| called.also_called(name));
        Self { called: Some(called), ..self }
    }

    /// Of whom something tells.
    pub fn told_in(&self, found: FoundWords<'_>) -> ToldOf {
        let folded = fold_for_comparison(found.text);
        let is_meant = if self.is_meant() {
            found.is_by_asker || self.is_named_in(found.text, &folded)
        } else {
            found.is_here || found.is_by_asker
        };
        let says = |english: &'static Lexicon, japanese: &'static Lexicon| {
            let spaced = words_with_spaces(&folded);
            english.words().any(|word| spaced.contains(&format!(" {word} ")))
                || japanese.words().any(|word| folded.contains(word))
        };
        let is_others = || match self.owner {
            QuestionOwner::Questioner => says(&SPEAKER, &SPEAKER_JAPANESE),
            QuestionOwner::Group => says(&SPEAKERS, &SPEAKERS_JAPANESE),
            QuestionOwner::QuestionerLikeOthers | QuestionOwner::GroupDeeds | QuestionOwner::Hearer => false,
        };
        match is_meant {
            // Whoever asked the same before told nothing.
            true if is_question(found.text) => ToldOf::Anybody,
            true => ToldOf::Meant,
            false if is_others() => ToldOf::Others,
            false => ToldOf::Anybody,
        }
    }

    fn is_named_in(&self, text: &str, folded: &str) -> bool {
        let is_mentioned = ["@", "~"].iter().any(|mark| text.contains(&format!("<{mark}{}>", self.user)));
        is_mentioned || self.called.as_ref().is_some_and(|called| called.is_named_in(folded))
    }
}

impl ToldOf {
    /// By what a score is multiplied.
    pub const fn weight(self) -> f64 {
        match self {
            Self::Meant => OF_MEANT,
            Self::Anybody => 1.0,
            Self::Others => OF_OTHERS,
        }
    }
}
