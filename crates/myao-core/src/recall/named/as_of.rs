//! Tells whether a question asks how things stood on the days that it names, and not what was said on them: "as of
//! 1 March", "what was the plan on 1 March?", 「3月1日の時点では？」 (ADR 135).

use std::ops::Range;

use jiff::Timestamp;

use crate::{chat::MessageTs, recall::day::DayRange, text::Lexicon};

/// What stands before a day as of which is asked.
static BEFORE: Lexicon = Lexicon::english("recall.as_of");
/// What follows such a day.
static AFTER: Lexicon = Lexicon::japanese("recall.as_of");
/// What may stand in one way for a while and then in another.
static STATES: Lexicon = Lexicon::english("recall.states");

/// Words with which a question about a state begins, and the verbs of such a question.
const ASKING: [&str; 4] = ["what", "which", "who", "where"];
const WAS: [&str; 2] = ["was", "were"];
/// The most words from the verb to what stood: `was the old plan`.
const MOST_BETWEEN: usize = 3;

/// That a question asks how things stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateAsked {
    /// The last instant that counts.
    pub(super) end: MessageTs,
    /// Where its days stand in the question, with the words that say so.
    pub(super) place: Range<usize>,
}

/// Whether a question of lower-case letters holds a word that can ask how things stood: most hold none, and their days need
/// not be looked for.
pub(super) fn may_ask(text: &str) -> bool {
    let holds = |words: &Lexicon| words.iter().any(|word| text.contains(word));
    holds(&BEFORE) || holds(&AFTER) || (WAS.iter().any(|was| text.contains(was)) && holds(&STATES))
}

/// Whether a question of lower-case letters asks how things stood on `days`, whose name stands at `place`. Days without an
/// end, and those that are not over, bound nothing.
pub(super) fn find_state(
    text: &str,
    days: DayRange,
    place: &Range<usize>,
    now: Timestamp,
) -> Option<StateAsked> {
    let end = days.end.map(MessageTs::just_before).filter(|end| *end < MessageTs::from_timestamp(now))?;
    let place = with_words_before(text, place)
        .or_else(|| with_words_after(text, place))
        .or_else(|| asks_for_state(text, place).then(|| place.clone()))?;
    Some(StateAsked { end, place })
}

/// The place of the days with the English words before it that ask as of them.
fn with_words_before(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let head = text.get(..place.end)?;
    let starts = |words: &&str| {
        // The preposition before a day already counts as a part of its name: `as` `of 1 March`.
        let start = head.rfind(words)?;
        let end = start + words.len();
        let is_word = !text.get(..start)?.ends_with(char::is_alphanumeric);
        (is_word && start <= place.start && end >= place.start).then_some(start)
    };
    let start = BEFORE.iter().find_map(starts)?;
    Some(start..place.end)
}

/// The place of the days with the Japanese words after it that ask as of them.
fn with_words_after(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let tail = text.get(place.end..)?;
    let words = AFTER.iter().filter(|words| tail.starts_with(**words)).max_by_key(|words| words.len())?;
    Some(place.start..place.end + words.len())
}

/// Whether a question asks what stood on a day: `what was the plan on 1 march`. What was decided on a day, or is planned
/// for one, is something else.
fn asks_for_state(text: &str, place: &Range<usize>) -> bool {
    let Some(head) = text.get(..place.start) else { return false };
    if !text.get(place.clone()).is_some_and(|name| name.starts_with("on ")) {
        return false;
    }
    let words: Vec<&str> =
        head.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let Some(was) = words.iter().position(|word| WAS.contains(word)) else { return false };
    let is_asked = words.iter().take(was).any(|word| ASKING.contains(word));
    let mut behind = words.iter().skip(was + 1).take(MOST_BETWEEN);
    is_asked && behind.any(|word| STATES.contains(word))
}
