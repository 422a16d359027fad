//! Holds vectors in memory and finds those that lie nearest to that of a question, by looking at all of them.

use std::collections::BTreeMap;

use super::vector::{TextVector, dot_product};

/// Vectors of texts, in groups: each group belongs to a channel, and a search looks at a group or not at all.
#[derive(Clone, Debug, Default)]
pub struct VectorSet {
    dimensions: usize,
    groups: BTreeMap<i64, VectorGroup>,
}

/// The vectors of a group. The values of all of them stand one behind the other.
#[derive(Clone, Debug, Default)]
struct VectorGroup {
    keys: Vec<VectorKey>,
    scales: Vec<f32>,
    values: Vec<i8>,
}

/// Says to which text a vector belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorKey {
    /// Where the index has the text.
    pub address: i64,
    /// The batch with which the vector was stored: a text that changed gets a vector in another batch.
    pub batch: i64,
}

/// A vector that lies near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearVector {
    /// The text to which it belongs.
    pub key: VectorKey,
    /// How alike it is to the question's vector ([`TextVector::likeness`]).
    pub likeness: f64,
}

impl VectorSet {
    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.groups.values().map(|group| group.keys.len()).sum()
    }

    /// Whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups that have vectors.
    pub fn groups(&self) -> impl Iterator<Item = i64> {
        self.groups.keys().copied()
    }

    /// Adds a vector. If it has another number of dimensions than those before, it is of another model, and those
    /// before are dropped.
    pub fn insert(&mut self, group: i64, key: VectorKey, vector: &TextVector) {
        let (values, scale) = vector.parts();
        if self.dimensions != values.len() {
            *self = Self { dimensions: values.len(), groups: BTreeMap::new() };
        }
        let group = self.groups.entry(group).or_default();
        group.keys.push(key);
        group.scales.push(scale);
        group.values.extend_from_slice(values);
    }

    /// Drops a vector.
    pub fn remove(&mut self, group: i64, key: VectorKey) {
        let Some(vectors) = self.groups.get_mut(&group) else { return };
        let Some(at) = vectors.keys.iter().position(|other| *other == key) else { return };
        vectors.keys.remove(at);
        vectors.scales.remove(at);
        let from = at.saturating_mul(self.dimensions);
        vectors.values.drain(from..from.saturating_add(self.dimensions));
        if vectors.keys.is_empty() {
            self.groups.remove(&group);
        }
    }

    /// The `most` vectors nearest to a question, nearest first. `within` says which groups are searched, and in each of
    /// them the first address (inclusive) and the last (exclusive).
    pub fn nearest(
        &self,
        question: &TextVector,
        within: &BTreeMap<i64, (i64, i64)>,
        most: usize,
    ) -> Vec<NearVector> {
        let (asked, of_question) = question.parts();
        if asked.len() != self.dimensions || most == 0 {
            return Vec::new();
        }
        let mut near = Nearest { most, best: Vec::with_capacity(most.saturating_mul(2)), bar: f64::MIN };
        for (group, (from, to)) in within {
            let Some(vectors) = self.groups.get(group) else { continue };
            let values = vectors.values.chunks_exact(self.dimensions);
            for ((key, scale), values) in vectors.keys.iter().zip(&vectors.scales).zip(values) {
                if key.address >= *from && key.address < *to {
                    let likeness =
                        f64::from(dot_product(asked, values)) * f64::from(*scale) * f64::from(of_question);
                    near.add(NearVector { key: *key, likeness });
                }
            }
        }
        near.sorted()
    }
}

/// The best vectors so far, and some more.
struct Nearest {
    most: usize,
    best: Vec<NearVector>,
    /// A vector with a lower likeness than this is not among the best.
    bar: f64,
}

impl Nearest {
    fn add(&mut self, vector: NearVector) {
        if vector.likeness < self.bar {
            return;
        }
        self.best.push(vector);
        if self.best.len() >= self.most.saturating_mul(2) {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.best.len() > self.most {
            self.best.select_nth_unstable_by(self.most, nearer_first);
            self.best.truncate(self.most);
            self.bar = self.best.iter().map(|vector| vector.likeness).fold(f64::MAX, f64::min);
        }
    }

    fn sorted(mut self) -> Vec<NearVector> {
        self.shrink();
        self.best.sort_unstable_by(nearer_first);
        self.best
    }
}

/// Orders by likeness. Of equals, the one with the higher address comes first: within a channel, the newer one.
fn nearer_first(one: &NearVector, other: &NearVector) -> std::cmp::Ordering {
    other.likeness.total_cmp(&one.likeness).then(other.key.cmp(&one.key))
}
