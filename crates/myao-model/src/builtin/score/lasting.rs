//! What is still worth knowing after months.

use super::{
    super::text::{fold, head},
    LOOKED_AT, Points, concreteness,
    lexicon::{DECISION, ENGLISH_PASSING, JAPANESE_PASSING, words},
    spaced,
};

/// Points off in a long-term memory for what is over in a day or two, and for what was in somebody's way.
const PASSING: i64 = 16;

/// The points of a text in a long-term memory: what was decided, planned and is liked counts, by name, number and date;
/// how much is said hardly. What passes is worth little, whatever kind of remark it is, and so is a mere question.
pub(in super::super) fn lasting(text: &str) -> i64 {
    let points = Points::of(text);
    if points.is_slight() {
        return points.substance;
    }
    // A decision stands, whatever day it names.
    let passes = points.lasting < DECISION.lasting && passes(text);
    let kind = if passes { -PASSING } else { points.lasting };
    // Names and numbers say the more, the more it matters what is said of them.
    let told = if points.lasting > 0 { concreteness(text) } else { concreteness(text) / 2 };
    points.substance / 3 + kind + told - points.blemishes
}

/// Whether a text is about the moment: today, tomorrow, soon, a problem that somebody has.
fn passes(text: &str) -> bool {
    let folded = fold(head(text, LOOKED_AT));
    let english = spaced(&folded);
    words(JAPANESE_PASSING).any(|word| folded.contains(word))
        || words(ENGLISH_PASSING).any(|word| english.contains(&format!(" {word} ")))
}
