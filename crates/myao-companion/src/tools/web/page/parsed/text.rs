//! The text of a page, written down while it is parsed: headings, lists, links, tables and paragraphs.
//!
//! The parser tells where each element and each text is put, not reliably where an element ends. So every
//! element carries what it stands in ([`TextPosition`]), and a text that stands elsewhere than the one before ends
//! what was open.

use html5ever::{Attribute, LocalName};
use url::Url;

use super::PageText;

/// What an element does to the text.
pub(super) enum TextEffect {
    /// Nothing.
    None,
    /// It begins and ends a line.
    Line,
    /// It stands by itself.
    Block,
    /// A heading of this level.
    Heading(usize),
    /// An item of a list.
    Item,
    /// A cell of a table.
    Cell,
    /// A line break.
    Break,
    /// A link to there.
    Link(Url),
    /// A picture that is described.
    Image(String),
}

/// Where a text stands. Elements are numbers; 0 is the page itself.
#[derive(Clone, Copy, Default)]
pub(super) struct TextPosition {
    /// People are not shown it.
    pub(super) is_silent: bool,
    /// It is about the site rather than the page.
    is_aside: bool,
    /// Its line breaks count.
    is_preformatted: bool,
    /// The nearest element that has lines of its own.
    block: usize,
    /// The line breaks after that.
    breaks: usize,
    /// The nearest heading or item of a list.
    starter: usize,
    /// The link it is part of.
    pub(super) link: usize,
}

/// Text as it grows.
#[derive(Default)]
pub(super) struct TextWriter {
    text: String,
    title: String,
    prose: usize,
    /// Where the last text stood.
    last: TextPosition,
    /// The link that is open.
    link: Option<Url>,
    /// Line breaks that are due before the next word.
    breaks: usize,
    /// Whether a space is due before the next word.
    space: bool,
    /// What begins the first line of an element.
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
            "li" => Self::Item,
            "td" | "th" => Self::Cell,
            "br" => Self::Break,
            "a" => value(attributes, "href")
                .and_then(|href| target(href, address))
                .map_or(Self::None, Self::Link),
            "img" => match value(attributes, "alt").map(str::trim) {
                Some(alt) if !alt.is_empty() => Self::Image(alt.to_owned()),
                _ => Self::None,
            },
            "p" | "blockquote" | "pre" | "table" | "ul" | "ol" | "dl" | "hr" | "figure" | "article"
            | "section" => Self::Block,
            "div" | "tr" | "dt" | "dd" | "header" | "footer" | "nav" | "main" | "aside" | "form"
            | "figcaption" | "caption" | "option" | "address" | "details" | "summary" | "fieldset" => {
                Self::Line
            }
            _ => Self::None,
        }
    }
}

impl TextEffect {
    /// Where a link leads.
    pub(super) fn link(&self) -> Option<&Url> {
        if let Self::Link(url) = self { Some(url) } else { None }
    }
}

impl TextPosition {
    /// What an element makes of what stands in it.
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
            TextEffect::Block => (place.block, place.breaks) = (id, 2),
            TextEffect::Heading(_) => (place.block, place.breaks, place.starter) = (id, 2, id),
            TextEffect::Item => (place.block, place.breaks, place.starter) = (id, 1, id),
            TextEffect::Link(_) => place.link = id,
        }
        place
    }
}

fn is_silent(name: &LocalName, attributes: &[Attribute]) -> bool {
    let style = value(attributes, "style").unwrap_or_default();
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
    ) || value(attributes, "hidden").is_some()
        || value(attributes, "aria-hidden") == Some("true")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

/// Where a link leads, on the web.
fn target(href: &str, address: &Url) -> Option<Url> {
    if href.trim_start().starts_with('#') {
        return None;
    }
    address.join(href).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

impl TextWriter {
    /// Element number `id` begins, in `outer`.
    pub(super) fn open(&mut self, id: usize, mark: &TextEffect, outer: TextPosition) {
        match mark {
            TextEffect::None | TextEffect::Link(_) => {}
            TextEffect::Line | TextEffect::Break => self.breaks = self.breaks.max(1),
            TextEffect::Block => self.breaks = self.breaks.max(2),
            TextEffect::Heading(level) => {
                self.breaks = self.breaks.max(2);
                self.start = Some((id, format!("{} ", "#".repeat(*level))));
            }
            TextEffect::Item => {
                self.breaks = self.breaks.max(1);
                self.start = Some((id, "- ".to_owned()));
            }
            TextEffect::Cell => {
                if self.breaks == 0 && self.last.block == outer.block {
                    self.word(" | ");
                }
            }
            TextEffect::Image(alt) => self.word(&format!("({alt})")),
        }
    }

    /// Words of the page; `link` is where they lead.
    pub(super) fn text(&mut self, text: &str, place: TextPosition, link: Option<&Url>) {
        if !place.is_aside && link.is_none() {
            self.prose += letters(text);
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
                    self.begin(link);
                    self.word(line);
                }
                continue;
            }
            self.space |= line.starts_with(char::is_whitespace);
            for word in line.split_whitespace() {
                self.begin(link);
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
        self.end_link();
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        PageText {
            title: Some(title).filter(|title| !title.is_empty()),
            text: self.text.trim().to_owned(),
            prose: self.prose,
        }
    }

    /// Leaves where the last text stood.
    fn enter(&mut self, place: TextPosition) {
        if place.link != self.last.link {
            self.end_link();
        }
        if place.block != self.last.block {
            self.breaks = self.breaks.max(self.last.breaks);
        }
        // That of an element without words.
        self.start = self.start.take().filter(|(starter, _)| *starter == place.starter);
        self.last = place;
    }

    /// Begins a link before its first word.
    fn begin(&mut self, link: Option<&Url>) {
        if let (Some(url), None) = (link, &self.link) {
            self.word("[");
            self.link = Some(url.clone());
        }
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

/// How much text that is: characters, spaces aside.
pub(in super::super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
