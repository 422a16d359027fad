//! Splits text into sentences, in Japanese and English as people type them in a chat.

use myao_core::{text::is_japanese_char, worth::begins_with_particle};

/// Characters within which a bracket must be closed; otherwise it opens nothing, as in `:(`.
const LONGEST_ASIDE: usize = 120;
/// Words whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 24] = [
    "e.g", "i.e", "eg", "ie", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "no", "fig", "approx", "st",
    "jr", "inc", "ver", "cf", "al", "a.m", "p.m", "resp", "dept",
];

/// The sentences of a text in order, trimmed and not empty. The end of a line ends a sentence.
pub(super) fn split(text: &str) -> Vec<&str> {
    text.lines().flat_map(split_line).map(str::trim).filter(|s| !s.is_empty()).collect()
}

fn split_line(line: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let at = |i: usize| chars.get(i).map_or(line.len(), |(at, _)| *at);
    let (mut found, mut start, mut i) = (Vec::new(), 0, 0);
    while i < chars.len() {
        let aside = closing_bracket(&chars, i);
        let length = match aside {
            Some(closing) if laughs(&chars, i, closing) => closing + 1 - i,
            Some(_) => 0,
            None => ending(&chars, i),
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
        _ => return None,
    };
    let inside = chars.iter().skip(i + 1).take(LONGEST_ASIDE);
    inside.zip(i + 1..).find(|((_, c), _)| *c == closing).map(|(_, at)| at)
}

/// Whether brackets hold only a sign for laughing, crying or the like, such as `（笑）`, which ends a sentence.
fn laughs(chars: &[(usize, char)], opening: usize, closing: usize) -> bool {
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
fn ending(chars: &[(usize, char)], i: usize) -> usize {
    let (length, then) = match char_at(chars, i) {
        Some('。' | '！' | '？' | '｡' | '♪' | '☆' | '★') => {
            (run(chars, i, is_end_mark), AfterMark::Anything)
        }
        Some('!' | '?' | '．') => (run(chars, i, is_end_mark), AfterMark::GapOrJapanese),
        // `github.com/… で` goes on behind the address.
        Some('…') if i.checked_sub(1).and_then(|before| char_at(chars, before)) == Some('/') => return 0,
        Some('…' | '‥') => (run(chars, i, |c| matches!(c, '…' | '‥' | '。' | '.')), AfterMark::Gap),
        Some('.') if is_full_stop(chars, i) => (1 + run(chars, i + 1, is_closer), AfterMark::Gap),
        Some('w' | 'ｗ') if follows_japanese(chars, i) => {
            (run(chars, i, |c| matches!(c, 'w' | 'ｗ')), AfterMark::GapOrJapanese)
        }
        Some('笑') if follows_japanese(chars, i) => (1, AfterMark::Gap),
        _ => return 0,
    };
    let ends = char_at(chars, i + length).is_none_or(|next| match then {
        AfterMark::Anything => !goes_on(chars, i + length),
        AfterMark::GapOrJapanese => {
            next.is_whitespace() || (is_japanese_char(next) && !goes_on(chars, i + length))
        }
        AfterMark::Gap => next.is_whitespace(),
    });
    if ends { length } else { 0 }
}

/// Whether a Japanese sentence continues with a particle behind a question mark: `規約？に含める`.
fn goes_on(chars: &[(usize, char)], i: usize) -> bool {
    let is_question =
        i.checked_sub(1).and_then(|mark| char_at(chars, mark)).is_some_and(|c| "?？".contains(c));
    let rest: String = chars.iter().skip(i).take(2).map(|(_, c)| *c).collect();
    is_question && (begins_with_particle(&rest) || rest == "って")
}

fn char_at(chars: &[(usize, char)], i: usize) -> Option<char> {
    chars.get(i).map(|(_, c)| *c)
}

fn run(chars: &[(usize, char)], from: usize, belongs: impl Fn(char) -> bool) -> usize {
    chars.iter().skip(from).take_while(|(_, c)| belongs(*c)).count()
}

fn is_end_mark(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．' | '!' | '?' | '♪' | '☆' | '★' | '〜' | '～') || is_closer(c)
}

fn is_closer(c: char) -> bool {
    matches!(c, '」' | '』' | '）' | ')' | '"' | '”')
}

fn follows_japanese(chars: &[(usize, char)], i: usize) -> bool {
    i.checked_sub(1).and_then(|before| char_at(chars, before)).is_some_and(is_japanese_char)
}

/// Whether the `.` at `i` ends a sentence: not inside a number, name, address or ellipsis, not after an
/// abbreviation, an initial or the number of a list.
fn is_full_stop(chars: &[(usize, char)], i: usize) -> bool {
    let next = i + 1 + run(chars, i + 1, is_closer);
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
    let initial = bare.chars().count() == 1 && bare.chars().all(char::is_alphabetic) && bare != "i";
    !(word.is_empty() || word.ends_with('.') || list_number || initial || ABBREVIATIONS.contains(&bare))
}
