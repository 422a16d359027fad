//! Blocks: those of Slack's own clients (`rich_text`, beside a message's text), and those that an app sent.

use serde_json::{Value, json};

/// The block of a message of this text.
pub(super) fn rich_text(text: &str) -> Value {
    let elements = elements_of_text(text);
    json!([{
        "type": "rich_text",
        "block_id": "fAk3",
        "elements": [{"type": "rich_text_section", "elements": elements}],
    }])
}

fn elements_of_text(text: &str) -> Vec<Value> {
    let mut elements = Vec::new();
    let mut rest = text;
    while let Some((plain, marked)) = rest.split_once('<') {
        let Some((mark, after)) = marked.split_once('>') else { break };
        push_plain(&mut elements, plain);
        elements.push(element_for_mark(mark));
        rest = after;
    }
    push_plain(&mut elements, rest);
    elements
}

fn push_plain(elements: &mut Vec<Value>, text: &str) {
    if !text.is_empty() {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        elements.push(json!({"type": "text", "text": text}));
    }
}

/// The element for a mark in angle brackets: a person, a channel, a call to everybody, or a link.
fn element_for_mark(mark: &str) -> Value {
    let (target, label) = mark.split_once('|').map_or((mark, None), |(target, label)| (target, Some(label)));
    if let Some(user) = target.strip_prefix('@') {
        json!({"type": "user", "user_id": user})
    } else if let Some(channel) = target.strip_prefix('#') {
        json!({"type": "channel", "channel_id": channel})
    } else if let Some(range) = target.strip_prefix('!') {
        json!({"type": "broadcast", "range": range})
    } else if let Some(label) = label {
        json!({"type": "link", "url": target, "text": label})
    } else {
        json!({"type": "link", "url": target})
    }
}

/// The blocks that an app sent, as Slack keeps them: each has a `block_id`.
pub(super) fn with_ids(blocks: &Value) -> Value {
    let mut kept = blocks.clone();
    let all = kept.as_array_mut().map(Vec::as_mut_slice).unwrap_or_default();
    for (number, block) in all.iter_mut().enumerate() {
        if let Value::Object(fields) = block {
            fields.entry("block_id").or_insert_with(|| format!("fAk{number}").into());
        }
    }
    kept
}

/// The text as Slack stores it: `&` and stray `<` are escaped. What is escaped or a mark already stays as it is.
pub(super) fn escape_as_stored(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        let (plain, marked) = rest.split_at(at);
        out.push_str(plain);
        let known = ["&amp;", "&lt;", "&gt;"].into_iter().find(|entity| marked.starts_with(entity));
        let taken = match known {
            Some(entity) => entity.len(),
            None if marked.starts_with('&') => 0,
            None => mark_length(marked),
        };
        if taken == 0 {
            out.push_str(if marked.starts_with('&') { "&amp;" } else { "&lt;" });
            rest = marked.split_at(1).1;
        } else {
            let (kept, after) = marked.split_at(taken);
            out.push_str(kept);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// The length in bytes of the mark at the start of `text`; 0 if there is none.
fn mark_length(text: &str) -> usize {
    let Some((mark, _)) = text.split_once('>') else { return 0 };
    let Some(inside) = mark.strip_prefix('<').filter(|inside| !inside.contains('<')) else { return 0 };
    let target = inside.split_once('|').map_or(inside, |(target, _)| target);
    let is_link = target.contains("://") || target.starts_with("mailto:");
    let is_mark = target.starts_with(['@', '#', '!']) || (is_link && !target.contains(' '));
    if is_mark { mark.len() + 1 } else { 0 }
}
