//! Clients are told that the memory of a place changed.

use jiff::SignedDuration;
use myao_core::chat::AgentSees;
use serde_json::json;

use crate::scene::{Scene, said};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_told_when_a_chapter_of_a_place_is_written() {
    let scene = Scene::furnished().await;
    let open = scene.agent("open", AgentSees::Open, false);
    let uris = ["myao://channel/general", "myao://channel/hiring", "https://example.com/"];
    let mut stream = open.listen(&uris).await;
    let acknowledged = stream.next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    let granted = &acknowledged["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(*granted, json!(&uris[..2]), "what is not ours is not granted");
    scene.clock.advance(SignedDuration::from_hours(30));
    for id in ["C1", "C2"] {
        let news = said(id, "U1", -26.0, "Decided: the roof of the shed is painted green in April");
        scene.store.intake().apply(vec![news], scene.now()).await.expect("applied");
    }
    scene.clock.advance(SignedDuration::from_hours(30));
    scene.build().await;
    scene.clock.advance(SignedDuration::from_secs(3));
    let told = stream.next().await;
    assert_eq!(told["method"], "notifications/resources/updated", "{told}");
    assert_eq!(told["params"]["uri"], "myao://channel/general", "of the other place it is told nothing");
}
