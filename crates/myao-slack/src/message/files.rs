//! Reads the files of a message, as Slack's client shows them: by title, an e-mail and a snippet with their words.

use myao_core::chat::FileRef;
use serde_json::Value;

use crate::{files, json, text};

/// The modes of a file that was deleted, or that the plan does not show.
const GONE: [&str; 2] = ["tombstone", "hidden_by_limit"];
/// How Slack marks a file of which it tells nothing but the id, since it is another workspace's.
const STUB: &str = "check_file_info";
/// Titles that say nothing.
const NO_TITLE: [&str; 2] = ["", "Untitled"];
/// The most characters of an e-mail or snippet that are kept with its file.
const EXCERPT_LIMIT: usize = 4_000;

/// The files of a message that are still there.
#[derive(Default)]
pub(super) struct MessageFiles {
    pub(super) files: Vec<FileRef>,
    /// The ids of those that have to be looked up.
    pub(super) stubs: Vec<String>,
}

/// Reads the files of a message or attachment.
pub(super) fn read(raw: &Value) -> MessageFiles {
    let files = json::list(raw, "files");
    // Before 2018 a message had one `file`. A block may show one as well.
    let old = raw.get("file").filter(|_| files.is_empty());
    let shown = json::list(raw, "blocks").iter().filter_map(|block| block.get("file"));
    let shown = shown.filter(|file| !files.iter().any(|own| own.get("id") == file.get("id")));
    let mut read = MessageFiles::default();
    for file in files.iter().chain(old).chain(shown) {
        read.files.extend(self::file(file));
        if json::text(file, "file_access") == Some(STUB) {
            read.stubs.extend(json::text(file, "id").map(|id| text::clean(id).into_owned()));
        }
    }
    read
}

/// One file; `None` if it is gone, or has neither a name nor an id.
pub(crate) fn file(raw: &Value) -> Option<FileRef> {
    if json::text(raw, "mode").is_some_and(|mode| GONE.contains(&mode)) {
        return None;
    }
    let own = |key| json::text(raw, key).map(|text| text::clean(text).into_owned());
    let told = |key| own(key).filter(|name| !NO_TITLE.contains(&name.trim()));
    let is_email = json::text(raw, "mode") == Some("email") || json::text(raw, "filetype") == Some("email");
    let subject = told("subject").filter(|_| is_email);
    let name = subject.or_else(|| told("title")).or_else(|| told("name"));
    let name = name.or_else(|| own("title")).or_else(|| own("name")).or_else(|| own("id"))?;
    Some(FileRef {
        name: Some(name).filter(|name| !name.trim().is_empty())?,
        mimetype: own("mimetype"),
        permalink: own("permalink"),
        alt: own("alt_txt").filter(|alt| !alt.trim().is_empty()),
        image_url: files::image_url(raw),
        site: None,
        excerpt: excerpt(raw, is_email),
    })
}

/// The words of an e-mail, a snippet, or what is spoken in a clip, as far as Slack shows them beneath its name.
fn excerpt(raw: &Value, is_email: bool) -> Option<String> {
    let words = if is_email {
        ["plain_text", "preview_plain_text"].iter().find_map(|key| json::text(raw, key))
    } else if json::text(raw, "mode") == Some("snippet") {
        json::text(raw, "preview")
    } else {
        let spoken = raw.get("transcription").and_then(|spoken| spoken.get("preview"));
        let spoken = spoken.and_then(|preview| json::text(preview, "content"));
        json::text(raw, "preview_plain_text").or(spoken)
    };
    let words = text::clean(words?.trim());
    let cut: String = words.chars().take(EXCERPT_LIMIT).collect();
    (!cut.is_empty()).then_some(cut)
}
