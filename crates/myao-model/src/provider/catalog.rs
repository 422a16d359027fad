//! The known providers, by LiteLLM's names for them, so that myao2's model ids stay valid.

use super::ProviderError;

/// The protocol of a provider's API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// `POST {base}/chat/completions`, key as bearer.
    OpenAi,
    /// The same, with Azure's addresses and header.
    Azure,
    /// `POST {base}/v1/messages`.
    Anthropic,
    /// `POST {base}/v1beta/models/{model}:generateContent`.
    Gemini,
    /// `POST {base}/api/chat`.
    Ollama,
}

/// One provider.
#[derive(Debug)]
pub(super) struct KnownProvider {
    pub(super) name: &'static str,
    /// Another name that LiteLLM or people use for it.
    alias: &'static str,
    pub(super) protocol: Protocol,
    /// The address of its server; `None` when only the owner knows it.
    pub(super) base: Option<&'static str>,
    /// The environment variable that usually holds its key; `None` when it needs none.
    pub(super) key_variable: Option<&'static str>,
}

const fn known(
    name: &'static str,
    alias: &'static str,
    protocol: Protocol,
    base: Option<&'static str>,
    key_variable: Option<&'static str>,
) -> KnownProvider {
    KnownProvider { name, alias, protocol, base, key_variable }
}

#[rustfmt::skip] // one line each: it is a table
const CATALOG: [KnownProvider; 20] = {
    use Protocol::{Anthropic, Azure, Gemini, Ollama, OpenAi};
    [
        known("openai", "openai_compatible", OpenAi, Some("https://api.openai.com/v1"), Some("OPENAI_API_KEY")),
        known("anthropic", "claude", Anthropic, Some("https://api.anthropic.com"), Some("ANTHROPIC_API_KEY")),
        known("gemini", "google", Gemini, Some("https://generativelanguage.googleapis.com"), Some("GEMINI_API_KEY")),
        known("azure", "azure_openai", Azure, None, Some("AZURE_API_KEY")),
        known("ollama", "ollama_chat", Ollama, Some("http://localhost:11434"), None),
        known("openrouter", "open_router", OpenAi, Some("https://openrouter.ai/api/v1"), Some("OPENROUTER_API_KEY")),
        known("deepseek", "deep_seek", OpenAi, Some("https://api.deepseek.com/v1"), Some("DEEPSEEK_API_KEY")),
        known("groq", "groqcloud", OpenAi, Some("https://api.groq.com/openai/v1"), Some("GROQ_API_KEY")),
        known("mistral", "mistralai", OpenAi, Some("https://api.mistral.ai/v1"), Some("MISTRAL_API_KEY")),
        known("xai", "grok", OpenAi, Some("https://api.x.ai/v1"), Some("XAI_API_KEY")),
        known("together_ai", "together", OpenAi, Some("https://api.together.xyz/v1"), Some("TOGETHERAI_API_KEY")),
        known("fireworks_ai", "fireworks", OpenAi, Some("https://api.fireworks.ai/inference/v1"), Some("FIREWORKS_API_KEY")),
        known("moonshot", "kimi", OpenAi, Some("https://api.moonshot.ai/v1"), Some("MOONSHOT_API_KEY")),
        known("dashscope", "qwen", OpenAi, Some("https://dashscope-intl.aliyuncs.com/compatible-mode/v1"), Some("DASHSCOPE_API_KEY")),
        known("zai", "glm", OpenAi, Some("https://api.z.ai/api/paas/v4"), Some("ZAI_API_KEY")),
        known("nebius", "nebius_ai", OpenAi, Some("https://api.studio.nebius.ai/v1"), Some("NEBIUS_API_KEY")),
        known("hosted_vllm", "vllm", OpenAi, None, None),
        known("litellm_proxy", "litellm", OpenAi, None, None),
        known("lm_studio", "lmstudio", OpenAi, Some("http://localhost:1234/v1"), None),
        known("llamafile", "llama_cpp", OpenAi, Some("http://localhost:8080/v1"), None),
    ]
};
static PROVIDERS: [KnownProvider; CATALOG.len()] = CATALOG;

/// The provider of this name.
pub(super) fn find_by_name(name: &str) -> Result<&'static KnownProvider, ProviderError> {
    PROVIDERS
        .iter()
        .find(|known| known.name == name || known.alias == name)
        .ok_or_else(|| ProviderError::unknown(name, &names_common_first().collect::<Vec<_>>()))
}

/// The names of all providers, the common ones first.
pub(super) fn names_common_first() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|known| known.name)
}
