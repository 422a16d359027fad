//! Tells whether a response's body is text, and how to read it.

use super::FetchError;

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// As HTML.
    Html,
    /// As it is: plain text, Markdown, JSON, feeds and other XML.
    Text,
}

/// How many bytes of a body are inspected when its header does not tell its type.
const BEGINNING: usize = 512;

impl BodyKind {
    /// The kind by the `Content-Type` header; `None` when that does not tell.
    pub(super) fn of(header: &str) -> Result<Option<Self>, FetchError> {
        let mime = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (class, subtype) = mime.split_once('/').unwrap_or_default();
        let kind = match (class, subtype) {
            ("text", "html") | ("application", "xhtml+xml") => Self::Html,
            ("", _) | ("application", "octet-stream" | "binary") => return Ok(None),
            ("image" | "audio" | "video" | "font", _) => return refuse_content(&with_article(class)),
            ("application", "pdf") => return refuse_content("a PDF"),
            ("text", _) => Self::Text,
            ("application", subtype) if is_textual(subtype) => Self::Text,
            _ => return refuse_content(&format!("a file of the type {}", harmless_mime_type(&mime))),
        };
        Ok(Some(kind))
    }

    /// The kind by the first bytes of a body.
    pub(super) fn seen_in(bytes: &[u8]) -> Result<Self, FetchError> {
        let beginning = bytes.get(..BEGINNING.min(bytes.len())).unwrap_or_default();
        if beginning.starts_with(b"%PDF-") {
            return refuse_content("a PDF");
        }
        if beginning.contains(&0) {
            return refuse_content("a file of no known type");
        }
        let text = String::from_utf8_lossy(beginning).trim_start().to_ascii_lowercase();
        let is_html = ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| text.starts_with(tag));
        Ok(if is_html { Self::Html } else { Self::Text })
    }
}

fn is_textual(subtype: &str) -> bool {
    matches!(subtype, "json" | "xml" | "yaml" | "x-yaml" | "toml" | "javascript" | "x-ndjson")
        || subtype.ends_with("+json")
        || subtype.ends_with("+xml")
}

fn with_article(class: &str) -> String {
    match class {
        "image" => "an image".to_owned(),
        "audio" => "a sound".to_owned(),
        other => format!("a {other}"),
    }
}

/// A MIME type without unusual characters: anybody may have written the header.
fn harmless_mime_type(mime: &str) -> String {
    let is_usual = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '+' | '.');
    mime.chars().filter(is_usual).take(60).collect()
}

fn refuse_content<T>(what: &str) -> Result<T, FetchError> {
    Err(FetchError::NotText(what.to_owned()))
}
