//! What tells a secret from any other text of the same form: check digits, a checksum, the look of a password.

use std::ops::Range;

use super::phrases;

/// The weights of the first eleven digits of a My Number, the number that Japan gives each person.
const MY_NUMBER_WEIGHTS: [u32; 11] = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
/// The fewest and the most letters and digits of an IBAN (ISO 13616).
const IBAN_LENGTHS: Range<usize> = 15..35;
/// The fewest digits of a password of digits alone: a year, a size or a time has fewer.
const LEAST_DIGITS: usize = 6;
/// The fewest words, joined by hyphens, of a password of words; each has at least [`LEAST_JOINED`] letters.
const LEAST_WORDS: usize = 4;
const LEAST_JOINED: usize = 3;
/// What stands inside a password and hardly ever inside a word.
const SIGNS: &[u8] = b"!@#$%^&*+=~?";

/// Which check a secret has to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SecretCheck {
    /// Luhn's check of ISO/IEC 7812-1, which card numbers pass.
    Luhn,
    /// The check of My Number.
    MyNumber,
    /// Country, length and check digits of an IBAN. What stands behind the number does not belong to it.
    Iban,
    /// The words and the checksum of a phrase from which the keys of a wallet are made (BIP 39).
    SeedPhrase,
    /// That it looks like a password: no word of a language.
    Password,
}

impl SecretCheck {
    /// The parts of `text` that pass it, in order.
    pub(super) fn passing(self, text: &[u8]) -> Vec<Range<usize>> {
        let whole = |passes: bool| passes.then_some(0..text.len()).into_iter().collect();
        match self {
            Self::Luhn => whole(is_number(text, passes_luhn)),
            Self::MyNumber => whole(is_number(text, my_number)),
            Self::Iban => longest_iban(text).into_iter().collect(),
            Self::SeedPhrase => phrases::find_seed_phrases(text),
            Self::Password => whole(is_like_password(text)),
        }
    }
}

fn is_number(text: &[u8], check: fn(&[u32]) -> bool) -> bool {
    let digits: Vec<u32> = text.iter().filter_map(|byte| char::from(*byte).to_digit(10)).collect();
    // One digit repeated may pass a check, but is nobody's number.
    !digits.windows(2).all(|pair| pair.first() == pair.last()) && check(&digits)
}

/// The longest beginning that is an IBAN.
fn longest_iban(text: &[u8]) -> Option<Range<usize>> {
    let mut plain = String::new();
    let mut ends = Vec::new();
    for (at, byte) in text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric()) {
        plain.push(char::from(byte.to_ascii_uppercase()));
        ends.push(at + 1);
    }
    let mut lengths = IBAN_LENGTHS.rev();
    lengths.find_map(|length| {
        let number = plain.get(..length)?.parse::<iban::Iban>().ok()?;
        // Country and check digits alone would make a number of zeros one.
        let is_filled = number.bban().bytes().any(|byte| byte != b'0');
        let end = ends.get(length.checked_sub(1)?)?;
        // A number does not end in the middle of a word.
        let ends_there = !text.get(*end).is_some_and(u8::is_ascii_alphanumeric);
        (is_filled && ends_there).then_some(0..*end)
    })
}

/// Whether a token that somebody called a password looks like one: letters and digits together, a sign inside, many
/// digits, or words that are joined.
fn is_like_password(text: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    let letters = has(u8::is_ascii_alphabetic);
    let digits = has(u8::is_ascii_digit);
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let has_sign = inside.iter().any(|byte| SIGNS.contains(byte));
    let is_all_digits = text.iter().all(u8::is_ascii_digit);
    let words: Vec<&[u8]> = text.split(|byte| *byte == b'-').collect();
    let is_word = |word: &&[u8]| word.len() >= LEAST_JOINED && word.iter().all(u8::is_ascii_alphabetic);
    (letters && (digits || has_sign))
        || (digits && has_sign)
        || (is_all_digits && text.len() >= LEAST_DIGITS)
        || (words.len() >= LEAST_WORDS && words.iter().all(is_word))
}

fn passes_luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit < 5 { digit * 2 } else { digit * 2 - 9 };
    let sum: u32 = (digits.iter().rev().enumerate())
        .map(|(place, digit)| if place % 2 == 1 { doubled(*digit) } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}

fn my_number(digits: &[u32]) -> bool {
    let Some((last, first)) = digits.split_last().filter(|(_, first)| first.len() == MY_NUMBER_WEIGHTS.len())
    else {
        return false;
    };
    let sum: u32 = first.iter().zip(MY_NUMBER_WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    let rest = sum % 11;
    *last == if rest <= 1 { 0 } else { 11 - rest }
}
