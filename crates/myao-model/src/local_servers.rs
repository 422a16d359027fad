//! Finds the servers of models that answer on this machine, and which models they have.

use std::time::Duration;

use futures::future::join_all;
use reqwest::Client;
use serde_json::Value;

/// How long a server may take. One of this machine that takes longer is busy with something else.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The most models of a server that are listed.
const MOST_MODELS: usize = 20;
/// The most bytes of a list that are read.
const MOST_BYTES: usize = 1 << 20;
/// Where Ollama listens.
const OLLAMA: &str = "http://127.0.0.1:11434";
/// Where servers that speak OpenAI's protocol usually listen: LM Studio, vLLM, llama.cpp, Jan, LiteLLM, text-generation-webui.
const OPENAI: [&str; 6] = [
    "http://127.0.0.1:1234",
    "http://127.0.0.1:8000",
    "http://127.0.0.1:8080",
    "http://127.0.0.1:1337",
    "http://127.0.0.1:4000",
    "http://127.0.0.1:5000",
];

/// A model that a server of this machine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalModel {
    /// As `agents.*.model_id` names it: `ollama/qwen3:8b`, `openai/gemma-3`.
    pub model_id: String,
    /// `client_args.api_base`, where it is not the provider's own.
    pub api_base: Option<String>,
}

/// The models of the servers that answer on this machine: on their usual ports, and at the addresses `more`
/// (`http://127.0.0.1:9000`). Whatever does not answer in time, or with something else, is left out.
pub async fn find_local_models(client: &Client, more: &[String]) -> Vec<LocalModel> {
    let more = more.iter().map(|address| address.trim_end_matches('/').trim_end_matches("/v1"));
    let usual = OPENAI.into_iter().chain(more.clone());
    let ollama =
        join_all(std::iter::once(OLLAMA).chain(more).map(|base| models_of_ollama(client, base))).await;
    let openai = join_all(usual.map(|base| models_of_openai(client, base))).await;
    let mut models: Vec<LocalModel> = ollama.into_iter().chain(openai).flatten().collect();
    models.dedup();
    models
}

async fn models_of_ollama(client: &Client, base: &str) -> Vec<LocalModel> {
    let Some(list) = read_list(client, &format!("{base}/api/tags")).await else { return Vec::new() };
    let api_base = (base != OLLAMA).then(|| base.to_owned());
    names(list.get("models"), "name")
        .map(|name| LocalModel { model_id: format!("ollama/{name}"), api_base: api_base.clone() })
        .collect()
}

async fn models_of_openai(client: &Client, base: &str) -> Vec<LocalModel> {
    let Some(list) = read_list(client, &format!("{base}/v1/models")).await else { return Vec::new() };
    names(list.get("data"), "id")
        .map(|name| LocalModel { model_id: format!("openai/{name}"), api_base: Some(format!("{base}/v1")) })
        .collect()
}

/// The names in a list, but for those that no configuration could hold.
fn names<'l>(list: Option<&'l Value>, key: &'l str) -> impl Iterator<Item = &'l str> {
    let items = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let fits =
        |name: &&str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control());
    items.iter().filter_map(move |item| item.get(key)?.as_str()).filter(fits).take(MOST_MODELS)
}

async fn read_list(client: &Client, address: &str) -> Option<Value> {
    let mut answer = client.get(address).timeout(PATIENCE).send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.ok()? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MOST_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&bytes).ok()
}
