//! Takes what people think of what was said unasked for what a judge should have said (ADR 129).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::chat::{MessageTs, Place, Vote};
use myao_store::VerdictRecord;

use super::Replayed;

/// The pauses in which something was said that people liked or disliked, by their place and the message before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoteLabels(BTreeMap<(Place, MessageTs), Vote>);

/// In how many of the pauses with one label a verdict is to speak again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelledShare {
    /// How many there are.
    pub all: u64,
    /// In how many of them it is to speak.
    pub to_speak: u64,
}

/// What becomes of labelled pauses in a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelledOutcome {
    /// Of those in which people liked what was said.
    pub liked: LabelledShare,
    /// Of those in which they did not.
    pub disliked: LabelledShare,
}

impl VoteLabels {
    /// The labels that verdicts have by the votes on what was said because of them. Where as many people think one as the
    /// other, there is none.
    pub fn of_verdicts(records: &[VerdictRecord]) -> Self {
        let voted = records.iter().filter_map(|record| {
            let vote = record.reply.as_ref()?.votes.majority()?;
            Some(((record.place.clone(), record.latest_ts), vote))
        });
        Self(voted.collect())
    }

    /// Whether nobody liked or disliked anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What becomes of the labelled pauses where these are the moments that are judged. The verdict counts, not whether
    /// there would be time to say something: what was said then is part of that past, and ends its pause.
    pub fn outcome(&self, moments: &[&Replayed]) -> LabelledOutcome {
        let to_speak: BTreeSet<(Place, MessageTs)> = moments
            .iter()
            .filter(|moment| moment.speaks())
            .map(|moment| (moment.place.clone(), moment.latest_ts))
            .collect();
        let mut outcome = LabelledOutcome::default();
        for (pause, vote) in &self.0 {
            let share = match vote {
                Vote::Good => &mut outcome.liked,
                Vote::Bad => &mut outcome.disliked,
            };
            share.all += 1;
            share.to_speak += u64::from(to_speak.contains(pause));
        }
        outcome
    }
}
