//! Reads the words in Slack's blocks (docs.slack.dev, Block Kit), a line for each block.
//!
//! Blocks are only read where a message has no text of its own. Buttons and inputs are skipped.

use serde_json::Value;

use crate::{json, text::NotationWriter};

/// All words of these blocks.
pub(super) fn text(blocks: &[Value]) -> String {
    let mut out = NotationWriter::default();
    for block in blocks {
        write_block(block, &mut out);
    }
    out.finish()
}

fn write_block(block: &Value, out: &mut NotationWriter) {
    match json::text(block, "type") {
        Some("rich_text") => json::list(block, "elements").iter().for_each(|part| write_part(part, out)),
        Some("markdown") => {
            out.new_line();
            out.words(json::text(block, "text").unwrap_or_default());
        }
        Some("table") => json::list(block, "rows").iter().for_each(|row| write_row(row, out)),
        Some("actions" | "input" | "divider") => {}
        _ => write_laid_out(block, out),
    }
}

/// Writes sections, headers, contexts, images and videos, which have text objects in known places.
fn write_laid_out(block: &Value, out: &mut NotationWriter) {
    let own = ["title", "text"].iter().filter_map(|key| block.get(key));
    let listed = ["fields", "elements"].iter().flat_map(|key| json::list(block, key));
    for object in own.chain(listed) {
        write_text_object(object, out);
    }
    if let Some(shown) = json::text(block, "alt_text") {
        out.new_line();
        out.words(shown);
    }
}

fn write_text_object(object: &Value, out: &mut NotationWriter) {
    let Some(words) = json::text(object, "text").or_else(|| json::text(object, "alt_text")) else { return };
    out.new_line();
    if json::text(object, "type") == Some("mrkdwn") { out.markup(words) } else { out.escaped(words) }
}

fn write_row(row: &Value, out: &mut NotationWriter) {
    out.new_line();
    for (column, cell) in row.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
        if column > 0 {
            out.words(" | ");
        }
        match json::text(cell, "text") {
            Some(words) => out.words(words),
            None => write_all(cell, out),
        }
    }
}

/// Writes a paragraph, quote, code block or list of a rich text.
fn write_part(part: &Value, out: &mut NotationWriter) {
    let is_list = json::text(part, "type") == Some("rich_text_list");
    if !is_list {
        out.new_line();
    }
    for element in json::list(part, "elements") {
        if is_list {
            out.new_line();
            out.words("• ");
        }
        write_inline(element, out);
    }
}

fn write_inline(element: &Value, out: &mut NotationWriter) {
    let own = |key| json::text(element, key).unwrap_or_default();
    match own("type") {
        "user" => out.user(own("user_id")),
        "channel" => out.channel(own("channel_id")),
        "usergroup" => out.words(&format!("@{}", own("usergroup_id"))),
        "broadcast" => out.words(&format!("@{}", own("range"))),
        "emoji" => out.words(&format!(":{}:", own("name"))),
        "link" => out.link(own("url"), json::text(element, "text")),
        "date" => out.words(own("fallback")),
        "color" => out.words(own("value")),
        "rich_text_section" => write_all(element, out),
        _ => out.words(own("text")),
    }
}

fn write_all(section: &Value, out: &mut NotationWriter) {
    for element in json::list(section, "elements") {
        write_inline(element, out);
    }
}
