//! Fits weights, and counts what they find.

use std::fmt;

use myao_core::recall::RankWeights;

use super::search::FoundItem;

/// How often all weights are gone through.
const ROUNDS: usize = 2;
const THREAD: [f64; 7] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
const ROOT: [f64; 6] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.6];
const CHAPTER: [f64; 5] = [0.0, 0.05, 0.1, 0.2, 0.3];
/// Where it begins, whatever is frozen: the weights that were chosen by trying before.
const START: [f64; 3] = [0.5, 0.3, 0.2];
/// The rank at which an earlier message of the conversation counts half, and the same for its first.
const HALF: f64 = 4.0;
const HALF_OF_ROOT: f64 = 6.0;
/// What the first counts, compared with any other.
const OF_ROOT: f64 = 0.5;

/// Questions of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    FittedOn,
    HeldOut,
}

/// How many questions of 100 are answered within so many hits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) questions: u32,
    any: [u32; 3],
    root: u32,
}

const WITHIN: [usize; 3] = [1, 5, 10];

impl Figures {
    pub(super) fn of(items: &[FoundItem], part: Part, weights: &RankWeights) -> Self {
        let mut figures = Self::default();
        for item in items.iter().filter(|item| item.is_fitted_on == (part == Part::FittedOn)) {
            let (any, root) = ranks(item, weights);
            figures.questions += 1;
            for (count, within) in figures.any.iter_mut().zip(WITHIN) {
                *count += u32::from(any.is_some_and(|rank| rank < within));
            }
            figures.root += u32::from(root.is_some_and(|rank| rank < 10));
        }
        figures
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |n: u32| 100.0 * f64::from(n) / f64::from(self.questions.max(1));
        for (count, within) in self.any.iter().zip(WITHIN) {
            write!(f, "any@{within} {:.1}  ", share(*count))?;
        }
        write!(f, "root@10 {:.1}  of {} questions", share(self.root), self.questions)
    }
}

/// One of the weights.
type ChosenWeight = fn(&mut RankWeights) -> &mut f64;

/// The weights that find most in what they are fitted on, gone through one after the other.
pub(super) fn fitted(sets: &[(&str, Vec<FoundItem>)]) -> RankWeights {
    let mut best = RankWeights { thread: START[0], root: START[1], chapter: START[2], ..RankWeights::FROZEN };
    let mut worth = worth_of(sets, &best);
    for _ in 0..ROUNDS {
        let changes: [(&[f64], ChosenWeight); 3] = [
            (&THREAD, |weights| &mut weights.thread),
            (&ROOT, |weights| &mut weights.root),
            (&CHAPTER, |weights| &mut weights.chapter),
        ];
        for (values, weight) in changes {
            for value in values {
                let mut tried = best;
                *weight(&mut tried) = *value;
                let found = worth_of(sets, &tried);
                if found > worth {
                    (best, worth) = (tried, found);
                }
            }
        }
    }
    best
}

fn worth_of(sets: &[(&str, Vec<FoundItem>)], weights: &RankWeights) -> f64 {
    sets.iter().map(|(_, items)| worth_of_set(items, weights)).sum()
}

fn worth_of_set(items: &[FoundItem], weights: &RankWeights) -> f64 {
    let mut worth = 0.0;
    let mut questions = 0.0;
    for item in items.iter().filter(|item| item.is_fitted_on) {
        let (any, root) = ranks(item, weights);
        let of = |rank: Option<usize>, half: f64| rank.map_or(0.0, |rank| half / (half + as_float(rank)));
        worth += of(any, HALF) + if item.has_root { OF_ROOT * of(root, HALF_OF_ROOT) } else { 0.0 };
        questions += 1.0;
    }
    if questions > 0.0 { worth / questions } else { 0.0 }
}

/// The rank of the first message of the conversation that was found, and that of its first message.
fn ranks(item: &FoundItem, weights: &RankWeights) -> (Option<usize>, Option<usize>) {
    let mut scored: Vec<(f64, bool, bool)> =
        item.found.iter().map(|one| (weights.score(&one.parts), one.is_gold, one.is_root)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    (scored.iter().position(|one| one.1), scored.iter().position(|one| one.2))
}

fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
