//! Scores sentences by whether they are still worth knowing after months.

use std::sync::LazyLock;

use super::{
    concrete::points_for_concreteness,
    finder::WordFinder,
    lexicon::DECISION,
    points::{LOOKED_AT, Points, has_number, names_something},
};
use crate::text::{fold_for_comparison, head_of_text};

/// Points off in a long-term memory for what is over in a day or two, and for a problem of the moment.
const PASSING: i64 = 16;
/// Points off for what people say of themselves, or to one person.
const PERSONAL_TALK: i64 = 14;
/// Points off for code, which is of use at the moment only.
const CODE_TALK: i64 = 10;
/// Points off for what points at something that the line does not show.
const POINTS_ELSEWHERE: i64 = 16;
/// Points for a sentence that names something and tells a number or a date, and is not personal.
const STATED: i64 = 14;

static PASSING_WORDS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("worth.passing"));
static PERSONAL_WORDS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("worth.personal"));
static ELSEWHERE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("worth.elsewhere"));

/// The points of a sentence in a long-term memory. Decisions, plans and likings count, and the names, numbers and dates
/// in them; the amount of words hardly counts. What is soon over is worth little, whatever kind of remark it is, and so
/// are a mere question and what people say to one person or of themselves.
pub fn points_if_lasting(text: &str) -> i64 {
    let points = Points::of(text);
    if points.is_slight() {
        return points.substance;
    }
    let folded = fold_for_comparison(head_of_text(text, LOOKED_AT));
    let is_personal = PERSONAL_WORDS.stands_in(&folded);
    // A decision lasts, whatever day it names, unless it is a personal one.
    let passes = PASSING_WORDS.stands_in(&folded) && (points.lasting < DECISION.lasting || is_personal);
    let kind = if passes { -PASSING } else { points.lasting };
    // Names and numbers count in full only in kinds of remark that last.
    let told =
        if points.lasting > 0 { points_for_concreteness(text) } else { points_for_concreteness(text) / 2 };
    let is_stated = !is_personal && !passes && has_number(&folded) && names_something(text);
    let is_code =
        text.contains(['`', '{', '|', '=', '<', '\\']) || text.contains("::") || text.contains("->");
    let points_if = |yes: bool, points: i64| if yes { points } else { 0 };
    points.substance / 3 + kind + told + points_if(is_stated, STATED)
        - points.blemishes
        - points_if(is_personal, PERSONAL_TALK)
        - points_if(is_code, CODE_TALK)
        - points_if(ELSEWHERE.stands_in(&folded), POINTS_ELSEWHERE)
}
