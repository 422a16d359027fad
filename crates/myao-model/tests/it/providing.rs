//! Providers on a fake server, and requests for them.

use std::time::Duration;

use myao_core::{
    ports::{DataMode, Model, ModelError, Request, Response, ResponseFormat, Role, ToolCall, ToolSpec, Turn},
    text::Language,
};
use myao_model::{ApiKey, Provider, ProviderSettings, client_with_system_proxies};
use myao_testkit::{
    FakeProvider,
    llm::{KEY, Reply},
};
use serde_json::{Value, json};

/// The four dialects, each with a model of it.
pub(crate) const DIALECTS: [(&str, &str); 4] = [
    ("openai", "gpt-4o"),
    ("anthropic", "claude-sonnet-4-5"),
    ("gemini", "gemini-2.5-flash"),
    ("ollama", "qwen3"),
];

/// A wait that no test reaches unless it fails.
pub(crate) const GENEROUS: Duration = Duration::from_mins(1);

/// Settings for a model on this server, with the right key.
pub(crate) fn settings(fake: &FakeProvider, provider: &str, model: &str) -> ProviderSettings {
    ProviderSettings {
        api_key: Some(ApiKey::new(KEY)),
        api_base: Some(if provider == "openai" { format!("{}/v1", fake.url()) } else { fake.url() }),
        timeout: GENEROUS,
        ..ProviderSettings::new(provider, model)
    }
}

/// The model of these settings.
pub(crate) fn provider(settings: ProviderSettings) -> Provider {
    Provider::new(settings, client_with_system_proxies().unwrap()).unwrap()
}

/// Settings' params, from JSON.
pub(crate) fn with_params(mut settings: ProviderSettings, params: Value) -> ProviderSettings {
    let Value::Object(params) = params else { panic!("params are a map") };
    settings.params = params;
    settings
}

/// What comes of this request, answered with this reply.
pub(crate) async fn ask(
    (name, model): (&str, &str),
    reply: Reply,
    request: &Request,
) -> Result<Response, ModelError> {
    let fake = FakeProvider::answering([reply]).await;
    let outcome = provider(settings(&fake, name, model)).ask(request).await;
    assert_eq!(fake.calls().len(), 1, "one call is one request");
    outcome
}

/// What is sent for this request, as JSON in lines.
pub(crate) async fn body(dialect: (&str, &str), request: &Request) -> String {
    sent(|fake| settings(fake, dialect.0, dialect.1), request).await
}

/// The same, with these settings.
pub(crate) async fn sent(
    settings: impl FnOnce(&FakeProvider) -> ProviderSettings,
    request: &Request,
) -> String {
    let fake = FakeProvider::answering([Reply::text("fine")]).await;
    provider(settings(&fake)).ask(request).await.unwrap();
    serde_json::to_string_pretty(&fake.only_call().body).unwrap()
}

/// A request to answer this, in English, in 300 tokens.
pub(crate) fn request(text: &str) -> Request {
    Request {
        system: "You are myao.".to_owned(),
        turns: vec![Turn::User(text.to_owned())],
        target_tokens: 300,
        ..Request::new(Role::Response, "reply", Language::En)
    }
}

/// A request for a verdict.
pub(crate) fn data(means: DataMode) -> Request {
    let schema = json!({
        "type": "object",
        "properties": {"speak": {"type": "boolean"}, "reason": {"type": "string"}},
        "required": ["speak", "reason"],
        "additionalProperties": false,
    });
    Request { form: ResponseFormat::Data { name: "verdict", schema, means }, ..request("Speak?") }
}

/// A request in the middle of a tool loop: two calls of one turn, both answered.
pub(crate) fn tool_loop() -> Request {
    let call = |id: &str, query: &str| ToolCall {
        id: id.to_owned(),
        name: "web_search".to_owned(),
        arguments: json!({"query": query}),
    };
    let result = |id: &str, text: &str| Turn::Tool { call: id.to_owned(), text: text.to_owned() };
    let calls = vec![call("call_a", "天気 東京"), call("call_b", "weather Osaka")];
    Request {
        turns: vec![
            Turn::User("How is the weather?".to_owned()),
            Turn::Assistant { text: "I look it up.".to_owned(), calls, thoughts: Vec::new() },
            result("call_a", "晴れ"),
            result("call_b", "rain"),
        ],
        ..with_tools()
    }
}

/// A request that may use a tool.
pub(crate) fn with_tools() -> Request {
    let parameters = json!({
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    });
    let tool =
        ToolSpec { name: "web_search".to_owned(), description: "Searches the web.".to_owned(), parameters };
    Request { tools: vec![tool], ..request("How is the weather?") }
}
