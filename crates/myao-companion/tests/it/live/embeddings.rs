//! What messages mean is found out while people talk, and goes with them.

use std::time::Duration;

use myao_config::EmbeddingEndpoint;
use myao_model::{EmbeddingModel, EmbeddingSettings, client_with_system_proxies};
use myao_testkit::{
    EmbeddingMood, FakeEmbeddings,
    slack::{ChannelSpec, UserSpec},
};

use super::Live;

const MODEL: &str = "fake-e5";

/// The model of an endpoint.
pub(super) fn model(endpoint: &EmbeddingEndpoint) -> EmbeddingModel {
    let settings = EmbeddingSettings {
        api_base: endpoint.api_base.clone(),
        model: endpoint.model_id.clone(),
        api_key: None,
        timeout: Duration::from_secs(20),
    };
    EmbeddingModel::new(settings, client_with_system_proxies().expect("a client")).expect("well-formed")
}

async fn embedded(live: &Live) -> (u64, u64) {
    let progress =
        live.store.recall().progress_with_model(&myao_model::recorded_model_id(MODEL)).await.expect("read");
    (progress.embedded, progress.waiting)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_gets_its_vector_and_loses_it_when_it_is_deleted() {
    let server = FakeEmbeddings::knowing(&[&["crocodile", "ワニ"]]).await;
    let endpoint = EmbeddingEndpoint { api_base: server.url(), model_id: MODEL.to_owned(), api_key: None };
    let mut live = Live::with(60, |setup| setup, |config| config.embeddings = Some(endpoint)).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let zoo = live.slack.channel(ChannelSpec::public("zoo").members(&[&aki]));
    live.start().await;
    live.slack.wait_until(|seen| seen.connected > 0).await;
    server.set_mood(EmbeddingMood::Fails);
    let said = live.slack.say(&zoo, &aki, "a crocodile moved in");
    live.eventually("asked about", async || !server.texts().is_empty()).await;
    assert_eq!(embedded(&live).await, (0, 1), "it waits");
    server.set_mood(EmbeddingMood::Answers);
    live.eventually("found out", async || embedded(&live).await == (1, 0)).await;
    // It is answered however the server fares, and the question is asked about once the server is spoken to again.
    live.slack.say(&zoo, &aki, &format!("<@{}> where is the ワニ?", live.slack.bot_user_id()));
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    let is_asked = |text: &String| text.starts_with("query: where is the ワニ?");
    assert!(server.texts().iter().any(is_asked), "{:?}", server.texts());
    live.eventually("both", async || embedded(&live).await.0 >= 2 && embedded(&live).await.1 == 0).await;
    let before = embedded(&live).await.0;
    live.slack.delete(&zoo, said);
    live.eventually("gone", async || embedded(&live).await == (before - 1, 0)).await;
    live.stop().await;
}
