//! Answers with words of the house (ADR 137): what a word means, from the message that says so; and a question with one of
//! two words from what was said with the other.

use myao_core::{
    ports::{ExplainedWord, TalkLine},
    recall::{asks_for_meaning, question_in_other_words},
    text::{clip_to_tokens, one_line},
};

use super::found_answer::{LONGEST_QUOTE, Quotation, best_with_score};

/// The most messages that are quoted to explain a word: it may mean several things.
const MOST_EXPLANATIONS: usize = 3;

/// If all that is asked is what a word means, the messages that explain it, the newest first.
pub(super) fn explanations_asked_for<'a>(asked: &TalkLine, earlier: &'a [TalkLine]) -> Vec<Quotation<'a>> {
    let explains =
        |line: &&TalkLine| line.explains.iter().any(|one| asks_for_meaning(&asked.text, &one.word));
    let mut lines: Vec<&TalkLine> = earlier.iter().filter(explains).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.ts));
    lines.dedup_by_key(|line| line.ts);
    let quote = |line: &'a TalkLine| Quotation {
        line,
        words: clip_to_tokens(&one_line(&line.text), LONGEST_QUOTE),
        is_replaced: false,
    };
    lines.into_iter().take(MOST_EXPLANATIONS).map(quote).collect()
}

/// The messages that answer a question best, as it was asked or in the words that its words mean.
pub(super) fn best_in_any_words<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Vec<Quotation<'a>> {
    let same = earlier.iter().flat_map(|line| &line.explains).filter(|one| one.is_same);
    let pairs = same.map(|ExplainedWord { word, meaning, .. }| (word.as_str(), meaning.as_str()));
    let mut best = best_with_score(asked, earlier, own_names, false);
    for text in question_in_other_words(&asked.text, pairs) {
        let other = best_with_score(&TalkLine { text, ..asked.clone() }, earlier, own_names, false);
        if other.0 > best.0 {
            best = other;
        }
    }
    best.1
}
