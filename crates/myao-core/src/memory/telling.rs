//! Decides which terms show where a text comes from: rare ones, and no grammar.

use std::ops::RangeInclusive;

use crate::{text::is_grammar, worth::is_common_word};

/// Numbers of up to this many digits stand in every date and time.
const SMALL_NUMBER_DIGITS: usize = 2;
/// The years that the dates of our texts are in.
const YEARS_OF_CHAT: RangeInclusive<u16> = 2000..=2099;
/// A term that stands in fewer messages than this is rare, wherever it is said.
const COMMON_MESSAGES: u64 = 10;
/// A term said in fewer channels than this belongs to those channels.
const COMMON_CHANNELS: u64 = 4;
/// A term said in less than one in this many channels of the workspace belongs to those channels.
const COMMON_SHARE: u64 = 4;

/// Whether a term can show that a text was made from a message which holds it. Single characters, pieces of grammar,
/// ordinary words, small numbers and the years in which people chat stand in every text, since every date and every
/// sentence of ours has some of them.
pub fn can_tell(term: &str) -> bool {
    term.chars().nth(1).is_some() && is_telling(term)
}

/// The same for what is only looked at where its making is known, as reasons of verdicts and replies of ours are: there a
/// single character tells as well, unless it is grammar.
pub fn is_telling(term: &str) -> bool {
    let is_small_number = term.chars().all(char::is_numeric)
        && (term.chars().count() <= SMALL_NUMBER_DIGITS
            || term.parse().is_ok_and(|year: u16| YEARS_OF_CHAT.contains(&year)));
    !is_grammar(term) && !is_small_number && !is_common_word(term)
}

/// How often a term is said in a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frequency {
    /// How many messages hold it.
    pub messages: u64,
    /// How many channels have such a message.
    pub channels: u64,
    /// Whether the channel that is asked about has one.
    pub is_said_here: bool,
    /// Whether it is part of the name of a person or channel.
    pub is_name: bool,
    /// Whether a model once wrote it without having been shown it ([`crate::text::made_up`]).
    pub is_models_own: bool,
}

impl Frequency {
    /// Whether the term shows where it comes from, in a workspace with talk in `channels` channels: it is rare, or said
    /// in a few places only. A term that nobody says, or that a model made up, is the model's own and shows nothing,
    /// unless it is a name.
    ///
    /// From [`Frequency::channels_that_matter`] channels on, the answer is the same however many there are.
    pub fn tells(&self, channels: u64) -> bool {
        let is_everywhere = self.messages >= COMMON_MESSAGES
            && self.channels >= COMMON_CHANNELS
            && self.channels.saturating_mul(COMMON_SHARE) >= channels;
        let is_nobodys = (self.messages == 0 || self.is_models_own) && !self.is_name;
        !is_everywhere && !is_nobodys
    }

    /// From this many channels of a workspace on, the term is not everywhere in it, however often it is said.
    pub fn channels_that_matter(&self) -> u64 {
        self.channels.saturating_mul(COMMON_SHARE).saturating_add(1)
    }
}
