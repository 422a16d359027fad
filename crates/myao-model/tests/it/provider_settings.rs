//! What is wrong with a configuration, in words.

use myao_core::ports::Model;
use myao_model::{
    ApiKey, Provider, ProviderSettings, client_with_system_proxies, key_variable, names_common_first,
};
use serde_json::json;

use crate::providing::with_params;

fn complaint(settings: ProviderSettings) -> String {
    Provider::new(settings, client_with_system_proxies().unwrap()).unwrap_err().to_string()
}

fn keyed(provider: &str) -> ProviderSettings {
    ProviderSettings { api_key: Some(ApiKey::new("k")), ..ProviderSettings::new(provider, "model") }
}

#[test]
fn every_provider_can_be_set_up() {
    for name in names_common_first() {
        let base = Some("https://llm.example.com/v1".to_owned());
        let provider = Provider::new(
            ProviderSettings { api_base: base, ..keyed(name) },
            client_with_system_proxies().unwrap(),
        )
        .unwrap();
        assert_eq!(provider.id(), format!("{name}/model"));
    }
    assert_eq!(key_variable("gemini"), Some("GEMINI_API_KEY"));
    assert_eq!((key_variable("ollama"), key_variable("nobody")), (None, None));
}

#[test]
fn a_provider_nobody_knows_is_answered_with_those_there_are() {
    let words = complaint(keyed("antropic"));
    assert!(
        words.starts_with("there is no provider `antropic`: did you mean `anthropic`?; known are openai, ")
    );
    assert!(words.contains("ollama") && words.contains("client_args.api_base"), "{words}");
    assert!(!complaint(keyed("zzz")).contains("did you mean"));
}

#[test]
fn a_key_is_asked_for_by_the_name_it_usually_has() {
    insta::assert_snapshot!(complaint(ProviderSettings::new("anthropic", "model")),
        @"anthropic needs a key: set client_args.api_key, usually to ${ANTHROPIC_API_KEY}");
    let blank = ProviderSettings { api_key: Some(ApiKey::new(" \n")), ..keyed("openai") };
    assert!(complaint(blank).contains("${OPENAI_API_KEY}"));
    let broken = ProviderSettings { api_key: Some(ApiKey::new("two\nlines")), ..keyed("openai") };
    assert!(complaint(broken).contains("such as a line break"));
}

#[test]
fn an_address_is_asked_for_where_nobody_else_knows_it() {
    insta::assert_snapshot!(complaint(keyed("azure")),
        @"azure needs client_args.api_base: the resource's address, https://<resource>.openai.azure.com");
    assert!(complaint(keyed("hosted_vllm")).contains("http://localhost:8000/v1"));
    for base in ["localhost:8080", "not an address", "ftp://example.com"] {
        let settings = ProviderSettings { api_base: Some(base.to_owned()), ..keyed("openai") };
        assert!(complaint(settings).starts_with("client_args.api_base is no address"), "{base}");
    }
}

#[test]
fn params_are_looked_at_before_they_are_sent() {
    for (params, words) in [
        (json!({"temperature": "hot"}), "params.temperature has to be a number"),
        (json!({"max_tokens": 0}), "params.max_tokens has to be a whole number of tokens, at least 1"),
        (json!({"stop": [1]}), "params.stop has to be a text or a list of texts"),
        (json!({"stream": true}), "params.stream has to be left out: myao says this itself"),
        (
            json!({"extra_headers": {"a b": "c"}}),
            "params.extra_headers has to be a map of header names and texts",
        ),
    ] {
        assert_eq!(complaint(with_params(keyed("openai"), params)), words);
    }
}

#[test]
fn nothing_shows_the_key() {
    let settings = ProviderSettings { api_key: Some(ApiKey::new("very-secret")), ..keyed("openai") };
    let shown = format!("{settings:?}");
    let provider = Provider::new(settings, client_with_system_proxies().unwrap()).unwrap();
    assert!(!shown.contains("very-secret") && !format!("{provider:?}").contains("very-secret"));
}
