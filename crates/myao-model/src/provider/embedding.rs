//! Models that turn texts into vectors, behind OpenAI's `POST {base}/embeddings`.

use std::{fmt, sync::OnceLock, time::Duration};

use myao_core::{
    ports::{ModelError, Request, Role},
    recall::TextVector,
    text::Language,
};
use reqwest::{Client, Url, header::HeaderValue};
use serde_json::{Value, json};

use super::{
    ApiKey, ProviderError, body,
    complaint::Complaint,
    failure::{CallFailure, RequestContext},
    target::{Endpoint, TraceParent, no_trace},
    whole_seconds, wire,
};

/// The most tokens that a model makes of a text of one token, with its marks of beginning and end.
const MOST_OF_ONE: u64 = 4;
/// The end of a call's address, which people paste together with the base.
const PATH: &str = "/embeddings";

/// `recall.embeddings`: the model that is asked, and where.
#[derive(Clone, Debug)]
pub struct EmbeddingSettings {
    /// The address of the server, as in `http://localhost:8000/v1`.
    pub api_base: String,
    /// The model, by the server's own name for it.
    pub model: String,
    /// The key; a server of the owner's own may need none.
    pub api_key: Option<ApiKey>,
    /// How long a call may take, from the first byte to the last.
    pub timeout: Duration,
}

/// The name under which the calls of a model are recorded and its vectors are stored, by the server's own name for it.
pub fn recorded_model_id(model: &str) -> String {
    format!("embeddings/{model}")
}

/// A model that turns texts into vectors. A call is one HTTP request, without retries.
pub struct EmbeddingModel {
    id: String,
    settings: EmbeddingSettings,
    target: Endpoint,
    client: Client,
    /// Whether its server sets marks in front of texts, once that is known.
    sets_marks: OnceLock<bool>,
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// A vector for each text, in their order.
    pub vectors: Vec<TextVector>,
    /// Tokens that the server read, if it says so.
    pub tokens: Option<u64>,
}

impl EmbeddingModel {
    /// The model that `settings` name, asked through `client`.
    ///
    /// # Errors
    /// When the address or the key is malformed.
    pub fn new(settings: EmbeddingSettings, client: Client) -> Result<Self, ProviderError> {
        let mut url =
            Url::parse(settings.api_base.trim()).map_err(|e| ProviderError::BaseMalformed(e.to_string()))?;
        let path = url.path().trim_end_matches('/');
        let path = format!("{}{PATH}", path.strip_suffix(PATH).unwrap_or(path));
        url.set_path(&path);
        let key = settings.api_key.as_ref().map(|key| key.expose().trim()).filter(|key| !key.is_empty());
        let header = key.map(|key| ("authorization".to_owned(), format!("Bearer {key}")));
        if header.as_ref().is_some_and(|(_, value)| HeaderValue::try_from(value).is_err()) {
            return Err(ProviderError::KeyMalformed);
        }
        let target = Endpoint { url, headers: header.into_iter().collect(), trace_parent: no_trace };
        Ok(Self {
            id: recorded_model_id(&settings.model),
            settings,
            target,
            client,
            sets_marks: OnceLock::new(),
        })
    }

    /// The same model, whose requests tell which span of a trace they belong to.
    #[must_use]
    pub fn traced_by(mut self, parent: TraceParent) -> Self {
        self.target.trace_parent = parent;
        self
    }

    /// The name under which its calls are recorded and its vectors are stored ([`recorded_model_id`]).
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The model, by the server's own name for it.
    pub fn name(&self) -> &str {
        &self.settings.model
    }

    /// Whether its server sets marks in front of texts itself, as far as it was asked.
    pub fn sets_marks(&self) -> Option<bool> {
        self.sets_marks.get().copied()
    }

    /// Takes in how many tokens its server read of [`EmbeddingModel::ONE_TOKEN`]. `None` if it does not say so: then it
    /// counts as one that sets no marks, which is what nearly all do.
    pub fn told(&self, tokens: Option<u64>) -> bool {
        *self.sets_marks.get_or_init(|| tokens.is_some_and(|tokens| tokens > MOST_OF_ONE))
    }

    /// A text of one token. What a server reads beyond it, and beyond marks of beginning and end, it added.
    pub const ONE_TOKEN: &'static str = "a";

    /// The vectors of texts, of which there is at least one.
    ///
    /// # Errors
    /// See [`ModelError`]; an answer that is not one vector for each text, all of the same number of dimensions, is
    /// [`ModelError::Invalid`].
    pub async fn embed(&self, texts: &[String]) -> Result<Embedded, ModelError> {
        let request = request_without_words();
        let asked =
            RequestContext { request: &request, key: self.settings.api_key.as_ref().map(ApiKey::expose) };
        let body = json!({ "model": self.settings.model, "input": texts, "encoding_format": "float" });
        let call = async {
            let answer = wire::post_body(&self.client, &self.target, &body, asked, false).await?;
            body::read_whole(answer, asked).await
        };
        let answer = match tokio::time::timeout(self.settings.timeout, call).await {
            Ok(answer) => answer.and_then(|raw| read_vectors(&raw, texts.len(), asked)),
            Err(_elapsed) => return Err(ModelError::Timeout(whole_seconds(self.settings.timeout))),
        };
        answer.map_err(|failure| match failure {
            CallFailure::Refused(why) => ModelError::Rejected(why),
            CallFailure::Error(error) => error,
        })
    }
}

impl fmt::Debug for EmbeddingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingModel").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A request without words: failures are described in terms of a request, and an embedding has none.
fn request_without_words() -> Request {
    Request::new(Role::Memory, "embedding", Language::En)
}

fn read_vectors(raw: &Value, texts: usize, asked: RequestContext<'_>) -> Result<Embedded, CallFailure> {
    let Some(data) = raw.get("data").and_then(Value::as_array) else {
        return Err(match Complaint::found(raw) {
            Some(complaint) => asked.in_answer(&complaint),
            None => asked.invalid("it holds no `data`"),
        });
    };
    let mut vectors: Vec<Option<TextVector>> = vec![None; texts];
    for (nth, entry) in data.iter().enumerate() {
        let index = entry.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let slot = vectors.get_mut(index.unwrap_or(nth)).filter(|slot| slot.is_none());
        let slot = slot.ok_or_else(|| asked.invalid("it holds vectors that nobody asked for"))?;
        *slot = parse_vector(entry.get("embedding"));
    }
    let vectors: Option<Vec<TextVector>> = vectors.into_iter().collect();
    let vectors = vectors.ok_or_else(|| asked.invalid("it lacks a vector, or one of them is none"))?;
    let sizes =
        |vector: &TextVector| Some(vector.dimensions()) == vectors.first().map(TextVector::dimensions);
    if !vectors.iter().all(sizes) {
        return Err(asked.invalid("its vectors are of different lengths"));
    }
    let usage = |key: &str| raw.get("usage")?.get(key)?.as_u64();
    Ok(Embedded { tokens: usage("prompt_tokens").or_else(|| usage("total_tokens")), vectors })
}

fn parse_vector(value: Option<&Value>) -> Option<TextVector> {
    #[expect(clippy::cast_possible_truncation, reason = "a likeness does not need more")]
    let numbers: Option<Vec<f32>> =
        value?.as_array()?.iter().map(|number| number.as_f64().map(|number| number as f32)).collect();
    TextVector::new(&numbers?)
}
