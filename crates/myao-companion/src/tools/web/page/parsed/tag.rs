//! Finds tags with endless attributes: the parser compares each attribute of a tag with all before it, which takes
//! quadratic time.

/// The most attributes of a tag.
const MOST_ATTRIBUTES: usize = 500;

/// The position in a tag.
#[derive(Clone, Copy)]
enum TagState {
    Name,
    Between,
    Attribute,
    AfterAttribute,
    BeforeValue,
    Quoted(u8),
    Value,
}

/// Whether a tag that begins in the first `beginning` bytes of a text has more than [`MOST_ATTRIBUTES`], even if it
/// ends behind them. A long value does not count: some hold whole scripts.
///
/// What looks like the beginning of a tag may stand in another tag's value, so that each is tried.
pub(super) fn is_endless(text: &str, beginning: usize) -> bool {
    let bytes = text.as_bytes();
    let begins =
        |pair: &[u8]| matches!(pair, [b'<', letter] if letter.is_ascii_alphabetic() || *letter == b'/');
    let starts = bytes.windows(2).take(beginning).enumerate().filter(|(_, pair)| begins(pair));
    starts
        .into_iter()
        .any(|(at, _)| count_attributes(bytes.get(at + 1..).unwrap_or_default()) > MOST_ATTRIBUTES)
}

/// Counts the attributes of a tag, from its name on, by the rules of HTML.
fn count_attributes(tag: &[u8]) -> usize {
    let mut at = TagState::Name;
    let mut count = 0;
    for byte in tag {
        at = match (at, byte) {
            (TagState::Quoted(quote), byte) if *byte == quote => TagState::Between,
            (TagState::Quoted(_), _) => at,
            (_, b'>') => break,
            (TagState::BeforeValue, b'"' | b'\'') => TagState::Quoted(*byte),
            (TagState::BeforeValue | TagState::AfterAttribute, byte) if byte.is_ascii_whitespace() => at,
            (TagState::Attribute, byte) if byte.is_ascii_whitespace() => TagState::AfterAttribute,
            (TagState::Attribute | TagState::AfterAttribute, b'=') => TagState::BeforeValue,
            (TagState::BeforeValue | TagState::Value, byte) if !byte.is_ascii_whitespace() => TagState::Value,
            (_, byte) if byte.is_ascii_whitespace() || *byte == b'/' => TagState::Between,
            (TagState::Name | TagState::Attribute, _) => at,
            (TagState::Between | TagState::AfterAttribute | TagState::BeforeValue | TagState::Value, _) => {
                count += 1;
                TagState::Attribute
            }
        };
    }
    count
}
