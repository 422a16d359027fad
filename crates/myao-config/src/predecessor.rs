//! Names what keys and models of myao2 that do not exist here are called instead (docs/from-myao2.md).
//!
//! myao2 passed over keys that it did not know, so a file of it may still hold those of its older versions. And it asked
//! models through LiteLLM, which knows providers that are not spoken here.

/// A key of myao2, and what to write instead.
struct OldKey {
    /// Its full path; `*` stands for any one part.
    path: &'static str,
    instead: &'static str,
}

const AGENTS: &str = "a key of an older myao2; write `agents.response`, `agents.judgment` and `agents.memory` instead, each \
                      with `model_id: provider/model`, with temperature and max_tokens in its `params`, and with api_key and \
                      api_base in its `client_args`";
const SEARCH: &str = "a key of an older myao2; write `tools.web_search` and `tools.web_fetch` instead";
const MEMORY_MODEL: &str = "a key of an older myao2; `agents.memory` says now which model writes memories";
const BASE: &str = "a name of LiteLLM's; write `api_base` instead";
const RETRIES: &str =
    "a setting of LiteLLM's; leave it out: failed calls are tried again with growing waits in any case";
const ORGANIZATION: &str =
    "a setting of LiteLLM's; write `params.extra_headers: {OpenAI-Organization: …}` instead";
const NOT_SPOKEN: &str =
    "a setting of LiteLLM's for a provider that is not spoken here; leave it out, and see `model_id`";

const OLD_KEYS: [OldKey; 19] = {
    const fn old_key(path: &'static str, instead: &'static str) -> OldKey {
        OldKey { path, instead }
    }
    [
        old_key("llm", AGENTS),
        old_key("external", SEARCH),
        old_key("memory.memory_generation_llm", MEMORY_MODEL),
        old_key("agents.default", AGENTS),
        old_key("agents.*.model", "a key of an older myao2; write `model_id: provider/model` instead"),
        old_key("agents.*.temperature", "a key of an older myao2; it goes into `params`"),
        old_key("agents.*.max_tokens", "a key of an older myao2; it goes into `params`"),
        old_key("agents.*.client_args.base_url", BASE),
        old_key("agents.*.client_args.max_retries", RETRIES),
        old_key("agents.*.client_args.num_retries", RETRIES),
        old_key("agents.*.client_args.organization", ORGANIZATION),
        old_key("agents.*.client_args.aws_access_key_id", NOT_SPOKEN),
        old_key("agents.*.client_args.aws_secret_access_key", NOT_SPOKEN),
        old_key("agents.*.client_args.aws_session_token", NOT_SPOKEN),
        old_key("agents.*.client_args.aws_region_name", NOT_SPOKEN),
        old_key("agents.*.client_args.aws_profile_name", NOT_SPOKEN),
        old_key("agents.*.client_args.vertex_project", NOT_SPOKEN),
        old_key("agents.*.client_args.vertex_location", NOT_SPOKEN),
        old_key("agents.*.client_args.vertex_credentials", NOT_SPOKEN),
    ]
};

/// What to write instead of a key that myao2 had; `None` if it had no such key, or the key is known here.
pub(super) fn instead_of_key(path: &str) -> Option<&'static str> {
    let is_it = |old: &&OldKey| {
        let mut known = old.path.split('.');
        let mut asked = path.split('.');
        known.by_ref().zip(asked.by_ref()).all(|(known, asked)| known == "*" || known == asked)
            && old.path.matches('.').count() == path.matches('.').count()
    };
    OLD_KEYS.iter().find(is_it).map(|old| old.instead)
}

const AMAZON: &str = "Amazon's own protocols are not spoken here. Ask the model's maker directly, as in \
                      `anthropic/claude-sonnet-4-5` with a key of Anthropic's; or run a LiteLLM proxy that has the model, \
                      and write `litellm_proxy/NAME` with the proxy's address as `client_args.api_base`";
const VERTEX: &str = "Vertex AI is not spoken here. Write `gemini/…` with a key of Google AI Studio, or `anthropic/…` \
                      for a model of Anthropic's; or run a LiteLLM proxy that has the model, and write \
                      `litellm_proxy/NAME` with the proxy's address as `client_args.api_base`";
const AZURE_AI: &str = "write `openai/NAME` instead, with `client_args.api_base: \
                        https://RESOURCE.services.ai.azure.com/openai/v1`";
const TEXT_COMPLETION: &str = "only chats are spoken here; write `openai/NAME` with a model that chats";
const PROXY: &str = "this provider is not spoken here. Run a LiteLLM proxy that has the model, and write \
                     `litellm_proxy/NAME` with the proxy's address as `client_args.api_base`";

/// Providers of LiteLLM that are not spoken here, and what to write instead.
const ELSEWHERE: [(&str, &str); 16] = [
    ("bedrock", AMAZON),
    ("bedrock_converse", AMAZON),
    ("sagemaker", AMAZON),
    ("sagemaker_chat", AMAZON),
    ("vertex_ai", VERTEX),
    ("vertex_ai_beta", VERTEX),
    ("palm", VERTEX),
    ("azure_ai", AZURE_AI),
    ("azure_text", TEXT_COMPLETION),
    ("text-completion-openai", TEXT_COMPLETION),
    ("watsonx", PROXY),
    ("replicate", PROXY),
    ("snowflake", PROXY),
    ("oci", PROXY),
    ("gigachat", PROXY),
    ("github_copilot", PROXY),
];

/// Providers of LiteLLM with a server that speaks OpenAI's protocol, and its address.
const LIKE_OPENAI: [(&str, &str); 12] = [
    ("ai21", "https://api.ai21.com/studio/v1"),
    ("cerebras", "https://api.cerebras.ai/v1"),
    ("codestral", "https://codestral.mistral.ai/v1"),
    ("cohere", "https://api.cohere.ai/compatibility/v1"),
    ("cohere_chat", "https://api.cohere.ai/compatibility/v1"),
    ("databricks", "https://WORKSPACE/serving-endpoints"),
    ("deepinfra", "https://api.deepinfra.com/v1/openai"),
    ("github", "https://models.github.ai/inference"),
    ("huggingface", "https://router.huggingface.co/v1"),
    ("nvidia_nim", "https://integrate.api.nvidia.com/v1"),
    ("perplexity", "https://api.perplexity.ai"),
    ("sambanova", "https://api.sambanova.ai/v1"),
];

/// What to write instead of a model of this provider of LiteLLM's; `None` if the provider is not among those that are
/// named differently here.
pub(super) fn instead_of_provider(provider: &str) -> Option<String> {
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == provider);
    let like_openai = || LIKE_OPENAI.iter().find(|(name, _)| *name == provider);
    match elsewhere {
        Some((name, instead)) => Some(format!("`{name}/…`: {instead}")),
        None => like_openai().map(|(name, base)| {
            format!("`{name}/…`: write `openai/…` instead, with `client_args.api_base: {base}`")
        }),
    }
}
