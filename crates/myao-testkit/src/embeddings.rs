//! A server of embeddings on loopback. The test says which words mean the same.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Words that mean the same, group by group.
pub type Meanings = &'static [&'static [&'static str]];

/// How the server answers requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingMood {
    /// Gives a vector for each text: one dimension for each group of words, and one more that is the same for all
    /// texts.
    Answers,
    /// Never answers.
    Hangs,
    /// Fails with status 503, and repeats the key that it was given.
    Fails,
    /// Answers with JSON that is not a valid answer.
    Garbage,
    /// Gives vectors that are one dimension longer.
    OtherLength,
    /// Gives vectors that are one dimension longer whenever the number of texts so far is odd.
    Wavers,
    /// Gives one vector less than it was asked for.
    TooFew,
    /// Refuses any request with a text that holds this word, with status 400.
    Refuses(&'static str),
}

#[derive(Debug)]
struct EmbeddingServer {
    meanings: Meanings,
    mood: Mutex<EmbeddingMood>,
    texts: Mutex<Vec<String>>,
    keys: Mutex<BTreeSet<String>>,
}

/// The server. It listens until it is dropped.
#[derive(Debug)]
pub struct FakeEmbeddings {
    address: SocketAddr,
    server: Arc<EmbeddingServer>,
    task: JoinHandle<()>,
}

impl FakeEmbeddings {
    /// Listens, and knows these groups of words.
    ///
    /// # Panics
    /// When it cannot listen on loopback.
    pub async fn knowing(meanings: Meanings) -> Self {
        let server = Arc::new(EmbeddingServer {
            meanings,
            mood: Mutex::new(EmbeddingMood::Answers),
            texts: Mutex::default(),
            keys: Mutex::default(),
        });
        let listener = match tokio::net::TcpListener::bind(("127.0.0.1", 0)).await {
            Ok(listener) => listener,
            Err(e) => panic!("a fake server of embeddings cannot listen: {e}"),
        };
        let address = match listener.local_addr() {
            Ok(address) => address,
            Err(e) => panic!("a fake server of embeddings has no address: {e}"),
        };
        let router =
            Router::new().route("/v1/embeddings", post(answer_request)).with_state(Arc::clone(&server));
        let task = tokio::spawn(async move {
            // The server ends only with the task, so an error cannot be reported.
            drop(axum::serve(listener, router).await);
        });
        Self { address, server, task }
    }

    /// The base of the server's address, such as `http://127.0.0.1:41234/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Sets how it answers from now on.
    pub fn set_mood(&self, mood: EmbeddingMood) {
        *self.server.mood.lock().unwrap_or_else(PoisonError::into_inner) = mood;
    }

    /// The texts that it was asked about so far, in order.
    pub fn texts(&self) -> Vec<String> {
        self.server.texts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All values of `Authorization` that came with requests.
    pub fn keys(&self) -> BTreeSet<String> {
        self.server.keys.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for FakeEmbeddings {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer_request(
    State(server): State<Arc<EmbeddingServer>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let texts: Vec<String> = body
        .get("input")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect();
    let key = headers.get("authorization").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let asked = {
        let mut all = server.texts.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(texts.iter().cloned());
        all.len()
    };
    server.keys.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    let mood = *server.mood.lock().unwrap_or_else(PoisonError::into_inner);
    let error = |status, words: &str| {
        let body = json!({ "error": { "message": words, "type": "invalid_request_error" } });
        (status, Json(body)).into_response()
    };
    match mood {
        EmbeddingMood::OtherLength => Json(server.vectors(&texts, 1)).into_response(),
        EmbeddingMood::Wavers => Json(server.vectors(&texts, asked % 2)).into_response(),
        EmbeddingMood::TooFew => {
            let some = texts.split_last().map_or(&texts[..], |(_, some)| some);
            Json(server.vectors(some, 0)).into_response()
        }
        EmbeddingMood::Hangs => std::future::pending().await,
        EmbeddingMood::Fails => error(StatusCode::SERVICE_UNAVAILABLE, &format!("no room for {key}")),
        EmbeddingMood::Garbage => ([(CONTENT_TYPE, "application/json")], "{\"data\": 1}").into_response(),
        EmbeddingMood::Refuses(word) if texts.iter().any(|text| text.contains(word)) => {
            error(StatusCode::BAD_REQUEST, "one of the texts is refused")
        }
        EmbeddingMood::Answers | EmbeddingMood::Refuses(_) => Json(server.vectors(&texts, 0)).into_response(),
    }
}

impl EmbeddingServer {
    fn vectors(&self, texts: &[String], more: usize) -> Value {
        let vector = |text: &String| {
            let holds = |group: &&[&str]| group.iter().any(|word| text.contains(word));
            let groups = self.meanings.iter().map(|group| if holds(group) { 1.0 } else { 0.0 });
            groups.chain(std::iter::once(0.2)).chain(std::iter::repeat_n(0.0, more)).collect::<Vec<f64>>()
        };
        let entry = |(index, text): (usize, &String)| json!({ "index": index, "embedding": vector(text) });
        let data: Vec<Value> = texts.iter().enumerate().map(entry).collect();
        json!({ "object": "list", "data": data, "usage": { "prompt_tokens": 3, "total_tokens": 3 } })
    }
}
