//! Configurations of myao2 and its older versions: what is still read, and what is told of the rest.

use insta::assert_snapshot;
use myao_config::{ModelId, SearchDepth};

use crate::loaded::{complaint, config, load};

/// As myao2 wrote it before January 2026.
#[test]
fn keys_of_older_versions_are_named_with_their_successors() {
    let text = "\
slack: {bot_token: a, app_token: b}
llm:
  default:
    model: gpt-4o
    temperature: 0.7
  judgment: {model: gpt-4o-mini}
persona: {name: myao, system_prompt: x}
memory:
  database_path: ./data/memory.db
  memory_generation_llm: default
external:
  web_search:
    enabled: false
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:2: llm: a key of an older myao2; write `agents.response`, `agents.judgment` and `agents.memory` instead, each with `model_id: provider/model`, with temperature and max_tokens in its `params`, and with api_key and api_base in its `client_args`
    config.yaml:10: memory.memory_generation_llm: a key of an older myao2; `agents.memory` says now which model writes memories
    config.yaml:11: external: a key of an older myao2; write `tools.web_search` and `tools.web_fetch` instead
    ");
}

#[test]
fn what_litellm_was_given_is_named_too() {
    let text = "\
agents:
  default: {model_id: builtin}
  response:
    model_id: bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0
    temperature: 0.7
    client_args:
      aws_region_name: ap-northeast-1
      max_retries: 3
  judgment:
    model_id: vertex_ai/gemini-1.5-flash
    client_args: {vertex_project: p, base_url: http://x, api_bas: http://y}
  memory:
    model: gpt-4o
    model_id: cerebras/llama-3.3-70b
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:2: agents.default: a key of an older myao2; write `agents.response`, `agents.judgment` and `agents.memory` instead, each with `model_id: provider/model`, with temperature and max_tokens in its `params`, and with api_key and api_base in its `client_args`
    config.yaml:4: agents.response.model_id: `bedrock/…`: Amazon's own protocols are not spoken here. Ask the model's maker directly, as in `anthropic/claude-sonnet-4-5` with a key of Anthropic's; or run a LiteLLM proxy that has the model, and write `litellm_proxy/NAME` with the proxy's address as `client_args.api_base`
    config.yaml:5: agents.response.temperature: a key of an older myao2; it goes into `params`
    config.yaml:7: agents.response.client_args.aws_region_name: a setting of LiteLLM's for a provider that is not spoken here; leave it out, and see `model_id`
    config.yaml:8: agents.response.client_args.max_retries: a setting of LiteLLM's; leave it out: failed calls are tried again with growing waits in any case
    config.yaml:10: agents.judgment.model_id: `vertex_ai/…`: Vertex AI is not spoken here. Write `gemini/…` with a key of Google AI Studio, or `anthropic/…` for a model of Anthropic's; or run a LiteLLM proxy that has the model, and write `litellm_proxy/NAME` with the proxy's address as `client_args.api_base`
    config.yaml:11: agents.judgment.client_args.vertex_project: a setting of LiteLLM's for a provider that is not spoken here; leave it out, and see `model_id`
    config.yaml:11: agents.judgment.client_args.base_url: a name of LiteLLM's; write `api_base` instead
    config.yaml:11: agents.judgment.client_args.api_bas: unknown key, did you mean `agents.judgment.client_args.api_base`?
    config.yaml:13: agents.memory.model: a key of an older myao2; write `model_id: provider/model` instead
    config.yaml:14: agents.memory.model_id: `cerebras/…`: write `openai/…` instead, with `client_args.api_base: https://api.cerebras.ai/v1`
    ");
}

/// A typing error is still one.
#[test]
fn other_unknown_keys_get_a_suggestion() {
    assert_snapshot!(complaint("llms: {}\nmemory: {database_path: x, memory_generation: y}"), @r"
    config.yaml:1: llms: unknown key
    config.yaml:2: memory.memory_generation: unknown key
    ");
}

#[test]
fn providers_of_litellm_that_are_spoken_here_stay() {
    for id in [
        "openai/gpt-4o",
        "azure/own",
        "gemini/gemini-2.5-flash",
        "ollama_chat/qwen3",
        "litellm_proxy/bedrock/x",
    ] {
        let model = ModelId::parse(id).expect(id);
        assert_eq!(model.instead(), None, "{id}");
    }
    for (id, instead) in [
        ("bedrock/x", "litellm_proxy/NAME"),
        ("sagemaker/x", "litellm_proxy/NAME"),
        ("vertex_ai/x", "gemini/…"),
        ("azure_ai/x", "services.ai.azure.com/openai/v1"),
        ("perplexity/sonar", "api_base: https://api.perplexity.ai"),
        ("watsonx/x", "litellm_proxy/NAME"),
    ] {
        let told = ModelId::parse(id).expect(id).instead().unwrap_or_default();
        assert!(told.contains(instead), "{id}: {told}");
    }
}

/// Values that myao2 took.
#[test]
fn values_of_myao2_are_read_as_it_read_them() {
    let search = |depth: &str, length: u32| {
        let text = format!("tools: {{web_search: {{search_depth: {depth}, max_content_length: {length}}}}}");
        let search = config(&text).tools.web_search;
        (search.search_depth, search.max_content_length)
    };
    assert_eq!(search("ultra-fast", 7), (SearchDepth::UltraFast, 7));
    assert_eq!(search("fast", 0), (SearchDepth::Fast, 100_000), "0 is no limit");
    let shown = config("response: {channel_messages_limit: 5}").response;
    assert_eq!((shown.message_limit, shown.channel_messages_limit), (20, 5));
    let notes = load("response: {channel_messages_limit: 5}", &[]).expect("read").notes.remarks;
    assert!(
        notes
            .iter()
            .any(|note| note
                .starts_with("response.channel_messages_limit: overrules response.message_limit (20)")),
        "{notes:?}"
    );
}
