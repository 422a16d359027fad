//! Ranks bullets: each further one of the same day, month or speaker loses points.

use std::collections::BTreeMap;

/// A grouping of items, and the penalty for every further member of a group.
pub struct Level {
    groups: Vec<usize>,
    penalty: i64,
}

impl Level {
    /// Groups by `key`, one for each item, in the items' order.
    pub fn new<K: Ord>(keys: impl IntoIterator<Item = K>, penalty: i64) -> Self {
        let mut known = BTreeMap::new();
        let mut group = |key: K| {
            let next = known.len();
            *known.entry(key).or_insert(next)
        };
        Self { groups: keys.into_iter().map(&mut group).collect(), penalty }
    }
}

/// The indices of the items, best first; the first of equal items is the better one. Level by level, from the finest to
/// the coarsest, the second-best item of each group loses the level's penalty once, the third-best twice and so on.
/// What is second-best follows from the points that the levels before have left.
///
/// As long as the groups of every level are unions of groups of the level before, the first *k* of this order can be
/// found step by step: the best *k* of (the best *k* of A) and B are the best *k* of A and B, for any A, B and *k*.
/// When items are added, the best, second-best … of every group can only get better. So an item that was not among the
/// best never comes back, and removing it changes nothing for the best.
pub fn best_first(scores: &[i64], levels: &[Level]) -> Vec<usize> {
    let mut ranked: Vec<(i64, usize)> = scores.iter().enumerate().map(|(i, score)| (-score, i)).collect();
    ranked.sort_unstable();
    for level in levels {
        let mut members: BTreeMap<usize, i64> = BTreeMap::new();
        for (lack, i) in &mut ranked {
            let group = level.groups.get(*i).copied().unwrap_or(usize::MAX);
            let before = members.entry(group).or_insert(0);
            *lack += level.penalty * *before;
            *before += 1;
        }
        ranked.sort_unstable();
    }
    ranked.into_iter().map(|(_, i)| i).collect()
}
