//! Reads rich text (docs.slack.dev, rich text block): what people type, as Slack keeps it.

use serde_json::Value;

use super::blocks::DEEPEST;
use crate::{
    json,
    text::{NotationWriter, date},
};

/// The deepest indentation of a list that is written.
const DEEPEST_INDENT: u64 = 8;

/// Writes the paragraphs, lists, quotes and code of a rich text, each from a new line on.
pub(super) fn write_rich_text(block: &Value, out: &mut NotationWriter) {
    for part in json::list_of_field(block, "elements") {
        write_part(part, out, 0);
    }
}

/// Writes a rich text without line breaks of its own, as in a cell of a table.
pub(super) fn write_in_line(block: &Value, out: &mut NotationWriter) {
    out.in_line(|inner| write_rich_text(block, inner));
}

fn write_part(part: &Value, out: &mut NotationWriter, depth: usize) {
    match json::text_of_field(part, "type") {
        Some("rich_text_list") => write_list(part, out, depth),
        Some("rich_text_quote") => {
            out.begin_quote();
            write_all(part, out, depth);
            out.end_quote();
        }
        _ => {
            out.new_line();
            write_inline(part, out, depth);
        }
    }
}

fn write_list(list: &Value, out: &mut NotationWriter, depth: usize) {
    let indent = list.get("indent").and_then(Value::as_u64).unwrap_or_default().min(DEEPEST_INDENT);
    let first = list.get("offset").and_then(Value::as_u64).unwrap_or_default().saturating_add(1);
    let is_ordered = json::text_of_field(list, "style") == Some("ordered");
    for (number, item) in (first..).zip(json::list_of_field(list, "elements")) {
        if json::text_of_field(item, "type") == Some("rich_text_list") && depth < DEEPEST {
            write_list(item, out, depth + 1);
            continue;
        }
        out.new_line();
        (0..indent).for_each(|_| out.words("  "));
        if is_ordered {
            out.loose(&format!("{number}. "));
        } else {
            out.words("• ");
        }
        write_inline(item, out, depth);
    }
}

fn write_inline(element: &Value, out: &mut NotationWriter, depth: usize) {
    let own = |key| json::text_of_field(element, key).unwrap_or_default();
    match own("type") {
        "user" => out.user(own("user_id")),
        "channel" => out.channel(own("channel_id")),
        "usergroup" => out.loose(&format!("@{}", own("usergroup_id"))),
        "team" => out.loose(&format!("@{}", own("team_id"))),
        "broadcast" => out.words(&format!("@{}", own("range"))),
        "emoji" => out.words(&emoji_as_text(element)),
        "link" => out.link(own("url"), json::text_of_field(element, "text")),
        "date" => out.loose(&shown_date(element)),
        "color" => out.words(own("value")),
        "text" => out.words(own("text")),
        // Mentions of things: a work object, an app's attachment.
        _ if json::text_of_field(element, "url").is_some() => {
            out.link(own("url"), json::text_of_field(element, "text"));
        }
        _ if !json::list_of_field(element, "elements").is_empty() => write_all(element, out, depth),
        _ => {
            let words = ["text", "title", "name", "fallback"]
                .iter()
                .find_map(|key| json::text_of_field(element, key));
            out.words(words.unwrap_or_default());
        }
    }
}

fn write_all(section: &Value, out: &mut NotationWriter, depth: usize) {
    if depth >= DEEPEST {
        return;
    }
    for element in json::list_of_field(section, "elements") {
        if matches!(json::text_of_field(element, "type"), Some("rich_text_list" | "rich_text_quote")) {
            write_part(element, out, depth + 1);
        } else {
            write_inline(element, out, depth + 1);
        }
    }
}

fn emoji_as_text(element: &Value) -> String {
    let name = json::text_of_field(element, "name").unwrap_or_default();
    match element.get("skin_tone").and_then(Value::as_u64) {
        Some(tone) => format!(":{name}::skin-tone-{tone}:"),
        None => format!(":{name}:"),
    }
}

/// A date as its author had it shown, or else as far as we can tell.
fn shown_date(element: &Value) -> String {
    if let Some(fallback) = json::text_of_field(element, "fallback") {
        return fallback.to_owned();
    }
    let seconds = element.get("timestamp").and_then(Value::as_i64).unwrap_or_default();
    date::instant_in_format(seconds, json::text_of_field(element, "format").unwrap_or_default())
}
