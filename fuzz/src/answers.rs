//! What providers of models answer, in each protocol: a response or an error in the mind's words, in which the key
//! never stands.

use std::{
    cell::RefCell,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use arbitrary::{Result, Unstructured};
use myao_core::{
    ports::{
        DataMode, Material, Model as _, ModelError, Request, Response, ResponseFormat, Role, StopReason,
        ToolSpec, Turn,
    },
    text::Language,
};
use myao_model::{ApiKey, Provider, ProviderSettings, client_with_system_proxies};
use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use super::{
    loopback::{self, Answer, Loopback},
    material::{self, Vocabulary},
};

/// The key.
const KEY: &str = "sk-Fuzz-0123456789-abcdefghij";
/// Its beginning, which must not be shown either.
const TELLING: &str = "sk-Fuzz-";
/// What stands for the key in seeds and in what is made up.
const MARK: &str = "KEY";
/// What a provider may be asked through.
const DIALECTS: [(&str, &str); 5] = [
    ("openai", "gpt-4o"),
    ("anthropic", "claude-sonnet-4-5"),
    ("gemini", "gemini-2.5-flash"),
    ("ollama", "qwen3"),
    ("openrouter", "openai/gpt-4o"),
];
const STATUSES: [u16; 18] =
    [200, 200, 200, 200, 200, 200, 200, 204, 301, 400, 401, 402, 404, 407, 413, 429, 500, 529];
const KINDS: [&str; 4] = ["application/json", "application/json; charset=utf-8", "text/html", ""];
/// Longer than any answer takes here, on a machine that stands still for a while: the fuzzer tells of a hang before.
const PATIENCE: Duration = Duration::from_mins(5);
/// The length that is asked for, in tokens.
const TARGET: u32 = 300;
/// Characters of a response's text: `answer::MOST_CHARS`.
const MOST_CHARS: usize = 20_000;
/// Characters of an error: a provider's words of 240 characters, and ours around them.
const MOST_TOLD: usize = 500;

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "choices",
        "message",
        "content",
        "role",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "type",
        "finish_reason",
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "refusal",
        "reasoning",
        "reasoning_content",
        "reasoning_details",
        "error",
        "code",
        "status",
        "param",
        "details",
        "reason",
        "retryDelay",
        "innererror",
        "text",
        "input",
        "thinking",
        "signature",
        "stop_reason",
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "data",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "thoughtSignature",
        "thought",
        "finishReason",
        "usageMetadata",
        "promptTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "cachedContentTokenCount",
        "promptFeedback",
        "blockReason",
        "done",
        "done_reason",
        "prompt_eval_count",
        "eval_count",
        "detail",
        "native_finish_reason",
    ],
    texts: &[
        "hello",
        "<think>",
        "</think>",
        "<|channel|>analysis<|message|>",
        "<|start|>assistant<|channel|>final<|message|>",
        "assistantfinal",
        "<|im_end|>",
        "<tool_call>",
        "[TOOL_CALLS]web_search[ARGS]{}",
        "Error calling LLM: Overloaded",
        "`",
        "stop",
        "length",
        "tool_calls",
        "end_turn",
        "max_tokens",
        "tool_use",
        "content_filter",
        "refusal",
        "SAFETY",
        "STOP",
        "MAX_TOKENS",
        "MALFORMED_FUNCTION_CALL",
        "text",
        "thinking",
        "redacted_thinking",
        "web_search",
        "{\"query\": \"x\"}",
        "{",
        "[]",
        "null",
        "KEY",
        "sk-Fuzz-",
        "invalid_api_key",
        "rate_limit_exceeded",
        "insufficient_quota",
        "model_not_found",
        "context_length_exceeded",
        "Incorrect API key provided: KEY",
        "try again in 5 seconds",
        "try again in 1m26.4s",
        "try again in 1e99999s",
        "34s",
        "99999999999999999999.5s",
        "model",
        "not found",
        "",
        "\0",
        "\u{3042}",
    ],
};

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// Models on a server of ours, and what they log.
struct Bench {
    loopback: Loopback,
    models: Vec<Provider>,
    log: Log,
}

/// Everything that was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Bench {
    fn new() -> Self {
        let loopback = Loopback::start();
        let client = client_with_system_proxies().expect("a client");
        let model = |(provider, model): (&str, &str)| {
            let settings = ProviderSettings {
                api_key: Some(ApiKey::new(KEY)),
                api_base: Some(format!("http://{}/v1", loopback.address)),
                timeout: PATIENCE,
                ..ProviderSettings::new(provider, model)
            };
            Provider::new(settings, client.clone()).expect("a model")
        };
        let models = DIALECTS.into_iter().map(model).collect();
        Self { loopback, models, log: Log::default() }
    }

    fn ask(&self, model: &Provider, request: &Request) -> std::result::Result<Response, ModelError> {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_ansi(false)
            .with_writer(self.log.clone())
            .finish();
        let asked =
            tracing::subscriber::with_default(subscriber, || self.loopback.block_on(model.ask(request)));
        let log = std::mem::take(&mut *self.log.0.lock().unwrap_or_else(PoisonError::into_inner));
        hides_the_key(&String::from_utf8_lossy(&log));
        asked
    }
}

pub(crate) fn run(data: &[u8]) {
    loopback::with(&BENCH, Bench::new, |bench| {
        material::taken(data, |u| check(bench, u));
    });
}

fn check(bench: &Bench, u: &mut Unstructured<'_>) -> Result<()> {
    let model = u.choose(&bench.models)?;
    let request = request(u)?;
    bench.loopback.put(answer(u)?);
    match bench.ask(model, &request) {
        Err(error) => is_fit_to_be_told(&error),
        Ok(response) => {
            is_fit_to_be_used(&response);
            go_on(bench, model, request, response);
        }
    }
    Ok(())
}

/// What a model said and thought goes back to it with what its tools gave.
fn go_on(bench: &Bench, model: &Provider, mut request: Request, response: Response) {
    if response.calls.is_empty() {
        return;
    }
    let results =
        response.calls.iter().map(|call| Turn::Tool { call: call.id.clone(), text: "rain".to_owned() });
    let results: Vec<Turn> = results.collect();
    let Response { text, calls, thoughts, .. } = response;
    request.turns.push(Turn::Assistant { text, calls, thoughts });
    request.turns.extend(results);
    if let Err(error) = bench.ask(model, &request) {
        is_fit_to_be_told(&error);
    }
}

fn request(u: &mut Unstructured<'_>) -> Result<Request> {
    let parameters = json!({ "type": "object", "properties": { "query": { "type": "string" } } });
    let tool = ToolSpec { name: "web_search".to_owned(), description: "Searches.".to_owned(), parameters };
    let means = *u.choose(&[None, Some(DataMode::Schema), Some(DataMode::Object), Some(DataMode::Words)])?;
    let schema = json!({ "type": "object", "properties": { "speak": { "type": "boolean" } } });
    Ok(Request {
        role: Role::Response,
        purpose: "reply",
        system: "You are myao.".to_owned(),
        turns: vec![Turn::User("How is the weather?".to_owned())],
        material: Material::Conversation(Vec::new()),
        language: Language::En,
        target_tokens: TARGET,
        own_names: Vec::new(),
        extra_tokens: 0,
        afresh: false,
        images: Vec::new(),
        tools: if u.arbitrary()? { vec![tool] } else { Vec::new() },
        form: means.map_or(ResponseFormat::Text, |means| ResponseFormat::Data {
            name: "verdict",
            schema,
            means,
        }),
    })
}

fn answer(u: &mut Unstructured<'_>) -> Result<Answer> {
    let status = *u.choose(&STATUSES)?;
    let kind = *u.choose(&KINDS)?;
    let mut headers = vec![("content-type", kind.to_owned())];
    if u.ratio(1, 8)? {
        headers.push((
            "retry-after",
            material::word(u, &["17", "-1", "1e9", "Mon, 05 Jan 2026 09:01:30 GMT", "99999999999999999999"])?,
        ));
        headers.push(("date", "Mon, 05 Jan 2026 09:00:00 GMT".to_owned()));
    }
    let is_made_up = u.ratio(1, 2)?;
    let written = if is_made_up {
        let whole = material::made_up(u, WORDS, 5)?;
        wrapped(u, whole)?.to_string()
    } else {
        material::text(material::rest(u)?)
    };
    Ok(Answer { status, headers, body: written.replace(MARK, KEY).into_bytes() })
}

/// What was made up, where a protocol looks for it.
fn wrapped(u: &mut Unstructured<'_>, inner: Value) -> Result<Value> {
    Ok(match u.int_in_range(0..=7)? {
        0 => json!({ "choices": [{ "message": inner, "finish_reason": "stop" }], "usage": {} }),
        1 => json!({ "choices": [{ "message": { "content": "x", "tool_calls": [inner] } }] }),
        2 => json!({ "content": [inner], "stop_reason": "tool_use", "usage": {} }),
        3 => json!({ "candidates": [{ "content": { "parts": [inner] }, "finishReason": "STOP" }] }),
        4 => json!({ "message": inner, "done": true, "done_reason": "stop" }),
        5 => json!({ "error": inner }),
        6 => json!([{ "error": inner }]),
        _ => inner,
    })
}

fn is_fit_to_be_used(response: &Response) {
    assert!(response.text.chars().count() <= MOST_CHARS, "a text of {} bytes", response.text.len());
    assert!(response.calls.is_empty() <= response.thoughts.is_empty(), "thoughts of no call: {response:?}");
    assert!(
        response.stop != StopReason::Tools || !response.calls.is_empty(),
        "waits for no tool: {response:?}"
    );
}

fn is_fit_to_be_told(error: &ModelError) {
    let told = format!("{error} {error:?}");
    hides_the_key(&told);
    assert!(error.to_string().chars().count() <= MOST_TOLD, "too long to be told: {told}");
    assert!(!error.to_string().contains('\n'), "more than a line: {told}");
    assert!(!matches!(error, ModelError::Timeout(_)), "it took {PATIENCE:?}");
}

fn hides_the_key(text: &str) {
    assert!(!text.contains(TELLING), "the key stands in {text}");
}
