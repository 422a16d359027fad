//! The limits of each kind of block.

use serde_json::Value;

use super::{
    Surface,
    elements::{self, ElementPlace, measure_element},
    measure::BlockMeasure,
};

const MOST_CHARS_OF_SECTION: usize = 3_000;
const MOST_FIELDS: usize = 10;
const MOST_CHARS_OF_FIELD: usize = 2_000;
const MOST_ACTIONS: usize = 25;
const MOST_CONTEXT_ACTIONS: usize = 5;
const MOST_CONTEXT: usize = 10;
const MOST_CHARS_OF_HEADER: usize = 150;
const MOST_CHARS_OF_LABEL: usize = 2_000;
const MOST_CHARS_OF_MARKDOWN: usize = 12_000;
const MOST_CHARS_OF_CARD_TITLE: usize = 150;
const MOST_CHARS_OF_CARD_BODY: usize = 200;
const MOST_CARDS: usize = 10;
const MOST_CHILDREN: usize = 10;
const MOST_ROWS: usize = 100;
const MOST_CELLS: usize = 20;
const MOST_CHARS_OF_CHART_TITLE: usize = 50;
/// How many charts a message holds.
pub(super) const MOST_CHARTS: usize = 2;

/// Measures a block by its kind. What Slack's documentation does not say to be taken on a surface counts as refused.
pub(super) fn measure_block(measure: &mut BlockMeasure, at: &str, block: &Value, surface: Surface) {
    let kind = block["type"].as_str().unwrap_or_default();
    match (kind, surface) {
        ("section", _) => measure_section(measure, at, block),
        ("header", _) => {
            measure.require(at, block, "text");
            measure.plain_text_object(at, block, "text", MOST_CHARS_OF_HEADER);
        }
        ("divider" | "rich_text" | "video" | "file", _) | ("alert", Surface::Modal) => {}
        ("image", _) => elements::measure_image(measure, at, block),
        ("context", _) => measure_context(measure, at, block),
        ("actions", _) => measure_elements(measure, at, block, MOST_ACTIONS, ElementPlace::Actions),
        ("input", _) => measure_input(measure, at, block),
        (_, Surface::Message) => measure_block_of_message(measure, at, block, kind),
        _ => measure.complain(at, format!("no block `{kind}` is taken in a {surface:?}")),
    }
}

/// Kinds of block that only messages take.
fn measure_block_of_message(measure: &mut BlockMeasure, at: &str, block: &Value, kind: &str) {
    match kind {
        "markdown" => measure.required_text(at, block, "text", MOST_CHARS_OF_MARKDOWN),
        "context_actions" => {
            measure_elements(measure, at, block, MOST_CONTEXT_ACTIONS, ElementPlace::ContextActions);
        }
        "card" => {
            measure.text_object(at, block, "title", MOST_CHARS_OF_CARD_TITLE);
            measure.text_object(at, block, "subtitle", MOST_CHARS_OF_CARD_TITLE);
            measure.text_object(at, block, "body", MOST_CHARS_OF_CARD_BODY);
        }
        "carousel" => {
            measure.require(at, block, "elements");
            let cards = measure.list(at, block, "elements", MOST_CARDS);
            for (number, card) in cards.iter().enumerate() {
                measure_block_of_message(measure, &format!("{at}/elements/{number}"), card, "card");
            }
        }
        "container" => measure_container(measure, at, block),
        "table" => {
            measure.require(at, block, "rows");
            let rows = measure.list(at, block, "rows", MOST_ROWS);
            for (number, row) in rows.iter().enumerate() {
                let cells = row.as_array().map_or(0, Vec::len);
                if cells > MOST_CELLS {
                    let what = format!("{cells} cells, at most {MOST_CELLS} are taken");
                    measure.complain(format!("{at}/rows/{number}"), what);
                }
            }
        }
        "data_table" => measure.require(at, block, "caption"),
        "data_visualization" => measure.text(at, block, "title", MOST_CHARS_OF_CHART_TITLE),
        "plan" => measure.require(at, block, "title"),
        "task_card" => ["task_id", "title"].into_iter().for_each(|key| measure.require(at, block, key)),
        _ => measure.complain(at, format!("no block `{kind}` is taken in a message")),
    }
}

fn measure_container(measure: &mut BlockMeasure, at: &str, block: &Value) {
    measure.text_object(at, block, "title", MOST_CHARS_OF_CARD_TITLE);
    let children = measure.list(at, block, "blocks", MOST_CHILDREN);
    for (number, child) in children.iter().enumerate() {
        let at = format!("{at}/blocks/{number}");
        let kind = child["type"].as_str().unwrap_or_default();
        if ["markdown", "card", "context_actions"].contains(&kind) {
            measure.complain(at, format!("no block `{kind}` is taken in a container"));
        } else {
            measure_block(measure, &at, child, Surface::Message);
        }
    }
}

fn measure_section(measure: &mut BlockMeasure, at: &str, block: &Value) {
    measure.text_object(at, block, "text", MOST_CHARS_OF_SECTION);
    let fields = measure.list(at, block, "fields", MOST_FIELDS);
    for (number, field) in fields.iter().enumerate() {
        measure.one_text_object(&format!("{at}/fields/{number}"), field, MOST_CHARS_OF_FIELD);
    }
    if block.get("text").is_none() && block.get("fields").is_none() {
        measure.complain(at, "has neither `text` nor `fields`");
    }
    if let Some(accessory) = block.get("accessory").filter(|accessory| !accessory.is_null()) {
        measure_element(measure, &format!("{at}/accessory"), accessory, ElementPlace::Accessory);
    }
}

fn measure_context(measure: &mut BlockMeasure, at: &str, block: &Value) {
    measure.require(at, block, "elements");
    let all = measure.list(at, block, "elements", MOST_CONTEXT);
    for (number, element) in all.iter().enumerate() {
        let at = format!("{at}/elements/{number}");
        if element["type"] == "image" {
            elements::measure_image(measure, &at, element);
        } else {
            measure.one_text_object(&at, element, MOST_CHARS_OF_SECTION);
        }
    }
}

fn measure_elements(measure: &mut BlockMeasure, at: &str, block: &Value, most: usize, place: ElementPlace) {
    measure.require(at, block, "elements");
    let all = measure.list(at, block, "elements", most);
    for (number, element) in all.iter().enumerate() {
        measure_element(measure, &format!("{at}/elements/{number}"), element, place);
    }
}

fn measure_input(measure: &mut BlockMeasure, at: &str, block: &Value) {
    measure.require(at, block, "label");
    measure.plain_text_object(at, block, "label", MOST_CHARS_OF_LABEL);
    measure.plain_text_object(at, block, "hint", MOST_CHARS_OF_LABEL);
    measure.require(at, block, "element");
    if let Some(element) = block.get("element") {
        measure_element(measure, &format!("{at}/element"), element, ElementPlace::Input);
    }
}
