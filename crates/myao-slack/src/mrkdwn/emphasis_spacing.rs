//! Inserts the spaces without which CommonMark does not recognise emphasis in Japanese.
//!
//! CommonMark takes `**`, `*` or `~~` for the beginning or end of emphasis by the spaces and punctuation around it, and
//! Japanese writes no spaces: in `これは**「大事」**です` it finds no bold at all. A thin space where one is missing
//! makes it bold; Slack needs a space there anyway. Addresses are put between angle brackets on the way (`bare_links`).

use super::bare_links;

/// Looks like a very narrow gap, and is a space to both CommonMark and Slack.
pub(super) const THIN_SPACE: char = '\u{2009}';

const FENCES: [&str; 2] = ["```", "~~~"];

/// The text with thin spaces around emphasised passages that CommonMark would not recognise otherwise, and with bare addresses
/// as links. Code is left alone.
pub(super) fn with_thin_spaces(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut in_code = false;
    for line in markdown.split_inclusive('\n') {
        let is_fence = FENCES.iter().any(|fence| line.trim_start().starts_with(fence));
        if is_fence {
            in_code = !in_code;
        }
        let is_plain = !line.contains('*') && !line.contains("~~") && !line.contains("://");
        if is_fence || in_code || is_plain { out.push_str(line) } else { ease_line(line, &mut out) }
    }
    out
}

/// Marks of emphasis. A single asterisk also multiplies: it counts only beside Japanese letters.
const MARKS: [Emphasis; 3] = [
    Emphasis { mark: "**", joins: char::is_alphanumeric },
    Emphasis { mark: "~~", joins: char::is_alphanumeric },
    Emphasis { mark: "*", joins: is_japanese },
];

struct Emphasis {
    mark: &'static str,
    /// The letters between which and a mark a space is missing.
    joins: fn(char) -> bool,
}

fn ease_line(line: &str, out: &mut String) {
    let mut spacings = MARKS.map(|emphasis| EmphasisSpacing { emphasis, opens: true });
    // Odd pieces stand between backticks.
    for (nth, piece) in line.split('`').enumerate() {
        if nth > 0 {
            out.push('`');
        }
        if nth % 2 == 1 {
            out.push_str(piece);
            continue;
        }
        let mut wrapped = String::with_capacity(piece.len());
        bare_links::wrap_bare_addresses(piece, &mut wrapped);
        for spacing in &mut spacings {
            wrapped = spacing.eased(&wrapped);
        }
        out.push_str(&wrapped);
    }
}

/// Puts spaces around one kind of emphasis in a line.
struct EmphasisSpacing {
    emphasis: Emphasis,
    /// Whether the next mark opens a passage.
    opens: bool,
}

impl EmphasisSpacing {
    fn eased(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = self.next_mark(rest) {
            let (words, from) = rest.split_at(at);
            let next = from.strip_prefix(self.emphasis.mark).unwrap_or(from);
            let before = words.chars().next_back();
            let after = next.chars().next();
            out.push_str(words);
            // Beside a space it opens or closes nothing: a bullet, a product.
            let beside = if self.opens { after } else { before };
            if beside.is_some_and(char::is_whitespace) {
                out.push_str(self.emphasis.mark);
                rest = next;
                continue;
            }
            if self.opens && before.is_some_and(self.emphasis.joins) && after.is_some_and(is_mark) {
                out.push(THIN_SPACE);
            }
            out.push_str(self.emphasis.mark);
            if !self.opens && before.is_some_and(is_mark) && after.is_some_and(self.emphasis.joins) {
                out.push(THIN_SPACE);
            }
            self.opens = !self.opens;
            rest = next;
        }
        out.push_str(rest);
        out
    }

    /// Where the next mark stands. A single asterisk is none within a longer run.
    fn next_mark(&self, text: &str) -> Option<usize> {
        if self.emphasis.mark.len() > 1 {
            return text.find(self.emphasis.mark);
        }
        let mut at = 0;
        loop {
            at += text.get(at..)?.find(self.emphasis.mark)?;
            let run = text.get(at..)?.chars().take_while(|c| *c == '*').count();
            if run == 1 {
                return Some(at);
            }
            at += run;
        }
    }
}

/// Kana and kanji, between which no spaces are written.
fn is_japanese(c: char) -> bool {
    matches!(c, '々' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Punctuation and symbols: neither letter nor space, and no sign of a longer run of marks.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '*' | '~')
}
