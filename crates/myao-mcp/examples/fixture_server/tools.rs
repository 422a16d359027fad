//! What tools answer that need no second round.

#![expect(deprecated, reason = "the older era has calls of its own")]

use std::time::Duration;

use myao_mcp::transport::token_of;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, LoggingLevel,
        LoggingMessageNotificationParam, ProgressNotificationParam, ServerRequest,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{
    changes::Change,
    fixture::{Fixture, IMAGE, made},
};

/// Silence.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
/// How long a tool takes that should take a moment.
const MOMENT: Duration = Duration::from_millis(50);

/// Calls a tool.
pub(crate) async fn call(
    fixture: &Fixture,
    call: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let given =
        |key: &str| call.arguments.as_ref().and_then(|all| all.get(key)).cloned().unwrap_or(Value::Null);
    if let Some(content) = content_of(&call.name) {
        return said(&content);
    }
    match &*call.name {
        "touch_resource" => {
            let uri = given("uri").as_str().unwrap_or_default().to_owned();
            tell(fixture, Change::Resource(uri))
        }
        "test_trigger_tool_change" => tell(fixture, Change::Tools),
        "test_trigger_prompt_change" => tell(fixture, Change::Prompts),
        "take_a_while" => wait(&context, given("milliseconds").as_u64().unwrap_or_default()).await,
        "test_sampling" => {
            let said = json!({"role": "user", "content": {"type": "text", "text": given("prompt")}});
            ask(&context, "sampling/createMessage", json!({"messages": [said], "maxTokens": 100})).await
        }
        "test_elicitation" => ask_person(&context, &given("message"), PERSON).await,
        "test_elicitation_sep1034_defaults" => ask_person(&context, &json!("With defaults"), DEFAULTS).await,
        "test_elicitation_sep1330_enums" => ask_person(&context, &json!("Choose"), CHOICES).await,
        name => answer_without_arguments(name, &context).await,
    }
}

async fn answer_without_arguments(
    tool: &str,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    match tool {
        "test_error_handling" => failed("This tool intentionally returns an error for testing"),
        "test_tool_with_logging" => {
            log_thrice(context).await;
            text("logged")
        }
        "test_logging_tool" => {
            if context.meta.log_level().is_some() {
                log_thrice(context).await;
            }
            text("logged, if that was wanted")
        }
        "test_tool_with_progress" | "test_streaming_elicitation" => {
            tell_progress(context).await;
            text("done")
        }
        "test_missing_capability" => {
            if context.client_capabilities().is_some_and(|has| has.sampling.is_some()) {
                return text("the client has a model");
            }
            let needed: ClientCapabilities = made(json!({"sampling": {}}))?;
            Err(ErrorData::missing_required_client_capability(needed))
        }
        "who_asks" => {
            let name = token_of(&context.extensions).map(|token| token.name.clone());
            let who = json!({"name": name});
            let told = json!([{"type": "text", "text": who.to_string()}]);
            made(json!({"content": told, "structuredContent": who, "resultType": "complete"}))
        }
        "test_reconnection" => wait(context, 50).await,
        "json_schema_2020_12_tool" => text("as you like it"),
        name => Err(ErrorData::invalid_params(format!("there is no tool {name:?}"), None)),
    }
}

async fn wait(context: &RequestContext<RoleServer>, milliseconds: u64) -> Result<CallToolResult, ErrorData> {
    tokio::select! {
        () = tokio::time::sleep(Duration::from_millis(milliseconds)) => text("it took a while"),
        () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
    }
}

fn content_of(tool: &str) -> Option<Value> {
    let simple = json!({"type": "text", "text": "This is a simple text response for testing."});
    let image = json!({"type": "image", "data": IMAGE, "mimeType": "image/png"});
    let resource = json!({"type": "resource", "resource": {
        "uri": "test://embedded-resource", "mimeType": "text/plain", "text": "This is an embedded resource content.",
    }});
    match tool {
        "test_simple_text" => Some(json!([simple])),
        "test_image_content" => Some(json!([image])),
        "test_audio_content" => Some(json!([{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}])),
        "test_embedded_resource" => Some(json!([resource])),
        "test_multiple_content_types" => Some(json!([simple, image, resource])),
        _ => None,
    }
}

fn said(content: &Value) -> Result<CallToolResult, ErrorData> {
    made(json!({"content": content, "resultType": "complete"}))
}

pub(crate) fn text(text: &str) -> Result<CallToolResult, ErrorData> {
    said(&json!([{"type": "text", "text": text}]))
}

fn failed(why: &str) -> Result<CallToolResult, ErrorData> {
    made(json!({"content": [{"type": "text", "text": why}], "isError": true, "resultType": "complete"}))
}

fn tell(fixture: &Fixture, change: Change) -> Result<CallToolResult, ErrorData> {
    fixture.changes.tell(change);
    text("told")
}

async fn log_thrice(context: &RequestContext<RoleServer>) {
    for line in ["begun", "at work", "done"] {
        let line = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
        drop(context.peer.notify_logging_message(line).await);
        tokio::time::sleep(MOMENT).await;
    }
}

async fn tell_progress(context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else { return };
    for done in [0.0, 50.0, 100.0] {
        let progress = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
        drop(context.peer.notify_progress(progress).await);
        tokio::time::sleep(MOMENT).await;
    }
}

async fn ask_person(
    context: &RequestContext<RoleServer>,
    message: &Value,
    schema: &str,
) -> Result<CallToolResult, ErrorData> {
    let schema: Value =
        serde_json::from_str(schema).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    ask(context, "elicitation/create", json!({"message": message, "requestedSchema": schema})).await
}

/// Asks the client something within a call, as the older era does.
async fn ask(
    context: &RequestContext<RoleServer>,
    method: &str,
    params: Value,
) -> Result<CallToolResult, ErrorData> {
    let request: ServerRequest = made(json!({"method": method, "params": params}))?;
    match context.peer.send_request(request).await {
        Ok(answer) => text(&serde_json::to_string(&answer).unwrap_or_default()),
        Err(error) => failed(&error.to_string()),
    }
}

/// A question about a person.
const PERSON: &str = r#"{"type": "object", "properties": {
    "username": {"type": "string"}, "email": {"type": "string"}
}, "required": ["username", "email"]}"#;

/// A question whose answers are filled in.
const DEFAULTS: &str = r#"{"type": "object", "properties": {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": true}
}}"#;

/// A question with every way to choose.
const CHOICES: &str = r#"{"type": "object", "properties": {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [
        {"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": [
        {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"}]}}
}}"#;
