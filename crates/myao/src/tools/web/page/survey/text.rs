//! The text of a page, written down while it is parsed: headings, lists, links, tables and paragraphs.

use html5ever::{Attribute, LocalName};
use url::Url;

use super::Survey;

/// What an element does to the text.
pub(super) enum Mark {
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

/// Where a text stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// People are not shown it.
    pub(super) is_silent: bool,
    /// It is about the site rather than the page.
    pub(super) is_aside: bool,
    /// Its line breaks count.
    pub(super) is_preformatted: bool,
}

/// Text as it grows.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    title: String,
    links: usize,
    prose: usize,
    /// Line breaks that are due before the next word.
    breaks: usize,
    /// Whether a space is due before the next word.
    space: bool,
    /// What begins the next word's line.
    start: String,
}

impl Mark {
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

impl Place {
    /// What an element makes of what stands in it.
    pub(super) fn of(name: &LocalName, attributes: &[Attribute]) -> Self {
        Self {
            is_silent: is_silent(name, attributes),
            is_aside: matches!(&**name, "nav" | "header" | "footer" | "aside" | "form"),
            is_preformatted: &**name == "pre",
        }
    }

    /// The same, inside of another.
    pub(super) fn within(self, outer: Self) -> Self {
        Self {
            is_silent: self.is_silent || outer.is_silent,
            is_aside: self.is_aside || outer.is_aside,
            is_preformatted: self.is_preformatted || outer.is_preformatted,
        }
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

impl Writer {
    pub(super) fn open(&mut self, mark: &Mark) {
        match mark {
            Mark::None => {}
            Mark::Line | Mark::Break => self.end_line(1),
            Mark::Block => self.end_line(2),
            Mark::Heading(level) => {
                self.end_line(2);
                self.start = format!("{} ", "#".repeat(*level));
            }
            Mark::Item => {
                self.end_line(1);
                "- ".clone_into(&mut self.start);
            }
            Mark::Cell => {
                if self.breaks == 0 {
                    self.word(" | ");
                }
            }
            Mark::Link(_) => {
                self.links += 1;
                self.word("[");
            }
            Mark::Image(alt) => self.word(&format!("({alt})")),
        }
    }

    pub(super) fn close(&mut self, mark: &Mark) {
        match mark {
            Mark::None | Mark::Cell | Mark::Break | Mark::Image(_) => {}
            Mark::Line | Mark::Item => self.end_line(1),
            Mark::Block | Mark::Heading(_) => self.end_line(2),
            Mark::Link(url) => {
                self.links = self.links.saturating_sub(1);
                if self.text.ends_with('[') {
                    self.text.pop();
                } else {
                    self.text.push_str("](");
                    self.text.push_str(url.as_str());
                    self.text.push(')');
                }
            }
        }
    }

    /// Words of the page.
    pub(super) fn text(&mut self, text: &str, place: Place) {
        let kept = place.is_preformatted;
        if !place.is_aside && self.links == 0 {
            self.prose += text.chars().filter(|c| !c.is_whitespace()).count();
        }
        let lines: Vec<&str> = if kept { text.split('\n').collect() } else { vec![text] };
        for (index, line) in lines.into_iter().enumerate() {
            if index > 0 {
                self.breaks += 1;
            }
            if kept && !line.trim().is_empty() {
                self.word(line);
                continue;
            }
            self.space |= line.starts_with(char::is_whitespace);
            for word in line.split_whitespace() {
                self.word(word);
                self.space = true;
            }
            self.space &= line.ends_with(char::is_whitespace);
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        // The first there is: pictures have titles too.
        self.title.push_str(text);
    }

    pub(super) fn finish(self) -> Survey {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        Survey {
            title: Some(title).filter(|title| !title.is_empty()),
            text: self.text.trim().to_owned(),
            prose: self.prose,
        }
    }

    fn end_line(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
        self.start.clear();
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
        let start = std::mem::take(&mut self.start);
        self.text.push_str(&start);
        self.text.push_str(word);
    }
}
