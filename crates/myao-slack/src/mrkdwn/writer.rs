//! Writes the events of a Markdown parser as `mrkdwn`.

use myao_core::text::without_invisible_characters;
use pulldown_cmark::{Event, Tag, TagEnd};

use super::{
    emphasis_spacing::THIN_SPACE,
    link::{LinkBuilder, SlackLink},
    plain, table,
};
use crate::text::ZERO_WIDTH_SPACE;

const BOLD: char = '*';
const ITALIC: char = '_';
const STRIKE: char = '~';
const FENCE: &str = "```";
const RULE: &str = "———";
/// The indent of a list inside another one.
const INDENT: &str = "    ";
/// Most levels of lists that are indented: nobody could read deeper ones, and the room for them would grow with the
/// square of their number.
const DEEPEST: usize = 8;
/// The indent of the further lines of an item.
const CONTINUED: &str = "  ";

/// The line breaks between two blocks.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum BlockGap {
    #[default]
    None,
    Line,
    Blank,
}

#[derive(Default)]
pub(super) struct MrkdwnWriter {
    out: String,
    gap: BlockGap,
    /// Whether the gap is within a quotation.
    gap_quoted: bool,
    quotes: usize,
    /// The lists around, with the next number of each that is numbered.
    lists: Vec<Option<u64>>,
    /// The marks that apply here, each once, with how often it was begun.
    wanted: Vec<(char, usize)>,
    /// The marks among them that are written.
    open: Vec<char>,
    /// Whether a mark was closed right before.
    closed: bool,
    link: Option<LinkBuilder>,
    /// The code block being read.
    code: Option<String>,
    /// The table being read.
    rows: Option<Vec<Vec<String>>>,
}

impl MrkdwnWriter {
    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Invisible characters are dropped here, where entities are characters already and our own invisible spaces
            // are not written yet.
            Event::Text(text) => self.text(&without_invisible_characters(&text)),
            Event::Code(code) => self.code_span(&without_invisible_characters(&code)),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&without_invisible_characters(&html)),
            Event::InlineMath(math) | Event::DisplayMath(math) => {
                self.text(&without_invisible_characters(&math));
            }
            Event::FootnoteReference(name) => self.text(&without_invisible_characters(&format!("[{name}]"))),
            Event::SoftBreak | Event::HardBreak => self.line_break(),
            Event::Rule => {
                self.block();
                self.words(RULE);
                self.gap(BlockGap::Blank);
            }
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.block();
                self.want(BOLD);
            }
            Tag::BlockQuote(_) => {
                self.gap(BlockGap::Blank);
                self.quotes += 1;
            }
            Tag::CodeBlock(_) => {
                self.gap(BlockGap::Blank);
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.gap(if self.lists.is_empty() { BlockGap::Blank } else { BlockGap::Line });
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(_) => {
                self.gap(BlockGap::Blank);
                self.rows = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => self.rows.iter_mut().for_each(|rows| rows.push(Vec::new())),
            Tag::TableCell => self.cells().iter_mut().for_each(|cells| cells.push(String::new())),
            Tag::Emphasis => self.want(ITALIC),
            Tag::Strong => self.want(BOLD),
            Tag::Strikethrough => self.want(STRIKE),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => match &mut self.link {
                Some(link) => link.inner += 1,
                None => self.link = Some(LinkBuilder::to(&dest_url)),
            },
            Tag::Paragraph
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.unwanted(BOLD);
                self.gap(BlockGap::Blank);
            }
            TagEnd::BlockQuote(_) => {
                self.quotes = self.quotes.saturating_sub(1);
                self.gap(BlockGap::Blank);
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                self.fenced(code.trim_end_matches('\n'));
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap(if self.lists.is_empty() { BlockGap::Blank } else { BlockGap::Line });
            }
            TagEnd::Table => {
                let rows = self.rows.take().unwrap_or_default();
                self.fenced(&table::align_columns(&rows));
            }
            TagEnd::Emphasis => self.unwanted(ITALIC),
            TagEnd::Strong => self.unwanted(BOLD),
            TagEnd::Strikethrough => self.unwanted(STRIKE),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::Paragraph if self.lists.is_empty() => self.gap(BlockGap::Blank),
            TagEnd::Item | TagEnd::Paragraph | TagEnd::HtmlBlock => self.gap(BlockGap::Line),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn item(&mut self) {
        self.gap(BlockGap::Line);
        let depth = self.lists.len();
        self.begin(&indent_of_lists(depth.saturating_sub(1)));
        let bullet = match self.lists.last_mut() {
            Some(Some(number)) => {
                let bullet = format!("{number}. ");
                *number = number.saturating_add(1);
                bullet
            }
            Some(None) | None => (if depth % 2 == 1 { "• " } else { "◦ " }).to_owned(),
        };
        self.out.push_str(&bullet);
    }

    fn end_link(&mut self) {
        match &mut self.link {
            Some(link) if link.inner > 0 => link.inner -= 1,
            open => {
                let Some(link) = open.take() else { return };
                match link.mark() {
                    Some(_) if self.rows.is_some() => self.text(&link.words()),
                    Some(SlackLink { label, mark }) => {
                        if let Some(label) = &label {
                            self.words(&format!("{label} ("));
                        }
                        self.open_marks();
                        self.after_closed(mark.chars().next());
                        self.out.push_str(&mark);
                        if label.is_some() {
                            self.words(")");
                        }
                    }
                    None => self.text(&link.words()),
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
        } else if let Some(link) = &mut self.link {
            link.label.push_str(text);
        } else if let Some(cell) = self.cells().and_then(|cells| cells.last_mut()) {
            cell.push_str(text);
        } else {
            self.words(text);
        }
    }

    fn code_span(&mut self, code: &str) {
        let elsewhere = self.link.is_some() || self.rows.is_some();
        if elsewhere || code.contains('`') || code.trim().is_empty() {
            return self.text(code);
        }
        self.open_marks();
        self.boundary();
        self.out.push('`');
        self.out.push_str(&plain::escape_for_slack(code));
        self.out.push('`');
        self.closed = true;
    }

    fn html(&mut self, html: &str) {
        let is_break = ["<br>", "<br/>", "<br />"].contains(&html.trim().to_ascii_lowercase().as_str());
        if is_break {
            return self.line_break();
        }
        // An HTML block comes line by line, its line breaks with it.
        for (nth, line) in html.split('\n').enumerate() {
            if nth > 0 {
                self.line_break();
            }
            self.text(line);
        }
    }

    fn line_break(&mut self) {
        if self.link.is_some() || self.rows.is_some() {
            return self.text(" ");
        }
        // Slack's marks end with the line.
        self.close_marks(0);
        self.gap(BlockGap::Line);
    }

    /// Writes a block of code, never quoted or indented: Slack requires its fences at the beginning of a line.
    fn fenced(&mut self, code: &str) {
        let quotes = std::mem::take(&mut self.quotes);
        let lists = std::mem::take(&mut self.lists);
        self.gap(BlockGap::Blank);
        self.block();
        let code = plain::escape_for_slack(code).replace(FENCE, &format!("``{ZERO_WIDTH_SPACE}`"));
        self.out.extend([FENCE, "\n", code.as_str(), "\n", FENCE]);
        self.gap(BlockGap::Blank);
        (self.quotes, self.lists) = (quotes, lists);
    }

    fn words(&mut self, text: &str) {
        let spaces = text.len() - text.trim_start().len();
        let Some((spaces, words)) = text.split_at_checked(spaces) else { return };
        self.after_closed(spaces.chars().next());
        self.block();
        self.out.push_str(spaces);
        if words.is_empty() {
            return;
        }
        self.open_marks();
        self.after_closed(words.chars().next());
        let before = self.out.chars().next_back();
        self.out.push_str(&plain::escape_words(words, before));
    }

    /// Begins a block or a line, if one is due.
    fn block(&mut self) {
        let indent = self.lists.len().checked_sub(1).map(|outer| indent_of_lists(outer) + CONTINUED);
        self.begin(&indent.unwrap_or_default());
    }

    fn begin(&mut self, indent: &str) {
        let gap = std::mem::take(&mut self.gap);
        let quote = if self.quotes > 0 { "> " } else { "" };
        if self.out.is_empty() {
            self.out.extend([quote, indent]);
            return;
        }
        if gap == BlockGap::None {
            return;
        }
        self.close_marks(0);
        self.closed = false;
        if gap == BlockGap::Blank {
            self.out.extend(["\n", if self.gap_quoted { quote.trim_end() } else { "" }]);
        }
        self.out.extend(["\n", quote, indent]);
    }

    fn gap(&mut self, gap: BlockGap) {
        self.gap = self.gap.max(gap);
        self.gap_quoted = self.quotes > 0;
    }

    fn open_marks(&mut self) {
        self.block();
        for (mark, _) in self.wanted.clone() {
            if !self.open.contains(&mark) {
                self.boundary();
                self.out.push(mark);
                self.open.push(mark);
            }
        }
    }

    fn want(&mut self, mark: char) {
        match self.wanted.iter_mut().find(|(wanted, _)| *wanted == mark) {
            Some((_, times)) => *times += 1,
            None => self.wanted.push((mark, 1)),
        }
    }

    fn unwanted(&mut self, mark: char) {
        let Some(at) = self.wanted.iter().position(|(wanted, _)| *wanted == mark) else { return };
        if let Some((_, times)) = self.wanted.get_mut(at).filter(|(_, times)| *times > 1) {
            *times -= 1;
            return;
        }
        self.wanted.remove(at);
        if let Some(at) = self.open.iter().position(|open| *open == mark) {
            self.close_marks(at);
        }
    }

    /// Closes the marks opened last, until `left` are open.
    fn close_marks(&mut self, left: usize) {
        while self.open.len() > left {
            self.out.extend(self.open.pop());
            self.closed = true;
        }
    }

    /// Ends a word with an invisible space before a mark that begins here.
    fn boundary(&mut self) {
        self.block();
        let closed = std::mem::take(&mut self.closed);
        if closed || self.out.chars().next_back().is_some_and(|before| !is_boundary(before)) {
            self.out.push(ZERO_WIDTH_SPACE);
        }
    }

    /// Writes an invisible space behind a mark that was just closed, if a word follows.
    fn after_closed(&mut self, next: Option<char>) {
        let Some(next) = next else { return };
        if std::mem::take(&mut self.closed) && self.gap == BlockGap::None && !is_boundary(next) {
            self.out.push(ZERO_WIDTH_SPACE);
        }
    }

    fn cells(&mut self) -> Option<&mut Vec<String>> {
        self.rows.as_mut()?.last_mut()
    }
}

/// The indent inside `lists` lists.
fn indent_of_lists(lists: usize) -> String {
    INDENT.repeat(lists.min(DEEPEST))
}

/// Whether Slack takes this for the end of a word.
fn is_boundary(c: char) -> bool {
    c.is_whitespace() || c.is_ascii_punctuation() || c == ZERO_WIDTH_SPACE || c == THIN_SPACE
}
