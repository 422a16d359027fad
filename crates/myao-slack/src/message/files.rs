//! Reads the files of a message, as Slack's client shows them: by title, an e-mail and a snippet with their words.

use myao_core::{chat::FileRef, ports::ImageFormat};
use serde_json::Value;

use crate::{json, text};

/// The modes of a file that was deleted, or that the plan does not show.
const GONE: [&str; 2] = ["tombstone", "hidden_by_limit"];
/// How Slack marks a file of which it tells nothing but the id, since it is another workspace's.
const STUB: &str = "check_file_info";
/// Titles that say nothing.
const NO_TITLE: [&str; 2] = ["", "Untitled"];
/// The most characters of an e-mail or snippet that are kept with its file.
const EXCERPT_LIMIT: usize = 4_000;

/// Most bytes of an image. Anthropic takes 5 MiB in base64, which adds a third; other providers take larger ones.
pub(crate) const MOST_IMAGE_BYTES: usize = 3_900_000;
/// Slack's previews of an image, the largest first.
const PREVIEWS: [&str; 6] = ["thumb_1024", "thumb_960", "thumb_800", "thumb_720", "thumb_480", "thumb_360"];

/// The files of a message that are still there.
#[derive(Default)]
pub(super) struct MessageFiles {
    pub(super) files: Vec<FileRef>,
    /// The ids of those that have to be looked up.
    pub(super) stubs: Vec<String>,
}

/// Reads the files of a message or attachment.
pub(super) fn read_files_of(raw: &Value) -> MessageFiles {
    let files = json::list_of_field(raw, "files");
    // Before 2018 a message had one `file`. A block may show one as well.
    let old = raw.get("file").filter(|_| files.is_empty());
    let shown = json::list_of_field(raw, "blocks").iter().filter_map(|block| block.get("file"));
    let shown = shown.filter(|file| !files.iter().any(|own| own.get("id") == file.get("id")));
    let mut read = MessageFiles::default();
    for file in files.iter().chain(old).chain(shown) {
        read.files.extend(file_of_object(file));
        if json::text_of_field(file, "file_access") == Some(STUB) {
            read.stubs.extend(json::text_of_field(file, "id").map(|id| text::without_nul(id).into_owned()));
        }
    }
    read
}

/// One file; `None` if it is gone, or has neither a name nor an id.
pub(crate) fn file_of_object(raw: &Value) -> Option<FileRef> {
    if json::text_of_field(raw, "mode").is_some_and(|mode| GONE.contains(&mode)) {
        return None;
    }
    let own = |key| json::text_of_field(raw, key).map(|text| text::without_nul(text).into_owned());
    let told = |key| own(key).filter(|name| !NO_TITLE.contains(&name.trim()));
    let is_email = json::text_of_field(raw, "mode") == Some("email")
        || json::text_of_field(raw, "filetype") == Some("email");
    let subject = told("subject").filter(|_| is_email);
    let name = subject.or_else(|| told("title")).or_else(|| told("name"));
    let name = name.or_else(|| own("title")).or_else(|| own("name")).or_else(|| own("id"))?;
    Some(FileRef {
        name: Some(name).filter(|name| !name.trim().is_empty())?,
        mimetype: own("mimetype"),
        permalink: own("permalink"),
        alt: own("alt_txt").filter(|alt| !alt.trim().is_empty()),
        image_url: image_url(raw),
        site: None,
        excerpt: excerpt_of_file(raw, is_email),
    })
}

/// The words of an e-mail, a snippet, or what is spoken in a clip, as far as Slack shows them beneath its name.
fn excerpt_of_file(raw: &Value, is_email: bool) -> Option<String> {
    let words = if is_email {
        ["plain_text", "preview_plain_text"].iter().find_map(|key| json::text_of_field(raw, key))
    } else if json::text_of_field(raw, "mode") == Some("snippet") {
        json::text_of_field(raw, "preview")
    } else {
        let spoken = raw.get("transcription").and_then(|spoken| spoken.get("preview"));
        let spoken = spoken.and_then(|preview| json::text_of_field(preview, "content"));
        json::text_of_field(raw, "preview_plain_text").or(spoken)
    };
    let words = text::without_nul(words?.trim());
    let cut: String = words.chars().take(EXCERPT_LIMIT).collect();
    (!cut.is_empty()).then_some(cut)
}

/// The address of an image's content: of the image itself, or of Slack's largest preview where it is too large or of a
/// type that models do not take, such as a phone's photo. `None` if it is no image, or not stored at Slack.
fn image_url(file: &Value) -> Option<String> {
    let media_type = json::text_of_field(file, "mimetype").filter(|kind| kind.starts_with("image/"))?;
    if json::is_true(file, "is_external") {
        return None;
    }
    let size = file.get("size").and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
    let is_taken = is_taken_by_models(media_type) && size.is_none_or(|size| size <= MOST_IMAGE_BYTES);
    let keys: &[&str] = if is_taken { &["url_private"] } else { &PREVIEWS };
    let url = keys.iter().find_map(|key| json::text_of_field(file, key))?;
    // Exports append a token to it, a secret that is not ours to keep and not needed.
    url.split(['?', '#']).next().map(|url| text::without_nul(url).into_owned())
}

/// Whether models take images of this type.
pub(crate) fn is_taken_by_models(media_type: &str) -> bool {
    ImageFormat::ALL.iter().any(|format| format.media_type() == media_type)
}
