//! Detects a text that is not in the language asked for, by its script and by the commonest words.

use super::words::{Common, is_chinese, is_latin};
use crate::text::Language;

/// The weight from which on a mixture of scripts is judged. A lighter text, about a line of Japanese or a dozen words,
/// may be mostly names.
const LEAST_WEIGHT: usize = 60;
/// The weight from which on a text in another script alone is judged: five characters of Japanese are a sentence.
const LEAST_ALONE: usize = 10;
/// The number of words from which on a text in Latin script alone is judged, if one of them is no name.
const LEAST_ALONE_WORDS: usize = 3;
/// The weight of a character of Japanese, which says about as much as half a word of Latin script.
const CHAR_WEIGHT: usize = 2;
const LETTER_WEIGHT: usize = 1;
/// Real Japanese chat has at most 2.5 kanji to one kana; lists of nouns have more. Above this ratio, kanji are taken
/// for Chinese if Chinese characters are among them, and for names if the rest is English.
const KANJI_PER_KANA: usize = 5;
/// The least share, in percent, of Japanese characters in a Japanese text, which is full of Latin terms and names. In
/// real technical chat in Japanese the share is 39 or more, or else the people spoke English.
const LEAST_JAPANESE_PERCENT: usize = 15;
/// The least share, in percent, of Latin letters in an English text, which holds hardly any Japanese but names.
const LEAST_ENGLISH_PERCENT: usize = 50;
/// Half of [`LEAST_ENGLISH_PERCENT`] is enough if at least this share of the words, in percent, are among the commonest
/// of English: names rarely have so many of these.
const COMMON_ENGLISH_PERCENT: usize = 20;
/// Latin words are taken for sentences if at least this many, and at least [`LEAST_COMMON_PERCENT`] of all, are common
/// words of a language: sentences have 30 percent and more, lists of products and names hardly any.
const LEAST_COMMON: usize = 2;
const LEAST_COMMON_PERCENT: usize = 12;
/// A text with this many common words of another language than English is taken for a text in that language.
const LEAST_OTHER: usize = 3;
/// Kanji are taken for Chinese if at least this many, and at least [`LEAST_CHINESE_PERCENT`] of all, are written in
/// Chinese only. In Chinese these are a quarter and more, in a Japanese list of names with a Chinese one among them
/// less.
const LEAST_CHINESE: usize = 2;
const LEAST_CHINESE_PERCENT: usize = 8;

pub(super) fn name_of_language(language: Language) -> &'static str {
    match language {
        Language::Ja => "Japanese",
        Language::En => "English",
    }
}

/// Whether `text` is clearly in another language than `expected`. Code and links do not count, nor do quotations as
/// long as there is something in the expected script beside them.
pub(super) fn is_other(text: &str, expected: Language) -> bool {
    let prose = without_links(&without_code(text));
    let unquoted = without_quotations(&prose);
    let is_said_beside = |scripts: &Scripts| match expected {
        Language::Ja => scripts.hiragana + scripts.katakana > 0,
        Language::En => scripts.latin > 0,
    };
    let scripts = Scripts::of(&unquoted);
    let (text, scripts) =
        if is_said_beside(&scripts) { (&unquoted, scripts) } else { (&prose, Scripts::of(&prose)) };
    let common = Common::of(text);
    match expected {
        Language::Ja => scripts.are_not_japanese(common),
        Language::En => scripts.are_not_english(common),
    }
}

/// How much of a text is written in each script, by weight.
#[derive(Default)]
struct Scripts {
    hiragana: usize,
    katakana: usize,
    kanji: usize,
    /// Those of the kanji that are written in Chinese only.
    chinese: usize,
    latin: usize,
    other: usize,
}

impl Scripts {
    fn of(text: &str) -> Self {
        let mut scripts = Self::default();
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            match c {
                '\u{3040}'..='\u{309f}' => scripts.hiragana += CHAR_WEIGHT,
                '\u{30a0}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => scripts.katakana += CHAR_WEIGHT,
                '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' => {
                    scripts.kanji += CHAR_WEIGHT;
                    scripts.chinese += if is_chinese(c) { CHAR_WEIGHT } else { 0 };
                }
                c if is_latin(c) => scripts.latin += LETTER_WEIGHT,
                '\u{ac00}'..='\u{d7a3}' => scripts.other += CHAR_WEIGHT,
                _ => scripts.other += LETTER_WEIGHT,
            }
        }
        scripts
    }

    fn kana(&self) -> usize {
        self.hiragana + self.katakana
    }

    fn are_chinese(&self) -> bool {
        self.kana() * KANJI_PER_KANA < self.kanji
            && self.chinese >= LEAST_CHINESE * CHAR_WEIGHT
            && self.chinese * 100 >= self.kanji * LEAST_CHINESE_PERCENT
    }

    fn are_not_japanese(&self, common: Common) -> bool {
        let written = self.kana() + self.kanji;
        if self.are_chinese() || is_below(written, self.other, LEAST_JAPANESE_PERCENT, LEAST_ALONE) {
            return true;
        }
        let hits = common.english.max(common.other);
        let are_sentences = hits >= LEAST_COMMON && hits * 100 >= common.words * LEAST_COMMON_PERCENT;
        if are_sentences {
            // Among such sentences, kanji without kana are names.
            let spoken = self.kana() + self.kanji.min(self.kana() * KANJI_PER_KANA);
            return is_below(spoken, self.latin, LEAST_JAPANESE_PERCENT, 0);
        }
        // Without any Japanese, one word that is no name is enough.
        written == 0 && (self.latin >= LEAST_WEIGHT || (hits > 0 && common.words >= LEAST_ALONE_WORDS))
    }

    fn are_not_english(&self, common: Common) -> bool {
        // Without the hiragana of a sentence, kanji and katakana are names if anything English is around them.
        let names = (self.kanji + self.katakana).min(self.hiragana * KANJI_PER_KANA);
        let japanese = if self.are_chinese() || common.english == 0 {
            self.kana() + self.kanji
        } else {
            self.hiragana + names
        };
        let beside = japanese + self.other;
        if beside >= LEAST_ALONE && is_below(self.latin, beside, LEAST_ENGLISH_PERCENT / 2, 0) {
            return true;
        }
        if common.other >= LEAST_OTHER && common.other > common.english {
            return true;
        }
        let is_spoken =
            common.english >= LEAST_COMMON && common.english * 100 >= common.words * COMMON_ENGLISH_PERCENT;
        !is_spoken && is_below(self.latin, beside, LEAST_ENGLISH_PERCENT, LEAST_WEIGHT)
    }
}

/// Whether `part` is less than `percent` of `part` and `rest` together. False if both together weigh less than `least`.
fn is_below(part: usize, rest: usize, percent: usize, least: usize) -> bool {
    part + rest >= least && part * 100 < (part + rest) * percent
}

/// Drops what stands between fences, and between backticks in a line. A fence that is never closed does not count.
pub(super) fn without_code(text: &str) -> String {
    let prose: Vec<String> = pieces_outside(text, "```", "```")
        .iter()
        .flat_map(|part| part.lines())
        .map(|line| pieces_outside(line, "`", "`").join(" "))
        .collect();
    prose.join("\n")
}

/// Drops what somebody said or a machine printed: what stands between quotation marks, in one line.
fn without_quotations(text: &str) -> String {
    let marks = [("「", "」"), ("『", "』"), ("“", "”"), ("\"", "\"")];
    let unquoted = |line: &str| {
        marks.iter().fold(line.to_owned(), |line, (open, close)| pieces_outside(&line, open, close).join(" "))
    };
    text.lines().map(unquoted).collect::<Vec<_>>().join("\n")
}

/// The pieces of `text` outside pairs of `open` and `close`.
fn pieces_outside<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let pair = rest.split_once(open).and_then(|(before, tail)| Some((before, tail.split_once(close)?.1)));
        let Some((before, after)) = pair else { break };
        pieces.push(before);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Drops everything from `://` to the end of the link; Japanese follows a link without a space.
pub(super) fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("://") {
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()));
        rest = link.trim_start_matches(|c: char| c.is_ascii_graphic());
    }
    out.push_str(rest);
    out
}
