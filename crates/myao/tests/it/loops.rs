//! `myao loops`: what is open, as text and as JSON, by channel, person, place and day (ADR 138).

use serde_json::{Value, json};

use crate::{
    binary::Home,
    exports::{Export, said},
};

/// 2 March 2026, 10:00 UTC, a Monday.
const MONDAY: u64 = 1_772_445_600;
const DAY: u64 = 86_400;

fn stamp(days: u64, nth: u64) -> String {
    format!("{}.{nth:06}", MONDAY + days * DAY)
}

fn person(id: &str, name: &str) -> Value {
    json!({"id": id, "name": name, "profile": {"display_name": name}})
}

fn home() -> Home {
    let export = Export::new()
        .with("users.json", &json!([person("U1", "ann"), person("U2", "bob")]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "hiring"}]))
        .with(
            "general/2026-03-02.json",
            &json!([
                said(&stamp(0, 1), "U1", "I'll send the budget by Friday."),
                said(&stamp(0, 2), "U1", "The spring concert is on 28 March."),
                said(&stamp(0, 3), "U2", "<@U1> where did we put the ladder of the depot?"),
            ]),
        )
        .with("general/2026-03-04.json", &json!([said(&stamp(2, 4), "U1", "Sent the budget.")]))
        .with(
            "hiring/2026-03-02.json",
            &json!([said(&stamp(0, 5), "U2", "I'll draft the offer by Friday.")]),
        );
    let home =
        Home::with_config("memory: {database_path: ./memory.db}\nlocale: {language: en, timezone: UTC}\n");
    home.import(&export.folder(&home, "export", None));
    home
}

fn texts(home: &Home, args: &[&str]) -> Vec<String> {
    let told = home.json(&[&["loops"], args].concat());
    let loops = told["loops"].as_array().expect("a list");
    loops.iter().map(|one| format!("{}: {}", one["kind"], one["text"]).replace('"', "")).collect()
}

const BUDGET: &str = "promise: I'll send the budget by Friday.";
const LADDER: &str = "question: @ann where did we put the ladder of the depot?";
const CONCERT: &str = "coming: The spring concert is on 28 March.";
const OFFER: &str = "promise: I'll draft the offer by Friday.";

#[test]
fn what_is_open_is_listed_by_channel_person_place_and_day() {
    let home = home();
    let tuesday = ["--as-of", "2026-03-03"];
    let of = |args: &[&str]| texts(&home, &[&tuesday, args].concat());
    assert_eq!(of(&[]), [BUDGET, OFFER, CONCERT, LADDER]);
    assert_eq!(of(&["--channel", "#general"]), [BUDGET, CONCERT, LADDER]);
    assert_eq!(of(&["--place", "#general"]), [BUDGET, CONCERT, LADDER]);
    assert_eq!(of(&["--of", "bob"]), [OFFER, LADDER]);
    assert_eq!(of(&["--of", "@ann", "--place", "hiring"]), [BUDGET, LADDER]);
    // She said the day after that it was sent, which also ended the wait for her answer.
    assert_eq!(texts(&home, &["--as-of", "2026-03-05"]), [OFFER, CONCERT]);
    // Years later nothing of it is open.
    assert_eq!(texts(&home, &[]), Vec::<String>::new());

    let told = home.json(&["loops", "--as-of", "2026-03-03", "--channel", "#general"]);
    let first = &told["loops"][0];
    assert_eq!(
        (&first["who"], &first["by"], &first["channel"]),
        (&json!("ann"), &json!("2026-03-06"), &json!("general"))
    );
}

#[test]
fn what_is_open_is_told_in_text() {
    let home = home();
    let told = home.done(&["loops", "--as-of", "2026-03-03"]).out;
    for words in [
        "as of 2026-03-03",
        "Promised:",
        "ann, by 2026-03-06  #general, 2026-03-02 10:00",
        "  I'll send the budget by Friday.",
        "Waits for an answer:",
        "bob asks ann",
        "To come:",
        "2026-03-28",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let nothing = home.done(&["loops"]).out;
    assert!(nothing.contains("nothing is open in the talk of the last 90 days"), "{nothing}");
}
