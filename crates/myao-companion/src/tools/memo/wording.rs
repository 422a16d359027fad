//! Describes the memo tools to a model, in the language of the prompts.

use myao_core::{mandate::Intent, ports::ToolSpec, text::Language};
use serde_json::{Value, json};

use super::{ADD_MEMO, EDIT_MEMO, GET_MEMO, LIST_MEMO, LIST_MEMO_TAGS, REMOVE_MEMO};
use crate::tools::{
    Effect, Tool,
    description::{spec_in_language, text_argument},
};

/// The tools that look things up. All descriptions are as short as they can be, since they are sent with every prompt:
/// what an argument's name tells is not said again, and a model that exceeds a bound is told so by the answer.
pub(super) fn tools_that_read(language: Language) -> Vec<ToolSpec> {
    vec![
        spec_in_language(
            language,
            LIST_MEMO,
            "memo-list",
            &[],
            &json!({"tag": text_argument(), "offset": number_argument()}),
        ),
        spec_in_language(language, GET_MEMO, "memo-get", &["name"], &json!({"name": text_argument()})),
        spec_in_language(
            language,
            LIST_MEMO_TAGS,
            "memo-list-tags",
            &[],
            // Some servers take no tool without any argument.
            &json!({"limit": number_argument()}),
        ),
    ]
}

/// The tools that write, which give priorities up to `highest`. A memo says what people said; its priority only how.
pub(super) fn tools_that_write(language: Language, highest: u8) -> Vec<Tool> {
    let changes = |intent, spec| Tool { spec, effect: Effect::Changes { intent, settings: &["priority"] } };
    let priority = json!({"type": "integer", "maximum": highest});
    let tags = json!({"type": "array", "items": text_argument()});
    vec![
        changes(
            Intent::Remember,
            spec_in_language(
                language,
                ADD_MEMO,
                "memo-add",
                &["name", "content"],
                &json!({
                    "name": text_argument(),
                    "content": text_argument(),
                    "priority": priority,
                    "tags": tags,
                    "detail": text_argument(),
                }),
            ),
        ),
        changes(
            Intent::Change,
            spec_in_language(
                language,
                EDIT_MEMO,
                "memo-edit",
                &["name"],
                &json!({
                    "name": text_argument(),
                    "new_name": text_argument(),
                    "content": text_argument(),
                    "priority": priority,
                    "tags": tags,
                    "detail": text_argument(),
                }),
            ),
        ),
        changes(
            Intent::Forget,
            spec_in_language(
                language,
                REMOVE_MEMO,
                "memo-remove",
                &["name"],
                &json!({"name": text_argument()}),
            ),
        ),
    ]
}

fn number_argument() -> Value {
    json!({"type": "integer"})
}
