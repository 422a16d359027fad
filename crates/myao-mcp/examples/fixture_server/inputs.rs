//! Tools and a prompt that need an answer of the client first, as the newer era does it: the client calls again.

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::LazyLock,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
        InputRequiredResult, InputResponses,
    },
    service::RequestContext,
};
use serde_json::{Map, Value, json};

use crate::{
    fixture::{IMAGE, made},
    tools::text,
};

/// Signs what clients keep: drawn anew by each process.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

fn signed(state: &str) -> String {
    format!("{state}.{:016x}", KEY.hash_one(state))
}

/// What was signed. An error when it was changed.
fn unsigned(kept: &str) -> Result<&str, ErrorData> {
    let state = kept.rsplit_once('.').map(|(state, _)| state).unwrap_or_default();
    if signed(state) == kept {
        return Ok(state);
    }
    Err(ErrorData::invalid_params("the request state was changed", None))
}

fn question(key: &str) -> Value {
    let form = |message: &str, field: &str, kind: &str| {
        json!({"method": "elicitation/create", "params": {"message": message, "requestedSchema": {
            "type": "object", "properties": {field: {"type": kind}}, "required": [field],
        }}})
    };
    match key {
        "user_name" => form("What is your name?", "name", "string"),
        "user_context" => form("What context should the prompt use?", "context", "string"),
        "step1" => form("Step 1: What is your name?", "name", "string"),
        "step2" => form("Step 2: What is your favorite color?", "color", "string"),
        "client_roots" => json!({"method": "roots/list", "params": {}}),
        "capital_question" | "greeting" => json!({"method": "sampling/createMessage", "params": {
            "messages": [{"role": "user", "content": {"type": "text", "text": "What is the capital of France?"}}],
            "maxTokens": 100,
        }}),
        _ => form("Please confirm", "ok", "boolean"),
    }
}

/// Asks some questions, and gives something to keep.
fn asking(keys: &[&str], state: Option<&str>) -> Result<InputRequiredResult, ErrorData> {
    let requests: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), question(key))).collect();
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let (Some(state), Some(result)) = (state, result.as_object_mut()) {
        result.insert("requestState".to_owned(), json!(signed(state)));
    }
    made(result)
}

/// Whether all questions are answered with objects.
fn has_all(responses: Option<&InputResponses>, keys: &[&str]) -> bool {
    let responses =
        responses.and_then(|responses| serde_json::to_value(responses).ok()).unwrap_or(Value::Null);
    keys.iter().all(|key| responses.get(key).is_some_and(Value::is_object))
}

/// What to answer to a call of one of these tools; `None` where it is another tool.
pub(crate) fn needed(
    call: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let Some(tool) = call.name.strip_prefix("test_input_required_result_") else { return Ok(None) };
    let state = call.request_state.as_deref().map(unsigned).transpose()?;
    if tool == "multi_round" {
        return rounds(call, state).map(Some);
    }
    let can_ask_person = context.client_capabilities().is_some_and(|has| has.elicitation.is_some());
    let keys: &[&str] = match tool {
        "elicitation" => &["user_name"],
        "sampling" => &["capital_question"],
        "list_roots" => &["client_roots"],
        "multiple_inputs" => &["user_name", "greeting", "client_roots"],
        "capabilities" if !can_ask_person => &["capital_question"],
        _ => &["confirm"],
    };
    let keeps = matches!(tool, "request_state" | "multiple_inputs" | "tampered_state");
    if has_all(call.input_responses.as_ref(), keys) && (state.is_some() || !keeps) {
        return text("state-ok, and answered").map(CallToolResponse::Complete).map(Some);
    }
    asking(keys, keeps.then_some("first")).map(CallToolResponse::InputRequired).map(Some)
}

/// One question after the other.
fn rounds(call: &CallToolRequestParams, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    let responses = call.input_responses.as_ref();
    let next = match state {
        Some("second") if has_all(responses, &["step2"]) => {
            return text("two questions were answered").map(CallToolResponse::Complete);
        }
        Some("first") if has_all(responses, &["step1"]) => asking(&["step2"], Some("second")),
        Some("second") => asking(&["step2"], Some("second")),
        Some(_) | None => asking(&["step1"], Some("first")),
    };
    next.map(CallToolResponse::InputRequired)
}

/// A prompt.
pub(crate) fn prompt(wanted: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let given = |key: &str| -> Result<Value, ErrorData> {
        let value = wanted.arguments.as_ref().and_then(|all| all.get(key));
        value
            .cloned()
            .ok_or_else(|| ErrorData::invalid_params(format!("the argument {key} is missing"), None))
    };
    let said = |text: String| json!({"role": "user", "content": {"type": "text", "text": text}});
    let messages = match &*wanted.name {
        "test_simple_prompt" => json!([said("This is a simple prompt for testing.".to_owned())]),
        "test_prompt_with_arguments" => {
            let first = given("arg1")?;
            let second = given("arg2")?;
            json!([said(format!("Prompt with arguments: arg1={first}, arg2={second}"))])
        }
        "test_prompt_with_embedded_resource" => json!([
            {"role": "user", "content": {"type": "resource", "resource": {
                "uri": given("resourceUri")?, "mimeType": "text/plain", "text": "Embedded resource content for testing.",
            }}},
            said("Please process the embedded resource above.".to_owned()),
        ]),
        "test_prompt_with_image" => json!([
            {"role": "user", "content": {"type": "image", "data": IMAGE, "mimeType": "image/png"}},
            said("Please analyze the image above.".to_owned()),
        ]),
        "test_input_required_result_prompt" => {
            if !has_all(wanted.input_responses.as_ref(), &["user_context"]) {
                return asking(&["user_context"], None).map(GetPromptResponse::InputRequired);
            }
            json!([said("In that context.".to_owned())])
        }
        name => return Err(ErrorData::invalid_params(format!("there is no prompt {name:?}"), None)),
    };
    made::<GetPromptResult>(json!({"messages": messages, "resultType": "complete"}))
        .map(GetPromptResponse::Complete)
}
