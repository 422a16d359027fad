//! Builds the address of requests, and the headers with the key.

use reqwest::{Url, header::HeaderValue};

use super::{
    ProviderError, ProviderSettings,
    catalog::{KnownProvider, Protocol},
};

/// The version of Anthropic's API that we use.
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Azure's versions with a path like OpenAI's; dated versions have a path for each deployment.
const AZURE_UNDATED: [&str; 3] = ["v1", "preview", "latest"];

/// An address and the headers of requests to it. It has no `Debug`, since the key is among them.
pub(super) struct Endpoint {
    pub(super) url: Url,
    pub(super) headers: Vec<(String, String)>,
    /// Tells which span of a trace a request belongs to.
    pub(super) trace_parent: TraceParent,
}

/// Gives the W3C header `traceparent` of the call that is being made; `None` where no trace is collected.
pub type TraceParent = fn() -> Option<String>;

/// No trace is collected.
pub(super) fn no_trace() -> Option<String> {
    None
}

impl Endpoint {
    /// The address that `settings` give, with the owner's `extra` headers.
    pub(super) fn new(
        known: &'static KnownProvider,
        settings: &ProviderSettings,
        extra: &[(String, String)],
    ) -> Result<Self, ProviderError> {
        let mut url = base_url(known, settings)?;
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path_of_call(known.protocol, &path, settings));
        if let (Protocol::Azure, Some(version)) =
            (known.protocol, unless_blank(settings.api_version.as_deref()))
        {
            url.query_pairs_mut().append_pair("api-version", version);
        }
        let mut headers = key_header(known, settings)?;
        if known.protocol == Protocol::Anthropic {
            headers.push(("anthropic-version".to_owned(), ANTHROPIC_VERSION.to_owned()));
        }
        headers.extend_from_slice(extra);
        Ok(Self { url, headers, trace_parent: no_trace })
    }

    /// The address for an answer in pieces. Only Gemini has one of its own.
    pub(super) fn url_for_pieces(&self) -> Url {
        let mut url = self.url.clone();
        if let Some(front) = self.url.path().strip_suffix(":generateContent") {
            url.set_path(&format!("{front}:streamGenerateContent"));
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        url
    }
}

/// The text, unless it is blank: `${VAR}` may have expanded to nothing.
fn unless_blank(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn base_url(known: &'static KnownProvider, settings: &ProviderSettings) -> Result<Url, ProviderError> {
    let Some(base) = unless_blank(settings.api_base.as_deref()).or(known.base) else {
        let example = match known.protocol {
            Protocol::Azure => "the resource's address, https://<resource>.openai.azure.com",
            Protocol::OpenAi | Protocol::Anthropic | Protocol::Gemini | Protocol::Ollama => {
                "the server's address, as in http://localhost:8000/v1"
            }
        };
        return Err(ProviderError::BaseMissing { provider: known.name, example });
    };
    let url = Url::parse(base).map_err(|e| ProviderError::BaseMalformed(e.to_string()))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err(ProviderError::BaseMalformed("it begins with http:// or https://".to_owned()))
    }
}

/// The path of a call below the base's `path`. A part of it that people pasted with the base is not repeated.
fn path_of_call(protocol: Protocol, path: &str, settings: &ProviderSettings) -> String {
    let below = |ends: &[&str]| {
        ends.iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path).trim_end_matches('/').to_owned()
    };
    let model = &settings.model;
    match protocol {
        Protocol::OpenAi => format!("{}/chat/completions", below(&["/chat/completions"])),
        Protocol::Azure => {
            let resource = below(&["/openai/v1", "/openai"]);
            match unless_blank(settings.api_version.as_deref()) {
                Some(version) if !AZURE_UNDATED.contains(&version) => {
                    format!("{resource}/openai/deployments/{model}/chat/completions")
                }
                _ => format!("{resource}/openai/v1/chat/completions"),
            }
        }
        Protocol::Anthropic => format!("{}/v1/messages", below(&["/v1/messages", "/v1"])),
        Protocol::Gemini => {
            // Version 1 does not know all fields that we send; an address may name another version.
            let front = below(&["/v1"]);
            let last = front.rsplit('/').next().unwrap_or_default();
            let names_version =
                last.starts_with('v') && last.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
            let version = if names_version { "" } else { "/v1beta" };
            format!("{front}{version}/models/{model}:generateContent")
        }
        Protocol::Ollama => format!("{}/api/chat", below(&["/api/chat", "/api", "/v1"])),
    }
}

/// The header with the key, as the provider reads it. A server of the owner's own may need none.
fn key_header(
    known: &'static KnownProvider,
    settings: &ProviderSettings,
) -> Result<Vec<(String, String)>, ProviderError> {
    let Some(key) = settings.api_key.as_ref().map(|key| key.expose().trim()).filter(|key| !key.is_empty())
    else {
        let own_server = settings.api_base.is_some() && known.protocol != Protocol::Azure;
        return match known.key_variable {
            Some(variable) if !own_server => {
                Err(ProviderError::KeyMissing { provider: known.name, variable })
            }
            _ => Ok(Vec::new()),
        };
    };
    let (name, value) = match known.protocol {
        Protocol::OpenAi | Protocol::Ollama => ("authorization", format!("Bearer {key}")),
        Protocol::Azure => ("api-key", key.to_owned()),
        Protocol::Anthropic => ("x-api-key", key.to_owned()),
        Protocol::Gemini => ("x-goog-api-key", key.to_owned()),
    };
    HeaderValue::try_from(&value).map_err(|_not_a_header| ProviderError::KeyMalformed)?;
    Ok(vec![(name.to_owned(), value)])
}
