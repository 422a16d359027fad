//! Writes down the text of a page while it is parsed: headings, lists, links, tables and paragraphs.
//!
//! The parser tells where each element and each text is put, but not reliably where an element ends. So every element
//! keeps what it stands in ([`TextPosition`]), and a text that stands elsewhere than the previous one ends what was open.

use html5ever::{Attribute, LocalName};
use url::Url;

use super::PageText;

/// What an element does to the text.
pub(super) enum TextEffect {
    /// Nothing.
    None,
    /// It begins and ends a line.
    Line,
    /// It is a paragraph of its own.
    Block,
    /// A heading of this level.
    Heading(usize),
    /// A list whose items are numbered.
    Numbered(ListNumbers),
    /// An item of a list, and its number.
    Item(Option<i64>),
    /// A part of a line with another meaning: struck out, raised, read aloud.
    Inline(InlineMarks),
    /// A cell of a table.
    Cell,
    /// A line break.
    Break,
    /// A link to this address.
    Link(Url),
    /// A picture with this description.
    Image(String),
}

/// How the items of a list are numbered.
pub(super) struct ListNumbers {
    /// The number of the next item.
    next: i64,
    /// What is added for the one behind it.
    step: i64,
}

/// What stands around a part of a line, since its meaning would be lost without.
#[derive(Clone, Copy)]
pub(super) struct InlineMarks {
    before: &'static str,
    after: &'static str,
}

/// Where a text stands. Elements are numbers; 0 is the page itself.
#[derive(Clone, Copy, Default)]
pub(super) struct TextPosition {
    /// Whether it is not shown to people.
    pub(super) is_silent: bool,
    /// Whether it is about the site rather than the page.
    is_aside: bool,
    /// Whether its line breaks are kept.
    is_preformatted: bool,
    /// The nearest element that has lines of its own.
    block: usize,
    /// The number of line breaks after that element.
    breaks: usize,
    /// The nearest heading or item of a list.
    starter: usize,
    /// The link it is part of.
    pub(super) link: usize,
    /// The nearest part of a line with another meaning.
    pub(super) inline: usize,
}

/// Writes the text.
#[derive(Default)]
pub(super) struct TextWriter {
    text: String,
    title: String,
    prose: usize,
    /// Where the last text stood.
    last: TextPosition,
    /// The link that is open.
    link: Option<Url>,
    /// Whether a part of a line of its content has another meaning.
    has_marks: bool,
    /// What ends the open part of a line.
    inline_end: Option<&'static str>,
    /// The number of line breaks before the next word.
    breaks: usize,
    /// Whether there is a space before the next word.
    space: bool,
    /// A heading's or item's element, and the mark before its first word.
    start: Option<(usize, String)>,
}

impl TextEffect {
    pub(super) fn of(name: &LocalName, attributes: &[Attribute], address: &Url) -> Self {
        match &**name {
            "h1" => Self::Heading(1),
            "h2" => Self::Heading(2),
            "h3" => Self::Heading(3),
            "h4" => Self::Heading(4),
            "h5" | "h6" => Self::Heading(5),
            "li" => Self::Item(attribute_number(attributes, "value")),
            "ol" => Self::numbered(attributes),
            "del" | "s" | "strike" => Self::Inline(InlineMarks { before: "~~", after: "~~" }),
            "sup" => Self::Inline(InlineMarks { before: "^", after: "" }),
            "rt" => Self::Inline(InlineMarks { before: "(", after: ")" }),
            "q" => Self::Inline(InlineMarks { before: "“", after: "”" }),
            "td" | "th" => Self::Cell,
            "br" => Self::Break,
            "a" => attribute_value(attributes, "href")
                .and_then(|href| link_target(href, address))
                .map_or(Self::None, Self::Link),
            "img" => match attribute_value(attributes, "alt").map(str::trim) {
                Some(alt) if !alt.is_empty() => Self::Image(alt.to_owned()),
                _ => Self::None,
            },
            "p" | "blockquote" | "pre" | "table" | "ul" | "dl" | "hr" | "figure" | "article" | "section" => {
                Self::Block
            }
            "div" | "tr" | "dt" | "dd" | "header" | "footer" | "nav" | "main" | "aside" | "form"
            | "figcaption" | "caption" | "option" | "address" | "details" | "summary" | "fieldset" => {
                Self::Line
            }
            _ => Self::None,
        }
    }

    /// A list that counts down begins with the number of its items, which nobody knows yet, unless it says with which: no
    /// number is better than a wrong one.
    fn numbered(attributes: &[Attribute]) -> Self {
        let step = if attribute_value(attributes, "reversed").is_some() { -1 } else { 1 };
        match attribute_number(attributes, "start") {
            None if step < 0 => Self::Block,
            start => Self::Numbered(ListNumbers { next: start.unwrap_or(1), step }),
        }
    }

    /// The address of a link.
    pub(super) fn link(&self) -> Option<&Url> {
        if let Self::Link(url) = self { Some(url) } else { None }
    }

    /// What stands around a part of a line.
    pub(super) fn inline(&self) -> Option<InlineMarks> {
        if let Self::Inline(marks) = self { Some(*marks) } else { None }
    }

    /// Numbers an item that is put into this element, if that is a numbered list.
    pub(super) fn number(&mut self, child: &mut Self) {
        if let (Self::Numbered(numbers), Self::Item(number)) = (self, child) {
            let own = number.unwrap_or(numbers.next);
            *number = Some(own);
            numbers.next = own.saturating_add(numbers.step);
        }
    }
}

impl TextPosition {
    /// What an element by itself says about the text in it.
    pub(super) fn of(name: &LocalName, attributes: &[Attribute]) -> Self {
        Self {
            is_silent: is_silent(name, attributes),
            is_aside: matches!(&**name, "nav" | "header" | "footer" | "aside" | "form"),
            is_preformatted: &**name == "pre",
            ..Self::default()
        }
    }

    /// The place inside element number `id`, which stands in `outer`.
    pub(super) fn within(self, outer: Self, id: usize, mark: &TextEffect) -> Self {
        let mut place = Self {
            is_silent: self.is_silent || outer.is_silent,
            is_aside: self.is_aside || outer.is_aside,
            is_preformatted: self.is_preformatted || outer.is_preformatted,
            ..outer
        };
        match mark {
            TextEffect::None | TextEffect::Cell | TextEffect::Break | TextEffect::Image(_) => {}
            TextEffect::Line => (place.block, place.breaks) = (id, 1),
            TextEffect::Block | TextEffect::Numbered(_) => (place.block, place.breaks) = (id, 2),
            TextEffect::Heading(_) => (place.block, place.breaks, place.starter) = (id, 2, id),
            TextEffect::Item(_) => (place.block, place.breaks, place.starter) = (id, 1, id),
            TextEffect::Link(_) => place.link = id,
            TextEffect::Inline(_) => place.inline = id,
        }
        place
    }
}

fn is_silent(name: &LocalName, attributes: &[Attribute]) -> bool {
    let style = attribute_value(attributes, "style").unwrap_or_default();
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(
        &**name,
        "head"
            | "script"
            | "style"
            | "template"
            | "svg"
            | "math"
            | "iframe"
            | "object"
            | "select"
            | "textarea"
            | "rp"
    ) || attribute_value(attributes, "hidden").is_some()
        || attribute_value(attributes, "aria-hidden") == Some("true")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

fn attribute_value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

fn attribute_number(attributes: &[Attribute], name: &str) -> Option<i64> {
    attribute_value(attributes, name).and_then(|number| number.trim().parse().ok())
}

/// The address of a link; `None` if it stays on the page or is no web address.
fn link_target(href: &str, address: &Url) -> Option<Url> {
    if href.trim_start().starts_with('#') {
        return None;
    }
    address.join(href).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

impl TextWriter {
    /// Begins element number `id`, in `outer`.
    pub(super) fn open(&mut self, id: usize, mark: &TextEffect, outer: TextPosition) {
        match mark {
            TextEffect::None | TextEffect::Link(_) | TextEffect::Inline(_) => {}
            TextEffect::Line | TextEffect::Break => self.breaks = self.breaks.max(1),
            TextEffect::Block | TextEffect::Numbered(_) => self.breaks = self.breaks.max(2),
            TextEffect::Heading(level) => {
                self.breaks = self.breaks.max(2);
                self.start = Some((id, format!("{} ", "#".repeat(*level))));
            }
            TextEffect::Item(number) => {
                self.breaks = self.breaks.max(1);
                let mark = number.map_or_else(|| "- ".to_owned(), |number| format!("{number}. "));
                self.start = Some((id, mark));
            }
            TextEffect::Cell => {
                if self.breaks == 0 && self.last.block == outer.block {
                    self.word(" | ");
                }
            }
            TextEffect::Image(alt) => self.word(&format!("({alt})")),
        }
    }

    /// Writes text; `link` is the address of the link that it is part of, `inline` what stands around it.
    pub(super) fn text(
        &mut self,
        text: &str,
        place: TextPosition,
        link: Option<&Url>,
        inline: Option<InlineMarks>,
    ) {
        self.has_marks |= inline.is_some() && !place.is_aside;
        if !place.is_aside && link.is_none() {
            self.prose += count_letters(text);
        }
        let is_blank = text.trim().is_empty();
        if is_blank && !place.is_preformatted {
            self.space = true;
            return;
        }
        self.enter(place);
        let lines: Vec<&str> = if place.is_preformatted { text.split('\n').collect() } else { vec![text] };
        for (index, line) in lines.into_iter().enumerate() {
            self.breaks += usize::from(index > 0);
            if place.is_preformatted {
                if !line.trim().is_empty() {
                    self.begin(link, inline);
                    self.word(line);
                }
                continue;
            }
            self.space |= line.starts_with(char::is_whitespace);
            for word in line.split_whitespace() {
                self.begin(link, inline);
                self.word(word);
                self.space = true;
            }
            self.space &= line.ends_with(char::is_whitespace);
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        self.title.push_str(text);
    }

    pub(super) fn finish(mut self) -> PageText {
        self.end_inline();
        self.end_link();
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        PageText {
            title: Some(title).filter(|title| !title.is_empty()),
            text: self.text.trim().to_owned(),
            prose: self.prose,
            has_marks: self.has_marks,
        }
    }

    /// Moves from where the last text stood to `place`.
    fn enter(&mut self, place: TextPosition) {
        if place.inline != self.last.inline || place.block != self.last.block || place.link != self.last.link
        {
            self.end_inline();
        }
        if place.link != self.last.link {
            self.end_link();
        }
        if place.block != self.last.block {
            self.breaks = self.breaks.max(self.last.breaks);
        }
        // The mark of an element without words is dropped.
        self.start = self.start.take().filter(|(starter, _)| *starter == place.starter);
        self.last = place;
    }

    /// Begins a link, and a part with another meaning, before its first word.
    fn begin(&mut self, link: Option<&Url>, inline: Option<InlineMarks>) {
        if let (Some(url), None) = (link, &self.link) {
            self.word("[");
            self.link = Some(url.clone());
        }
        if let (Some(marks), None) = (inline, self.inline_end) {
            self.word(marks.before);
            self.inline_end = Some(marks.after);
        }
    }

    fn end_inline(&mut self) {
        self.text.push_str(self.inline_end.take().unwrap_or_default());
    }

    fn end_link(&mut self) {
        if let Some(url) = self.link.take() {
            self.text.push_str("](");
            self.text.push_str(url.as_str());
            self.text.push(')');
        }
    }

    fn word(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.extend(std::iter::repeat_n('\n', self.breaks.min(2)));
        }
        let begins_line = self.breaks > 0 || self.text.is_empty();
        let after_mark = self.text.ends_with(['[', ' ']);
        if self.space && !begins_line && !after_mark {
            self.text.push(' ');
        }
        self.breaks = 0;
        self.space = false;
        if let Some((_, start)) = self.start.take() {
            self.text.push_str(&start);
        }
        self.text.push_str(word);
    }
}

/// The number of characters, without spaces.
pub(in super::super) fn count_letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
