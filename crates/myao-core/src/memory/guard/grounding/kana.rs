//! Japanese names in Latin letters, and Latin names in katakana.

use crate::text::Lexicon;

static SYLLABLES: Lexicon = Lexicon::japanese("kana.syllables");

static SURNAMES: Lexicon = Lexicon::japanese("kana.surnames");

/// Family names as kanji and reading.
pub(super) fn surname_readings() -> impl Iterator<Item = (&'static str, &'static str)> {
    SURNAMES.words().filter_map(|entry| {
        let reading = entry.find(|c| matches!(c, '\u{3041}'..='\u{309f}'))?;
        entry.split_at_checked(reading)
    })
}

/// A reading in Latin letters: たなか is `tanaka`. A character that has no letters is left out.
pub(super) fn in_latin(kana: &str) -> String {
    let mut out = String::new();
    let mut doubles = false;
    for c in kana.chars().map(as_hiragana) {
        let small = "ゃゅょぁぃぅぇぉ"
            .chars()
            .zip(["ya", "yu", "yo", "a", "i", "u", "e", "o"])
            .find(|(s, _)| *s == c);
        if let Some((_, letters)) = small {
            // しゃ is sha, きゃ is kya, ファ is fa.
            out.pop();
            let is_soft = ["sh", "ch", "j"].iter().any(|end| out.ends_with(end));
            out.push_str(if is_soft { letters.trim_start_matches('y') } else { letters });
            continue;
        }
        let letters = SYLLABLES.iter().find_map(|entry| entry.strip_prefix(c)).unwrap_or_default();
        if doubles {
            out.extend(letters.chars().next());
        }
        out.push_str(letters);
        doubles = c == 'っ';
    }
    out
}

/// Katakana as hiragana; any other character as it is.
pub(super) fn as_hiragana(c: char) -> char {
    match c {
        '\u{30a1}'..='\u{30f4}' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
        c => c,
    }
}

/// The consonants by which a name in Latin letters and the same name in katakana are known as one: `Michael` and
/// マイケル are `nkr`, `Sarah` and サラ are `sr`. Vowels come and go between the two, and letters that katakana does not
/// tell apart are one: l and r, b and v, m and n.
pub(super) fn consonant_skeleton(latin: &str) -> String {
    let mut out = String::new();
    let lower =
        latin.to_lowercase().replace("ph", "f").replace("ck", "k").replace("ch", "k").replace("sh", "s");
    let lower = lower.replace("th", "s").replace("ts", "t").replace("qu", "k").replace('x', "ks");
    for c in lower.chars() {
        let c = match c {
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'h' | 'w' => continue,
            'l' => 'r',
            'v' => 'b',
            'c' | 'q' => 'k',
            'z' => 's',
            'g' => 'j',
            'm' => 'n',
            c if c.is_ascii_alphabetic() => c,
            _ => continue,
        };
        if !out.ends_with(c) {
            out.push(c);
        }
    }
    out
}
