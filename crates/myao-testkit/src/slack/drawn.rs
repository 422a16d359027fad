//! Blocks as text, roughly as a person sees them.

use serde_json::Value;

/// A message: its blocks if it has any, else its text.
pub fn draw_message(text: &str, blocks: Option<&Value>) -> String {
    blocks.map_or_else(|| text.to_owned(), draw_blocks)
}

/// A list of blocks, one or more lines for each.
pub fn draw_blocks(blocks: &Value) -> String {
    let blocks = blocks.as_array().map(Vec::as_slice).unwrap_or_default();
    blocks.iter().map(draw_block).filter(|drawn| !drawn.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A view: title, blocks, and the buttons at its foot.
pub fn draw_view(view: &Value) -> String {
    let mut lines = Vec::new();
    if let Some(title) = view.get("title").filter(|title| !title.is_null()) {
        lines.push(format!("== {} ==", text_of(title)));
    }
    lines.push(draw_blocks(&view["blocks"]));
    let feet = ["close", "submit"].into_iter().filter_map(|key| view.get(key).filter(|foot| !foot.is_null()));
    let feet: Vec<String> = feet.map(|foot| format!("[{}]", text_of(foot))).collect();
    if !feet.is_empty() {
        lines.push(feet.join(" "));
    }
    lines.join("\n")
}

fn draw_block(block: &Value) -> String {
    match kind_of(block) {
        "header" => format!("# {}", text_of(&block["text"])),
        "divider" => "---".to_owned(),
        "actions" | "context_actions" | "context" => draw_elements(block),
        "input" => format!("{}: {}", text_of(&block["label"]), draw_element(&block["element"])),
        "markdown" => block["text"].as_str().unwrap_or_default().to_owned(),
        "image" => format!("<image: {}>", block["alt_text"].as_str().unwrap_or_default()),
        "section" => draw_section(block),
        _ => {
            let mut words = Vec::new();
            collect_words(block, &mut words);
            words.join(" ")
        }
    }
}

fn draw_section(block: &Value) -> String {
    let text = block.get("text").map(text_of).filter(|text| !text.is_empty());
    let fields = block["fields"].as_array().map(Vec::as_slice).unwrap_or_default().iter().map(text_of);
    let lines = text.into_iter().chain(fields).collect::<Vec<_>>().join("\n");
    match block.get("accessory") {
        Some(accessory) => format!("{lines} {}", draw_element(accessory)),
        None => lines,
    }
}

fn draw_elements(block: &Value) -> String {
    let elements = block["elements"].as_array().map(Vec::as_slice).unwrap_or_default();
    elements.iter().map(draw_element).collect::<Vec<_>>().join(" ")
}

/// A button stands in brackets, a choice in braces with its options, a field to type in as a line.
fn draw_element(element: &Value) -> String {
    match kind_of(element) {
        "button" | "workflow_button" | "icon_button" => format!("[{}]", text_of(&element["text"])),
        "image" => format!("<image: {}>", element["alt_text"].as_str().unwrap_or_default()),
        "plain_text" | "mrkdwn" => text_of(element),
        "feedback_buttons" => {
            let buttons = ["/positive_button/text", "/negative_button/text"];
            let texts = buttons.map(|place| element.pointer(place).map(text_of).unwrap_or_default());
            texts.map(|text| format!("[{text}]")).join(" ")
        }
        kind if element.get("options").is_some() => {
            let options = element["options"].as_array().map(Vec::as_slice).unwrap_or_default();
            let options: Vec<String> = options.iter().map(|option| text_of(&option["text"])).collect();
            format!("{{{kind}: {}}}", options.join(" | "))
        }
        _ => {
            let initial = element.get("initial_value").and_then(Value::as_str);
            initial.map_or_else(|| "____".to_owned(), |value| format!("_{value}_"))
        }
    }
}

/// The words of a block that has no drawing of its own: all its texts, in order.
fn collect_words(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| collect_words(one, words)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field.as_str() {
                    Some(text) if matches!(key.as_str(), "text" | "title" | "caption" | "url") => {
                        words.push(text.to_owned());
                    }
                    _ => collect_words(field, words),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn kind_of(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The text of a text object.
fn text_of(object: &Value) -> String {
    object.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
}
