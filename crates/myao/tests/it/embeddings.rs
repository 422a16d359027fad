//! A model of embeddings beside recall, as its owner runs it: what it finds, and that nothing breaks without it.

use myao_testkit::{EmbeddingMood, FakeEmbeddings};
use serde_json::{Value, json};

use crate::{
    binary::{Home, Ran, number},
    exports::{Export, said},
};

const KEY: &str = "sk-embeddings-0123456789";
const MEANINGS: &[&[&str]] = &[&["cupboard", "pantry"], &["crocodile", "ワニ"]];

fn export() -> Export {
    let person = json!({"id": "U1", "name": "noor", "profile": {"display_name": "Noor K"}});
    let talk = json!([
        said("1772442000.000100", "U1", "The cupboard is painted green"),
        said("1772442100.000200", "U1", "The table is painted blue"),
        said("1772442200.000300", "U1", "<@U1> :)"),
        said("1772442300.000400", "U1", "A crocodile came for tea"),
    ]);
    Export::new()
        .with("users.json", &json!([person]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "hiring"}]))
        .with("general/2026-03-02.json", &talk)
        .with("hiring/2026-03-02.json", &json!([said("1772442400.000500", "U1", "Rosalind gets the pantry")]))
}

fn config(server: &str, more: &str) -> String {
    format!(
        "memory: {{database_path: ./memory.db}}\n{more}\
         recall: {{embeddings: {{api_base: '{server}', model_id: fake-e5, api_key: {KEY}}}}}\n"
    )
}

/// Runs a command beside the fake server, which needs the runtime meanwhile.
fn run(home: &Home, args: &[&str]) -> Ran {
    let ran = tokio::task::block_in_place(|| home.run(args));
    assert!(!format!("{ran:?}").contains(KEY), "the key is told: {ran:?}");
    ran
}

fn done(home: &Home, args: &[&str]) -> Ran {
    let ran = run(home, args);
    assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    ran
}

/// A home with the export in it.
fn imported(server: &FakeEmbeddings, more: &str) -> Home {
    let home = Home::with_config(&config(&server.url(), more));
    let folder = export().folder(&home, "export", None);
    done(&home, &["import", "slack", folder.to_str().unwrap()]);
    home
}

/// The texts that are found, best first.
fn found(home: &Home, args: &[&str]) -> Vec<String> {
    let ran = done(home, &[&["recall", "--json", "--no-memories"], args].concat());
    let hits = ran.json()["hits"].as_array().unwrap_or_else(|| panic!("{ran:?}")).clone();
    hits.iter().map(|hit| hit["text"].as_str().unwrap().to_owned()).collect()
}

/// What a question finds, best first, and the scores beside it: these fall a little with every second that a message grows
/// older.
fn hits_and_scores(told: &str) -> (Vec<Value>, Vec<f64>) {
    let told: Value = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {told}"));
    let mut hits = told["hits"].as_array().expect("a list").clone();
    let score = |hit: &mut Value| hit.as_object_mut().and_then(|hit| hit.remove("score")?.as_f64());
    let scores = hits.iter_mut().map(|hit| score(hit).expect("its score")).collect();
    (hits, scores)
}

fn are_same((hits, scores): &(Vec<Value>, Vec<f64>), (others, theirs): &(Vec<Value>, Vec<f64>)) -> bool {
    hits == others && scores.iter().zip(theirs).all(|(one, other)| (one - other).abs() < 0.001)
}

fn embedded(home: &Home) -> (u64, u64) {
    let status: Value = done(home, &["status", "--json"]).json();
    (number(&status["embeddings"], "embedded"), number(&status["embeddings"], "waiting"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_finds_out_what_was_said_and_recall_finds_it() {
    let server = FakeEmbeddings::knowing(MEANINGS).await;
    let home = imported(&server, "");
    assert_eq!(embedded(&home), (4, 0));
    assert_eq!(server.keys(), [format!("Bearer {KEY}")].into());
    assert_eq!(
        server.texts()[..2],
        ["a", "passage: (2 Mar 2026) Noor K: Rosalind gets the pantry"],
        "asked whether it sets marks itself; then the newest first, in the model's form, with who and when"
    );
    assert_eq!(found(&home, &["ワニ"])[0], "A crocodile came for tea");
    assert_eq!(server.texts().last().unwrap(), "query: ワニ");
    assert_eq!(found(&home, &["pantry", "--place", "#general"])[0], "The cupboard is painted green");
    assert!(
        !found(&home, &["pantry", "--place", "#general"]).concat().contains("Rosalind"),
        "a private channel"
    );
    assert!(done(&home, &["status"]).out.contains("embeddings: vectors of 4 messages"));
    let asked = server.texts().len();
    done(&home, &["memory", "build"]);
    assert_eq!(server.texts().len(), asked, "nothing is asked twice");
    let costs = done(&home, &["cost", "--by", "purpose"]).out;
    assert!(costs.contains("embedding") && costs.contains("question"), "{costs}");
    let checked = run(&home, &["check", "--quick"]).out;
    assert!(checked.contains("gives vectors of 3 dimensions"), "{checked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_of_no_use_costs_nothing_but_rank() {
    let server = FakeEmbeddings::knowing(MEANINGS).await;
    let home = imported(&server, "");
    let question = ["pantry painted"];
    let with = found(&home, &question);
    home.write("config.yaml", "memory: {database_path: ./memory.db}\n");
    let ask = || {
        let ran = run(&home, &["recall", "--json", "pantry painted"]);
        (ran.code, hits_and_scores(&ran.out), ran)
    };
    let (code, by_words, _) = ask();
    assert_eq!((code, by_words.0.len()), (Some(0), 3));
    assert_ne!(found(&home, &question), with);
    home.write("config.yaml", config(&server.url(), ""));
    let moods = [
        EmbeddingMood::Hangs,
        EmbeddingMood::Fails,
        EmbeddingMood::Garbage,
        EmbeddingMood::OtherLength,
        EmbeddingMood::TooFew,
        EmbeddingMood::Refuses("pantry"),
    ];
    for mood in moods {
        server.set_mood(mood);
        let (code, hits, ran) = ask();
        assert!(code == Some(0) && are_same(&hits, &by_words), "{mood:?}: {ran:?}");
    }
    let address = server.url();
    drop(server);
    let (code, hits, ran) = ask();
    assert!(code == Some(0) && are_same(&hits, &by_words), "nobody listens: {ran:?}");
    let built = done(&home, &["memory", "build"]);
    assert!(!built.err.contains("could not be found out"), "nothing waits: {built:?}");
    home.write("config.yaml", config(&address, "").replace("fake-e5", "other"));
    let built = done(&home, &["memory", "build"]);
    assert!(built.err.contains("what messages mean could not be found out"), "{built:?}");
    let checked = run(&home, &["check", "--quick"]).out;
    assert!(checked.contains("WRONG recall.embeddings (other)"), "{checked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_is_refused_holds_up_no_other() {
    let server = FakeEmbeddings::knowing(MEANINGS).await;
    server.set_mood(EmbeddingMood::Refuses("crocodile"));
    let home = imported(&server, "");
    assert_eq!(embedded(&home), (3, 0));
    assert_eq!(found(&home, &["crocodile"])[0], "A crocodile came for tea", "by its words");
}

/// Each change of length has all messages asked about anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_keeps_changing_its_length_is_left_alone() {
    let server = FakeEmbeddings::knowing(MEANINGS).await;
    server.set_mood(EmbeddingMood::Wavers);
    let home = Home::with_config(&config(&server.url(), ""));
    let talk: Vec<Value> = (1..=32)
        .map(|n| said(&format!("17724420{n:02}.000100"), "U1", &format!("The cupboard has {n} shelves")))
        .collect();
    let folder = export().with("general/2026-03-02.json", &json!(talk)).folder(&home, "export", None);
    let ran = done(&home, &["import", "slack", folder.to_str().unwrap()]);
    assert!(ran.err.contains("now of one length, now of another"), "{ran:?}");
    assert!(server.texts().len() < 200, "{}", server.texts().len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_asked_beyond_the_days_budget() {
    let server = FakeEmbeddings::knowing(MEANINGS).await;
    let home = imported(&server, "budget: {daily_tokens: 3}\n");
    assert_eq!(embedded(&home).0, 0);
    assert_eq!(found(&home, &["painted", "cupboard"])[0], "The cupboard is painted green");
    let texts = server.texts();
    assert!(texts.iter().all(|text| text == "a"), "asked at most whether it sets marks itself: {texts:?}");
}
