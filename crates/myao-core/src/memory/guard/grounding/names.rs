//! Finds names that stand in nothing a model was shown.
//!
//! A word counts as a name only if that is clear, so not if it has a capital at the beginning of a sentence, stands in
//! a heading, or is a word that everybody knows. People are looked at more closely than things, since models invent
//! people.

use super::{
    kana::surname_readings,
    known_words::KnownWords,
    lexicon::{is_no_name, is_persons_name, is_plain_word, is_said},
    pieces::WrittenPiece::{self, Digits, Hiragana, Kanji, Katakana, Mark, Word},
};
use crate::text::Language;

/// Titles of people, in hiragana.
const TITLES: [&str; 3] = ["さん", "くん", "ちゃん"];
/// Words that begin like a title and are none: ちゃんと.
const NO_TITLES: [&str; 2] = ["ちゃんと", "ちゃんぽん"];
/// The words behind `@` that call everybody.
const EVERYBODY: [&str; 4] = ["channel", "here", "everyone", "all"];
/// Marks behind which a sentence or something quoted begins.
const BEGINNINGS: &str = ".!?:;\"'“”«»「『」』()[]–—-*_/|>→、。・&";

/// How many names a line has that are not among the words shown. The line is cut into pieces, from a `plain` text.
pub(super) fn count_unknown_names(
    line: &[WrittenPiece<'_>],
    known: &KnownWords,
    language: Language,
) -> usize {
    (0..line.len()).filter(|at| is_unknown(line, *at, known, language)).count()
}

fn is_unknown(line: &[WrittenPiece<'_>], at: usize, known: &KnownWords, language: Language) -> bool {
    let (Some(before), Some([piece, after @ ..])) = (line.get(..at), line.get(at..)) else { return false };
    match piece {
        Word(word) if is_titled(after) => !known.know(word) && word.len() > 1,
        Word(word) => match before {
            [.., Mark('@')] => !known.know(word) && !EVERYBODY.contains(word) && is_mention(before),
            [.., Mark('#')] => !known.know(word) && word.len() > 1,
            _ => is_unknown_word(before, word, after, known),
        },
        Kanji(kanji) => is_unknown_kanji(before, kanji, after, known, language),
        Katakana(kana) if is_titled(after) => {
            !kana.ends_with('ー') && !known.hold(kana) && !known.know_katakana(kana)
        }
        Katakana(_) | Digits(_) | Hiragana(_) | Mark(_) => false,
    }
}

/// Whether a title follows: さん, くん, ちゃん, 氏, 様.
fn is_titled(after: &[WrittenPiece<'_>]) -> bool {
    let after = if let [Mark(' '), rest @ ..] = after { rest } else { after };
    match after {
        [Hiragana(text), ..] => {
            TITLES.iter().any(|title| text.starts_with(title))
                && !NO_TITLES.iter().any(|word| text.starts_with(word))
        }
        [Kanji(text), ..] => {
            text.starts_with(['氏', '様']) && !text.starts_with("氏名") && !text.starts_with("様子")
        }
        _ => false,
    }
}

/// Whether the `@` begins a mention rather than standing within an address.
fn is_mention(before: &[WrittenPiece<'_>]) -> bool {
    !matches!(before, [.., Word(_) | Digits(_), Mark('@')])
}

fn is_unknown_word(
    before: &[WrittenPiece<'_>],
    word: &str,
    after: &[WrittenPiece<'_>],
    known: &KnownWords,
) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    let is_capital = word.chars().next().is_some_and(char::is_uppercase);
    let is_shouted = !word.chars().any(char::is_lowercase);
    // Whether it is part of an identifier, an address or a file's name.
    let is_within = matches!(before, [.., Digits(_) | Mark('_' | '/' | '\\' | '.' | '<' | '=')])
        || matches!(after, [Digits(_) | Mark('_' | '/' | '\\' | '@' | '='), ..])
        || matches!(after, [Mark('.' | ':'), Word(_) | Digits(_) | Mark(':'), ..]);
    if !is_capital || is_shouted || is_within || word.chars().count() < 2 || is_plain_word(bare) {
        return false;
    }
    let speaks = || matches!(after, [Mark(' '), Word(next), ..] if is_said(next));
    let is_person = is_persons_name(bare) || speaks();
    if (begins_sentence(before) || is_heading(after)) && !is_person {
        return false;
    }
    !known.know(word) && !is_spelled_out(before, word, after, known)
}

/// Whether a sentence begins here.
fn begins_sentence(before: &[WrittenPiece<'_>]) -> bool {
    let mut seen = before.iter().rev().skip_while(|piece| **piece == Mark(' '));
    match seen.next() {
        None | Some(Digits(_)) => true,
        Some(Mark(mark)) => BEGINNINGS.contains(*mark) || !mark.is_ascii(),
        Some(Word(_) | Kanji(_) | Katakana(_) | Hiragana(_)) => false,
    }
}

/// Whether the rest of a heading like `Open Questions:` follows: words with capitals, of which four are looked at, and
/// a colon.
fn is_heading(after: &[WrittenPiece<'_>]) -> bool {
    let words = after
        .iter()
        .take_while(|piece| !matches!(piece, Mark(':' | '.' | ',')))
        .filter_map(|piece| if let Word(word) = piece { Some(*word) } else { None });
    let ends = after.iter().find(|piece| matches!(piece, Mark(':' | '.' | ',')));
    matches!(ends, Some(Mark(':')))
        && words.take(4).all(|word| word.chars().next().is_some_and(char::is_uppercase))
}

/// Whether the word is one of several in capitals for which the texts have an abbreviation.
fn is_spelled_out(
    before: &[WrittenPiece<'_>],
    word: &str,
    after: &[WrittenPiece<'_>],
    known: &KnownWords,
) -> bool {
    let capital = |piece: &&WrittenPiece<'_>| {
        matches!(piece, Mark(' ' | '-'))
            || matches!(piece, Word(word) if word.chars().next().is_some_and(char::is_uppercase))
    };
    let words = |piece: &WrittenPiece<'_>| matches!(piece, Word(_));
    let in_front: Vec<&WrittenPiece<'_>> =
        before.iter().rev().take_while(capital).filter(|p| words(p)).collect();
    let behind: Vec<&WrittenPiece<'_>> = after.iter().take_while(capital).filter(|p| words(p)).collect();
    let row: Vec<&str> = in_front
        .into_iter()
        .rev()
        .chain([&Word(word)])
        .chain(behind)
        .filter_map(|piece| if let Word(word) = piece { Some(*word) } else { None })
        .collect();
    (2..=row.len())
        .any(|length| row.windows(length).any(|words| words.contains(&word) && known.abbreviate(words)))
}

fn is_unknown_kanji(
    before: &[WrittenPiece<'_>],
    kanji: &str,
    after: &[WrittenPiece<'_>],
    known: &KnownWords,
    language: Language,
) -> bool {
    let named = |name: &str| !known.hold(name) && !known.know_kanji(name);
    if let Some(name) = kanji.strip_suffix('氏').filter(|name| name.chars().count() > 1) {
        return !ends_known(name, known) && !known.know_kanji(name);
    }
    if matches!(after, [Hiragana(_), ..]) && is_titled(after) {
        return !is_no_name(kanji) && !ends_known(kanji, known) && !known.know_kanji(kanji);
    }
    let stands_alone = !matches!(before, [.., Katakana(_) | Word(_)]) && is_actor(after);
    if surname_readings().any(|(name, _)| name == kanji) && stands_alone {
        return named(kanji);
    }
    // In English, kanji are somebody's words or somebody's name.
    language == Language::En && kanji.chars().count() > 1 && named(kanji)
}

/// Whether a particle (が, は, も, と) or a mark follows a name, or nothing, as it does when somebody of this name acts.
fn is_actor(after: &[WrittenPiece<'_>]) -> bool {
    match after {
        [Hiragana(text), ..] => {
            text.starts_with(['が', 'は', 'も', 'と', 'の', 'に', 'を', 'へ', 'か', 'や'])
        }
        [Kanji(_) | Katakana(_) | Word(_) | Digits(_), ..] => false,
        [Mark(_), ..] | [] => true,
    }
}

/// Whether the texts hold the name, or the end of a longer run of kanji: 田中 of 担当田中さん.
fn ends_known(kanji: &str, known: &KnownWords) -> bool {
    let chars: Vec<char> = kanji.chars().collect();
    let least = chars.len().min(2);
    (least..=chars.len()).any(|length| {
        let end: String = chars.iter().skip(chars.len() - length).collect();
        known.hold(&end)
    })
}
