//! Chance that can be had again.

use std::{
    fmt,
    hash::{BuildHasher, Hasher, RandomState},
};

/// Random numbers from a seed, which is shown with every result.
pub(super) struct Chance {
    seed: u64,
    state: u64,
}

impl Chance {
    /// From `MYAO_TEST_SEED`, else a new seed.
    pub(super) fn new() -> Self {
        let given = std::env::var_os("MYAO_TEST_SEED").and_then(|seed| seed.to_str()?.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        let chance = Self { seed, state: seed | 1 };
        println!("{chance}");
        chance
    }

    /// A number from `least` to `most`.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        // Marsaglia's xorshift64.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let width = u64::from(most - least + 1);
        least + u32::try_from(self.state % width).expect("within the width")
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MYAO_TEST_SEED={}", self.seed)
    }
}
