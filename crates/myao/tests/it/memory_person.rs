//! `myao memory person`, on a small workspace.

use myao_store::{Store, Target};
use serde_json::{Value, json};

use crate::{
    binary::Home,
    exports::{Export, said},
};

const CONFIG: &str = "memory: {database_path: ./memory.db}\nlocale: {language: en, timezone: UTC}\n";

fn person(id: &str, name: &str) -> Value {
    json!({"id": id, "name": id.to_lowercase(), "profile": {"display_name": name}})
}

/// Four people, two of one name; a decision that is changed a week later, and words in a private channel.
fn remembering() -> Home {
    let first = json!([
        said("1772442000.000100", "U1", "The Lindwell fair is on 2 May."),
        said("1772442060.000200", "U2", "Noor K looks after the stall."),
    ]);
    let changed = json!([
        said("1773046800.000300", "U1", "The Lindwell fair has been moved: it is now on 9 June."),
        said("1773046860.000400", "U2", "fine"),
    ]);
    let export = Export::new()
        .with(
            "users.json",
            &json!([person("U1", "Noor K"), person("U2", "Ben"), person("U3", "Ben"), person("U4", "Zoe")]),
        )
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "hiring"}]))
        .with("general/2026-03-02.json", &first)
        .with("general/2026-03-09.json", &changed)
        .with(
            "hiring/2026-03-05.json",
            &json!([said("1772701200.000600", "U1", "Noor K earns 500 euros from May on.")]),
        );
    let home = Home::with_config(CONFIG);
    home.import(&export.folder(&home, "export", None));
    home.done(&["memory", "build"]);
    home
}

#[test]
fn what_holds_and_what_ended_is_told_with_its_sources() {
    let home = remembering();
    insta::assert_snapshot!(home.done(&["memory", "person", "noor"]).out);
    insta::assert_snapshot!(home.done(&["memory", "person", "@Noor K", "--last", "1"]).out);
}

#[test]
fn a_place_is_told_what_it_sees() {
    let home = remembering();
    let told = home.done(&["memory", "person", "U1", "--place", "#general"]).out;
    assert!(told.contains("looks after the stall") && !told.contains("500 euros"), "{told}");
    let told = home.done(&["memory", "person", "U1", "--place", "hiring"]).out;
    assert!(told.contains("looks after the stall") && told.contains("500 euros"), "{told}");
}

#[test]
fn json_tells_everything() {
    let home = remembering();
    let mut answer = home.json(&["memory", "person", "U1", "--place", "general"]);
    for line in answer["lines"].as_array_mut().expect("a list") {
        // Channels are written at the same time.
        assert!(line["entry"].take().as_i64() > Some(0));
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).expect("JSON"));
}

/// A newer export tells another name: who asks by the former one is told of the same person, and what they were called.
#[test]
fn a_former_name_means_who_bore_it() {
    let home = remembering();
    let renamed = Export::new()
        .with("users.json", &json!([person("U1", "Noor Smith"), person("U2", "Ben"), person("U4", "Zoe")]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]));
    home.import(&renamed.folder(&home, "newer", None));
    for name in ["Noor K", "Noor Smith", "noor"] {
        let told = home.done(&["memory", "person", name]).out;
        assert!(told.starts_with("Noor Smith (U1), before Noor K: "), "{name}: {told}");
        assert!(told.contains("looks after the stall"), "{name}: {told}");
    }
    let answer = home.json(&["memory", "person", "Noor K"]);
    assert_eq!(answer["person"]["former_names"], json!(["Noor K"]));
    let found = home.done(&["recall", "fair from:\"Noor K\""]).out;
    assert!(found.contains("9 June"), "{found}");
}

/// Once a run was connected to the workspace, its address is known.
#[tokio::test]
async fn a_line_is_told_with_the_message_it_comes_from() {
    let home = remembering();
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("opened");
    store.archive().note_team_url("https://fair.slack.com/").await.expect("noted");
    store.close().await;
    let told = home.done(&["memory", "person", "noor", "--place", "general"]).out;
    let address = "https://fair.slack.com/archives/C1/p1772442060000200";
    assert!(
        told.contains(&format!("looks after the stall.\n  myao memory show 'C1' --version 1\n  {address}\n")),
        "{told}"
    );
}

#[test]
fn nobody_and_several_are_told_apart() {
    let home = remembering();
    let nobody = home.run(&["memory", "person", "Nora"]);
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.err.contains("there is nobody called `Nora`"), "{}", nobody.err);
    let several = home.run(&["memory", "person", "Ben"]);
    assert_eq!(several.code, Some(2));
    assert!(
        several.err.contains("`Ben` means 2 people") && several.err.contains("U3 (Ben)"),
        "{}",
        several.err
    );
    let silent = home.done(&["memory", "person", "Zoe"]).out;
    assert_eq!(silent.trim(), "no memory names Zoe (U4)");
}

/// Every way in which a line is shown tells that it holds no more.
#[test]
fn the_end_of_a_line_is_told_wherever_it_is_shown() {
    let home = remembering();
    let marked = "The Lindwell fair is on 2 May. (until 2026-03-09)";
    let replaced = "until 2026-03-09, when version 2 said: Noor K: The Lindwell fair has been moved: it is now on 9 June.";
    let shown = home.done(&["memory", "show", "general"]).out;
    assert!(shown.contains(marked) && shown.contains(&format!("\n\n{replaced}\n")), "{shown}");
    assert_eq!(shown.matches("(until").count(), 1, "{shown}");
    let shown = home.json(&["memory", "show", "general", "--version", "1"]);
    let ended = &shown["short_term"][0]["ended"];
    assert_eq!((&ended[0]["until"], &ended[0]["replaced_by"]["version"]), (&json!("2026-03-09"), &json!(2)));
    assert_eq!(ended.as_array().map(Vec::len), Some(1));

    let why = home.done(&["memory", "why", "general", "2 May"]).out;
    assert!(why.contains(&format!("The Lindwell fair is on 2 May. ({replaced})")), "{why}");
    let why = home.json(&["memory", "why", "general", "9 June"]);
    assert_eq!(why["chapters"][0]["ended"], json!([]));

    let found = home.json(&["recall", "Lindwell", "fair"]);
    let ends = found["hits"].as_array().expect("hits").iter().map(|hit| &hit["ended_on"]);
    assert_eq!(ends.filter(|end| end.is_string()).count(), 0, "messages end nowhere: {found}");
}
