//! What the parts of a score weigh.
//!
//! `cargo xtask ranking --data FOLDER` chooses what is fitted, on questions of which the last figures know nothing, and
//! prints how well they do on others (docs/memory.md). What it printed stands here and stays.

/// What a score is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankParts {
    /// How well the text itself fits.
    pub own: f64,
    /// How well its thread fits; 0 where it belongs to none.
    pub thread: f64,
    /// Whether it opened that thread, or says by itself all that is asked for.
    pub is_root: bool,
    /// How well its chapter fits; 0 where it belongs to a thread, or to no chapter yet.
    pub chapter: f64,
    /// The words of the question that it lacks and that were said within minutes of it, the nearer the more.
    pub beside: f64,
    /// How long before the question it was said, in days.
    pub days_ago: f64,
}

/// By what the parts of a score are multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankWeights {
    /// The score of its thread.
    pub thread: f64,
    /// The same again for what opened the thread, or says by itself all that is asked for.
    pub root: f64,
    /// The score of its chapter.
    pub chapter: f64,
    /// What was said within minutes of it.
    pub beside: f64,
    /// The most that is added for being new, as a share of the score.
    pub newness: f64,
}

/// What is new counts half of [`RankWeights::newness`] after so many days, a third after twice as many.
const DAYS: f64 = 1.0;

impl RankWeights {
    /// `thread`, `root` and `chapter` were fitted. The other two are bounded by hand, since those questions are replies:
    /// what they want was said lately, and one message of a talk is as good as another. Somebody who asks may mean
    /// anything that was ever said, and wants what belongs together.
    pub const FROZEN: Self = Self { thread: 0.4, root: 0.4, chapter: 0.0, beside: 0.2, newness: 0.6 };

    /// The score of a text with these parts.
    pub fn score(&self, parts: &RankParts) -> f64 {
        let of_thread = parts.thread * (self.thread + if parts.is_root { self.root } else { 0.0 });
        let told = parts.own + of_thread + self.chapter * parts.chapter + self.beside * parts.beside;
        told * (1.0 + self.newness * DAYS / (DAYS + parts.days_ago.max(0.0)))
    }
}
