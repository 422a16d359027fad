//! The limits of elements: buttons, choices, and what one types in.

use serde_json::Value;

use super::{MOST_CHARS_OF_ID, measure::BlockMeasure};

const MOST_CHARS_OF_BUTTON: usize = 75;
const MOST_CHARS_OF_VALUE: usize = 2_000;
const MOST_CHARS_OF_URL: usize = 3_000;
const MOST_CHARS_OF_PLACEHOLDER: usize = 150;
const MOST_CHARS_OF_INPUT: usize = 3_000;
const MOST_OPTIONS: usize = 100;
const MOST_OVERFLOW_OPTIONS: usize = 5;
const MOST_BOXES: usize = 10;
const MOST_CHARS_OF_OPTION: usize = 75;
const MOST_CHARS_OF_OPTION_VALUE: usize = 150;
const MOST_CHARS_OF_CONFIRM_TITLE: usize = 100;
const MOST_CHARS_OF_CONFIRM_TEXT: usize = 300;
const MOST_CHARS_OF_CONFIRM_BUTTON: usize = 30;
pub(super) const MOST_CHARS_OF_ALT: usize = 2_000;

/// Elements that one types or picks something in, besides buttons and those with options.
const PICKERS: [&str; 12] = [
    "channels_select",
    "conversations_select",
    "datepicker",
    "datetimepicker",
    "external_select",
    "multi_channels_select",
    "multi_conversations_select",
    "multi_external_select",
    "multi_users_select",
    "timepicker",
    "users_select",
    "workflow_button",
];
/// Elements that only an input block takes.
const FIELDS: [&str; 6] = [
    "email_text_input",
    "file_input",
    "number_input",
    "plain_text_input",
    "rich_text_input",
    "url_text_input",
];

/// Where in a block an element stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementPlace {
    /// Among the elements of an `actions` block.
    Actions,
    /// Beside a section.
    Accessory,
    /// In an `input` block.
    Input,
    /// Among the elements of a `context_actions` block.
    ContextActions,
}

/// The elements of a block, wherever they stand in it.
pub(super) fn elements_of_block(block: &Value) -> impl Iterator<Item = &Value> {
    let many = block.get("elements").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let single = [block.get("accessory"), block.get("element")];
    many.iter().chain(single.into_iter().flatten())
}

/// Measures one element.
pub(super) fn measure_element(measure: &mut BlockMeasure, at: &str, element: &Value, place: ElementPlace) {
    measure.text(at, element, "action_id", MOST_CHARS_OF_ID);
    measure.plain_text_object(at, element, "placeholder", MOST_CHARS_OF_PLACEHOLDER);
    if let Some(confirm) = element.get("confirm").filter(|confirm| !confirm.is_null()) {
        measure_confirm(measure, &format!("{at}/confirm"), confirm);
    }
    let kind = element["type"].as_str().unwrap_or_default();
    match (kind, place) {
        ("button", ElementPlace::Actions | ElementPlace::Accessory) => measure_button(measure, at, element),
        ("feedback_buttons", ElementPlace::ContextActions) => {
            for key in ["positive_button", "negative_button"] {
                measure.require(at, element, key);
                let button = element.get(key).cloned().unwrap_or_default();
                measure_button(measure, &format!("{at}/{key}"), &button);
            }
        }
        ("icon_button", ElementPlace::ContextActions) => {
            measure.require(at, element, "icon");
            measure_button(measure, at, element);
        }
        ("image", ElementPlace::Accessory) => measure_image(measure, at, element),
        ("overflow", ElementPlace::Actions | ElementPlace::Accessory) => {
            measure_options(measure, at, element, MOST_OVERFLOW_OPTIONS);
        }
        (
            "checkboxes" | "radio_buttons",
            ElementPlace::Actions | ElementPlace::Accessory | ElementPlace::Input,
        ) => {
            measure_options(measure, at, element, MOST_BOXES);
        }
        (
            "static_select" | "multi_static_select",
            ElementPlace::Actions | ElementPlace::Accessory | ElementPlace::Input,
        ) => {
            measure_select(measure, at, element);
        }
        (kind, ElementPlace::Input) if FIELDS.contains(&kind) => {
            if kind == "plain_text_input" {
                measure.text(at, element, "initial_value", MOST_CHARS_OF_INPUT);
            }
        }
        (kind, ElementPlace::Actions | ElementPlace::Accessory | ElementPlace::Input)
            if PICKERS.contains(&kind) => {}
        _ => measure.complain(at, format!("no element `{kind}` is taken here")),
    }
}

/// Measures an image, as a block or an element.
pub(super) fn measure_image(measure: &mut BlockMeasure, at: &str, image: &Value) {
    measure.required_text(at, image, "alt_text", MOST_CHARS_OF_ALT);
    measure.text(at, image, "image_url", MOST_CHARS_OF_URL);
    if image.get("image_url").is_none() && image.get("slack_file").is_none() {
        measure.complain(at, "has neither `image_url` nor `slack_file`");
    }
}

fn measure_button(measure: &mut BlockMeasure, at: &str, button: &Value) {
    measure.require(at, button, "text");
    measure.plain_text_object(at, button, "text", MOST_CHARS_OF_BUTTON);
    measure.text(at, button, "value", MOST_CHARS_OF_VALUE);
    measure.text(at, button, "url", MOST_CHARS_OF_URL);
    measure.text(at, button, "accessibility_label", MOST_CHARS_OF_BUTTON);
    let style = button.get("style").and_then(Value::as_str);
    if style.is_some_and(|style| !["primary", "danger"].contains(&style)) {
        measure.complain(format!("{at}/style"), "a style is `primary` or `danger`");
    }
}

/// A select has options or groups of options, not both.
fn measure_select(measure: &mut BlockMeasure, at: &str, select: &Value) {
    let groups = measure.list(at, select, "option_groups", MOST_OPTIONS);
    for (number, group) in groups.iter().enumerate() {
        let at = format!("{at}/option_groups/{number}");
        measure.require(&at, group, "label");
        measure.plain_text_object(&at, group, "label", MOST_CHARS_OF_OPTION);
        measure_options(measure, &at, group, MOST_OPTIONS);
    }
    let has_options = select.get("options").is_some_and(|options| !options.is_null());
    if groups.is_empty() {
        measure_options(measure, at, select, MOST_OPTIONS);
    } else if has_options {
        measure.complain(at, "has both `options` and `option_groups`");
    }
}

fn measure_options(measure: &mut BlockMeasure, at: &str, element: &Value, most: usize) {
    measure.require(at, element, "options");
    let options = measure.list(at, element, "options", most);
    for (number, option) in options.iter().enumerate() {
        let at = format!("{at}/options/{number}");
        measure.require(&at, option, "text");
        measure.text_object(&at, option, "text", MOST_CHARS_OF_OPTION);
        measure.plain_text_object(&at, option, "description", MOST_CHARS_OF_OPTION);
        measure.required_text(&at, option, "value", MOST_CHARS_OF_OPTION_VALUE);
    }
}

fn measure_confirm(measure: &mut BlockMeasure, at: &str, confirm: &Value) {
    for (key, most) in [
        ("title", MOST_CHARS_OF_CONFIRM_TITLE),
        ("confirm", MOST_CHARS_OF_CONFIRM_BUTTON),
        ("deny", MOST_CHARS_OF_CONFIRM_BUTTON),
    ] {
        measure.require(at, confirm, key);
        measure.plain_text_object(at, confirm, key, most);
    }
    measure.require(at, confirm, "text");
    measure.text_object(at, confirm, "text", MOST_CHARS_OF_CONFIRM_TEXT);
}
