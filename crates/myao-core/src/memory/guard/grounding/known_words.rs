//! The words that a request shows, and whether a name is one of them in another form.

use std::collections::BTreeSet;

use super::{
    kana::{as_hiragana, consonant_skeleton, in_latin, surname_readings},
    pieces::{
        WrittenPiece::{self, Katakana, Word},
        pieces_of_text,
    },
};

/// How many letters two words must share at their beginning to be forms of one: German and Germany, ubuntu and Ubuntus.
const LEAST_SHARED: usize = 5;
/// How many letters a known word needs so that a longer one may begin with it: `Projektplan` where somebody says
/// `projekt`. To end with it, one more is needed.
const LEAST_PART: usize = 4;
/// How many letters a speaker's name needs so that a longer name may begin with it (Kenneth for `ken`), and a name so
/// that it may stand within a speaker's (Ken for `xxkenxx`).
const LEAST_NICK: usize = 3;
/// A word with at least this many letters may be a known one that is mistyped.
const LEAST_TYPED: usize = 5;
/// How many consonants a name needs to be known in another script.
const LEAST_SKELETON: usize = 2;

/// The words that were shown, and the texts they stand in.
#[derive(Debug, Default)]
pub(super) struct KnownWords {
    /// Latin words in lower case, and their parts.
    words: BTreeSet<String>,
    /// Names of speakers in lower case.
    speakers: BTreeSet<String>,
    /// All texts in lower case, one after the other.
    texts: String,
    /// Skeletons of the words in katakana.
    katakana: BTreeSet<String>,
    /// First letters of the words, one after the other.
    initials: String,
}

impl KnownWords {
    /// Adds a text that is `plain`.
    pub(super) fn add(&mut self, plain: &str) {
        self.texts.push_str(&plain.to_lowercase());
        self.texts.push('\n');
        for piece in pieces_of_text(plain) {
            match piece {
                Word(word) => {
                    let lower = word.to_lowercase();
                    self.initials.extend(lower.chars().next());
                    self.words.extend(parts_by_capitals(word));
                    self.words.insert(lower);
                }
                Katakana(kana) => {
                    self.katakana.insert(consonant_skeleton(&in_latin(kana)));
                }
                WrittenPiece::Digits(_)
                | WrittenPiece::Kanji(_)
                | WrittenPiece::Hiragana(_)
                | WrittenPiece::Mark(_) => {}
            }
        }
    }

    /// Adds the name of somebody who spoke.
    pub(super) fn add_speaker(&mut self, plain: &str) {
        let lower = plain.to_lowercase();
        self.speakers.extend(lower.split(|c: char| !c.is_alphabetic()).map(str::to_owned));
        self.speakers.insert(lower);
        self.add(plain);
    }

    /// Whether the texts hold this, whatever the case of its letters.
    pub(super) fn hold(&self, text: &str) -> bool {
        self.texts.contains(&text.to_lowercase())
    }

    /// Whether a Latin word stands in the texts, perhaps in another form, another script or mistyped.
    pub(super) fn know(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let bare = lower.strip_suffix("'s").unwrap_or(&lower).trim_matches('\'');
        self.words.contains(bare)
            || self.know_form(bare)
            || self.is_short_for(word)
            || parts_by_capitals(word).len() > 1
                && parts_by_capitals(word).iter().all(|part| self.words.contains(part))
            || self.knows_in_kana(bare)
            || self.knows_in_kanji(bare)
    }

    fn know_form(&self, word: &str) -> bool {
        let length = word.chars().count();
        let shared = |other: &str| word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        self.words.iter().any(|known| {
            let others = known.chars().count();
            let same = shared(known);
            same == others && others >= LEAST_PART
                || same == length && length >= LEAST_SHARED
                || same >= LEAST_SHARED && same * 3 >= length.max(others) * 2
                || others > LEAST_PART && word.ends_with(known.as_str())
                || length >= LEAST_TYPED && is_mistyped(word, known)
        }) || self.speakers.iter().any(|nick| {
            let is_long = |name: &str| name.chars().count() >= LEAST_NICK;
            is_long(nick) && word.starts_with(nick) || is_long(word) && nick.contains(word)
        })
    }

    /// Whether the texts hold `k8s` where the word is `Kubernetes`, or words in a row whose first letters make up the
    /// word.
    fn is_short_for(&self, word: &str) -> bool {
        let length = word.chars().count();
        let (Some(first), Some(last)) = (word.chars().next(), word.chars().next_back()) else { return false };
        let numeronym = format!("{first}{}{last}", length.saturating_sub(2)).to_lowercase();
        length > 3 && self.hold(&numeronym)
            || word.chars().all(char::is_uppercase) && self.initials.contains(&word.to_lowercase())
    }

    /// Whether the texts hold the first letters of words, as an abbreviation of them: CI for Continuous Integration.
    pub(super) fn abbreviate(&self, words: &[&str]) -> bool {
        let initials: String = words.iter().filter_map(|word| word.chars().next()).collect();
        words.len() > 1 && self.words.contains(&initials.to_lowercase())
    }

    fn knows_in_kana(&self, word: &str) -> bool {
        let skeleton = consonant_skeleton(word);
        skeleton.len() >= LEAST_SKELETON
            && self.katakana.iter().any(|known| {
                known.starts_with(&skeleton) || known.contains(&skeleton) && skeleton.len() > LEAST_SKELETON
            })
    }

    fn knows_in_kanji(&self, word: &str) -> bool {
        surname_readings().any(|(kanji, reading)| {
            (self.texts.contains(kanji) || self.texts.contains(reading))
                && latin_spellings(reading).contains(&word.to_owned())
        })
    }

    /// Whether somebody of this name in katakana is known by Latin letters or hiragana.
    pub(super) fn know_katakana(&self, kana: &str) -> bool {
        let wanted = consonant_skeleton(&in_latin(kana));
        let is_same = |word: &String| {
            let known = consonant_skeleton(word);
            known.len() >= LEAST_SKELETON && wanted.starts_with(&known)
                || known == wanted && !wanted.is_empty()
        };
        let in_hiragana: String = kana.chars().map(as_hiragana).collect();
        self.texts.contains(&in_hiragana) || self.words.iter().any(is_same)
    }

    /// Whether somebody of this name in kanji is known by its reading.
    pub(super) fn know_kanji(&self, kanji: &str) -> bool {
        surname_readings().filter(|(name, _)| kanji.contains(name)).any(|(_, reading)| {
            let katakana: String =
                reading.chars().filter_map(|c| char::from_u32(u32::from(c) + 0x60)).collect();
            self.texts.contains(reading)
                || self.texts.contains(&katakana)
                || latin_spellings(reading)
                    .iter()
                    .any(|name| self.words.iter().any(|word| word.contains(name.as_str())))
        })
    }
}

/// The ways in which a reading is spelled in Latin letters: `satou`, `sato`, `satoh`.
fn latin_spellings(reading: &str) -> Vec<String> {
    let long = in_latin(reading);
    let short = long.replace("ou", "o").replace("oo", "o").replace("uu", "u");
    vec![format!("{short}h"), short, long]
}

/// The parts of a word that is put together with capitals, in lower case: `GitHub` is `git` and `hub`.
fn parts_by_capitals(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in word.chars() {
        if parts.is_empty() || (was_lower && c.is_uppercase()) || c == '\'' {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(part) = parts.last_mut().filter(|_| c != '\'') {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether two words differ in one letter that is missing, added or another, or in two neighbours that changed places.
fn is_mistyped(word: &str, known: &str) -> bool {
    let a: Vec<char> = word.chars().collect();
    let b: Vec<char> = known.chars().collect();
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let is_swapped = same + 2 + behind >= a.len() && a.len() == b.len() && {
        let pair = |chars: &[char]| chars.get(same).copied().zip(chars.get(same + 1).copied());
        pair(&a).zip(pair(&b)).is_some_and(|((a1, a2), (b1, b2))| (a1, a2) == (b2, b1))
    };
    same + behind + 1 >= a.len().max(b.len()) || is_swapped
}
