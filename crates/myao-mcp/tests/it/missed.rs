//! What somebody missed, and what is open, as agents are told it.

use jiff::SignedDuration;
use myao_core::chat::AgentSees;
use serde_json::{Value, json};

use crate::scene::{Scene, said};

/// Noor says something, and talk goes on without her for two days.
async fn without_noor() -> Scene {
    let scene = Scene::furnished().await;
    scene.clock.advance(SignedDuration::from_hours(48));
    let events = vec![
        said("C1", "U1", -8.0, "Decided: the roof of the shed is painted green in April"),
        said("C1", "U1", -9.0, "<@U2> where is the key of the shed?"),
        said("C2", "U1", -10.0, "Decided: nobody is hired before June"),
        said("C1", "U1", -11.0, "I'll send the survey by Friday"),
    ];
    scene.store.intake().apply(events, scene.now()).await.expect("applied");
    scene.build().await;
    scene
}

fn texts(items: &Value) -> Vec<&str> {
    let items = items.as_array().expect("a list").iter();
    items.map(|item| item["text"].as_str().expect("a text")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_missed_is_told_since_they_were_there_with_links() {
    let scene = without_noor().await;
    let nobody = scene.nobody();
    let missed = nobody.call("memory_missed", json!({"person": "Noor Haddad"})).await;
    assert_eq!(missed["because"], "last_here", "{missed}");
    assert_eq!(texts(&missed["asked"]), ["@Noor Haddad where is the key of the shed?"]);
    assert_eq!(texts(&missed["decided"]), ["Decided: the roof of the shed is painted green in April"]);
    let link = missed["decided"][0]["permalink"].as_str().expect("an address");
    assert!(link.starts_with("https://bats.slack.com/archives/C1/p"), "{link}");
    let owner = scene.agent("owner", AgentSees::Owner, false);
    let all = owner.call("memory_missed", json!({"person": "U2", "places": ["#hiring"]})).await;
    assert_eq!(texts(&all["decided"]), ["Decided: nobody is hired before June"]);
    let later = json!({"person": "U2", "since": scene.now().to_string()});
    let nothing = nobody.call("memory_missed", later).await;
    assert_eq!((&nothing["because"], &nothing["messages"]), (&json!("told"), &json!(0)));
    assert!(!texts_of(&nothing["notes"]).is_empty(), "{nothing}");
}

fn texts_of(notes: &Value) -> String {
    notes.as_array().expect("notes").iter().filter_map(Value::as_str).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_open_is_told_by_person_place_and_kind() {
    let scene = without_noor().await;
    let nobody = scene.nobody();
    let promised = nobody.call("memory_open", json!({"kind": "promise"})).await;
    assert_eq!(texts(&promised["items"]), ["I'll send the survey by Friday"]);
    let item = &promised["items"][0];
    assert_eq!((&item["who"], &item["place"]), (&json!("Tomasz"), &json!("#general")));
    assert!(item["by"].is_string() && item["permalink"].is_string(), "{item}");
    let got = nobody.call("memory_get", json!({"ids": [item["id"]]})).await;
    assert_eq!(texts(&got["items"]), ["I'll send the survey by Friday"]);
    let hers = nobody.call("memory_open", json!({"person": "Noor Haddad", "kind": "question"})).await;
    assert!(texts(&hers["items"]).contains(&"@Noor Haddad where is the key of the shed?"), "{hers}");
    let one = nobody.call("memory_open", json!({"limit": 1})).await;
    assert_eq!(one["items"].as_array().map(Vec::len), Some(1));
    assert!(one["in_all"].as_u64().expect("a number") > 1, "{one}");
    // A kept promise is open no more.
    let done = said("C1", "U1", -47.0, "Sent the survey!");
    scene.store.intake().apply(vec![done], scene.now()).await.expect("applied");
    let promised = nobody.call("memory_open", json!({"kind": "promise"})).await;
    assert_eq!(texts(&promised["items"]), Vec::<&str>::new());
    assert!(texts_of(&promised["notes"]).contains("Nothing is open"), "{promised}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_they_do_not_understand_is_said() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    for (tool, arguments, told) in [
        ("memory_missed", json!({}), "missing field `person`"),
        ("memory_missed", json!({"person": "Zebedee"}), "nobody called `Zebedee`"),
        ("memory_missed", json!({"person": "U2", "places": ["#hiring"]}), "no place called `#hiring`"),
        ("memory_missed", json!({"person": "U2", "since": "someday"}), "names no day"),
        ("memory_open", json!({"person": "Zebedee"}), "nobody called `Zebedee`"),
        ("memory_open", json!({"place": "C2"}), "no place called `C2`"),
        ("memory_open", json!({"kind": "wish"}), "not as described"),
        ("memory_open", json!({"limit": 0}), "has to be 1 to 50"),
    ] {
        let words = nobody.refused(tool, arguments).await;
        assert!(words.contains(told), "{tool}: {words}");
    }
}
