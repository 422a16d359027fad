//! Why something may be told of somebody although another one said it.

use std::sync::LazyLock;

use super::{AttributedTalk, claims::AttributedClaim, sayings::Saying};
use crate::{
    text::Lexicon,
    worth::{WordFinder, is_question},
};

static SPEAKER: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("attribution.speaker"));
static HEARER: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("attribution.hearer"));
static TOGETHER: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("attribution.together"));
static OWN_DEEDS: Lexicon = Lexicon::japanese("attribution.own_deeds");

/// How many messages before and behind one show of whom it speaks, and who agrees to it.
const AROUND: usize = 6;

impl AttributedTalk {
    /// Whether saying `at`, which is not by the people of the claim, may be told of them. `is_verbatim` says that the claim
    /// holds a sentence of it word for word.
    pub(super) fn may_be_told_of(&self, claim: &AttributedClaim, at: usize, is_verbatim: bool) -> bool {
        let Some(saying) = self.sayings.get(at) else { return true };
        let Some(by) = saying.by else { return true };
        // A line that names whoever said it tells whose words these are.
        if self.people.names_one(&claim.words, &[by]) {
            return true;
        }
        let is_of_speaker = speaks_of_speaker(saying);
        let is_of_hearer = HEARER.stands_in(&saying.folded);
        if self.people.names_one(&saying.folded, &claim.who) {
            return is_of_hearer || !is_of_speaker || !self.only_calls(saying, claim);
        }
        if claim.is_said && is_verbatim {
            return false;
        }
        let is_asked = (is_question(&saying.folded) || is_of_hearer) && !is_question(&claim.words);
        if is_asked && self.speaks_behind(claim, at) {
            return true;
        }
        let is_of_others = !claim.is_said && !is_of_speaker;
        is_of_others && (TOGETHER.stands_in(&saying.folded) || self.is_around(claim, at))
    }

    /// Whether a saying names the people of a claim only in order to call them: at its beginning, or with an `@`.
    fn only_calls(&self, saying: &Saying, claim: &AttributedClaim) -> bool {
        let mut named =
            self.people.within(&saying.folded).filter(|(_, person, _)| claim.who.contains(person));
        named.all(|(at, _, _)| {
            let before = saying.folded.get(..at).unwrap_or_default();
            before.trim().is_empty() || before.ends_with('@')
        })
    }

    /// Whether one of the people says something soon after saying `at`.
    fn speaks_behind(&self, claim: &AttributedClaim, at: usize) -> bool {
        let mut behind = self.sayings.iter().skip(at + 1).take(AROUND);
        behind.any(|saying| saying.by.is_some_and(|by| claim.who.contains(&by)))
    }

    /// Whether one of the people is there or spoken of around saying `at`.
    fn is_around(&self, claim: &AttributedClaim, at: usize) -> bool {
        let mut around = self.sayings.iter().skip(at.saturating_sub(AROUND)).take(2 * AROUND + 1);
        around.any(|saying| {
            saying.by.is_some_and(|by| claim.who.contains(&by))
                || self.people.names_one(&saying.folded, &claim.who)
        })
    }
}

/// Whether whoever says it speaks of what they do themselves.
fn speaks_of_speaker(saying: &Saying) -> bool {
    let ends_so = |sentence: &str| {
        let end = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
        OWN_DEEDS.iter().any(|ending| end.ends_with(ending))
    };
    SPEAKER.stands_in(&saying.folded) || saying.folded.split(['。', '\n', '!', '?']).any(ends_so)
}
