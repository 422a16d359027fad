//! Compares lines by what they say.

use std::collections::BTreeSet;

use myao_core::text::{WritingSystem, fold_for_comparison, letter_pairs, runs_of_one_kind};

/// Two lines say the same if they share at least this many percent of the shorter one's letter pairs.
const SAME_PERCENT: usize = 65;

/// What a line says, as it is compared with others.
pub(super) struct Said {
    pairs: BTreeSet<(char, char)>,
    numbers: BTreeSet<String>,
}

impl Said {
    pub(super) fn of(text: &str) -> Self {
        let folded = fold_for_comparison(text);
        let digits = runs_of_one_kind(&folded).into_iter().filter(|(kind, _)| *kind == WritingSystem::Digit);
        Self { pairs: letter_pairs(&folded), numbers: digits.map(|(_, run)| run.to_owned()).collect() }
    }

    /// Whether both say the same. Other numbers make a difference: something was moved, or corrected.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let shorter = self.pairs.len().min(other.pairs.len());
        let shared = self.pairs.intersection(&other.pairs).count();
        shorter > 0 && shared * 100 >= shorter * SAME_PERCENT && self.numbers == other.numbers
    }

    /// Whether it only says again what others have just said.
    pub(super) fn is_echo_of(&self, others: &Self) -> bool {
        let shared = self.pairs.intersection(&others.pairs).count();
        shared * 100 >= self.pairs.len() * SAME_PERCENT && self.numbers.is_subset(&others.numbers)
    }
}
