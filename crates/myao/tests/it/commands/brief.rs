//! `brief`: what somebody missed, as the owner or a place sees it.

use serde_json::{Value, json};

use crate::{
    binary::Home,
    exports::{Export, said},
};

const CONFIG: &str = "memory: {database_path: data/memory.db}\nlocale: {language: en}\n";

fn home() -> Home {
    let home = Home::with_config(CONFIG);
    let open = [
        said("1767225600.000001", "U1", "I am off, see you"),
        said("1767235600.000001", "U2", "We decided to count the bats at Millbrook on Friday"),
        said("1767235700.000001", "U2", "<@U1> can you bring the detectors?"),
        said("1767235800.000001", "U2", "lovely weather"),
    ];
    let closed = [said("1767235900.000001", "U2", "We decided to move the office to Leeds")];
    let export = Export::new()
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "board"}]))
        .with("general/2026-01-01.json", &json!(open))
        .with("board/2026-01-01.json", &json!(closed));
    home.import(&export.zip(&home, "export.zip"));
    home
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|one| one["text"].as_str()).collect()
}

#[test]
fn what_was_missed_is_told_since_one_was_last_here() {
    let home = home();
    let brief = home.json(&["brief", "--as", "U1"]);
    assert_eq!(
        (brief["because"].as_str(), brief["messages"].as_u64()),
        (Some("last_here"), Some(4)),
        "{brief}"
    );
    assert_eq!(brief["asked"].as_array().map(Vec::len), Some(1));
    let decided = texts(&brief["decided"]);
    assert_eq!(decided.len(), 2, "{brief}");
    let told = home.done(&["brief", "--as", "U1", "#general"]);
    for part in ["Asked of you:", "detectors", "Decided:", "Millbrook"] {
        assert!(told.out.contains(part), "{part}: {told:?}");
    }
    assert!(!told.out.contains("Leeds") && !told.out.contains("weather"), "{told:?}");
}

#[test]
fn a_place_shows_what_it_sees_and_a_day_restricts() {
    let home = home();
    let open = home.json(&["brief", "--as", "U1", "--place", "#general"]);
    assert_eq!(texts(&open["decided"]), ["We decided to count the bats at Millbrook on Friday"]);
    let later = home.json(&["brief", "--as", "U1", "--since", "2026-01-02"]);
    assert_eq!((later["because"].as_str(), later["messages"].as_u64()), (Some("told"), Some(0)));
    assert_eq!(home.run(&["brief", "--as", "U1", "--since", "someday"]).code, Some(2));
    let nobody = home.run(&["brief", "--as", "Nobody"]);
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.err.contains("there is nobody called `Nobody`"), "as other commands say it: {nobody:?}");
}
