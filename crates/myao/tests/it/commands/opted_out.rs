//! `privacy.never_remember` in `import`, `check` and `status`.

use serde_json::json;

use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

const CANARY: &str = "zanzibar";

fn export() -> Export {
    let day = [
        said("1767225600.000001", "U1", "good morning"),
        said("1767225601.000001", "U2", CANARY),
        json!({"type": "message", "ts": "1767225602.000001", "user": "U2", "subtype": "odd", "text": CANARY}),
    ];
    let secret = [said("1767225603.000001", "U1", CANARY)];
    Export::new()
        .with("channels.json", &json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "secret"}]))
        .with("general/2026-01-01.json", &json!(day))
        .with("secret/2026-01-01.json", &json!(secret))
}

fn bytes(home: &Home) -> Vec<u8> {
    std::fs::read(home.database()).expect("read")
}

fn holds_canary(home: &Home) -> bool {
    bytes(home).windows(CANARY.len()).any(|window| window == CANARY.as_bytes())
}

const CONFIG: &str = "memory: {database_path: data/memory.db}\nlocale: {language: en}\n";
const NOBODY: &str = "privacy: {never_remember: {users: [ben], channels: ['#secret']}}\n";

#[test]
fn an_import_leaves_them_out_and_says_so() {
    let home = Home::with_config(&format!("{CONFIG}{NOBODY}"));
    let zip = export().zip(&home, "export.zip");
    let report = home.import(&zip);
    assert_eq!([number(&report, "new"), number(&report, "left_out")], [1, 3], "{report}");
    let told = home.done(&["import", "slack", zip.to_str().expect("UTF-8")]);
    assert!(told.out.contains("never remembered: 3 messages"), "{told:?}");
    home.done(&["memory", "build"]);
    assert!(!holds_canary(&home));
    let status = home.done(&["status"]);
    assert!(!status.out.contains("never_remember"), "{status:?}");
}

#[test]
fn what_is_there_already_is_told_with_the_command_that_forgets_it() {
    let home = Home::with_config(CONFIG);
    home.import(&export().zip(&home, "export.zip"));
    assert!(holds_canary(&home));
    home.write("config.yaml", format!("{CONFIG}{NOBODY}"));
    let status = home.done(&["status"]);
    for command in ["`myao forget --user U2 --yes`", "`myao forget --channel C2 --yes`"] {
        assert!(status.out.contains(command), "{status:?}");
    }
    let told = &home.json(&["status"])["never_remember"];
    let first = json!({"kind": "user", "entry": "ben", "ids": ["U2"], "archived": 1, "asked_by": "owner"});
    let second =
        json!({"kind": "channel", "entry": "secret", "ids": ["C2"], "archived": 1, "asked_by": "owner"});
    assert_eq!(*told, json!([first, second]));
    // `check` has more to say, here that there are no tokens.
    let checked = home.run(&["check", "--quick"]);
    assert!(
        checked.out.contains("note  privacy.never_remember: 1 message of person `ben` archived"),
        "{checked:?}"
    );
    // Nothing is forgotten by itself.
    home.import(&export().zip(&home, "export.zip"));
    assert!(holds_canary(&home));
    home.write("config.yaml", format!("{CONFIG}privacy: {{never_remember: {{users: [eve]}}}}\n"));
    let status = home.done(&["status"]);
    assert!(status.out.contains("no person with the id or name `eve` is known yet"), "{status:?}");
}
