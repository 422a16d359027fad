//! The limits of a view as a whole.

use serde_json::Value;

use super::{LimitBreach, MOST_CHARS_OF_ID, MOST_VIEW_BYTES, Surface, measure::BlockMeasure, measure_blocks};

const MOST_CHARS_OF_TITLE: usize = 24;
const MOST_CHARS_OF_METADATA: usize = 3_000;
/// The fields of a view of either type.
const FIELDS: [&str; 5] = ["type", "blocks", "private_metadata", "callback_id", "external_id"];
/// The fields of a modal besides.
const FIELDS_OF_MODAL: [&str; 6] =
    ["title", "close", "submit", "clear_on_close", "notify_on_close", "submit_disabled"];

/// The limits that a view does not keep, be it a modal or a Home tab.
pub fn check_view(view: &Value) -> Vec<LimitBreach> {
    let mut measure = BlockMeasure::default();
    let surface = match view["type"].as_str() {
        Some("modal") => Surface::Modal,
        Some("home") => Surface::Home,
        _ => {
            measure.complain("/type", "a view is a `modal` or a `home`");
            return measure.found;
        }
    };
    if view.to_string().len() > MOST_VIEW_BYTES {
        measure.complain("", format!("a view of more than {MOST_VIEW_BYTES} bytes"));
    }
    for key in view.as_object().into_iter().flat_map(|fields| fields.keys()) {
        let key = key.as_str();
        let is_known = FIELDS.contains(&key) || (surface == Surface::Modal && FIELDS_OF_MODAL.contains(&key));
        if !is_known {
            measure.complain(format!("/{key}"), format!("a {surface:?} has no field `{key}`"));
        }
    }
    if surface == Surface::Modal {
        measure_modal(&mut measure, view);
    }
    // These two may be empty.
    for (key, most) in [("private_metadata", MOST_CHARS_OF_METADATA), ("callback_id", MOST_CHARS_OF_ID)] {
        if view.get(key).and_then(Value::as_str) != Some("") {
            measure.text("", view, key, most);
        }
    }
    measure.text("", view, "external_id", MOST_CHARS_OF_ID);
    measure.require("", view, "blocks");
    if let Some(blocks) = view.get("blocks") {
        measure_blocks(&mut measure, "/blocks", blocks, surface);
    }
    measure.found
}

fn measure_modal(measure: &mut BlockMeasure, view: &Value) {
    measure.require("", view, "title");
    for key in ["title", "close", "submit"] {
        measure.plain_text_object("", view, key, MOST_CHARS_OF_TITLE);
    }
    let blocks = view["blocks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_input = blocks.iter().any(|block| block["type"] == "input");
    if has_input && view.get("submit").is_none_or(Value::is_null) {
        measure.complain("/submit", "a modal with an input block needs `submit`");
    }
}
