//! What a text means, as a model of embeddings gives it: a direction in a few hundred dimensions (ADR 43).

/// The most dimensions of a vector: the largest models have some four thousand.
const MOST_DIMENSIONS: usize = 4_096;
/// How many bytes the scale in front of the values takes.
const SCALE_BYTES: usize = 4;
/// The largest value of a dimension in the form in which it is kept.
const LARGEST: f32 = 127.0;

/// The direction in which a text lies: texts that mean the same lie in about the same direction. Each dimension is kept
/// in one byte, which changes a likeness by a hundredth at most.
#[derive(Clone, Debug, PartialEq)]
pub struct TextVector {
    /// What 1 in `values` stands for, if the vector has the length 1.
    scale: f32,
    values: Vec<i8>,
}

impl TextVector {
    /// The direction of the vector that a model gave. `None` if it has none: it is empty, too long, all zero, or holds
    /// something that is no number.
    pub fn new(given: &[f32]) -> Option<Self> {
        let length = given.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        let largest = given.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        if given.len() > MOST_DIMENSIONS || !length.is_normal() || !largest.is_normal() {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole, and between -127 and 127")]
        let kept = |value: &f32| (value / largest * LARGEST).round() as i8;
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let scale = (f64::from(largest) / length / f64::from(LARGEST)) as f32;
        Some(Self { scale, values: given.iter().map(kept).collect() })
    }

    /// The vector as it is stored: the scale (a float of four bytes, the smallest first), then a byte for each
    /// dimension.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.cast_unsigned());
        self.scale.to_le_bytes().into_iter().chain(values).collect()
    }

    /// The vector of [`TextVector::to_bytes`]; `None` if the bytes are no vector.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_first_chunk::<SCALE_BYTES>()?;
        let scale = f32::from_le_bytes(*scale);
        let is_whole = scale.is_normal() && !values.is_empty() && values.len() <= MOST_DIMENSIONS;
        is_whole.then(|| Self { scale, values: values.iter().map(|byte| byte.cast_signed()).collect() })
    }

    /// How many dimensions it has.
    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    /// The values and the scale.
    pub(super) fn parts(&self) -> (&[i8], f32) {
        (&self.values, self.scale)
    }

    /// How alike two texts are: 1 for the same direction, 0 for nothing in common; 0 where the dimensions differ.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.dimensions() != other.dimensions() {
            return 0.0;
        }
        f64::from(dot_product(&self.values, &other.values)) * f64::from(self.scale) * f64::from(other.scale)
    }
}

/// The sum of the products of both vectors' values. For [`MOST_DIMENSIONS`] it fits into 32 bits.
pub(super) fn dot_product(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}
