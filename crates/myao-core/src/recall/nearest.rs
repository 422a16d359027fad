//! Vectors in memory, and which of them lie nearest to a question's: all are looked at, one by one.

use std::collections::BTreeMap;

use super::{TextVector, vector::product};

/// Vectors of texts. Those of a group, a channel, are looked at together or not at all.
#[derive(Clone, Debug, Default)]
pub struct VectorSet {
    dimensions: usize,
    groups: BTreeMap<i64, VectorGroup>,
}

/// The vectors of a group; the values of all of them, one behind the other.
#[derive(Clone, Debug, Default)]
struct VectorGroup {
    keys: Vec<VectorKey>,
    scales: Vec<f32>,
    values: Vec<i8>,
}

/// Which text a vector is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorKey {
    /// Where the index has the text.
    pub address: i64,
    /// With which batch the vector was stored: a text that changed gets another.
    pub batch: i64,
}

/// A vector that lies near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearVector {
    /// Whose.
    pub key: VectorKey,
    /// How alike it is to the question's.
    pub likeness: f64,
}

impl VectorSet {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.values().map(|group| group.keys.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups that have any.
    pub fn groups(&self) -> impl Iterator<Item = i64> {
        self.groups.keys().copied()
    }

    /// Adds one. All have as many dimensions as the last: a model that gives others is another.
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

    /// Drops one.
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

    /// The nearest to a question, the nearest first: of these groups, in each from the first address on to before the
    /// second.
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
                        f64::from(product(asked, values)) * f64::from(*scale) * f64::from(of_question);
                    near.add(NearVector { key: *key, likeness });
                }
            }
        }
        near.sorted()
    }
}

/// The best so far, and some more.
struct Nearest {
    most: usize,
    best: Vec<NearVector>,
    /// What lies no nearer than this is not among the best.
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

/// Of equals, the one that stands higher in the index comes first: within a channel, the newer.
fn nearer_first(one: &NearVector, other: &NearVector) -> std::cmp::Ordering {
    other.likeness.total_cmp(&one.likeness).then(other.key.cmp(&one.key))
}
