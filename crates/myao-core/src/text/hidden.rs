//! Removes invisible characters. They can hide words for a model from the people who read along, and words of a model
//! from whoever looks at its answer (specification §6).
//!
//! Some of them change how the letter before is shown: the joiners of emoji and of scripts that join their letters, the
//! variants of emoji and ideographs, the direction marks of right-to-left text. Where they do that, they stay, each
//! once. Everywhere else they are dropped, and all other invisible characters are always dropped. The rule only looks
//! at the visible characters around a run of invisible ones, so that cleaning again changes nothing.

use std::borrow::Cow;

/// The emoji that tags behind it turn into the flag of a part of a country.
const BLACK_FLAG: char = '\u{1f3f4}';
/// The tags of the flags that exist, up to the cancel tag: England, Scotland, Wales.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];
const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
/// Shows the character before as an emoji.
const AS_EMOJI: char = '\u{fe0f}';
/// Shows the character before as text.
const AS_TEXT: char = '\u{fe0e}';
/// Shows the digit before as a key.
const KEYCAP: char = '\u{20e3}';

/// A text without its invisible characters; borrowed when there are none.
///
/// Line breaks of every kind and tabs count as visible. To a reader the result looks the same as the text. Takes time
/// linear in the length of the text; the result is never longer.
pub fn without_invisible_characters(text: &str) -> Cow<'_, str> {
    without_characters(text, is_invisible)
}

/// How many characters [`without_invisible_characters`] drops.
pub fn count_invisible_characters(text: &str) -> usize {
    match without_invisible_characters(text) {
        Cow::Borrowed(_) => 0,
        Cow::Owned(clean) => text.chars().count().saturating_sub(clean.chars().count()),
    }
}

/// The same as [`without_invisible_characters`], but control characters stay: [`super::terminal_codes::without_colour_codes`] still needs them to find
/// colour codes.
pub(crate) fn without_hidden_letters(text: &str) -> Cow<'_, str> {
    without_characters(text, is_hidden_letter)
}

/// Whether a character has no shape of its own: control characters except tabs and line breaks, and what Unicode calls
/// ignorable by default, with the marks of interlinear annotations.
pub(crate) fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\t' && !breaks_line(c)) || is_hidden_letter(c)
}

fn is_hidden_letter(c: char) -> bool {
    // Most letters are below all of these or between two of them, and every text is searched.
    if matches!(c, '\0'..'\u{ad}' | '\u{3165}'..'\u{fe00}') {
        return false;
    }
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(c, '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn without_characters(text: &str, is_dropped: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Most texts of one language consist of these alone, and every text is searched.
    let is_plain = text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b' '..=b'~'));
    if is_plain || !text.contains(&is_dropped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&is_dropped) {
        let (visible, tail) = rest.split_at(at);
        out.push_str(visible);
        let length = tail.find(|c| !is_dropped(c)).unwrap_or(tail.len());
        let (run, after) = tail.split_at(length);
        keep_shaping_characters(run, after.chars().next(), &mut out);
        rest = after;
    }
    out.push_str(rest);
    if out.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Writes those characters of an invisible run that change how the visible characters around it are shown.
fn keep_shaping_characters(run: &str, after: Option<char>, out: &mut String) {
    let before = out.chars().next_back();
    if before == Some(BLACK_FLAG)
        && let Some(flag) = FLAGS.iter().find(|flag| run.starts_with(**flag))
    {
        out.push_str(flag);
        return;
    }
    let mut last = None;
    let mut is_directed = false;
    for c in run.chars() {
        let stays = match c {
            '\u{61c}' | '\u{200e}' | '\u{200f}' => {
                !is_directed && (before.is_some_and(is_right_to_left) || after.is_some_and(is_right_to_left))
            }
            JOINER if last.is_none_or(|last| last == AS_EMOJI) && before.is_some_and(is_emoji) => {
                after.is_some_and(is_emoji)
            }
            _ => last.is_none() && before.is_some_and(|before| shapes_neighbour(c, before, after)),
        };
        if stays {
            is_directed |= matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}');
            last = Some(c);
            out.push(c);
        }
    }
}

/// Whether an invisible character right behind `before` changes how that is shown.
fn shapes_neighbour(c: char, before: char, after: Option<char>) -> bool {
    match c {
        AS_EMOJI if matches!(before, '0'..='9' | '#' | '*') => after == Some(KEYCAP),
        AS_EMOJI | AS_TEXT => is_emoji(before),
        // The registered variants of ideographs; there are no others.
        '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e011f}' => is_ideograph(before),
        '\u{180b}'..='\u{180f}' => matches!(before, '\u{1820}'..='\u{18aa}'),
        NON_JOINER | JOINER => is_joined(before),
        _ => false,
    }
}

/// Letters and marks of scripts in which a joiner changes what is seen.
fn is_joined(c: char) -> bool {
    let is_of_script = matches!(c, '\u{600}'..='\u{7ff}' | '\u{840}'..='\u{dff}' | '\u{1000}'..='\u{109f}')
        || matches!(c, '\u{1780}'..='\u{18af}' | '\u{1b00}'..='\u{1b7f}' | '\u{a840}'..='\u{a87f}')
        || matches!(c, '\u{a8e0}'..='\u{a8ff}' | '\u{a980}'..='\u{a9df}' | '\u{fb50}'..='\u{fdff}')
        || matches!(c, '\u{fe70}'..='\u{fefc}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}');
    is_of_script && !c.is_numeric()
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々')
}

/// Emoji, and signs that can be shown as emoji.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}')
        || matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}')
        || matches!(c, '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}')
        || matches!(c, '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a person or a model may take the character for the end of a line.
pub(crate) fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
