//! Reads attachments: what apps add to a message, messages that somebody forwards or links to, and previews of pages.
//!
//! Forwarded words are somebody else's: they stand behind `> `, with who said them and where, and call nobody (ADR 79).
//! A page is a stranger's: its title and site are kept, as a file of the message.

use myao_core::chat::FileRef;
use serde_json::Value;

use super::{
    author, blocks, files,
    once::{ShownPieces, WordRuns},
};
use crate::{
    json,
    text::{self, NotationWriter},
};

/// The most attachments of a message that are read: Slack allows a hundred.
const MOST: usize = 100;
/// How deep forwarded messages may lie in one another.
const DEEPEST: usize = 3;
/// The most characters of the title of a page.
const TITLE_LIMIT: usize = 300;
/// What Slack writes as the fallback of an attachment without one.
const NO_FALLBACK: &str = "[no preview available]";

/// What the attachments of a message say.
#[derive(Default)]
pub(super) struct AttachmentTexts {
    /// The words of each, as pieces.
    pub(super) pieces: Vec<AttachmentText>,
    pub(super) files: Vec<FileRef>,
    /// The ids of files of which Slack tells only that they are there.
    pub(super) stubs: Vec<String>,
    /// Ids and labels of the people whom they mention or quote.
    pub(super) labels: Vec<(String, String)>,
    /// Kinds of blocks that are not known.
    pub(super) unknown: std::collections::BTreeSet<String>,
}

/// A piece of an attachment.
pub(super) enum AttachmentText {
    /// Words of the message's own author.
    Own(String),
    /// A message of somebody else.
    Quoted(String),
}

/// Reads the attachments of a message.
pub(super) fn read_attachments_of(raw: &Value) -> AttachmentTexts {
    let mut read = AttachmentTexts::default();
    for attachment in json::list_of_field(raw, "attachments").iter().take(MOST) {
        read.take(attachment);
    }
    read
}

impl AttachmentTexts {
    /// Whether nothing is added.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.files.is_empty()
    }

    fn take(&mut self, attachment: &Value) {
        if is_forwarded_message(attachment) {
            let mut out = NotationWriter::quoting();
            self.write_message(attachment, &mut out, 0);
            let (text, labels) = out.finish_with_labels();
            self.labels.extend(labels);
            self.pieces.push(AttachmentText::Quoted(text));
        } else if let Some(site) = site_of_preview(attachment) {
            self.files.extend(page_as_file(attachment, site));
        } else {
            self.take_own(attachment);
        }
    }

    fn take_files(&mut self, raw: &Value) {
        let found = files::read_files_of(raw);
        self.files.extend(found.files);
        self.stubs.extend(found.stubs);
    }

    /// Writes a message that was said elsewhere: `> Bo, #ops: words`. It has blocks, files and attachments like any other.
    fn write_message(&mut self, attachment: &Value, out: &mut NotationWriter, depth: usize) {
        out.begin_quote();
        self.write_source(attachment, out);
        let inner: Vec<&Value> = json::list_of_field(attachment, "message_blocks")
            .iter()
            .filter_map(|part| part.get("message"))
            .collect();
        let files = self.files.len();
        [attachment].iter().chain(&inner).for_each(|message| self.take_files(message));
        let mut shown = self.quoted_words(attachment, &inner);
        let mut nested = Vec::new();
        for added in inner.iter().flat_map(|message| json::list_of_field(message, "attachments")).take(MOST) {
            if is_forwarded_message(added) {
                nested.push(added);
            } else if let Some(site) = site_of_preview(added) {
                self.files.extend(page_as_file(added, site));
            } else {
                for words in &self.added_words(added, true) {
                    shown.add(words);
                }
            }
        }
        let mut text = shown.text();
        if text.is_empty() && nested.is_empty() && self.files.len() == files {
            text = self.notation_of_markup(fallback_text(attachment).unwrap_or_default(), true);
        }
        out.notation(&text);
        for inner in nested.into_iter().filter(|_| depth < DEEPEST) {
            self.write_message(inner, out, depth + 1);
        }
        out.end_quote();
    }

    /// What the author of a message said that was said elsewhere. Its text says in short what its blocks say.
    fn quoted_words(&mut self, attachment: &Value, inner: &[&Value]) -> ShownPieces {
        let mut shown = ShownPieces::default();
        let of_message = inner.iter().flat_map(|message| json::list_of_field(message, "blocks"));
        let blocks = of_message.chain(json::list_of_field(attachment, "blocks")).collect();
        let of_blocks = self.take_blocks(blocks, true);
        for key in ["pretext", "title"] {
            if let Some(words) = &self.notation_of_field(attachment, key, true) {
                shown.add(words);
            }
        }
        for words in &of_blocks {
            shown.put(words, &WordRuns::of(words));
        }
        if of_blocks.is_empty() {
            let mut texts = [attachment].into_iter().chain(inner.iter().copied());
            let said = texts.find_map(|message| self.notation_of_field(message, "text", true));
            if let Some(words) = &said {
                shown.put(words, &WordRuns::of(words));
            }
        }
        for words in &self.field_words(attachment, true) {
            shown.add(words);
        }
        shown
    }

    /// Writes who said it, and where.
    fn write_source(&mut self, attachment: &Value, out: &mut NotationWriter) {
        let name = author::name_under_key(attachment, "author_name")
            .or_else(|| author::name_under_key(attachment, "author_subname"));
        let id = json::text_of_field(attachment, "author_id").filter(|id| text::is_id(id));
        match (id, &name) {
            (Some(id), _) => {
                self.labels.extend(name.map(|name| (id.to_owned(), name)));
                out.person(id);
            }
            (None, Some(name)) => out.words(name),
            (None, None) => {}
        }
        let is_somebody = id.is_some() || author::name_under_key(attachment, "author_name").is_some();
        let separator = if is_somebody { ", " } else { "" };
        let channel = json::text_of_field(attachment, "channel_id").filter(|id| id.starts_with(['C', 'G']));
        let place = json::text_of_field(attachment, "channel_name")
            .filter(|name| !name.contains(char::is_whitespace));
        match (channel, place) {
            (Some(id), _) => {
                out.words(separator);
                out.channel(id);
            }
            (None, Some(name)) => out.words(&format!("{separator}#{name}")),
            (None, None) if !is_somebody => return,
            (None, None) => {}
        }
        out.words(": ");
    }

    /// Reads blocks, and returns their words.
    fn take_blocks(&mut self, blocks: Vec<&Value>, is_quoted: bool) -> Vec<String> {
        let read = blocks::read_blocks_of(blocks, is_quoted);
        self.labels.extend(read.labels);
        self.unknown.extend(read.unknown);
        read.pieces.into_iter().map(|piece| piece.text).collect()
    }

    /// Reads what an app adds.
    fn take_own(&mut self, attachment: &Value) {
        let mut found = self.added_words(attachment, false);
        let files = self.files.len();
        self.take_files(attachment);
        if found.is_empty() && self.files.len() == files {
            found.extend(fallback_text(attachment).map(text::markup_as_notation));
        }
        self.pieces.extend(found.into_iter().map(AttachmentText::Own));
    }

    /// The words that an app adds, in the order in which Slack shows them.
    fn added_words(&mut self, attachment: &Value, is_quoted: bool) -> Vec<String> {
        let mut found = Vec::new();
        for key in ["pretext", "author_name", "author_subname", "title", "text"] {
            found.extend(self.notation_of_field(attachment, key, is_quoted));
        }
        found.extend(self.field_words(attachment, is_quoted));
        found.extend(self.take_blocks(json::list_of_field(attachment, "blocks").iter().collect(), is_quoted));
        for action in json::list_of_field(attachment, "actions") {
            found.extend(self.notation_of_field(action, "text", is_quoted));
        }
        found.extend(self.notation_of_field(attachment, "footer", is_quoted));
        found
    }

    /// The fields of an attachment: `title: value`.
    fn field_words(&mut self, attachment: &Value, is_quoted: bool) -> Vec<String> {
        let mut found = Vec::new();
        for field in json::list_of_field(attachment, "fields") {
            let pair =
                ["title", "value"].iter().filter_map(|key| self.notation_of_field(field, key, is_quoted));
            let pair: Vec<String> = pair.collect();
            found.extend((!pair.is_empty()).then(|| pair.join(": ")));
        }
        found
    }

    fn notation_of_field(&mut self, value: &Value, key: &str, is_quoted: bool) -> Option<String> {
        let text = self.notation_of_markup(json::text_of_field(value, key)?, is_quoted);
        (!text.trim().is_empty()).then_some(text)
    }

    /// Markup in the core's notation; in somebody else's words nobody is called.
    fn notation_of_markup(&mut self, markup: &str, is_quoted: bool) -> String {
        let mut out = if is_quoted { NotationWriter::quoting() } else { NotationWriter::default() };
        out.markup(markup);
        let (text, labels) = out.finish_with_labels();
        self.labels.extend(labels);
        text
    }
}

fn fallback_text(attachment: &Value) -> Option<&str> {
    json::text_of_field(attachment, "fallback").filter(|text| *text != NO_FALLBACK)
}

/// Whether an attachment is a message that somebody forwarded or linked to.
fn is_forwarded_message(attachment: &Value) -> bool {
    let marks = ["is_share", "is_msg_unfurl", "is_reply_unfurl", "is_thread_root_unfurl"];
    marks.iter().any(|mark| json::is_true(attachment, mark)) || attachment.get("message_blocks").is_some()
}

/// The site of a page of which this is a preview; `None` if it is none.
fn site_of_preview(attachment: &Value) -> Option<String> {
    let link = ["from_url", "original_url", "app_unfurl_url"]
        .iter()
        .find_map(|key| json::text_of_field(attachment, key));
    if link.is_none() && !json::is_true(attachment, "is_app_unfurl") {
        return None;
    }
    let link = link.or_else(|| json::text_of_field(attachment, "title_link")).unwrap_or_default();
    let host = link.split_once("://").map_or(link, |(_, rest)| rest).split(['/', '?', '#']).next();
    let host = host.map(|host| host.trim_start_matches("www.")).filter(|host| !host.is_empty());
    let name = author::name_under_key(attachment, "service_name").or_else(|| host.map(str::to_owned));
    Some(name.unwrap_or_else(|| "?".to_owned()))
}

/// A page, as a file of the message; `None` if the preview has no words.
fn page_as_file(attachment: &Value, site: String) -> Option<FileRef> {
    let title = json::text_of_field(attachment, "title").map(text::markup_as_notation).or_else(|| {
        let preview = attachment.get("preview").and_then(|preview| preview.get("title"))?;
        json::text_of_field(preview, "text").map(text::markup_as_notation)
    });
    // An app shows a page in blocks, the first of which stands for a title.
    let title = title.filter(|title| !title.trim().is_empty()).or_else(|| {
        let read = blocks::read_blocks_of(json::list_of_field(attachment, "blocks").iter().collect(), true);
        read.pieces.into_iter().next().map(|piece| piece.text)
    });
    let title = title.or_else(|| first_words(attachment))?;
    let title: String = title.chars().take(TITLE_LIMIT).filter(|c| *c != text::LOOSE).collect();
    let own = |key| json::text_of_field(attachment, key).map(|text| text::without_nul(text).into_owned());
    let permalink = own("from_url").or_else(|| own("original_url")).or_else(|| own("title_link"));
    Some(FileRef { name: title, permalink, site: Some(site), ..FileRef::default() })
}

/// What names a page that has no title, such as a post: whose it is, and its first line.
fn first_words(attachment: &Value) -> Option<String> {
    let said = text::markup_as_notation(json::text_of_field(attachment, "text")?);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(
        author::name_under_key(attachment, "author_name")
            .map_or_else(|| line.to_owned(), |name| format!("{name}: {line}")),
    )
}
