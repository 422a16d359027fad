//! Reads the words in Slack's blocks (docs.slack.dev, Block Kit), as its client shows them.
//!
//! What is there to be typed into or chosen from says nothing yet; what stands on a button is read. A block of a kind
//! that is not known gives the texts in it, in order, and is told.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rich_text;
use crate::{json, text::NotationWriter};

/// How deep blocks may lie in one another: Slack allows two levels.
pub(super) const DEEPEST: usize = 8;
/// The most blocks of a message that are read: Slack allows fifty, and ten in each container.
const MOST_BLOCKS: usize = 600;
/// Fields of a block of an unknown kind that may hold words.
const WORDS: [&str; 17] = [
    "alt_text",
    "body",
    "caption",
    "content",
    "description",
    "fallback",
    "footer",
    "header",
    "heading",
    "hint",
    "label",
    "message",
    "name",
    "subtitle",
    "summary",
    "text",
    "title",
];

/// What the blocks of a message say.
#[derive(Default)]
pub(super) struct BlockTexts {
    /// The words of each block that has any.
    pub(super) pieces: Vec<BlockText>,
    /// Ids and labels of the people whom they mention.
    pub(super) labels: Vec<(String, String)>,
    /// Kinds of blocks that are not known.
    pub(super) unknown: BTreeSet<String>,
}

/// The words of a block.
pub(super) struct BlockText {
    pub(super) text: String,
    /// Whether it is what somebody typed, which `text` repeats line by line.
    pub(super) is_typed: bool,
}

/// Reads blocks. With `is_quoted` they are somebody else's words, in which nobody is called.
pub(super) fn read_blocks_of(blocks: Vec<&Value>, is_quoted: bool) -> BlockTexts {
    let mut reader = BlockReader { left: MOST_BLOCKS, unknown: BTreeSet::new() };
    let mut read = BlockTexts::default();
    for block in blocks {
        let mut out = if is_quoted { NotationWriter::quoting() } else { NotationWriter::default() };
        reader.write_block(block, &mut out, 0);
        let (text, labels) = out.finish_with_labels();
        read.labels.extend(labels);
        if !text.trim().is_empty() {
            let is_typed = json::text_of_field(block, "type") == Some("rich_text");
            read.pieces.push(BlockText { text, is_typed });
        }
    }
    read.unknown = reader.unknown;
    read
}

struct BlockReader {
    /// How many blocks are still read.
    left: usize,
    unknown: BTreeSet<String>,
}

impl BlockReader {
    fn write_block(&mut self, block: &Value, out: &mut NotationWriter, depth: usize) {
        if self.left == 0 || depth > DEEPEST {
            return;
        }
        self.left -= 1;
        match json::text_of_field(block, "type").unwrap_or_default() {
            "rich_text" => rich_text::write_rich_text(block, out),
            "markdown" => {
                out.new_line();
                out.markup(json::text_of_field(block, "text").unwrap_or_default());
            }
            "section" | "header" | "context" | "alert" => write_laid_out(block, out),
            "image" | "video" => write_media(block, out),
            "actions" => {
                for element in json::list_of_field(block, "elements") {
                    write_element(element, out);
                }
            }
            "table" | "data_table" => write_table(block, out),
            "card" => write_card(block, out),
            "carousel" => self.write_each(block, "elements", out, depth),
            "container" => self.write_container(block, out, depth),
            "plan" => {
                write_text(block.get("title"), out);
                for task in json::list_of_field(block, "tasks") {
                    self.write_task(task, out, depth + 1);
                }
            }
            "task_card" => self.write_task(block, out, depth),
            "input" => ["label", "hint"].iter().for_each(|key| write_text(block.get(key), out)),
            // Lines, icons, and files that stand among the message's.
            "divider" | "context_actions" | "file" => {}
            // Charts are words and numbers in no fixed places.
            "data_visualization" => write_any(block, out, 0),
            kind => {
                self.unknown.insert(kind.chars().filter(|c| !c.is_control()).take(40).collect());
                write_any(block, out, 0);
            }
        }
    }

    fn write_each(&mut self, block: &Value, key: &str, out: &mut NotationWriter, depth: usize) {
        for inner in json::list_of_field(block, key) {
            self.write_block(inner, out, depth + 1);
        }
    }

    fn write_container(&mut self, block: &Value, out: &mut NotationWriter, depth: usize) {
        match block.get("rich_text_title") {
            Some(title) => rich_text::write_rich_text(title, out),
            None => write_text(block.get("title"), out),
        }
        write_text(block.get("subtitle"), out);
        self.write_each(block, "child_blocks", out, depth);
    }

    fn write_task(&mut self, block: &Value, out: &mut NotationWriter, depth: usize) {
        write_text(block.get("title"), out);
        for inner in ["details", "output"].iter().filter_map(|key| block.get(key)) {
            if inner.is_string() {
                write_text(Some(inner), out);
            } else {
                self.write_block(inner, out, depth + 1);
            }
        }
        for source in json::list_of_field(block, "sources") {
            out.new_line();
            out.link(
                json::text_of_field(source, "url").unwrap_or_default(),
                json::text_of_field(source, "text"),
            );
        }
    }
}

/// Writes text objects in known places.
fn write_laid_out(block: &Value, out: &mut NotationWriter) {
    for key in ["title", "text"] {
        write_text(block.get(key), out);
    }
    for object in ["fields", "elements"].iter().flat_map(|key| json::list_of_field(block, key)) {
        if object.get("alt_text").is_some() {
            write_media(object, out);
        } else {
            write_text(Some(object), out);
        }
    }
    if let Some(accessory) = block.get("accessory") {
        write_element(accessory, out);
    }
}

/// Writes an image or a video: its title and what goes with it, else what it shows in words.
fn write_media(block: &Value, out: &mut NotationWriter) {
    for key in ["title", "description"] {
        write_text(block.get(key), out);
    }
    for key in ["author_name", "provider_name", "alt_text"] {
        write_line(out, json::text_of_field(block, key));
    }
}

fn write_card(block: &Value, out: &mut NotationWriter) {
    if let Some(image) = block.get("hero_image") {
        write_media(image, out);
    }
    for key in ["title", "subtitle", "body"] {
        write_text(block.get(key), out);
    }
    for element in json::list_of_field(block, "actions") {
        write_element(element, out);
    }
}

/// Writes what a control shows: what stands on a button, what can be ticked, what is chosen, what an image shows.
fn write_element(element: &Value, out: &mut NotationWriter) {
    match json::text_of_field(element, "type").unwrap_or_default() {
        "button" | "workflow_button" => write_text(element.get("text"), out),
        "image" => write_media(element, out),
        "checkboxes" | "radio_buttons" => {
            for option in json::list_of_field(element, "options") {
                for key in ["text", "description"] {
                    write_text(option.get(key), out);
                }
            }
        }
        _ => {
            let chosen = element
                .get("initial_option")
                .into_iter()
                .chain(json::list_of_field(element, "initial_options"));
            chosen.for_each(|option| write_text(option.get("text"), out));
            write_line(out, json::text_of_field(element, "initial_date"));
        }
    }
}

fn write_table(block: &Value, out: &mut NotationWriter) {
    write_text(block.get("caption"), out);
    for row in json::list_of_field(block, "rows") {
        out.new_line();
        for (column, cell) in row.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
            if column > 0 {
                out.words(" | ");
            }
            write_cell(cell, out);
        }
    }
}

fn write_cell(cell: &Value, out: &mut NotationWriter) {
    if let Some(words) = json::text_of_field(cell, "text") {
        if json::text_of_field(cell, "type") == Some("mrkdwn") { out.markup(words) } else { out.words(words) }
    } else if let Some(number) = cell.get("value").filter(|value| value.is_number()) {
        out.words(&number.to_string());
    } else if cell.get("elements").is_some() {
        rich_text::write_in_line(cell, out);
    } else {
        // Something to press or to choose from, or a kind that is not known.
        out.in_line(|inner| write_any(cell, inner, 0));
    }
}

/// Writes a text object, or a bare text, from a new line on.
fn write_text(object: Option<&Value>, out: &mut NotationWriter) {
    let Some(object) = object else { return };
    if let Some(words) = object.as_str() {
        return write_line(out, Some(words));
    }
    if json::text_of_field(object, "type") == Some("rich_text") {
        return rich_text::write_rich_text(object, out);
    }
    let Some(words) = json::text_of_field(object, "text") else { return };
    out.new_line();
    if json::text_of_field(object, "type") == Some("mrkdwn") { out.markup(words) } else { out.escaped(words) }
}

fn write_line(out: &mut NotationWriter, words: Option<&str>) {
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        out.new_line();
        out.words(words);
    }
}

/// Writes whatever texts there are, depth first.
fn write_any(value: &Value, out: &mut NotationWriter, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| write_any(value, out, depth + 1)),
        Value::Object(fields) => {
            if json::text_of_field(value, "type") == Some("rich_text") {
                return rich_text::write_rich_text(value, out);
            }
            if matches!(json::text_of_field(value, "type"), Some("mrkdwn" | "plain_text" | "raw_text")) {
                return write_text(Some(value), out);
            }
            for (key, field) in fields {
                match field.as_str() {
                    Some(words) if WORDS.contains(&key.as_str()) => write_line(out, Some(words)),
                    Some(_) => {}
                    None => write_any(field, out, depth + 1),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
