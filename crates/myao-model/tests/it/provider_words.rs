//! Data from servers that do not keep to a schema, or do not even know what JSON is.

use myao_core::{
    ports::{DataMode, Request},
    text::Language,
};
use serde_json::Value;

use crate::providing::{DIALECTS, body, data};

async fn sent(dialect: (&str, &str), request: &Request) -> Value {
    serde_json::from_str(&body(dialect, request).await).unwrap()
}

#[tokio::test]
async fn an_object_is_asked_for_and_its_schema_told() {
    for dialect in DIALECTS {
        let sent = sent(dialect, &data(DataMode::Object)).await;
        match dialect.0 {
            "openai" => assert_eq!(sent["response_format"], serde_json::json!({"type": "json_object"})),
            "gemini" => assert_eq!(sent["generationConfig"]["responseMimeType"], "application/json"),
            "ollama" => assert_eq!(sent["format"], "json"),
            // Anthropic's server knows schemas or nothing.
            _ => assert_eq!(sent.get("output_config"), None),
        }
        assert!(sent.to_string().contains("Answer with one JSON object"), "{}", dialect.0);
        assert!(sent.to_string().contains(r#"\"speak\":{\"type\":\"boolean\"}"#), "{}", dialect.0);
    }
}

#[tokio::test]
async fn words_alone_ask_for_it_in_the_requests_language() {
    for dialect in DIALECTS {
        let request = Request { language: Language::Ja, ..data(DataMode::Words) };
        let sent = sent(dialect, &request).await;
        for form in ["response_format", "format", "output_config"] {
            assert_eq!(sent.get(form), None, "{}", dialect.0);
        }
        assert_eq!(sent.pointer("/generationConfig/responseMimeType"), None);
        assert!(sent.to_string().contains("JSON オブジェクト"), "{}", dialect.0);
    }
}

#[tokio::test]
async fn a_schema_the_server_keeps_is_not_told_twice() {
    for dialect in DIALECTS {
        let sent = body(dialect, &data(DataMode::Schema)).await;
        assert_eq!(sent.matches("speak\": {").count(), 1, "{}: {sent}", dialect.0);
        assert!(!sent.contains("Answer with one JSON"), "{}: {sent}", dialect.0);
    }
}
