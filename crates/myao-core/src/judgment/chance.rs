//! Random draws that are the same after a restart (specification §4, design §6).

/// Draws that depend only on a seed and on the subject of the draw. A workspace's seed is drawn once and stored, so
/// that every process, and a replay, gets the same waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    seed: u64,
}

/// The fractional bits an `f64` holds exactly.
const EXACT_BITS: u32 = 53;

impl Chance {
    /// From a stored seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// A uniform draw from 0 (included) to 1 (excluded) for the subject that `words` and `numbers` name.
    pub fn share(self, words: &str, numbers: [i64; 2]) -> f64 {
        let mut state = self.seed;
        for byte in words.bytes() {
            state = mix_bits(state ^ u64::from(byte));
        }
        for number in numbers {
            state = mix_bits(state ^ number.cast_unsigned());
        }
        let bits = state >> (u64::BITS - EXACT_BITS);
        #[expect(clippy::cast_precision_loss, reason = "53 bits are held exactly")]
        let share = bits as f64 / (1_u64 << EXACT_BITS) as f64;
        share
    }
}

/// One step of `SplitMix64` (Steele, Lea, Flood 2014): every bit of the state touches every bit of the result.
/// Written out since it must never change, and a library's generator may between two versions.
const fn mix_bits(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
