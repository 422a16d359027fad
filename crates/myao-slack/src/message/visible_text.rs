//! Reads everything that a reader sees of a message, each word once (ADR 79).

use std::collections::BTreeSet;

use myao_core::chat::FileRef;
use serde_json::Value;

use super::{
    attachments::{self, AttachmentText, AttachmentTexts},
    blocks::{self, BlockText, BlockTexts},
    files::{self, MessageFiles},
    once::{SaidWords, ShownPieces, WordRuns, without_marks},
};
use crate::{json, text::NotationWriter};

/// What stands in `text` where a client cannot show the blocks of a message; clients that post in somebody's name write it
/// in their language.
const PLACEHOLDERS: [&str; 15] = [
    "this content can't be displayed",
    "this content cannot be displayed",
    "this message contains interactive elements",
    "this message can't be displayed",
    "this message was sent using blocks",
    "このコンテンツは表示できません",
    "このメッセージにはインタラクティブな要素が含まれています",
    "dieser inhalt kann nicht angezeigt werden",
    "ce contenu ne peut pas être affiché",
    "impossible d'afficher ce contenu",
    "este contenido no se puede mostrar",
    "no se puede mostrar este contenido",
    "este conteúdo não pode ser exibido",
    "questo contenuto non può essere visualizzato",
    "이 콘텐츠를 표시할 수 없습니다",
];
/// How many bytes the longest of them may have, with what stands around it.
const LONGEST_PLACEHOLDER: usize = 300;
/// What Slack says of somebody with a file, and of what they say with it.
const UPLOADS: [&str; 2] = ["uploaded", "shared"];
const COMMENTED: &str = " and commented: ";
/// The most characters that are kept of what is not shown.
const MOST_UNSHOWN: usize = 40_000;
/// How deep the texts of an object are looked for.
const DEEPEST: usize = 12;

/// What a reader sees of a message, and what else its object says.
#[derive(Default)]
pub(super) struct ShownMessage {
    pub(super) text: String,
    pub(super) files: Vec<FileRef>,
    /// The ids of files of which Slack tells only that they are there.
    pub(super) stubs: Vec<String>,
    /// Ids and labels of the people whom it mentions.
    pub(super) labels: Vec<(String, String)>,
    /// All texts of the object, if some are not shown: what an earlier reading may have taken for the message.
    pub(super) unshown: String,
    /// Kinds of blocks that are not known.
    pub(super) unknown: BTreeSet<String>,
}

/// Reads what is seen of a message. Of a comment on a file, or with one, that is the comment, without Slack's sentence
/// around it.
pub(super) fn read_what_is_seen(raw: &Value) -> ShownMessage {
    let MessageFiles { files, stubs } = files::read_files_of(raw);
    let comment = raw.get("comment").and_then(|comment| json::text_of_field(comment, "comment"));
    let written = json::text_of_field(raw, "text").unwrap_or_default();
    let with_file = of_upload(raw, written).filter(|_| !files.is_empty());
    let (own, labels) = own_text(comment.or(with_file).unwrap_or(written));
    if comment.is_some() {
        // Around it stand Slack's sentence and the file's other name.
        return ShownMessage {
            text: own,
            files,
            stubs,
            labels,
            unshown: texts_of(raw),
            ..ShownMessage::default()
        };
    }
    let mut message = ShownMessage { files, stubs, labels, ..ShownMessage::default() };
    let of_blocks = blocks::read_blocks_of(json::list_of_field(raw, "blocks").iter().collect(), false);
    let added = attachments::read_attachments_of(raw);
    let has_more = !of_blocks.pieces.is_empty() || !added.is_empty() || !message.files.is_empty();
    let is_placeholder = is_placeholder(&own);
    let (shown, is_dropped) =
        put_together(if is_placeholder && has_more { "" } else { &own }, &of_blocks, &added);
    let may_differ = is_dropped || is_placeholder || own.trim().is_empty();
    if !added.is_empty() || !message.files.is_empty() || (may_differ && has_more) {
        message.unshown = texts_of(raw);
    }
    message.text = shown;
    message.take(of_blocks, added);
    message
}

impl ShownMessage {
    fn take(&mut self, of_blocks: BlockTexts, added: AttachmentTexts) {
        self.labels.extend(of_blocks.labels.into_iter().chain(added.labels));
        self.unknown.extend(of_blocks.unknown.into_iter().chain(added.unknown));
        self.stubs.extend(added.stubs);
        for file in added.files {
            if !self.files.contains(&file) {
                self.files.push(file);
            }
        }
    }
}

/// What was said with a file, without the sentence that Slack put around it until 2018: `<@U1|ann> uploaded a file:
/// <…|plan.pdf> and commented: words`. `None` if there is no such sentence.
fn of_upload<'a>(raw: &Value, text: &'a str) -> Option<&'a str> {
    if json::text_of_field(raw, "subtype") != Some("file_share") {
        return None;
    }
    let (_, did) = text.strip_prefix("<@")?.split_once("> ")?;
    let (did, link) = did.split_once(": <")?;
    let (verb, _) = did.split_once(' ')?;
    let (_, behind) = link.split_once('>')?;
    if !UPLOADS.contains(&verb) || did.contains('<') {
        return None;
    }
    if behind.trim().is_empty() { Some("") } else { behind.strip_prefix(COMMENTED) }
}

/// The message's own text, and the labels of the people it mentions.
fn own_text(markup: &str) -> (String, Vec<(String, String)>) {
    let mut out = NotationWriter::default();
    out.markup(markup);
    out.finish_with_labels()
}

/// Whether a text only says that there is something else.
fn is_placeholder(text: &str) -> bool {
    if text.len() > LONGEST_PLACEHOLDER {
        return false;
    }
    let plain = text.trim().trim_end_matches(['.', '。']).to_lowercase().replace('\u{2019}', "'");
    PLACEHOLDERS.contains(&plain.as_str())
}

/// Puts a message together: its text and its blocks, of which each says the other in its own way, then what is added.
/// Says whether the text was left out, since the blocks say all of it.
fn put_together(own: &str, of_blocks: &BlockTexts, added: &AttachmentTexts) -> (String, bool) {
    let plain = without_marks(own);
    if added.is_empty() && of_blocks.pieces.iter().all(|piece| without_marks(&piece.text) == plain) {
        // So it is of nearly all messages: their blocks say the text to the letter.
        return (if plain.trim().is_empty() { String::new() } else { plain.into_owned() }, false);
    }
    let mut shown = ShownPieces::default();
    let own_words = WordRuns::of(own);
    let in_own = SaidWords::of(&own_words);
    let pieces: Vec<(&BlockText, WordRuns)> =
        of_blocks.pieces.iter().map(|piece| (piece, WordRuns::of(&piece.text))).collect();
    let mut in_blocks = SaidWords::default();
    for (_, words) in &pieces {
        in_blocks.take(words);
    }
    let is_blank = own.trim().is_empty();
    let says_it_all = !is_blank && pieces.iter().all(|(_, words)| in_own.holds(words));
    let is_said = is_blank || (!says_it_all && !pieces.is_empty() && in_blocks.holds(&WordRuns::of_cut(own)));
    if !is_said {
        shown.put_whole(own, &own_words);
    }
    for (piece, words) in &pieces {
        if is_said {
            shown.put(&piece.text, words);
        } else if !in_own.holds(words) {
            match piece.is_typed.then(|| new_lines(&piece.text, &in_own)) {
                Some(lines) => shown.put(&lines, &WordRuns::of(&lines)),
                None => shown.put(&piece.text, words),
            }
        }
    }
    for piece in &added.pieces {
        match piece {
            AttachmentText::Own(words) => shown.add(words),
            AttachmentText::Quoted(words) => shown.quote(words),
        }
    }
    (shown.text(), is_said && !is_blank)
}

/// The lines that are not said already.
fn new_lines(text: &str, said: &SaidWords) -> String {
    let lines = text.split('\n').filter(|line| !said.holds(&WordRuns::of(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Every text in the parts of an object in which words stand, one behind the other.
fn texts_of(raw: &Value) -> String {
    let mut out = String::new();
    for key in ["text", "blocks", "attachments", "files", "file"] {
        if let Some(part) = raw.get(key) {
            collect_texts(part, &mut out, 0);
        }
    }
    out
}

fn collect_texts(value: &Value, out: &mut String, depth: usize) {
    if depth > DEEPEST || out.len() > MOST_UNSHOWN {
        return;
    }
    match value {
        Value::String(text) => {
            out.push_str(&crate::text::markup_as_notation(text));
            out.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, out, depth + 1)),
        Value::Object(fields) => {
            let words = fields.iter().filter(|(key, _)| !is_technical(key));
            words.for_each(|(_, value)| collect_texts(value, out, depth + 1));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a field holds no words: an address of a picture, a color, a kind.
fn is_technical(key: &str) -> bool {
    ["thumb_", "image_", "url_", "permalink_public"].iter().any(|begin| key.starts_with(begin))
        || matches!(
            key,
            "type" | "color" | "block_id" | "action_id" | "icon_url" | "author_icon" | "footer_icon"
        )
}
