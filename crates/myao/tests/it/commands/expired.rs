//! `privacy.archive_days` in `memory build`, `why`, `rebuild`, `verify`, `recall` and `status`.

use serde_json::json;

use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

const CONFIG: &str = "memory: {database_path: data/memory.db}\nlocale: {language: en}\n";

/// Two conversations in January, long over.
fn export() -> Export {
    let day = |second: u32, text: &str| said(&format!("{}.000001", 1_767_225_600 + second), "U1", text);
    let days = [day(0, "the zanzibar delivery is on Friday"), day(90_000, "and the next one in May")];
    Export::new().with("general/2026-01-01.json", &json!(days))
}

#[test]
fn old_words_go_and_memories_stay() {
    let home = Home::with_config(CONFIG);
    let zip = export().zip(&home, "export.zip");
    home.import(&zip);
    home.done(&["memory", "build"]);
    let before = home.done(&["memory", "show", "#general"]).out;
    assert!(before.contains("zanzibar"), "{before}");
    let found = home.json(&["recall", "zanzibar"]);
    assert_eq!(found["hits"][0]["kind"], "message", "{found}");

    home.write("config.yaml", format!("{CONFIG}privacy: {{archive_days: 7}}\n"));
    home.done(&["memory", "build"]);
    let status = home.json(&["status"]);
    assert_eq!(["messages", "expired", "uncovered"].map(|key| number(&status, key)), [0, 2, 0], "{status}");
    assert_eq!(home.done(&["memory", "show", "#general"]).out, before);
    home.done(&["memory", "verify"]);
    let show = home.done(&["memory", "show", "#general"]).out;
    assert!(show.contains(", 1 message, "), "{show}");
    let why = home.done(&["memory", "why", "#general"]).out;
    assert!(why.contains("its sources are gone: 1 message expired"), "{why}");
    let why = home.done(&["memory", "why", "#general", "zanzibar"]).out;
    assert!(why.contains("its text holds the words; its sources are gone: 1 message expired"), "{why}");
    let found = home.json(&["recall", "zanzibar"]);
    let kinds: Vec<_> = found["hits"].as_array().expect("hits").iter().map(|hit| &hit["kind"]).collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == "memory"), "not the message: {found}");

    // Nothing brings them back, and nothing is written anew from less.
    let again = home.import(&zip);
    assert_eq!([number(&again, "new"), number(&again, "same")], [0, 2]);
    for command in [&["memory", "rebuild", "#general"][..], &["memory", "build", "--from-start"]] {
        home.run(command).ends(2, "--despite-expired");
    }
    assert_eq!(home.done(&["memory", "show", "#general"]).out, before);
    home.done(&["memory", "rebuild", "#general", "--despite-expired"]);
    assert!(!home.done(&["memory", "show", "#general"]).out.contains("zanzibar"));
}
