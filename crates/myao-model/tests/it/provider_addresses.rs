//! Where requests go, and with which key.

use myao_core::ports::Model;
use myao_model::{ApiKey, ProviderSettings};
use myao_testkit::{
    FakeProvider,
    llm::{KEY, ReceivedRequest, Reply},
};

use crate::providing::{GENEROUS, provider, request};

/// The call of `provider/model` with this base behind the server's address, and this version.
async fn call(name: &str, model: &str, base: &str, version: Option<&str>) -> ReceivedRequest {
    let fake = FakeProvider::answering([Reply::text("fine")]).await;
    let settings = ProviderSettings {
        api_key: Some(ApiKey::new(KEY)),
        api_base: Some(format!("{}{base}", fake.url())),
        api_version: version.map(str::to_owned),
        timeout: GENEROUS,
        ..ProviderSettings::new(name, model)
    };
    provider(settings).ask(&request("hello")).await.unwrap();
    fake.only_call()
}

#[tokio::test]
async fn an_openai_base_is_taken_as_it_is() {
    for (base, path) in [
        ("", "/chat/completions"),
        ("/", "/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/gateway/eu/v1", "/gateway/eu/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
    ] {
        let call = call("openai", "qwen/qwen3", base, None).await;
        assert_eq!(call.path, path);
        assert_eq!(call.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        assert_eq!(call.body["model"], "qwen/qwen3");
    }
}

#[tokio::test]
async fn the_providers_that_speak_openais_protocol_are_spoken_to_alike() {
    for name in ["openrouter", "deepseek", "groq", "mistral", "xai", "together_ai", "hosted_vllm", "litellm"]
    {
        let call = call(name, "some/model", "/v1", None).await;
        assert_eq!((call.path.as_str(), &call.body["model"]), ("/v1/chat/completions", &"some/model".into()));
    }
}

#[tokio::test]
async fn azure_goes_by_the_version() {
    for (base, version, path, query) in [
        ("", None, "/openai/v1/chat/completions", ""),
        ("/openai/v1/", Some("preview"), "/openai/v1/chat/completions", "api-version=preview"),
        ("/", Some("2024-06-01"), "/openai/deployments/ours/chat/completions", "api-version=2024-06-01"),
    ] {
        let call = call("azure", "ours", base, version).await;
        assert_eq!((call.path.as_str(), call.query.as_str()), (path, query));
        assert_eq!((call.header("api-key"), call.header("authorization")), (Some(KEY), None));
    }
}

#[tokio::test]
async fn anthropic_gemini_and_ollama_are_found_below_any_base() {
    for base in ["", "/", "/v1", "/v1/messages"] {
        let call = call("anthropic", "claude-sonnet-4-5", base, None).await;
        assert_eq!((call.path.as_str(), call.header("x-api-key")), ("/v1/messages", Some(KEY)));
    }
    for (base, version) in [
        ("", "/v1beta"),
        ("/v1beta/", "/v1beta"),
        ("/v1", "/v1beta"),
        ("/gemini", "/gemini/v1beta"),
        ("/gateway/v1/", "/gateway/v1beta"),
        ("/v1beta1", "/v1beta1"),
    ] {
        let call = call("gemini", "gemini-2.5-flash", base, None).await;
        assert_eq!(call.path, format!("{version}/models/gemini-2.5-flash:generateContent"));
        assert_eq!((call.header("x-goog-api-key"), call.query.as_str()), (Some(KEY), ""));
    }
    for base in ["", "/v1", "/api/chat"] {
        assert_eq!(call("ollama", "qwen3", base, None).await.path, "/api/chat");
    }
}

#[tokio::test]
async fn a_server_of_ones_own_needs_no_key() {
    for name in ["openai", "hosted_vllm", "ollama"] {
        let fake = FakeProvider::answering([Reply::text("fine")]).await.without_key();
        let settings = ProviderSettings {
            api_base: Some(fake.url()),
            timeout: GENEROUS,
            ..ProviderSettings::new(name, "local")
        };
        provider(settings).ask(&request("hello")).await.unwrap();
        assert_eq!(fake.only_call().header("authorization"), None, "{name}");
    }
}
