//! Real models behind the `Model` port (SPEC §8).
//!
//! Read in this order: `catalog` (who there is), `target` (where requests go), `params` (what the owner set),
//! `request` with `limit`, `images`, `wording` and `gemini` (what is sent), `answer` (what comes back), `thoughts`
//! (what of it goes back again) and `failure` with `complaint` and `excerpt` (what may come instead). genai writes and
//! reads the four protocols; `ollama`
//! says why it is spoken without.

mod answer;
mod catalog;
mod complaint;
mod error;
mod excerpt;
mod failure;
mod gemini;
mod images;
mod limit;
mod ollama;
mod params;
mod request;
mod target;
mod thoughts;
mod wording;

use std::{fmt, time::Duration};

use genai::{
    Headers, ModelIden, ServiceTarget,
    resolver::{AuthData, Endpoint},
    webc,
};
use myao_core::ports::{BoxFuture, Model, ModelError, Request, Response};
use serde_json::{Map, Value};

pub use error::ProviderError;

use catalog::{Known, Protocol};
use excerpt::excerpt;
use failure::{Asked, Failure};
use params::Params;
use target::Target;

/// How long a call may take unless the configuration says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

/// A provider's key. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// This key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

/// One of `agents.*`, as far as it says which model is asked and how.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// As in `openai`: what stands before the first slash of `model_id`.
    pub provider: String,
    /// As in `gpt-4o`: what stands behind it, further slashes included.
    pub model: String,
    /// `client_args.api_key`. A server of the owner's own may need none.
    pub api_key: Option<ApiKey>,
    /// `client_args.api_base`: another server than the provider's own.
    pub api_base: Option<String>,
    /// `client_args.api_version`: Azure's version of its interface.
    pub api_version: Option<String>,
    /// `client_args.timeout`: how long a call may take, from the first byte to the last.
    pub timeout: Duration,
    /// `params`: temperature and the like; what we do not know goes to the provider as it is.
    pub params: Map<String, Value>,
}

impl ProviderSettings {
    /// This model, with nothing else said.
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            api_key: None,
            api_base: None,
            api_version: None,
            timeout: DEFAULT_TIMEOUT,
            params: Map::new(),
        }
    }
}

/// The environment variable that usually holds a provider's key: for whoever reads the environment. None for
/// a provider that needs no key, or that nobody knows.
pub fn key_variable(provider: &str) -> Option<&'static str> {
    catalog::find(provider).ok()?.key_variable
}

/// Where a provider's own server is; none for one that only its owner knows, or that nobody knows.
pub fn address(provider: &str) -> Option<&'static str> {
    catalog::find(provider).ok()?.base
}

/// The names of all providers, the common ones first.
pub fn provider_names() -> impl Iterator<Item = &'static str> {
    catalog::names()
}

/// One model of one provider. A call is one HTTP request, whatever comes of it.
pub struct Provider {
    id: String,
    known: &'static Known,
    model: String,
    key: Option<ApiKey>,
    target: Target,
    timeout: Duration,
    params: Params,
    client: reqwest::Client,
    genai: genai::Client,
}

impl Provider {
    /// The model that `settings` name, asked over `client` (see [`http_client`](crate::http_client)).
    ///
    /// # Errors
    /// When no such call could be made: a [`ProviderError`] says what to change in the configuration.
    pub fn new(settings: ProviderSettings, client: reqwest::Client) -> Result<Self, ProviderError> {
        let known = catalog::find(&settings.provider)?;
        let params = Params::read(&settings.params)?;
        let target = Target::new(known, &settings, &params.headers)?;
        let genai = genai::Client::builder()
            .with_reqwest(client.clone())
            .build()
            .map_err(|e| ProviderError::Client(e.to_string()))?;
        Ok(Self {
            id: format!("{}/{}", settings.provider, settings.model),
            known,
            model: settings.model,
            key: settings.api_key,
            target,
            timeout: settings.timeout,
            params,
            client,
            genai,
        })
    }

    async fn exchange(&self, asked: Asked<'_>) -> Result<Response, Failure> {
        if self.known.protocol == Protocol::Ollama {
            return ollama::ask(&self.client, &self.target, &self.model, &self.params, asked).await;
        }
        let chat = request::chat(asked.request, self.known.protocol, &self.model);
        let options = request::options(asked.request, &self.params, self.known.protocol, &self.model);
        let mut answer =
            self.genai.exec_chat(self.service(), chat, Some(&options)).await.map_err(|e| failed(e, asked))?;
        let raw = answer.captured_raw_body.take().unwrap_or_default();
        answer::response(answer, &raw, asked)
    }

    /// Address and headers are ours in every case: genai knows neither Azure's nor a server without a key.
    fn service(&self) -> ServiceTarget {
        let url = self.target.url.to_string();
        ServiceTarget {
            endpoint: Endpoint::from_owned(url.as_str()),
            auth: AuthData::RequestOverride { url, headers: Headers::from(self.target.headers.clone()) },
            model: ModelIden::new(self.known.adapter, self.model.as_str()),
        }
    }
}

impl Model for Provider {
    fn id(&self) -> &str {
        &self.id
    }

    fn output_limit(&self, request: &Request) -> u32 {
        limit::limit(request, &self.params, &self.model)
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        let asked = Asked { request, key: self.key.as_ref().map(ApiKey::expose) };
        Box::pin(async move {
            match tokio::time::timeout(self.timeout, self.exchange(asked)).await {
                Ok(Ok(response)) => Ok(response),
                Ok(Err(Failure::Refused(why))) => {
                    tracing::info!(
                        model = self.id,
                        purpose = request.purpose,
                        why,
                        "a filter refused a request"
                    );
                    Ok(answer::refused(request))
                }
                Ok(Err(Failure::Error(error))) => Err(error),
                Err(_elapsed) => Err(ModelError::Timeout(whole_seconds(self.timeout))),
            }
        })
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Rounded up, since nobody waits for 0 s.
fn whole_seconds(timeout: Duration) -> u64 {
    timeout.as_secs() + u64::from(timeout.subsec_nanos() > 0)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "genai's other errors are all about making a request")]
fn failed(error: genai::Error, asked: Asked<'_>) -> Failure {
    match error {
        genai::Error::WebModelCall { webc_error, .. } => match webc_error {
            webc::Error::ResponseFailedStatus { status, body, headers } => {
                asked.status(status.as_u16(), &headers, &body)
            }
            webc::Error::ResponseFailedNotJson { content_type, .. } => {
                asked.invalid(&format!("it is {content_type:?}, not JSON"))
            }
            webc::Error::ResponseFailedInvalidJson { cause, .. } => {
                asked.invalid(&format!("it is not JSON: {cause}"))
            }
            webc::Error::JsonValueExt(e) => asked.invalid(&e.to_string()),
            webc::Error::Reqwest(e) => asked.transport(&e),
        },
        genai::Error::ChatResponseGeneration { response_body, cause, .. } => {
            answer::unread(&response_body, &cause, asked)
        }
        other => Failure::Error(ModelError::Rejected(excerpt(&other.to_string(), asked.key))),
    }
}
