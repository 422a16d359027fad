//! Removes the colour codes of terminals and IRC, which say nothing to a reader.

use std::borrow::Cow;

/// The character that begins a terminal sequence.
const ESCAPE: char = '\u{1b}';
/// The character that begins a colour of IRC; a number follows, or two with a comma between them.
const IRC_COLOUR: char = '\u{3}';
/// The most characters of numbers and separators in one sequence; whatever is longer is text.
const LONGEST_SEQUENCE: usize = 24;
/// The highest number of a terminal's colour or style. A sequence without its escape character is recognised by its
/// numbers, so that `[640m` stays a distance.
const HIGHEST_STYLE: u16 = 107;

/// One line of a message without the colour codes of terminals and of IRC; borrowed when it has none.
///
/// Terminal sequences are recognised without their escape character too, which chat platforms drop: `[1;31mFAILED[0m`.
/// Other control characters stay. Takes time linear in the length of the line.
pub fn without_colour_codes(line: &str) -> Cow<'_, str> {
    if !line.contains([ESCAPE, IRC_COLOUR]) && !line.contains('[') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find([ESCAPE, IRC_COLOUR, '[']) {
        let Some((before, tail)) = rest.split_at_checked(at) else { break };
        out.push_str(before);
        let length = length_of_code(tail).unwrap_or_default();
        let kept = if length > 0 { 0 } else { tail.chars().next().map_or(0, char::len_utf8) };
        out.push_str(tail.get(..kept).unwrap_or_default());
        rest = tail.get(length + kept..).unwrap_or_default();
    }
    out.push_str(rest);
    if out.len() == line.len() { Cow::Borrowed(line) } else { Cow::Owned(out) }
}

/// The bytes of the code that a text begins with.
fn length_of_code(tail: &str) -> Option<usize> {
    if let Some(numbers) = tail.strip_prefix(IRC_COLOUR) {
        let first = count_digits(numbers, 2);
        let second = numbers
            .get(first..)
            .and_then(|rest| rest.strip_prefix(','))
            .map_or(0, |rest| count_digits(rest, 2));
        let comma = usize::from(first > 0 && second > 0);
        return Some(IRC_COLOUR.len_utf8() + first + if comma > 0 { comma + second } else { 0 });
    }
    let bare = tail.strip_prefix(ESCAPE).unwrap_or(tail);
    let escaped = tail.len() - bare.len();
    let inside = bare.strip_prefix('[')?;
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b';' | b'?' | b':');
    let numbers = inside.bytes().take(LONGEST_SEQUENCE).take_while(is_part).count();
    let last = inside.get(numbers..)?.chars().next().filter(char::is_ascii_alphabetic)?;
    let length = escaped + 1 + numbers + last.len_utf8();
    let styles = inside.get(..numbers)?.split(';').map(str::parse::<u16>);
    let is_style =
        numbers > 0 && last == 'm' && styles.into_iter().all(|n| n.is_ok_and(|n| n <= HIGHEST_STYLE));
    let is_closed = inside.get(numbers + 1..).is_some_and(|after| after.starts_with(']'));
    (escaped > 0 || (is_style && !is_closed)).then_some(length)
}

fn count_digits(text: &str, most: usize) -> usize {
    text.bytes().take(most).take_while(u8::is_ascii_digit).count()
}
