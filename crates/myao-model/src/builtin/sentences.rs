//! Splits text into sentences, in Japanese and English as people type them in a chat.

use std::{borrow::Cow, ops::Range};

use myao_core::{
    text::{Lexicon, head_of_text, is_japanese_char, one_line},
    worth::begins_with_particle,
};

/// Characters of a sentence that are read.
const LONGEST_SENTENCE: usize = 600;
/// Characters within which a bracket must be closed; otherwise it opens nothing, as in `:(`.
const LONGEST_ASIDE: usize = 120;
/// The same for a quotation mark: what a program says is often longer.
const LONGEST_QUOTATION: usize = 300;
static ABBREVIATIONS: Lexicon = Lexicon::english("sentences.abbreviations");

static QUOTING: Lexicon = Lexicon::japanese("sentences.quoting");
static NOT_QUOTING: Lexicon = Lexicon::japanese("sentences.not_quoting");
static EXPLAINING: Lexicon = Lexicon::english("sentences.explaining");
static BEHIND_QUESTION: Lexicon = Lexicon::japanese("sentences.behind_question");
/// Characters that are read to see whether a sentence goes on.
const LONGEST_LINK: usize = 8;

/// The sentences of a text in order, trimmed and not empty. The end of a line ends a sentence.
pub(super) fn split_into_sentences(text: &str) -> Vec<&str> {
    text.lines().flat_map(split_line).map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// A sentence on one line, as far as it is read.
pub(super) fn sentence_as_read(sentence: &str) -> String {
    one_line(&beginning_with_mark(sentence, LONGEST_SENTENCE))
}

/// The first characters of a text, and a mark if there are more: without its end a sentence may say the opposite.
pub(super) fn beginning_with_mark(text: &str, most: usize) -> Cow<'_, str> {
    let beginning = head_of_text(text, most);
    if beginning.len() == text.len() { beginning.into() } else { format!("{beginning}…").into() }
}

fn split_line(line: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let at = |i: usize| chars.get(i).map_or(line.len(), |(at, _)| *at);
    let mut found = Vec::new();
    let mut start = 0;
    let mut i = 0;
    while i < chars.len() {
        let aside = closing_bracket(&chars, i);
        let length = match aside {
            Some(closing) if is_laugh(&chars, i, closing) || quotes_to_the_end(&chars, i, closing) => {
                closing + 1 - i
            }
            Some(_) => 0,
            None => length_of_ending(&chars, i),
        };
        i = aside.map_or(i + length.max(1), |closing| closing + 1);
        if length > 0 {
            found.extend(line.get(start..at(i)));
            start = at(i);
        }
    }
    found.extend(line.get(start..));
    found
}

/// The position at which the bracket or quotation that opens at `i` closes: no sentence ends inside it.
fn closing_bracket(chars: &[(usize, char)], i: usize) -> Option<usize> {
    let closing = match char_at(chars, i)? {
        '「' => '」',
        '『' => '』',
        '（' => '）',
        '(' => ')',
        '“' => '”',
        '"' => return closing_quotation(chars, i),
        _ => return None,
    };
    let inside = chars.iter().skip(i + 1).take(LONGEST_ASIDE);
    inside.zip(i + 1..).find(|((_, c), _)| *c == closing).map(|(_, at)| at)
}

/// The position at which the quotation closes that a `"` opens at `i`; the mark for inches opens none.
fn closing_quotation(chars: &[(usize, char)], i: usize) -> Option<usize> {
    let before = i.checked_sub(1).and_then(|before| char_at(chars, before));
    let opens = before.is_none_or(|c| c.is_whitespace() || "(:=".contains(c));
    let is_free = |at: usize| char_at(chars, at).is_none_or(|c| !c.is_alphanumeric());
    let at = (i + 2..chars.len().min(i + LONGEST_QUOTATION)).find(|at| char_at(chars, *at) == Some('"'))?;
    (opens && is_free(at + 1) && !char_at(chars, i + 1)?.is_whitespace()).then_some(at)
}

/// Whether a quotation ends with the mark of a sentence, and the sentence that it is in ends with it.
fn quotes_to_the_end(chars: &[(usize, char)], opening: usize, closing: usize) -> bool {
    let is_mark = |at: usize| char_at(chars, at).is_some_and(|c| matches!(c, '.' | '!' | '?'));
    char_at(chars, opening) == Some('"')
        && is_mark(closing - 1)
        && char_at(chars, closing + 1).is_none_or(char::is_whitespace)
        && !goes_on(chars, closing + 1)
}

/// The bytes of a line that stand in brackets, quotation marks or code.
pub(super) fn places_of_asides(line: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let mut found = Vec::new();
    let mut i = 0;
    while let Some((begin, c)) = chars.get(i) {
        let code = || chars.iter().skip(i + 1).position(|(_, c)| *c == '`').map(|length| i + 1 + length);
        let closing = if *c == '`' { code() } else { closing_bracket(&chars, i) };
        found.extend(closing.and_then(|at| chars.get(at)).map(|(end, _)| *begin..*end));
        i = closing.unwrap_or(i) + 1;
    }
    found
}

/// The bytes of a line that stand in quotation marks or are code: not necessarily the speaker's own words.
pub(super) fn places_of_quotations(line: &str) -> Vec<Range<usize>> {
    let is_quoted = |aside: &Range<usize>| {
        line.get(aside.clone()).is_some_and(|aside| aside.starts_with(['「', '『', '“', '"', '`']))
    };
    places_of_asides(line).into_iter().filter(is_quoted).collect()
}

/// Whether brackets hold only a sign for laughing, crying or the like, such as `（笑）`, which ends a sentence.
fn is_laugh(chars: &[(usize, char)], opening: usize, closing: usize) -> bool {
    let mut inside = chars.iter().take(closing).skip(opening + 1).map(|(_, c)| *c).peekable();
    inside.peek().is_some() && inside.all(|c| "笑爆泣汗苦謎wｗ".contains(c))
}

/// What has to follow a mark for it to end a sentence.
enum AfterMark {
    Anything,
    GapOrJapanese,
    Gap,
}

/// How many characters from `i` on end a sentence; 0 if none ends here.
fn length_of_ending(chars: &[(usize, char)], i: usize) -> usize {
    let (length, then) = match char_at(chars, i) {
        // `print_all! stops` goes on behind the name of a macro.
        Some('!') if ends_a_name(chars, i) => return 0,
        Some('。' | '！' | '？' | '｡' | '♪' | '☆' | '★') => {
            (length_of_run(chars, i, is_end_mark), AfterMark::Anything)
        }
        Some('!' | '?' | '．') => (length_of_run(chars, i, is_end_mark), AfterMark::GapOrJapanese),
        // `github.com/… で` goes on behind the address.
        Some('…') if i.checked_sub(1).and_then(|before| char_at(chars, before)) == Some('/') => return 0,
        Some('…' | '‥') => {
            (length_of_run(chars, i, |c| matches!(c, '…' | '‥' | '。' | '.')), AfterMark::Gap)
        }
        Some('.') if is_full_stop(chars, i) => (1 + length_of_run(chars, i + 1, is_closer), AfterMark::Gap),
        Some('w' | 'ｗ') if follows_japanese(chars, i) => {
            (length_of_run(chars, i, |c| matches!(c, 'w' | 'ｗ')), AfterMark::GapOrJapanese)
        }
        Some('笑') if follows_japanese(chars, i) => (1, AfterMark::Gap),
        _ => return 0,
    };
    let ends = char_at(chars, i + length).is_none_or(|next| match then {
        AfterMark::Anything => true,
        AfterMark::GapOrJapanese => next.is_whitespace() || is_japanese_char(next),
        AfterMark::Gap => next.is_whitespace(),
    });
    if ends && !goes_on(chars, i + length) { length } else { 0 }
}

/// Whether a sentence continues at `i`, behind an end mark and at most one space: it is quoted there, or the mark belongs
/// to a word with a particle behind it, as in 「規約？に含める」, or to an English quotation: `“Go!” in this channel`; or it
/// is explained there.
fn goes_on(chars: &[(usize, char)], i: usize) -> bool {
    let mark = i.checked_sub(1).and_then(|mark| char_at(chars, mark));
    let gap = usize::from(char_at(chars, i).is_some_and(char::is_whitespace));
    let rest: String = chars.iter().skip(i + gap).take(LONGEST_LINK).map(|(_, c)| *c).collect();
    let begins_with = |all: &[&str]| all.iter().any(|words| rest.starts_with(words));
    if only_explains(&rest) || (begins_with(&QUOTING) && !begins_anew(&rest)) {
        return true;
    }
    match mark {
        Some('?' | '？') => begins_with_particle(&rest) || begins_with(&BEHIND_QUESTION),
        Some('…' | '‥') => begins_with_particle(&rest.replace(' ', "")),
        Some('"' | '”') => gap > 0 && rest.starts_with(|c: char| c.is_ascii_lowercase()),
        Some(_) | None => false,
    }
}

/// Whether a Japanese text begins a sentence, although its first word may quote what stands before it.
pub(super) fn begins_anew(text: &str) -> bool {
    NOT_QUOTING.iter().any(|words| text.starts_with(words))
}

/// Whether an English text only explains what stands before it, which may be a question or a wish: `i.e. with a lid`.
pub(super) fn only_explains(text: &str) -> bool {
    let begin = head_of_text(text, LONGEST_LINK).to_ascii_lowercase();
    EXPLAINING.iter().any(|words| begin.starts_with(words))
}

fn char_at(chars: &[(usize, char)], i: usize) -> Option<char> {
    chars.get(i).map(|(_, c)| *c)
}

fn length_of_run(chars: &[(usize, char)], from: usize, belongs: impl Fn(char) -> bool) -> usize {
    chars.iter().skip(from).take_while(|(_, c)| belongs(*c)).count()
}

fn is_end_mark(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．' | '!' | '?' | '♪' | '☆' | '★' | '〜' | '～') || is_closer(c)
}

fn is_closer(c: char) -> bool {
    matches!(c, '」' | '』' | '）' | ')' | '"' | '”')
}

/// Whether the word before `i` is the name of something in a program, which has a `_` inside.
fn ends_a_name(chars: &[(usize, char)], i: usize) -> bool {
    let before = chars.iter().take(i).rev().take(LONGEST_ASIDE).map(|(_, c)| *c);
    let word: String = before.take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    word.trim_matches('_').contains('_')
}

fn follows_japanese(chars: &[(usize, char)], i: usize) -> bool {
    i.checked_sub(1).and_then(|before| char_at(chars, before)).is_some_and(is_japanese_char)
}

/// Whether the `.` at `i` ends a sentence: not inside a number, name, address or ellipsis, not after an
/// abbreviation, an initial or the number of a list.
fn is_full_stop(chars: &[(usize, char)], i: usize) -> bool {
    let next = i + 1 + length_of_run(chars, i + 1, is_closer);
    if char_at(chars, next).is_some_and(|c| !c.is_whitespace()) {
        return false;
    }
    let mut word: Vec<char> = chars
        .iter()
        .take(i)
        .rev()
        .map(|(_, c)| *c)
        .take_while(|c| !c.is_whitespace())
        .take(LONGEST_ASIDE)
        .collect();
    word.reverse();
    let word: String = word.into_iter().collect::<String>().to_lowercase();
    let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let starts_line = chars.iter().take(i).all(|(_, c)| !c.is_whitespace());
    let list_number = starts_line && !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit());
    // An initial or an abbreviation may stand right behind Japanese words.
    let bare = bare.rsplit(is_japanese_char).next().unwrap_or_default();
    let bare = bare.trim_start_matches(|c: char| !c.is_alphanumeric());
    let initial = bare.chars().count() == 1 && bare.chars().all(char::is_alphabetic) && bare != "i";
    !(word.is_empty() || word.ends_with('.') || list_number || initial || ABBREVIATIONS.contains(&bare))
}
