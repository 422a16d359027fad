//! The lines and sentences of an answer.

/// Whether a line is an entry of a list, and so part of the memory itself.
pub(super) fn is_bulleted(line: &str) -> bool {
    without_bullet(line).is_some()
}

/// What stands behind the mark or number of an entry of a list.
pub(super) fn without_bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–']) {
        return rest.starts_with([' ', '\t', '\u{3000}']).then(|| rest.trim_start());
    }
    if let Some(rest) = line.strip_prefix(['・', '●', '◦', '▪']) {
        return Some(rest.trim_start());
    }
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = behind.strip_prefix(['.', ')']).filter(|_| behind.len() < line.len())?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

/// How many characters of a sentence are looked at: no preface and no refusal is longer.
const LONGEST: usize = 400;

/// The first sentence of the first line, with what ends it, and everything behind it. It is cut after [`LONGEST`]
/// characters.
pub(super) fn first_sentence(text: &str) -> (&str, &str) {
    let mut chars = text.char_indices().take(LONGEST).peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        end = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' => return text.split_at(at),
            '。' | '！' | '？' | '：' => true,
            '.' | '!' | '?' | ':' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            let (said, rest) = text.split_at(end);
            return (said, rest.trim_start_matches([' ', '\u{3000}', '\t']));
        }
    }
    text.split_at(end)
}
