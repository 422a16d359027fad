//! Shortens Japanese sentences: leaves out interjections where a clause begins, and polite and softening endings where
//! a sentence ends.

use myao_core::text::Lexicon;

static OPENINGS: Lexicon = Lexicon::japanese("condense.openings");
static INTERJECTIONS: Lexicon = Lexicon::japanese("condense.exclamations");
/// Characters before 「んです」 and 「のです」 behind which it is an ending rather than part of a noun, as in 「ごはんです」 and 「田中くんです」.
const BEFORE_N: &str = "るいたうすつむぐな";
static ENDINGS: Lexicon<(&'static str, &'static str)> = Lexicon::japanese("condense.polite_endings");

/// A sentence without the words and endings above.
pub(super) fn condense(text: &str) -> String {
    let clauses = text.split_inclusive('、').map(without_opening).filter(|clause| !clause.is_empty());
    let text: String = clauses.collect();
    without_ending(&text)
}

fn without_opening(clause: &str) -> &str {
    let mut rest = clause.trim_start();
    loop {
        // If hiragana follows, it is another word: 「なんかい」.
        let sure = OPENINGS
            .words()
            .find_map(|word| rest.strip_prefix(word))
            .filter(|after| !after.starts_with(is_hiragana));
        let ended = |after: &&str| after.is_empty() || after.starts_with(is_pause);
        let Some(after) =
            sure.or_else(|| INTERJECTIONS.words().find_map(|word| rest.strip_prefix(word).filter(ended)))
        else {
            return rest;
        };
        rest = after.trim_start_matches(is_pause);
    }
}

fn is_pause(c: char) -> bool {
    c.is_whitespace() || "、。！!ー〜～…".contains(c)
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn without_ending(text: &str) -> String {
    let bare = text.trim_end_matches(|c: char| c.is_whitespace() || "。！!♪〜～笑ｗ…".contains(c));
    // Laughter, unless it ends an English word.
    let quiet = bare.trim_end_matches('w');
    let bare = if quiet.ends_with(|c: char| c.is_ascii_alphanumeric()) { bare } else { quiet };
    let bare =
        if bare.trim_end_matches('ー').ends_with(is_hiragana) { bare.trim_end_matches('ー') } else { bare };
    let bare = if bare.is_empty() { text } else { bare };
    for (ending, plain) in ENDINGS.iter().copied() {
        let fits = |stem: &&str| {
            // 「作成させて」 is する behind a noun, 「進めさせて」 another verb.
            if ending.starts_with("させて") {
                return !stem.ends_with(is_hiragana);
            }
            stem.chars().nth(1).is_some()
                && (!ending.starts_with(['ん', 'の'])
                    || (stem.ends_with(|c| BEFORE_N.contains(c)) && !stem.ends_with("んた")))
        };
        if let Some(stem) = bare.strip_suffix(ending).filter(fits) {
            return format!("{stem}{plain}");
        }
    }
    bare.to_owned()
}
