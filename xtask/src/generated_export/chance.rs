//! Numbers that look as if they were drawn by chance, the same ones each time.

/// The state of the draw (`SplitMix64`).
pub(super) struct DrawnNumbers(u64);

impl DrawnNumbers {
    pub(super) fn new() -> Self {
        Self(45)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, or 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// A number below `limit` of which the small ones are drawn most: each about as often as all of twice its size, as words
    /// are said.
    pub(super) fn small_below(&mut self, limit: u64) -> u64 {
        let bits = u64::from(limit.max(2).ilog2()) + 1;
        let size = 1 << self.below(bits);
        (size - 1 + self.below(size)).min(limit.saturating_sub(1))
    }

    /// Whether something happens that happens once in `times`.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}
