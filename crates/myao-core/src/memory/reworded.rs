//! Knows what was put right again where a model says it in other words (ADR 141).
//!
//! Of what was wrong only the keys of its terms are known. A sentence states it again if it holds a value of it that does not
//! hold any more, nothing of what holds instead, and nearly everything that both say.

use std::collections::BTreeSet;

use super::{
    correction::Correction,
    telling::can_tell,
    values::{ValueToken, tokens_of_statement},
};
use crate::{
    text::{key_of_term, terms_of_text},
    worth::is_question,
};

/// How much of what the wrong and the right statement have in common a sentence says at least, in percent.
const IN_COMMON_PERCENT: usize = 66;
/// How much of a sentence without a mark for its end, which is taken out, may be about something else, in percent.
const MOST_ELSE_PERCENT: usize = 50;

/// Whether a sentence states in other words what a correction replaced.
pub(super) fn states_what_was_replaced(sentence: &str, correction: &Correction) -> bool {
    if correction.replaced_terms.is_empty() || is_question(sentence) || sentence.contains(['?', '？']) {
        return false;
    }
    let was_replaced = |term: &String| correction.replaced_terms.contains(&key_of_term(term));
    let right = terms_of_text(&correction.words);
    let said = terms_of_text(sentence);
    let common: BTreeSet<&String> =
        right.iter().filter(|term| can_tell(term) && was_replaced(term)).collect();
    let holds = |term: &&String| said.contains(*term);
    let said_in_common = common.iter().filter(|term| said.contains(**term)).count();
    if common.is_empty() || said_in_common * 100 < common.len() * IN_COMMON_PERCENT {
        return false;
    }
    let is_of_right = right.iter().filter(|term| !was_replaced(term)).any(|term| holds(&term));
    let values = terms_of_values(sentence);
    let is_of_wrong = values.iter().any(|term| was_replaced(term) && !right.contains(term));
    if is_of_right || !is_of_wrong {
        return false;
    }
    let telling: Vec<&String> = said.iter().filter(|term| can_tell(term)).collect();
    let is_else = |term: &&&String| !was_replaced(term) && !right.contains(**term);
    correction.mark.is_some()
        || telling.iter().filter(is_else).count() * 100 <= telling.len() * MOST_ELSE_PERCENT
}

/// The terms of the days, numbers and names in a sentence.
fn terms_of_values(sentence: &str) -> BTreeSet<String> {
    let values = tokens_of_statement(sentence).into_iter().filter(ValueToken::is_value);
    values.filter_map(|token| sentence.get(token.from..token.to)).flat_map(terms_of_text).collect()
}
