//! Surveys HTML: whether it is safe to parse, and all of its text.
//!
//! A large tree costs its author little: ten bytes of HTML nest one level deeper, or make the parser repeat hundreds of
//! elements. So the page is fed to the parser in small chunks, into a sink that keeps no tree but counts, and is refused
//! as soon as it is deeper or larger than real pages are. A page that passes can safely be parsed into a tree. The text
//! is written down on the way.

mod tag;
mod text;

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
};

use html5ever::{
    Attribute, ParseOpts, QualName, local_name, ns, parse_document,
    tendril::{StrTendril, TendrilSink as _},
    tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeBuilderOpts, TreeSink},
};
use url::Url;

pub(super) use self::text::count_letters;
use self::text::{TextEffect, TextPosition, TextWriter};

/// The deepest nesting of a page: ten times that of most pages, half of the limit of browsers.
const DEEPEST: u16 = 250;
/// The most elements of a page: an encyclopedia's longest article has some 60,000.
const MOST_ELEMENTS: usize = 150_000;
/// How many bytes the parser is fed at once. This times the depth bounds the work of one step.
const CHUNK: usize = 256;
/// After how many bytes without an element or text they are inspected: they are a long comment, or one endless tag.
const SILENCE: usize = 4096;

/// The text of a page, and how much of it is content.
pub(super) struct PageText {
    pub(super) title: Option<String>,
    /// All of its text, as simple Markdown.
    pub(super) text: String,
    /// The number of letters of its content: those not in links, menus, headers or footers.
    pub(super) prose: usize,
    /// Whether parts of its content are struck out, raised or quoted, or say how to read a name.
    pub(super) has_marks: bool,
}

/// Surveys a page; `None` when it is too large or too deep.
pub(super) fn survey_html(html: &str, address: &Url) -> Option<PageText> {
    let opts = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(PageSink::new(address), opts);
    let mut seen = 0;
    let mut read = 0;
    // Where the last chunk with an element or text began, and how many bytes after it the rest is inspected.
    let mut heard = 0;
    let mut patience = SILENCE;
    for chunk in chunks_of_text(html) {
        parser.process(StrTendril::from(chunk));
        let sink = &parser.tokenizer.sink.sink;
        if sink.calls.get() > seen {
            (heard, patience) = (read, SILENCE);
        }
        seen = sink.calls.get();
        read += chunk.len();
        let is_endless = read - heard > patience && {
            patience *= 2;
            html.get(heard..read).is_some_and(|silent| tag::is_endless(silent, 2 * CHUNK))
        };
        if sink.is_too_much() || is_endless {
            return None;
        }
    }
    Some(parser.finish())
}

/// The text in pieces of about [`CHUNK`] bytes.
fn chunks_of_text(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (chunk, after) = rest.split_at(rest.ceil_char_boundary(CHUNK));
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// What is kept of an element.
struct ElementState {
    name: QualName,
    depth: u16,
    /// What it does to the text in it: a heading, a link, an item of a list.
    mark: TextEffect,
    /// What the elements around it make of its text: content, a menu, nothing that is shown.
    place: TextPosition,
}

/// Receives the parser's output. Elements are numbers, in the order in which they were made.
struct PageSink<'a> {
    elements: RefCell<Vec<ElementState>>,
    writer: RefCell<TextWriter>,
    address: &'a Url,
    deepest: Cell<u16>,
    /// How many elements and texts the parser has delivered.
    calls: Cell<usize>,
}

/// An element's name, as the parser asks for it.
#[derive(Debug)]
struct TagName(QualName);

impl ElemName for TagName {
    fn ns(&self) -> &html5ever::Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &html5ever::LocalName {
        &self.0.local
    }
}

impl<'a> PageSink<'a> {
    fn new(address: &'a Url) -> Self {
        let root = ElementState::new(QualName::new(None, ns!(), local_name!("")), TextEffect::None);
        Self {
            elements: RefCell::new(vec![root]),
            writer: RefCell::default(),
            address,
            deepest: Cell::new(0),
            calls: Cell::new(0),
        }
    }

    fn is_too_much(&self) -> bool {
        self.deepest.get() > DEEPEST || self.elements.borrow().len() > MOST_ELEMENTS
    }

    fn push(&self, element: ElementState) -> usize {
        self.calls.set(self.calls.get() + 1);
        let mut elements = self.elements.borrow_mut();
        elements.push(element);
        elements.len() - 1
    }

    /// Adds an element or a text to `parent`.
    fn put(&self, parent: usize, child: NodeOrText<usize>) {
        self.calls.set(self.calls.get() + 1);
        let mut elements = self.elements.borrow_mut();
        let Some((depth, place)) = elements.get(parent).map(|parent| (parent.depth, parent.place)) else {
            return;
        };
        let mut writer = self.writer.borrow_mut();
        match child {
            NodeOrText::AppendText(text) if !place.is_silent => {
                let link = elements.get(place.link).and_then(|link| link.mark.link());
                let inline = elements.get(place.inline).and_then(|inline| inline.mark.inline());
                writer.text(&text, place, link, inline);
            }
            NodeOrText::AppendText(text) => {
                if elements.get(parent).is_some_and(|element| element.name.local == local_name!("title")) {
                    writer.title(&text);
                }
            }
            NodeOrText::AppendNode(id) => {
                let Ok([list, child]) = elements.get_disjoint_mut([parent, id]) else { return };
                list.mark.number(&mut child.mark);
                child.depth = depth.saturating_add(1);
                child.place = child.place.within(place, id, &child.mark);
                self.deepest.set(self.deepest.get().max(child.depth));
                if !child.place.is_silent {
                    writer.open(id, &child.mark, place);
                }
            }
        }
    }
}

impl ElementState {
    fn new(name: QualName, mark: TextEffect) -> Self {
        Self { name, depth: 0, mark, place: TextPosition::default() }
    }
}

impl TreeSink for PageSink<'_> {
    type Handle = usize;
    type Output = PageText;
    type ElemName<'b>
        = TagName
    where
        Self: 'b;

    fn finish(self) -> PageText {
        self.writer.into_inner().finish()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'b>(&'b self, target: &'b usize) -> TagName {
        let elements = self.elements.borrow();
        let name = elements.get(*target).map(|element| element.name.clone());
        TagName(name.unwrap_or_else(|| QualName::new(None, ns!(), local_name!(""))))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> usize {
        let mark = TextEffect::of(&name.local, &attrs, self.address);
        let place = TextPosition::of(&name.local, &attrs);
        self.push(ElementState { name, depth: 0, mark, place })
    }

    fn create_comment(&self, _text: StrTendril) -> usize {
        self.push(ElementState::new(QualName::new(None, ns!(), local_name!("")), TextEffect::None))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> usize {
        self.create_comment(data)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.put(*parent, child);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        self.put(*sibling, child);
    }

    fn append_based_on_parent_node(&self, _element: &usize, previous: &usize, child: NodeOrText<usize>) {
        self.put(*previous, child);
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    /// A template's contents are a tree of their own, which is not shown.
    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn add_attrs_if_missing(&self, _target: &usize, _attrs: Vec<Attribute>) {}

    fn remove_from_parent(&self, _target: &usize) {}

    /// Their text is already written, and they keep their depth.
    fn reparent_children(&self, _node: &usize, _parent: &usize) {}
}
