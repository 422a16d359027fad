//! Which of the words that were explained count.

use std::collections::BTreeSet;

use super::{HouseWord, HouseWordForm};
use crate::chat::{ChannelId, MessageTs, UserId};

/// What is written in brackets counts once so many people did so.
const LEAST_BESIDE: usize = 2;

/// A word of the house, with the message that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidHouseWord {
    /// What it says.
    pub said: HouseWord,
    /// Where it was said.
    pub channel: ChannelId,
    /// When.
    pub ts: MessageTs,
    /// By whom.
    pub user: UserId,
    /// Whether a person ended it by hand.
    pub is_ended: bool,
}

/// Whether what a message says of a word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseWordState {
    /// It does.
    Stands,
    /// A person ended it by hand.
    Ended,
    /// A later message of its channel, said then, says that the word does not mean this.
    Denied(MessageTs),
    /// It only writes one in brackets behind the other, and nobody else did so, or somebody did so with another.
    Unsure,
    /// It says what the word does not mean.
    Denial,
}

/// Of each, whether it counts among the others. Places do not meddle with one another.
pub fn states_of_house_words(all: &[SaidHouseWord]) -> Vec<HouseWordState> {
    all.iter().map(|one| state_of(one, all)).collect()
}

fn state_of(one: &SaidHouseWord, all: &[SaidHouseWord]) -> HouseWordState {
    if one.said.form == HouseWordForm::Denied {
        return HouseWordState::Denial;
    }
    if one.is_ended {
        return HouseWordState::Ended;
    }
    let in_place = || all.iter().filter(|other| other.channel == one.channel);
    let denies = |other: &&SaidHouseWord| {
        other.said.form == HouseWordForm::Denied && other.ts > one.ts && other.said.is_same_pair(&one.said)
    };
    if let Some(denial) = in_place().filter(denies).map(|other| other.ts).min() {
        return HouseWordState::Denied(denial);
    }
    let counts = one.said.form == HouseWordForm::Stated || is_always_beside(one, all);
    if counts { HouseWordState::Stands } else { HouseWordState::Unsure }
}

/// Whether several people wrote a name in brackets behind the same one, and nobody behind another one.
fn is_always_beside(one: &SaidHouseWord, all: &[SaidHouseWord]) -> bool {
    let mut people: BTreeSet<&UserId> = BTreeSet::new();
    let in_place = all.iter().filter(|other| other.channel == one.channel);
    for other in in_place.filter(|other| other.said.form != HouseWordForm::Denied && !other.is_ended) {
        if other.said.is_same_pair(&one.said) {
            people.insert(&other.user);
        } else if other.said.is_same_word(&one.said) {
            return false;
        }
    }
    people.len() >= LEAST_BESIDE
}
