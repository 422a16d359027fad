//! Tokens, estimated by character class (DESIGN F).
//!
//! A tokenizer costs tens of megabytes; budgets need a number that is rarely far off and hardly ever too
//! small. The weights below were fitted to o200k on real Japanese and English chat and then raised a little;
//! `tests/it/prompt_tokens.rs` holds them to "never more than 10 % under on a chapter's worth of talk".
//!
//! The estimate is subadditive: a text costs at most the sum of the pieces it is cut into. So a budget may
//! add up pieces and be sure that the whole does not exceed it.

use crate::ports::{Request, Thought, Turn};

/// What one image costs, estimated: what Anthropic counts at most. Others count less, a few small models many
/// times as much; the provider's own count is the truth afterwards.
pub const IMAGE_TOKENS: usize = 1600;

/// Weights are thousandths of a token.
const SCALE: usize = 1000;

/// Characters that tokenizers treat alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Newline,
    Space,
    /// A Latin word: lower case, or capitals followed by lower case.
    Word,
    /// Capitals only.
    Upper,
    Digit,
    /// ASCII punctuation.
    Punctuation,
    Hiragana,
    Katakana,
    Kanji,
    /// Japanese punctuation and full-width signs.
    Wide,
    /// Letters of every other script.
    Letter,
    /// Emoji, half-width kana, box drawing and whatever else there is.
    Symbol,
}

fn class_of(c: char) -> Class {
    match c {
        '\n' | '\r' => Class::Newline,
        ' ' | '\t' => Class::Space,
        'a'..='z' => Class::Word,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '!'..='~' => Class::Punctuation,
        '\u{3041}'..='\u{309f}' => Class::Hiragana,
        '\u{30a0}'..='\u{30ff}' => Class::Katakana,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Class::Kanji,
        '\u{3000}'..='\u{3040}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' => Class::Wide,
        c if c.is_alphabetic() && c < '\u{ff00}' => Class::Letter,
        _ => Class::Symbol,
    }
}

/// What `count` characters of one class in a row cost, in thousandths. For each class this is a line through
/// or above the origin, or the larger of one and a constant: that is what makes the estimate subadditive.
fn cost(class: Class, count: usize, next: Option<Class>) -> usize {
    match class {
        Class::Newline => 1030,
        // One space melts into the Latin word or sign behind it, and into nothing else.
        Class::Space => match next {
            Some(Class::Word | Class::Upper | Class::Letter) if count == 1 => 210,
            Some(Class::Punctuation | Class::Symbol) if count == 1 => 310,
            _ => 1080,
        },
        Class::Word => (165 * count).max(950),
        Class::Upper => 260 + 360 * count,
        Class::Digit => 1130 * count.div_ceil(3),
        Class::Punctuation => 825 + 155 * count,
        Class::Hiragana => 465 + 600 * count,
        Class::Katakana => 1030 + 495 * count,
        Class::Kanji => 310 + 825 * count,
        Class::Wide => 670 * count,
        Class::Letter => 620 * count,
        Class::Symbol => 1240 * count,
    }
}

/// Estimated tokens of `text`, in one pass.
pub fn estimate_tokens(text: &str) -> usize {
    let mut total = 0;
    let mut run: Option<(Class, usize)> = None;
    for next in text.chars().map(class_of) {
        run = match run {
            Some((class, count)) if class == next => Some((class, count + 1)),
            Some((Class::Upper, count)) if next == Class::Word => Some((next, count + 1)),
            Some((class, count)) => {
                total += cost(class, count, Some(next));
                Some((next, 1))
            }
            None => Some((next, 1)),
        };
    }
    total += run.map_or(0, |(class, count)| cost(class, count, None));
    total.div_ceil(SCALE)
}

/// Estimated tokens of a request: the system prompt, every turn, the images.
pub fn estimate_request(request: &Request) -> usize {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => estimate_tokens(text),
        Turn::Assistant { text, calls, thoughts } => {
            let calls =
                calls.iter().map(|c| estimate_tokens(&c.name) + estimate_tokens(&c.arguments.to_string()));
            let thoughts = thoughts.iter().map(Thought::estimated_tokens);
            estimate_tokens(text) + calls.sum::<usize>() + thoughts.sum::<usize>()
        }
    });
    estimate_tokens(&request.system) + turns.sum::<usize>() + request.images.len() * IMAGE_TOKENS
}
