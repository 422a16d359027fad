//! Texts as vectors: what is sent, and what may come back instead.

use std::time::Duration;

use myao_core::ports::ModelError;
use myao_model::{ApiKey, Embedded, EmbeddingModel, EmbeddingSettings, client_with_system_proxies};
use myao_testkit::{EmbeddingMood, FakeEmbeddings};

const KEY: &str = "sk-embeddings-0123456789";

fn model(base: &str, timeout: Duration) -> EmbeddingModel {
    let settings = EmbeddingSettings {
        api_base: base.to_owned(),
        model: "fake".to_owned(),
        api_key: Some(ApiKey::new(KEY)),
        timeout,
    };
    EmbeddingModel::new(settings, client_with_system_proxies().unwrap()).unwrap()
}

async fn embedded(server: &FakeEmbeddings, texts: &[&str]) -> Result<Embedded, ModelError> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    model(&server.url(), Duration::from_mins(1)).embed(&texts).await
}

#[tokio::test]
async fn each_text_gets_its_vector_in_order() {
    let server = FakeEmbeddings::knowing(&[&["crocodile", "ワニ"]]).await;
    let Embedded { vectors, tokens } = embedded(&server, &["a crocodile", "tea", "ワニ"]).await.unwrap();
    assert_eq!((vectors.len(), tokens), (3, Some(3)));
    assert!(vectors[0].likeness(&vectors[2]) > 0.99);
    assert!(vectors[0].likeness(&vectors[1]) < 0.5);
    assert_eq!(server.keys(), [format!("Bearer {KEY}")].into());
}

#[tokio::test]
async fn the_base_is_whatever_people_paste() {
    let server = FakeEmbeddings::knowing(&[]).await;
    for end in ["", "/", "/embeddings", "/embeddings/"] {
        let model = model(&format!("{}{end}", server.url()), Duration::from_mins(1));
        assert!(model.embed(&["tea".to_owned()]).await.is_ok(), "{end}");
        assert_eq!(model.id(), "embeddings/fake");
    }
    for (base, key) in [("localhost", KEY), ("http://localhost/v1", "a\nb")] {
        let settings = EmbeddingSettings {
            api_base: base.to_owned(),
            model: "fake".to_owned(),
            api_key: Some(ApiKey::new(key)),
            timeout: Duration::from_secs(1),
        };
        assert!(EmbeddingModel::new(settings, client_with_system_proxies().unwrap()).is_err(), "{base}");
    }
}

#[tokio::test]
async fn what_is_no_answer_is_told_without_the_key() {
    let server = FakeEmbeddings::knowing(&[]).await;
    let said = async |mood| {
        server.set_mood(mood);
        let error = embedded(&server, &["tea", "cake"]).await.unwrap_err();
        let told = format!("{error} {error:?}");
        assert!(!told.contains(KEY), "{told}");
        error
    };
    assert!(matches!(said(EmbeddingMood::Fails).await, ModelError::Unavailable(_)));
    assert!(matches!(said(EmbeddingMood::Garbage).await, ModelError::Invalid(_)));
    assert!(matches!(said(EmbeddingMood::TooFew).await, ModelError::Invalid(_)));
    assert!(matches!(said(EmbeddingMood::Refuses("cake")).await, ModelError::Rejected(_)));
    server.set_mood(EmbeddingMood::Hangs);
    let hasty = model(&server.url(), Duration::from_millis(50));
    assert_eq!(hasty.embed(&["tea".to_owned()]).await, Err(ModelError::Timeout(1)));
    let nowhere = server.url();
    drop(server);
    let gone = model(&nowhere, Duration::from_mins(1));
    assert!(matches!(gone.embed(&["tea".to_owned()]).await, Err(ModelError::Unavailable(_))));
}
