//! Reads the text of a message from its text, attachments or blocks, and its files (SPEC §1 "Talk").

use myao_core::chat::FileRef;
use serde_json::Value;

use super::blocks;
use crate::{
    files, json,
    text::{self, NotationWriter},
};

/// What Slack writes as the fallback of an attachment without one.
const NO_FALLBACK: &str = "[no preview available]";
/// The modes of a file that was deleted, or that the plan does not show.
const GONE: [&str; 2] = ["tombstone", "hidden_by_limit"];

/// The words of a message.
#[derive(Default)]
pub(super) struct ShownText {
    pub(super) text: String,
    /// Ids and labels of the people it mentions.
    pub(super) labels: Vec<(String, String)>,
}

/// The words of a message: its text, else those of its attachments, else of its blocks. For a comment on a file,
/// only the comment, without Slack's sentence around it.
pub(super) fn text(raw: &Value) -> ShownText {
    let comment = raw.get("comment").and_then(|comment| json::text(comment, "comment"));
    let mut out = NotationWriter::default();
    out.markup(comment.or_else(|| json::text(raw, "text")).unwrap_or_default());
    let (text, labels) = out.finish_with_labels();
    let text = spoken(text)
        .or_else(|| spoken(attachments(raw)))
        .or_else(|| spoken(blocks::text(json::list(raw, "blocks"))))
        .unwrap_or_default();
    ShownText { text, labels }
}

/// The files of a message that are still there.
pub(super) fn files(raw: &Value) -> Vec<FileRef> {
    let files = json::list(raw, "files");
    // Before 2018 a message had one `file`.
    let old = raw.get("file").filter(|_| files.is_empty());
    files.iter().chain(old).filter_map(file).collect()
}

fn file(raw: &Value) -> Option<FileRef> {
    if json::text(raw, "mode").is_some_and(|mode| GONE.contains(&mode)) {
        return None;
    }
    let own = |key| json::text(raw, key).map(|text| text::clean(text).into_owned());
    let name = own("name").or_else(|| own("title")).or_else(|| own("id")).and_then(spoken)?;
    Some(FileRef {
        name,
        mimetype: own("mimetype"),
        permalink: own("permalink"),
        alt: own("alt_txt").and_then(spoken),
        image_url: files::image_url(raw),
    })
}

fn attachments(raw: &Value) -> String {
    let all = json::list(raw, "attachments").iter().filter_map(|attachment| spoken(words_of(attachment)));
    all.collect::<Vec<_>>().join("\n")
}

fn words_of(attachment: &Value) -> String {
    if let Some(fallback) = json::text(attachment, "fallback").filter(|text| *text != NO_FALLBACK) {
        return text::normalise(fallback);
    }
    let mut out = NotationWriter::default();
    for part in ["pretext", "title", "text"].iter().filter_map(|key| json::text(attachment, key)) {
        out.new_line();
        out.markup(part);
    }
    spoken(out.finish()).unwrap_or_else(|| blocks::text(json::list(attachment, "blocks")))
}

/// The text, if it is not blank.
fn spoken(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}
