//! Estimates tokens by character class (design §7).
//!
//! A tokenizer would take tens of megabytes, and a budget only needs a number that is rarely far off and hardly ever
//! too small. The weights below were fitted to o200k on real Japanese and English chat and then raised a little;
//! `tests/it/prompt_tokens.rs` checks that they are never more than 10 % too low for a chapter's worth of talk.
//!
//! The estimate is subadditive: a text costs at most the sum of the pieces it is cut into. So a budget may
//! add up pieces and be sure that the whole does not exceed it.

/// Weights are in thousandths of a token.
const SCALE: usize = 1000;

/// A class of characters that tokenizers treat alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenClass {
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
    /// Emoji, half-width kana, box drawing and everything else.
    Symbol,
}

fn class_of(c: char) -> TokenClass {
    match c {
        '\n' | '\r' => TokenClass::Newline,
        ' ' | '\t' => TokenClass::Space,
        'a'..='z' => TokenClass::Word,
        'A'..='Z' => TokenClass::Upper,
        '0'..='9' => TokenClass::Digit,
        '!'..='~' => TokenClass::Punctuation,
        '\u{3041}'..='\u{309f}' => TokenClass::Hiragana,
        '\u{30a0}'..='\u{30ff}' => TokenClass::Katakana,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => TokenClass::Kanji,
        '\u{3000}'..='\u{3040}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' => TokenClass::Wide,
        c if c.is_alphabetic() && c < '\u{ff00}' => TokenClass::Letter,
        _ => TokenClass::Symbol,
    }
}

/// What `count` characters of one class in a row cost, in thousandths of a token. As a function of `count`, this is for
/// each class a line through or above the origin, or the larger of such a line and a constant: that makes the estimate
/// subadditive.
fn cost_of_run(class: TokenClass, count: usize, next: Option<TokenClass>) -> usize {
    match class {
        TokenClass::Newline => 1030,
        // Tokenizers join one space with the Latin word or sign behind it, and with nothing else.
        TokenClass::Space => match next {
            Some(TokenClass::Word | TokenClass::Upper | TokenClass::Letter) if count == 1 => 210,
            Some(TokenClass::Punctuation | TokenClass::Symbol) if count == 1 => 310,
            _ => 1080,
        },
        TokenClass::Word => (165 * count).max(950),
        TokenClass::Upper => 260 + 360 * count,
        TokenClass::Digit => 1130 * count.div_ceil(3),
        TokenClass::Punctuation => 825 + 155 * count,
        TokenClass::Hiragana => 465 + 600 * count,
        TokenClass::Katakana => 1030 + 495 * count,
        TokenClass::Kanji => 310 + 825 * count,
        TokenClass::Wide => 670 * count,
        TokenClass::Letter => 620 * count,
        TokenClass::Symbol => 1240 * count,
    }
}

/// Estimated tokens of `text`, in one pass.
pub fn estimate_tokens(text: &str) -> usize {
    let mut total = 0;
    let mut run: Option<(TokenClass, usize)> = None;
    for next in text.chars().map(class_of) {
        run = match run {
            Some((class, count)) if class == next => Some((class, count + 1)),
            Some((TokenClass::Upper, count)) if next == TokenClass::Word => Some((next, count + 1)),
            Some((class, count)) => {
                total += cost_of_run(class, count, Some(next));
                Some((next, 1))
            }
            None => Some((next, 1)),
        };
    }
    total += run.map_or(0, |(class, count)| cost_of_run(class, count, None));
    total.div_ceil(SCALE)
}
