//! Everything that may come instead of an answer: the table in `docs/models.md`, row by row.

use std::time::Duration;

use myao_core::ports::{DataMode, Image, ImageFormat, Model, ModelError, Request};
use myao_model::{ApiKey, ProviderSettings};
use myao_testkit::{
    FakeProvider,
    llm::{KEY, Reply},
};

use crate::providing::{DIALECTS, ask, data, provider, request, settings, with_tools};

/// What comes of a question, in every dialect.
async fn failures(reply: &Reply) -> Vec<ModelError> {
    failures_of(reply, &request("hello"), &DIALECTS).await
}

async fn failures_of(reply: &Reply, asked: &Request, dialects: &[(&str, &str)]) -> Vec<ModelError> {
    let mut failures = Vec::new();
    for dialect in dialects {
        failures.push(ask(*dialect, reply.clone(), asked).await.unwrap_err());
    }
    failures
}

/// That all failures match.
macro_rules! all {
    ($failures:expr, $pattern:pat $(if $guard:expr)?) => {
        for failure in $failures {
            assert!(matches!(&failure, $pattern $(if $guard)?), "{failure:?}");
        }
    };
}

#[tokio::test]
async fn no_answer_in_time() {
    for dialect in DIALECTS {
        let fake = FakeProvider::answering([Reply::nothing().held()]).await;
        let timeout = Duration::from_millis(200);
        let provider = provider(ProviderSettings { timeout, ..settings(&fake, dialect.0, dialect.1) });
        // Rounded up: nobody waits for 0 s.
        assert_eq!(provider.ask(&request("hello")).await.unwrap_err(), ModelError::Timeout(1));
        assert!(fake.calls().len() <= 1, "nothing is tried again down here");
    }
}

#[tokio::test]
async fn too_many_calls() {
    let limited = |code: &str| Reply::error(429, code, "Slow down.");
    all!(failures(&limited("rate_limit_exceeded")).await, ModelError::Limited { seconds: None, .. });
    let seconds = limited("rate_limit_exceeded").with_header("retry-after", "17");
    all!(failures(&seconds).await, ModelError::Limited { seconds: Some(17), .. });
    let date = limited("rate_limit_exceeded")
        .with_header("date", "Mon, 05 Jan 2026 09:00:00 GMT")
        .with_header("retry-after", "Mon, 05 Jan 2026 09:01:30 GMT");
    all!(failures(&date).await, ModelError::Limited { seconds: Some(90), .. });
    let millis = limited("rate_limit_exceeded").with_header("retry-after-ms", "1200");
    all!(failures(&millis).await, ModelError::Limited { seconds: Some(2), .. });
    let nonsense = limited("rate_limit_exceeded").with_header("retry-after", "later");
    all!(failures(&nonsense).await, ModelError::Limited { seconds: None, .. });
}

#[tokio::test]
async fn a_spent_quota_is_not_waited_for() {
    let spent = Reply::error(429, "insufficient_quota", "You exceeded your current quota.");
    all!(failures_of(&spent, &request("hello"), &DIALECTS[..3]).await, ModelError::Spent(_));
}

#[tokio::test]
async fn a_server_that_fails() {
    for status in [500, 502, 503, 529, 408] {
        let reply = Reply::error(status, "api_error", "Internal\n  error");
        let said = format!("{status}: Internal error");
        all!(failures(&reply).await, ModelError::Unavailable(why) if *why == said);
    }
}

#[tokio::test]
async fn a_connection_that_is_cut() {
    all!(failures(&Reply::cut()).await, ModelError::Unavailable(why) if why.starts_with("the connection was cut"));
}

#[tokio::test]
async fn nobody_listens() {
    let fake = FakeProvider::answering([]).await;
    let gone = settings(&fake, "openai", "gpt-4o");
    drop(fake);
    let host = "http://127.0.0.1:1/v1".to_owned();
    let model = provider(gone);
    let failure = model.ask(&request("hello")).await.unwrap_err();
    assert!(matches!(&failure, ModelError::Unavailable(_)), "{failure:?}");
    let closed = ProviderSettings {
        api_base: Some(host.clone()),
        api_key: Some(ApiKey::new(KEY)),
        ..ProviderSettings::new("openai", "gpt-4o")
    };
    let failure = provider(closed).ask(&request("hello")).await.unwrap_err();
    assert!(
        matches!(&failure, ModelError::Unavailable(why) if why.starts_with("no connection") && !why.contains(&host)),
        "{failure:?}"
    );
}

#[tokio::test]
async fn answers_that_make_no_sense() {
    let garbage = Reply::body("application/json", "<<<{{{");
    let page = Reply::body("text/html", "<html><h1>Welcome to our network</h1></html>");
    for reply in [garbage, page, Reply::truncated(), Reply::nothing()] {
        all!(failures(&reply).await, ModelError::Invalid(_));
    }
}

#[tokio::test]
async fn an_error_within_an_answer() {
    let unnamed = Reply::body("application/json", r#"{"error": {"message": "Something odd."}}"#);
    all!(failures(&unnamed).await, ModelError::Invalid(why) if why.contains("Something odd."));
    let dialects = &DIALECTS;
    let asked = &request("hello");
    all!(
        failures_of(&Reply::error_within(429, "Slow down."), asked, dialects).await,
        ModelError::Limited { seconds: None, .. }
    );
    all!(
        failures_of(&Reply::error_within(502, "Bad gateway"), asked, dialects).await,
        ModelError::Unavailable(_)
    );
    let openrouter = r#"{"choices": [{"error": {"code": 503, "message": "Overloaded"}, "finish_reason": "error",
        "message": {"role": "assistant", "content": ""}}]}"#;
    let reply = Reply::body("application/json", openrouter);
    all!(failures_of(&reply, asked, &DIALECTS[..1]).await, ModelError::Unavailable(_));
}

#[tokio::test]
async fn a_wrong_key() {
    for dialect in &DIALECTS[..3] {
        let fake = FakeProvider::answering([]).await;
        let wrong = ProviderSettings {
            api_key: Some(ApiKey::new("sk-some-other-key")),
            ..settings(&fake, dialect.0, dialect.1)
        };
        let failure = provider(wrong).ask(&request("hello")).await.unwrap_err();
        assert!(matches!(failure, ModelError::Unauthorised(_)), "{failure:?}");
    }
    let gemini = Reply::error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.");
    all!(failures_of(&gemini, &request("hello"), &DIALECTS[2..3]).await, ModelError::Unauthorised(_));
    all!(failures(&Reply::error(403, "forbidden", "Not here.")).await, ModelError::Unauthorised(_));
}

#[tokio::test]
async fn a_key_that_is_echoed_goes_no_further() {
    for failure in failures(&Reply::echoed_key()).await {
        let shown = format!("{failure} {failure:?}");
        assert!(matches!(failure, ModelError::Unauthorised(_)), "{shown}");
        assert!(shown.contains("[key]"), "{shown}");
        // Not even the beginning that the server cut off.
        assert!(!shown.contains("sk-test-"), "{shown}");
        assert!(!shown.contains('\n') && !shown.contains("\\n"), "{shown}");
    }
}

#[tokio::test]
async fn a_model_nobody_knows() {
    for reply in [
        Reply::error(404, "model_not_found", "The model `gpt-9` does not exist."),
        Reply::error(400, "invalid_request_error", "Invalid model name passed in model=gpt-9."),
        Reply::error(400, "invalid_request_error", "Model Not Exist"),
    ] {
        all!(failures(&reply).await, ModelError::NoSuchModel(_));
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long() {
    for message in [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size, try increasing it",
    ] {
        let reply = Reply::error(400, "invalid_request_error", message);
        all!(failures(&reply).await, ModelError::TooLong(_));
    }
    all!(failures(&Reply::error(413, "request_too_large", "Too large.")).await, ModelError::TooLong(_));
}

#[tokio::test]
async fn what_a_model_cannot_do() {
    let form = Reply::error(400, "invalid_request_error", "This response_format type is unavailable now");
    let tools = Reply::error(400, "invalid_request_error", "registry/qwen does not support tools");
    let endpoint = Reply::error(404, "404", "No endpoints found that support tool use.");
    all!(failures_of(&form, &data(DataMode::Schema), &DIALECTS).await, ModelError::Unsupported(_));
    all!(failures_of(&tools, &with_tools(), &DIALECTS).await, ModelError::Unsupported(_));
    all!(failures_of(&endpoint, &with_tools(), &DIALECTS).await, ModelError::Unsupported(_));
    // Whoever did not ask for such a thing cannot do without it either.
    all!(failures_of(&form, &data(DataMode::Words), &DIALECTS).await, ModelError::Rejected(_));
    all!(failures_of(&tools, &request("hello"), &DIALECTS).await, ModelError::Rejected(_));
}

/// In the words of OpenAI, OpenRouter, Ollama, llama.cpp, LM Studio and DeepSeek; a 404 is not about the model's name.
#[tokio::test]
async fn a_model_that_does_not_see_is_told_apart() {
    let bytes: std::sync::Arc<[u8]> = (*b"\x89PNG\r\n\x1a\n").into();
    let image = Image { name: "cat.png".to_owned(), format: ImageFormat::Png, bytes };
    let asked = Request { images: vec![image], ..request("What is it?") };
    for (status, said) in [
        (400, "Invalid content type. image_url is only supported by certain models."),
        (404, "No endpoints found that support image input"),
        (400, "this model does not support image input"),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
        (400, "Model does not support images. Please use a model that does."),
        (422, "messages[1]: unknown variant `image_url`, expected `text`"),
        (400, "At most 0 image(s) may be provided: some-model is not a multimodal model"),
    ] {
        let reply = Reply::error(status, "invalid_request_error", said);
        all!(failures_of(&reply, &asked, &DIALECTS).await, ModelError::Unsupported(_));
    }
    let unreadable = Reply::error(400, "invalid_request_error", "Could not process image");
    all!(failures_of(&unreadable, &asked, &DIALECTS).await, ModelError::Rejected(_));
    let of_nothing = Reply::error(400, "invalid_request_error", "this model does not support image input");
    all!(failures_of(&of_nothing, &request("hello"), &DIALECTS).await, ModelError::Rejected(_));
}

#[tokio::test]
async fn whatever_else_is_refused() {
    let long = "Unknown ".repeat(1000);
    all!(
        failures(&Reply::error(400, "invalid_request_error", &long)).await,
        ModelError::Rejected(why) if why.chars().count() < 300
    );
    let moved = Reply::error(307, "", "").with_header("location", "http://127.0.0.1:1/elsewhere");
    all!(failures(&moved).await, ModelError::WrongAddress(why) if why.contains("it points elsewhere"));
}
