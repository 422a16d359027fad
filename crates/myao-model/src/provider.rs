//! Models of providers (specification §8).
//!
//! Read in this order: `catalog` (the known providers), `target` (where requests go), `params` with `effort` (the owner's
//! parameters), `dialogue` with `answer_limit`, `images` and `wording` (the content of a request, in any protocol),
//! `openai`, `anthropic`, `gemini` and `ollama` (the body and the answer in each protocol), `wire` (the HTTP request),
//! `body` and `stream` (an answer at once, and in pieces),
//! `answer` and `thoughts` (turn an answer into a response), `habits` with `prompt_tokens` (what answers show of a model),
//! and `failure` with `complaint` and `excerpt` (turn an error
//! into a `ModelError`). `embedding` is for models that give vectors instead of words.

mod answer;
mod answer_limit;
mod anthropic;
mod body;
mod catalog;
mod complaint;
mod dialogue;
mod effort;
mod embedding;
mod error;
mod excerpt;
mod failure;
mod gemini;
mod habits;
mod images;
mod ollama;
mod openai;
mod params;
mod prompt_tokens;
mod stream;
mod target;
mod thoughts;
mod wire;
mod wording;

use std::{fmt, time::Duration};

use myao_core::ports::{
    BoxFuture, Model, ModelError, Request, Response, ResponseFormat, ShowWords, StopReason,
};
use serde_json::{Map, Value};

pub use embedding::{Embedded, EmbeddingModel, EmbeddingSettings, recorded_model_id};
pub use error::ProviderError;
pub use habits::ModelHabits;
pub use target::TraceParent;

use answer::ReadResponse;
use catalog::{KnownProvider, Protocol};
use failure::{CallFailure, RequestContext};
use habits::{AnswerEvidence, ModelHabit, PiecesHabit};
use params::ModelParams;
use prompt_tokens::PromptTokens;
use target::Endpoint;

/// How long a call may take unless the configuration says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

/// The host of OpenAI's own server.
const OPENAI_HOST: &str = "api.openai.com";
const ANTHROPIC_HOST: &str = "api.anthropic.com";
const GEMINI_HOST: &str = "generativelanguage.googleapis.com";

/// A provider's key. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Wraps a key.
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

/// One of `agents.*`: the model that is asked, and how.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// The part of `model_id` before the first slash, as in `openai`.
    pub provider: String,
    /// The part after that slash, further slashes included, as in `gpt-4o`.
    pub model: String,
    /// `client_args.api_key`. A server of the owner's own may need none.
    pub api_key: Option<ApiKey>,
    /// `client_args.api_base`: the address of a server other than the provider's own.
    pub api_base: Option<String>,
    /// `client_args.api_version`: the version of Azure's API.
    pub api_version: Option<String>,
    /// `client_args.timeout`: how long a call may take, from the first byte to the last.
    pub timeout: Duration,
    /// `params`: temperature and the like. Unknown ones are passed on to the provider.
    pub params: Map<String, Value>,
}

impl ProviderSettings {
    /// A model with default settings.
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

/// The environment variable that usually holds a provider's key, for the code that reads the environment. `None` for
/// an unknown provider, or one that needs no key.
pub fn key_variable(provider: &str) -> Option<&'static str> {
    catalog::find_by_name(provider).ok()?.key_variable
}

/// The address of a provider's own server; `None` for an unknown provider, or one without a server of its own.
pub fn address_of_server(provider: &str) -> Option<&'static str> {
    catalog::find_by_name(provider).ok()?.base
}

/// The `max_tokens` of `params`, if it is so low that the thoughts of this model may use it up before its first word
/// (ADR 17). A model is known to think by its name and settings, or because it was `seen` to.
pub fn limit_too_low(model: &str, params: &Map<String, Value>, seen: bool) -> Option<u32> {
    answer_limit::too_low(&ModelParams::read(params).ok()?, model, seen)
}

/// The parameter that switches a model's thinking off at this provider, as it is written under `params`, or at a server of
/// the owner's own that speaks its protocol; `None` for an unknown provider.
pub fn thinking_switch(provider: &str, is_own_server: bool) -> Option<&'static str> {
    Some(match catalog::find_by_name(provider).ok()?.name {
        "openai" if !is_own_server => "reasoning_effort: none",
        // The template of the model has the switch.
        "openai" | "hosted_vllm" | "litellm_proxy" | "lm_studio" | "llamafile" => {
            "chat_template_kwargs: {enable_thinking: false}"
        }
        "dashscope" => "enable_thinking: false",
        "zai" | "moonshot" => "thinking: {type: disabled}",
        _ => "reasoning_effort: none",
    })
}

/// The names of all providers, the common ones first.
pub fn names_common_first() -> impl Iterator<Item = &'static str> {
    catalog::names_common_first()
}

/// One model of one provider. A call is one HTTP request, without retries.
pub struct Provider {
    id: String,
    known: &'static KnownProvider,
    model: String,
    key: Option<ApiKey>,
    target: Endpoint,
    timeout: Duration,
    params: ModelParams,
    client: reqwest::Client,
    habits: ModelHabits,
}

/// The most tokens of a call: what the prompt may take in the model's vocabulary, and the limit of the answer.
#[derive(Clone, Copy)]
struct CallSize {
    prompt: u64,
    limit: u32,
}

impl Provider {
    /// The model that `settings` name, asked through `client` (see [`http_client_through`](crate::http_client_through)).
    ///
    /// # Errors
    /// When the settings do not allow a call: a [`ProviderError`] says what to change in the configuration.
    pub fn new(settings: ProviderSettings, client: reqwest::Client) -> Result<Self, ProviderError> {
        let known = catalog::find_by_name(&settings.provider)?;
        let params = ModelParams::read(&settings.params)?;
        let target = Endpoint::new(known, &settings, &params.headers)?;
        Ok(Self {
            id: format!("{}/{}", settings.provider, settings.model),
            known,
            model: settings.model,
            key: settings.api_key,
            target,
            timeout: settings.timeout,
            params,
            client,
            habits: ModelHabits::default(),
        })
    }

    /// The same model, which shares what calls have shown of it with other roles.
    #[must_use]
    pub fn sharing(self, habits: &ModelHabits) -> Self {
        Self { habits: habits.clone(), ..self }
    }

    /// The same model, whose requests tell which span of a trace they belong to.
    #[must_use]
    pub fn traced_by(mut self, parent: TraceParent) -> Self {
        self.target.trace_parent = parent;
        self
    }

    /// The name of what is known of the model: the same model may be served differently elsewhere.
    fn habit_key(&self) -> String {
        format!("{} {}", self.id, self.target.url)
    }

    fn habit(&self) -> ModelHabit {
        self.habits.of(&self.habit_key())
    }

    /// Asks, in pieces if `show` is told what comes of them.
    async fn exchange(
        &self,
        asked: RequestContext<'_>,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Response, CallFailure> {
        let habit = self.habit();
        let show = show.filter(|_| matches!(habit.pieces, PiecesHabit::Unknown | PiecesHabit::Plain));
        match self.exchange_once(asked, habit, show).await {
            Err(CallFailure::Error(ModelError::Rejected(why) | ModelError::Unsupported(why)))
                if show.is_some() && why.to_ascii_lowercase().contains("stream") =>
            {
                tracing::info!(
                    model = self.id,
                    why,
                    "a server gives no answers in pieces; it is asked for whole ones"
                );
                self.habits.learn(&self.habit_key(), |habit| habit.pieces = PiecesHabit::Refused);
                self.exchange_once(asked, habit, None).await
            }
            answered => answered,
        }
    }

    async fn exchange_once(
        &self,
        asked: RequestContext<'_>,
        habit: ModelHabit,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Response, CallFailure> {
        let limit = answer_limit::most_tokens(asked.request, &self.params, &self.model, habit);
        let tokens = PromptTokens::of(asked.request);
        let size = CallSize { prompt: habit.ratio.at_most(tokens), limit };
        let ReadResponse { response, thought, thought_aloud } = self.call(asked, size, habit, show).await?;
        let evidence = AnswerEvidence {
            thought,
            ran_out: response.stop == StopReason::Length
                && response.text.is_empty()
                && response.calls.is_empty(),
            // A grammar for data leaves no room for thoughts, so data says nothing of answers in words.
            thought_aloud: thought_aloud.filter(|aloud| *aloud || asked.request.form == ResponseFormat::Text),
            room: limit.saturating_sub(answer_limit::most_word_tokens(asked.request)),
        };
        self.habits.learn(&self.habit_key(), |habit| {
            habit.see(evidence);
            if !response.usage.estimated {
                habit.ratio.see(tokens, response.usage.input);
            }
        });
        Ok(response)
    }

    async fn call(
        &self,
        asked: RequestContext<'_>,
        size: CallSize,
        habit: ModelHabit,
        show: Option<&ShowWords<'_>>,
    ) -> Result<ReadResponse, CallFailure> {
        let request = asked.request;
        let params = &self.params;
        let model = self.model.as_str();
        let protocol = self.known.protocol;
        let mut body = match protocol {
            Protocol::OpenAi | Protocol::Azure => {
                openai::request_body(request, params, self.known, model, size.limit)
            }
            Protocol::Anthropic => anthropic::request_body(request, params, model, size.limit),
            Protocol::Gemini => gemini::request_body(request, params, model, size.limit),
            Protocol::Ollama => ollama::request_body(request, params, model, size),
        };
        let raw = if let Some(show) = show {
            stream::ask_for_pieces(&mut body, self.known);
            let answer = wire::post_body(&self.client, &self.target, &body, asked, true).await?;
            let show =
                Some(show).filter(|_| habit.pieces == PiecesHabit::Plain || self.tells_thoughts_apart());
            stream::read_in_pieces(answer, protocol, asked, show).await?
        } else {
            let answer = wire::post_body(&self.client, &self.target, &body, asked, false).await?;
            body::read_whole(answer, asked).await?
        };
        match protocol {
            Protocol::OpenAi | Protocol::Azure => openai::read_response(&raw, self.known, asked),
            Protocol::Anthropic => anthropic::read_response(&raw, asked),
            Protocol::Gemini => gemini::read_response(&raw, asked),
            Protocol::Ollama => ollama::read_response(&raw, asked),
        }
    }

    /// Whether its server certainly gives thoughts apart from words, whatever the model, since it is the provider's own.
    /// Others that speak the same protocol may write the mark that opens thoughts into the prompt, so that what comes
    /// first looks like an answer; of these one plain answer has to be seen before. Azure serves models of many makers.
    fn tells_thoughts_apart(&self) -> bool {
        let host = match self.known.protocol {
            Protocol::Anthropic => ANTHROPIC_HOST,
            Protocol::Gemini => GEMINI_HOST,
            Protocol::OpenAi => OPENAI_HOST,
            Protocol::Azure | Protocol::Ollama => return false,
        };
        self.target.url.host_str() == Some(host)
    }

    async fn answer_in_time(
        &self,
        request: &Request,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Response, ModelError> {
        let asked = RequestContext { request, key: self.key.as_ref().map(ApiKey::expose) };
        match tokio::time::timeout(self.timeout, self.exchange(asked, show)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(CallFailure::Refused(why))) => {
                tracing::info!(model = self.id, purpose = request.purpose, why, "a filter refused a request");
                Ok(answer::response_when_refused(request))
            }
            Ok(Err(CallFailure::Error(error))) => Err(error),
            Err(_elapsed) => Err(ModelError::Timeout(whole_seconds(self.timeout))),
        }
    }
}

impl Model for Provider {
    fn id(&self) -> &str {
        &self.id
    }

    fn time_limit(&self) -> Duration {
        self.timeout
    }

    fn output_limit(&self, request: &Request) -> u32 {
        answer_limit::most_tokens(request, &self.params, &self.model, self.habit())
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(self.answer_in_time(request, None))
    }

    fn ask_and_show<'a>(
        &'a self,
        request: &'a Request,
        show: &'a ShowWords<'a>,
    ) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(self.answer_in_time(request, Some(show)))
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A timeout in whole seconds, rounded up, so that it is never shown as 0 s.
fn whole_seconds(timeout: Duration) -> u64 {
    timeout.as_secs() + u64::from(timeout.subsec_nanos() > 0)
}
