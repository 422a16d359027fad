//! `places` in `policy`, `check`, `import` and `status`.

use serde_json::{Value, json};

use crate::{
    binary::Home,
    exports::{Export, said},
};

const CANARY: &str = "zanzibar";

const CONFIG: &str = "memory: {database_path: data/memory.db}
locale: {language: en}
budget:
  daily_tokens: 9000
places:
  '#secret': {remember: nothing}
  '#support':
    budget: 4000
    manners: {unasked: false, min_wait_seconds: 60}
  public:
    manners:
      quiet_hours: '22:00-07:00'
  '#nobody': {budget: 1}
";

fn export(name_of_support: &str) -> Export {
    let channels = json!([
        {"id": "C1", "name": "general"}, {"id": "C2", "name": "secret"}, {"id": "C3", "name": name_of_support},
    ]);
    Export::new()
        .with("channels.json", &channels)
        .with("general/2026-01-01.json", &json!([said("1767225600.000001", "U1", "good morning")]))
        .with("secret/2026-01-01.json", &json!([said("1767225603.000001", "U1", CANARY)]))
        .with(
            &format!("{name_of_support}/2026-01-01.json"),
            &json!([said("1767225604.000001", "U1", "the printer again")]),
        )
}

/// The value of this name, its key, and the line that says so.
fn value_of(policy: &Value, name: &str) -> (Value, Value, Value) {
    let values = policy["values"].as_array().expect("a list");
    let found = values.iter().find(|value| value["name"] == name).expect("told");
    (found["value"].clone(), found["key"].clone(), found["line"].clone())
}

#[test]
fn what_holds_is_told_with_its_line_and_a_renamed_channel_keeps_it() {
    let home = Home::with_config(CONFIG);
    home.import(&export("support").zip(&home, "export.zip"));
    let of = |place: &str| home.json(&["policy", place]);
    let policy = of("#support");
    assert_eq!(policy["channel"]["id"], "C3");
    assert_eq!(value_of(&policy, "budget"), (json!(4000), json!("places.#support.budget"), json!(8)));
    assert_eq!(
        value_of(&policy, "unasked"),
        (json!(false), json!("places.#support.manners.unasked"), json!(9))
    );
    // Of its kind, and of everywhere.
    assert_eq!(
        value_of(&policy, "quiet_hours"),
        (json!("22:00-07:00"), json!("places.public.manners.quiet_hours"), json!(12))
    );
    assert_eq!(
        value_of(&policy, "model"),
        (json!("builtin"), json!("agents.response.model_id"), Value::Null)
    );
    assert_eq!(value_of(&policy, "remember"), (json!("chapters"), Value::Null, Value::Null));
    assert_eq!(policy["used_today"], 0);
    home.import(&export("helpdesk").zip(&home, "later.zip"));
    let renamed = of("C3");
    assert_eq!(renamed["channel"]["name"], "helpdesk");
    assert_eq!(value_of(&renamed, "budget"), value_of(&policy, "budget"));
    let told = home.done(&["policy", "helpdesk"]);
    for line in [
        "#helpdesk (C3, public)",
        "4000 tokens a day, set aside for it",
        "config.yaml:8 places.#support.budget",
    ] {
        assert!(told.out.contains(line), "{line}: {told:?}");
    }
    let everywhere = of("#general");
    assert_eq!(value_of(&everywhere, "budget"), (Value::Null, json!("budget.daily_tokens"), json!(4)));
    let kind = of("public");
    assert_eq!((kind["channel"].clone(), value_of(&kind, "quiet_hours").2), (Value::Null, json!(12)));
    assert_eq!(home.run(&["policy", "#nowhere"]).code, Some(2));
}

#[test]
fn of_a_channel_that_is_not_to_be_remembered_nothing_is_kept() {
    let home = Home::with_config(CONFIG);
    home.import(&export("support").zip(&home, "export.zip"));
    home.done(&["memory", "build"]);
    let database = std::fs::read(home.database()).expect("read");
    assert!(!database.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
    assert_eq!(value_of(&home.json(&["policy", "#secret"]), "remember").0, "nothing");
}

#[test]
fn a_name_that_nobody_bears_is_told() {
    let home = Home::with_config(CONFIG);
    home.import(&export("support").zip(&home, "export.zip"));
    let told = home.run(&["check", "--quick", "--json"]);
    let findings: Value = serde_json::from_str(&told.out).expect("JSON");
    let found: Vec<&str> = findings
        .as_array()
        .expect("a list")
        .iter()
        .filter(|finding| finding["subject"] == "places")
        .filter_map(|finding| finding["text"].as_str())
        .collect();
    assert_eq!(found, ["no channel with the id or name `#nobody` is known yet"]);
}
