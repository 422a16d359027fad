//! Whether a text is in the language asked for, judged by its script.

use crate::prompt::Language;

/// Too little to judge by: a weight under which every text passes, about a line of names or a dozen words.
const LEAST_WEIGHT: usize = 60;
/// Half a word of Latin script says about as much as one character of Japanese: letters are weighed so.
const CHAR_WEIGHT: usize = 2;
const LETTER_WEIGHT: usize = 1;
/// Kanji count as Japanese in the company of kana only, so many to each: without any, they are Chinese, or
/// names in an English text. In real Japanese chat there are at most 2.5 to one; lists of nouns have more.
const KANJI_PER_KANA: usize = 5;
/// The least share, in percent, of the expected script. Japanese is full of Latin terms and names, English of
/// hardly any Japanese. In real technical chat in Japanese the share is 39 or more, or else the people spoke
/// English.
const LEAST_JAPANESE_PERCENT: usize = 15;
const LEAST_ENGLISH_PERCENT: usize = 50;

pub(super) fn name(language: Language) -> &'static str {
    match language {
        Language::Ja => "Japanese",
        Language::En => "English",
    }
}

/// Whether `text` is clearly in another language than `expected`. Code and links don't count; what tells the
/// languages of one script apart (German from English) is not looked at.
pub(super) fn is_other(text: &str, expected: Language) -> bool {
    let scripts = Scripts::of(&without_links(&without_code(text)));
    let all = scripts.kana + scripts.kanji + scripts.latin + scripts.other;
    let (expected, least) = match expected {
        Language::Ja => {
            (scripts.kana + scripts.kanji.min(scripts.kana * KANJI_PER_KANA), LEAST_JAPANESE_PERCENT)
        }
        Language::En => (scripts.latin, LEAST_ENGLISH_PERCENT),
    };
    all >= LEAST_WEIGHT && expected * 100 < all * least
}

/// How much of a text is written in what, by weight.
#[derive(Default)]
struct Scripts {
    kana: usize,
    kanji: usize,
    latin: usize,
    other: usize,
}

impl Scripts {
    fn of(text: &str) -> Self {
        let mut scripts = Self::default();
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            match c {
                '\u{3040}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => scripts.kana += CHAR_WEIGHT,
                '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' => {
                    scripts.kanji += CHAR_WEIGHT;
                }
                '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}' => {
                    scripts.latin += LETTER_WEIGHT;
                }
                '\u{ac00}'..='\u{d7a3}' => scripts.other += CHAR_WEIGHT,
                _ => scripts.other += LETTER_WEIGHT,
            }
        }
        scripts
    }
}

/// Drops what stands between fences, and between backticks in a line. A fence that is never closed is none.
fn without_code(text: &str) -> String {
    let prose: Vec<String> = outside(text, "```")
        .iter()
        .flat_map(|part| part.lines())
        .map(|line| outside(line, "`").join(" "))
        .collect();
    prose.join("\n")
}

/// The pieces of `text` outside pairs of `mark`.
fn outside<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let pair = rest.split_once(mark).and_then(|(before, tail)| Some((before, tail.split_once(mark)?.1)));
        let Some((before, after)) = pair else { break };
        pieces.push(before);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Drops everything from `://` to the end of the link; Japanese follows a link without a space.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("://") {
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()));
        rest = link.trim_start_matches(|c: char| c.is_ascii_graphic());
    }
    out.push_str(rest);
    out
}
