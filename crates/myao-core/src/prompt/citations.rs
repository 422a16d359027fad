//! Marks by which an answer names what it rests on, such as `[r3]`: each becomes a link to the message, or is dropped
//! (SPEC §5).

mod code;

use std::collections::{BTreeMap, BTreeSet};

use self::code::stretches;

/// Bytes of what stands between two brackets up to which it is read: a few dozen marks. It keeps reading linear.
const MOST_BYTES: usize = 200;
/// Digits of a mark's number at most.
const MOST_DIGITS: usize = 6;
/// Characters of an address behind a mark that are looked through.
const MOST_ADDRESS: usize = 2_000;

/// The marks that an answer names outside of code, as prompts write them (`r3`).
pub fn cited_marks(text: &str) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    resolve(text, &mut |mark| {
        marks.insert(mark.to_owned());
        None
    });
    marks
}

/// An answer with a link in place of each mark that `links` has an address for: `[[1]](address)`, numbered in the order in
/// which they are first used. Other marks are dropped, with the blank before them; code stays as it is. Takes linear time.
///
/// Marks are read as models write them: `[r3]`, `[r3, r5]`, `【r3】`, `［ｒ３］`, `[R3]`, and `(r3)` with a small letter (a
/// capital one is often the name of something). An address that a model put behind a mark goes as well.
pub fn with_citations(text: &str, links: &BTreeMap<String, String>) -> String {
    resolve(text, &mut |mark| links.get(mark).cloned())
}

fn resolve(text: &str, link_of: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut writer = CitationWriter::new(link_of);
    for (is_code, stretch) in stretches(text) {
        if is_code {
            writer.out.push_str(stretch);
        } else {
            writer.prose(stretch);
        }
    }
    writer.finish()
}

/// Brackets around marks, in two shapes that do not close each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Square,
    Round,
}

/// Writes an answer. A mark is read when its bracket closes, so that what is dropped cannot leave a mark behind that it
/// was part of.
struct CitationWriter<'a> {
    link_of: &'a mut dyn FnMut(&str) -> Option<String>,
    out: String,
    /// The brackets that are open, by where they stand in `out`.
    open: Vec<(Bracket, usize)>,
    /// Addresses with their numbers.
    numbers: BTreeMap<String, usize>,
    /// Where the text after the last link begins in `out`.
    after_link: usize,
}

impl<'a> CitationWriter<'a> {
    fn new(link_of: &'a mut dyn FnMut(&str) -> Option<String>) -> Self {
        Self { link_of, out: String::new(), open: Vec::new(), numbers: BTreeMap::new(), after_link: 0 }
    }

    fn prose(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            match (opened(c), closed(c)) {
                (Some(bracket), _) => self.open.push((bracket, self.out.len())),
                (None, Some(bracket)) => {
                    if let Some((start, marks)) = self.close(bracket) {
                        rest = self.cite(start, &marks, without_address(bracket, after));
                        continue;
                    }
                }
                (None, None) => {}
            }
            self.out.push(c);
            rest = after;
        }
    }

    /// The marks within the brackets that close now, and where they begin.
    fn close(&mut self, bracket: Bracket) -> Option<(usize, Vec<String>)> {
        let (_, start) = self.open.pop_if(|(open, _)| *open == bracket)?;
        let inside = self.out.get(start..)?;
        let inside = inside.get(inside.chars().next()?.len_utf8()..)?;
        Some((start, marks(inside, bracket)?))
    }

    /// Puts links in place of what stands from `start` on; what is to be read next of `after`.
    fn cite<'t>(&mut self, start: usize, marks: &[String], after: &'t str) -> &'t str {
        self.out.truncate(start);
        // A backslash before a bracket is Markdown's way to say that it is one.
        if self.out.ends_with('\\') && !self.out.ends_with("\\\\") {
            self.out.pop();
        }
        let mut links: Vec<String> = marks.iter().filter_map(|mark| (self.link_of)(mark)).collect();
        links.dedup();
        if links.is_empty() {
            return self.leave_out(after);
        }
        // Behind an exclamation mark it would be an image, behind an address a part of it.
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

    /// Drops the blank before a mark that is dropped; at the beginning of a line, the one behind it.
    fn leave_out<'t>(&mut self, after: &'t str) -> &'t str {
        if !after.starts_with(char::is_alphanumeric) {
            self.out.truncate(self.out.trim_end_matches(is_blank).len());
        }
        self.after_link = self.after_link.min(self.out.len());
        let is_line_start = self.out.is_empty() || self.out.ends_with('\n');
        if is_line_start { after.trim_start_matches(is_blank) } else { after }
    }

    /// The text. A mark that is cut off at its end is dropped.
    fn finish(mut self) -> String {
        let last = self.open.last().filter(|(bracket, _)| *bracket == Bracket::Square);
        let inside = last.and_then(|(_, start)| Some((*start, self.out.get(*start..)?)));
        let cut = inside.filter(|(_, text)| {
            marks(text.trim_start_matches(|c| opened(c).is_some()), Bracket::Square).is_some()
        });
        if let Some((start, _)) = cut {
            self.out.truncate(start);
            self.leave_out("");
        }
        self.out
    }
}

fn opened(c: char) -> Option<Bracket> {
    match c {
        '[' | '［' | '【' | '〔' => Some(Bracket::Square),
        '(' | '（' => Some(Bracket::Round),
        _ => None,
    }
}

fn closed(c: char) -> Option<Bracket> {
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
fn marks(inside: &str, bracket: Bracket) -> Option<Vec<String>> {
    if inside.len() > MOST_BYTES {
        return None;
    }
    let is_between = |c: char| {
        is_blank(c) || matches!(c, ',' | '，' | '、' | ';' | '；' | '・' | '/' | '／' | '-' | '–' | '〜')
    };
    let inside = inside.strip_suffix('\\').unwrap_or(inside);
    let words = inside.split(is_between).filter(|word| !word.is_empty());
    let marks = words.map(|word| mark(word, bracket)).collect::<Option<Vec<String>>>()?;
    (!marks.is_empty()).then_some(marks)
}

/// A mark as prompts write it.
fn mark(word: &str, bracket: Bracket) -> Option<String> {
    let mut letters = word.chars();
    match (letters.next()?, bracket) {
        ('r' | 'ｒ', _) | ('R' | 'Ｒ', Bracket::Square) => {}
        _ => return None,
    }
    let number: String = letters.map(digit).collect::<Option<_>>()?;
    let number = Some(number).filter(|number| (1..=MOST_DIGITS).contains(&number.len()))?;
    Some(format!("r{}", number.parse::<u32>().ok()?))
}

/// A digit of either width, as ASCII.
fn digit(c: char) -> Option<char> {
    let value = c
        .to_digit(10)
        .or_else(|| Some(u32::from(c).checked_sub(u32::from('０'))?).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// What follows an address in round brackets, which makes a link of a mark; of any other text, all of it.
fn without_address(bracket: Bracket, after: &str) -> &str {
    let Some(tail) = after.strip_prefix('(').filter(|_| bracket == Bracket::Square) else { return after };
    let mut ends = tail.char_indices().take(MOST_ADDRESS);
    let end = ends.find(|(_, c)| c.is_whitespace() || matches!(c, '(' | '[' | ')'));
    let address = end.and_then(|(end, _)| tail.split_at_checked(end));
    let is_address =
        |address: &str| address.is_empty() || address.starts_with('#') || address.contains("://");
    match address {
        Some((address, rest)) if is_address(address) => rest.strip_prefix(')').unwrap_or(after),
        Some(_) | None => after,
    }
}
