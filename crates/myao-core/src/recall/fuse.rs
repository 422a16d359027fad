//! Makes one list out of two: what was found by words, and what was found by meaning (ADR 43).

use std::collections::HashMap;
use std::hash::Hash;

/// Is added to each rank in a list. The larger it is, the less the first ranks count compared with those that follow,
/// and the more it counts to stand in both lists.
const FLATNESS: f64 = 2.0;

/// Makes one list of several, each best first and with its weight. What stands high in several lists comes first; of
/// equals, what stands in an earlier list. Each thing is in the result once.
pub fn fuse_ranked_lists<T: Clone + Eq + Hash>(lists: &[(f64, Vec<T>)]) -> Vec<T> {
    let mut order: Vec<(T, f64)> = Vec::new();
    let mut places: HashMap<T, usize> = HashMap::new();
    for (weight, list) in lists {
        let mut rank = FLATNESS;
        for thing in list {
            rank += 1.0;
            let at = *places.entry(thing.clone()).or_insert_with(|| {
                order.push((thing.clone(), 0.0));
                order.len() - 1
            });
            if let Some((_, score)) = order.get_mut(at) {
                *score += weight / rank;
            }
        }
    }
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.into_iter().map(|(thing, _)| thing).collect()
}
