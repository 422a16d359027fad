//! Replaces the marks by which an answer names what it rests on, such as `[r3]`, by links to the messages, or drops
//! them (specification §5).

mod code;

use std::collections::{BTreeMap, BTreeSet};

use self::code::stretches_with_code;

/// The most bytes between two brackets that are read as marks: room for a few dozen. The limit keeps the time linear.
const MOST_BYTES: usize = 200;
/// The most digits that a mark's number may have.
const MOST_DIGITS: usize = 6;
/// How many characters behind a mark are searched for the end of an address.
const MOST_ADDRESS: usize = 2_000;

/// The marks that an answer names outside of code, as prompts write them (`r3`).
pub fn cited_marks(text: &str) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    resolve_marks(text, &mut |mark| {
        marks.insert(mark.to_owned());
        None
    });
    marks
}

/// An answer with a link in place of each mark that `links` has an address for: `[[1]](address)`, numbered in the order
/// in which they are first used. Other marks are dropped, with the blank before them; code stays as it is. Takes linear
/// time.
///
/// Marks are read as models write them: `[r3]`, `[r3, r5]`, `【r3】`, `［ｒ３］`, `[R3]`, and `(r3)` with a small letter
/// (`(R3)` is often the name of something). An address that a model put behind a mark is dropped with the mark.
pub fn with_citation_links(text: &str, links: &BTreeMap<String, String>) -> String {
    resolve_marks(text, &mut |mark| links.get(mark).cloned())
}

fn resolve_marks(text: &str, link_of: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut writer = CitationWriter::new(link_of);
    for (is_code, stretch) in stretches_with_code(text) {
        if is_code {
            writer.out.push_str(stretch);
        } else {
            writer.add_prose(stretch);
        }
    }
    writer.finish()
}

/// The shape of a bracket around marks. A bracket of one shape is not closed by one of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Square,
    Round,
}

/// Writes an answer. Marks are read from what is written so far, when their bracket closes: if dropping a mark makes a
/// new mark of the text around it, as in `[r[r1]2]`, the new one is read as well.
struct CitationWriter<'a> {
    link_of: &'a mut dyn FnMut(&str) -> Option<String>,
    out: String,
    /// The open brackets, each with its position in `out`.
    open: Vec<(Bracket, usize)>,
    /// The addresses that were linked, each with its number.
    numbers: BTreeMap<String, usize>,
    /// Where the text after the last link begins in `out`.
    after_link: usize,
}

impl<'a> CitationWriter<'a> {
    fn new(link_of: &'a mut dyn FnMut(&str) -> Option<String>) -> Self {
        Self { link_of, out: String::new(), open: Vec::new(), numbers: BTreeMap::new(), after_link: 0 }
    }

    fn add_prose(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            match (bracket_opened_by(c), bracket_closed_by(c)) {
                (Some(bracket), _) => self.open.push((bracket, self.out.len())),
                (None, Some(bracket)) => {
                    if let Some((start, marks)) = self.close_bracket(bracket) {
                        rest = self.put_links(start, &marks, without_address(bracket, after));
                        continue;
                    }
                }
                (None, None) => {}
            }
            self.out.push(c);
            rest = after;
        }
    }

    /// Closes the innermost open bracket if it has this shape. Gives the bracket's position in `out` and the marks
    /// inside; `None` if anything else stands inside.
    fn close_bracket(&mut self, bracket: Bracket) -> Option<(usize, Vec<String>)> {
        let (_, start) = self.open.pop_if(|(open, _)| *open == bracket)?;
        let inside = self.out.get(start..)?;
        let inside = inside.get(inside.chars().next()?.len_utf8()..)?;
        Some((start, marks_in_bracket(inside, bracket)?))
    }

    /// Puts links in place of what stands in `out` from `start` on. Gives the part of `after` that is to be read next.
    fn put_links<'t>(&mut self, start: usize, marks: &[String], after: &'t str) -> &'t str {
        self.out.truncate(start);
        // In Markdown, a backslash before a bracket says that the bracket is meant literally.
        if self.out.ends_with('\\') && !self.out.ends_with("\\\\") {
            self.out.pop();
        }
        let mut links: Vec<String> = marks.iter().filter_map(|mark| (self.link_of)(mark)).collect();
        links.dedup();
        if links.is_empty() {
            return self.leave_out(after);
        }
        // Right behind an exclamation mark, a link would be an image; right behind an address, a part of the address.
        let is_address = || {
            let text = self.out.get(self.after_link..).unwrap_or_default();
            text.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
        };
        if self.out.ends_with('!') || is_address() {
            self.out.push(' ');
        }
        for link in links {
            let next = self.numbers.len() + 1;
            let number = *self.numbers.entry(link.clone()).or_insert(next);
            self.out.extend(["[[", &number.to_string(), "]](", &link, ")"]);
        }
        self.after_link = self.out.len();
        after
    }

    /// Drops the blanks before a dropped mark, unless a letter or digit follows the mark directly; at the beginning of
    /// a line, drops the blanks behind it. Gives the part of `after` that is to be read next.
    fn leave_out<'t>(&mut self, after: &'t str) -> &'t str {
        if !after.starts_with(char::is_alphanumeric) {
            self.out.truncate(self.out.trim_end_matches(is_blank).len());
        }
        self.after_link = self.after_link.min(self.out.len());
        let is_line_start = self.out.is_empty() || self.out.ends_with('\n');
        if is_line_start { after.trim_start_matches(is_blank) } else { after }
    }

    /// The finished text. A mark whose bracket is still open at the end of the text is dropped.
    fn finish(mut self) -> String {
        let last = self.open.last().filter(|(bracket, _)| *bracket == Bracket::Square);
        let inside = last.and_then(|(_, start)| Some((*start, self.out.get(*start..)?)));
        let cut = inside.filter(|(_, text)| {
            marks_in_bracket(text.trim_start_matches(|c| bracket_opened_by(c).is_some()), Bracket::Square)
                .is_some()
        });
        if let Some((start, _)) = cut {
            self.out.truncate(start);
            self.leave_out("");
        }
        self.out
    }
}

fn bracket_opened_by(c: char) -> Option<Bracket> {
    match c {
        '[' | '［' | '【' | '〔' => Some(Bracket::Square),
        '(' | '（' => Some(Bracket::Round),
        _ => None,
    }
}

fn bracket_closed_by(c: char) -> Option<Bracket> {
    match c {
        ']' | '］' | '】' | '〕' => Some(Bracket::Square),
        ')' | '）' => Some(Bracket::Round),
        _ => None,
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}')
}

/// The marks between two brackets; `None` where anything else stands there.
fn marks_in_bracket(inside: &str, bracket: Bracket) -> Option<Vec<String>> {
    if inside.len() > MOST_BYTES {
        return None;
    }
    let is_between = |c: char| {
        is_blank(c) || matches!(c, ',' | '，' | '、' | ';' | '；' | '・' | '/' | '／' | '-' | '–' | '〜')
    };
    let inside = inside.strip_suffix('\\').unwrap_or(inside);
    let words = inside.split(is_between).filter(|word| !word.is_empty());
    let marks = words.map(|word| mark_as_written(word, bracket)).collect::<Option<Vec<String>>>()?;
    (!marks.is_empty()).then_some(marks)
}

/// A mark in the form in which prompts write it; `None` for any other word.
fn mark_as_written(word: &str, bracket: Bracket) -> Option<String> {
    let mut letters = word.chars();
    match (letters.next()?, bracket) {
        ('r' | 'ｒ', _) | ('R' | 'Ｒ', Bracket::Square) => {}
        _ => return None,
    }
    let number: String = letters.map(ascii_digit).collect::<Option<_>>()?;
    let number = Some(number).filter(|number| (1..=MOST_DIGITS).contains(&number.len()))?;
    Some(format!("r{}", number.parse::<u32>().ok()?))
}

/// A digit of either width, as ASCII.
fn ascii_digit(c: char) -> Option<char> {
    let value = c
        .to_digit(10)
        .or_else(|| Some(u32::from(c).checked_sub(u32::from('０'))?).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// `after` without an address in round brackets at its beginning, by which a model makes a link of a mark.
fn without_address(bracket: Bracket, after: &str) -> &str {
    let Some(tail) = after.strip_prefix('(').filter(|_| bracket == Bracket::Square) else { return after };
    let mut ends = tail.char_indices().take(MOST_ADDRESS);
    let end = ends.find(|(_, c)| c.is_whitespace() || matches!(c, '(' | '[' | ')'));
    let address = end.and_then(|(end, _)| tail.split_at_checked(end));
    let is_address = |address: &str| {
        address.is_empty() || ["#", "http://", "https://"].iter().any(|begins| address.starts_with(begins))
    };
    match address {
        Some((address, rest)) if is_address(address) => rest.strip_prefix(')').unwrap_or(after),
        Some(_) | None => after,
    }
}
