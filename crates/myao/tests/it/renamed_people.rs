//! Who got another name, over exports that are imported in any order (ADR 150), and with `forget` and
//! `privacy.never_remember`.

use serde_json::{Value, json};

use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

const CONFIG: &str = "memory: {database_path: data/memory.db}\nlocale: {language: en, timezone: UTC}\n";

/// A message that is said after anything that a test does: its time is no matter.
const LATER: &str = "4102444800.000100";

fn person(name: &str, updated: Option<i64>) -> Value {
    let mut person = json!({"id": "U1", "name": "u1", "profile": {"display_name": name}});
    if let Some(updated) = updated {
        person["updated"] = json!(updated);
    }
    person
}

/// An export in which U1 is called `name` and says one thing.
fn export(name: &str, updated: Option<i64>, file: &str, message: &Value) -> Export {
    let ben = json!({"id": "U2", "name": "ben", "profile": {"display_name": "Ben"}});
    Export::new()
        .with("users.json", &json!([person(name, updated), ben]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with(&format!("general/{file}.json"), &json!([message]))
}

fn older(updated: Option<i64>) -> Export {
    export("Quillfeather", updated, "2026-01-05", &said("1767600000.000100", "U1", "the older words"))
}

fn newer(updated: Option<i64>) -> Export {
    export("Brown", updated, "2026-03-02", &said("1772442000.000100", "U1", "the newer words"))
}

fn import(home: &Home, name: &str, export: &Export) -> Value {
    home.import(&export.folder(home, name, None))
}

/// What U1 is called, and was called before.
fn names(home: &Home) -> (Value, Value) {
    let answer = home.json(&["memory", "person", "U1"]);
    (answer["person"]["name"].clone(), answer["person"]["former_names"].clone())
}

fn holds(home: &Home, words: &str) -> bool {
    ["data/memory.db", "data/memory.db-wal"]
        .iter()
        .filter_map(|file| std::fs::read(home.path(file)).ok())
        .any(|bytes| bytes.windows(words.len()).any(|window| window == words.as_bytes()))
}

#[test]
fn the_newest_profile_has_the_name_whichever_export_is_read_first() {
    // The times of the files say the opposite. Where profiles tell no time, the messages do.
    for updated in [Some((1_767_000_000, 1_772_000_000)), None] {
        let (old, new) = (older(updated.map(|(old, _)| old)), newer(updated.map(|(_, new)| new)));
        for is_newer_first in [false, true] {
            let home = Home::with_config(CONFIG);
            let mut exports = [("old", &old), ("new", &new)];
            if is_newer_first {
                exports.reverse();
            }
            for (name, export) in exports {
                import(&home, name, export);
            }
            import(&home, "old again", &old);
            assert_eq!(
                names(&home),
                (json!("Brown"), json!(["Quillfeather"])),
                "{updated:?} {is_newer_first}"
            );
        }
    }
}

#[test]
fn a_forgotten_name_stays_forgotten_whatever_is_imported_again() {
    let home = Home::with_config(CONFIG);
    let old = older(Some(1_767_000_000));
    import(&home, "old", &old);
    home.done(&["forget", "--user", "U1", "--yes"]);
    assert!(!holds(&home, "Quillfeather"));
    import(&home, "old", &old);
    // Their profile was changed before the forgetting; what they say is new.
    let new = export("Brown", Some(1_772_000_000), "2100-01-01", &said(LATER, "U1", "it is me"));
    import(&home, "new", &new);
    import(&home, "new", &new);
    assert_eq!(names(&home), (json!("Brown"), json!([])));
    import(&home, "old", &old);
    assert_eq!(names(&home), (json!("Brown"), json!([])));
    assert!(!holds(&home, "Quillfeather") && !holds(&home, "the older words"));
}

#[test]
fn an_opt_out_by_a_name_holds_for_whoever_bore_it_in_any_order() {
    let out = format!("{CONFIG}privacy: {{never_remember: {{users: ['@Quillfeather']}}}}\n");
    let (old, new) = (older(Some(1_767_000_000)), newer(Some(1_772_000_000)));

    let home = Home::with_config(&out);
    assert_eq!(number(&import(&home, "old", &old), "left_out"), 1);
    assert_eq!(number(&import(&home, "new", &new), "left_out"), 1);
    assert!(!holds(&home, "the older words") && !holds(&home, "the newer words"));

    // The newer one first: what was archived before anybody knew is hidden, and the command that forgets it is told.
    let home = Home::with_config(&out);
    assert_eq!(number(&import(&home, "new", &new), "left_out"), 0);
    assert_eq!(number(&import(&home, "old", &old), "left_out"), 1);
    assert!(!holds(&home, "the older words"));
    let status = home.done(&["status"]);
    assert!(status.out.contains("`myao forget --user U1 --yes`"), "{status:?}");
    let found = home.json(&["recall", "words"]);
    assert_eq!(found["hits"], json!([]));
    assert_eq!(number(&import(&home, "new", &new), "left_out"), 1);

    // The wish comes last of all.
    let home = Home::with_config(CONFIG);
    import(&home, "old", &old);
    import(&home, "new", &new);
    home.write("config.yaml", &out);
    assert_eq!(number(&import(&home, "new", &new), "left_out"), 1);
    assert_eq!(home.json(&["recall", "words"])["hits"], json!([]));
}

/// The list says one name, and what a message of that export brings along another.
#[test]
fn an_opt_out_holds_for_a_name_that_only_a_message_tells() {
    let out = format!("{CONFIG}privacy: {{never_remember: {{users: [Quillfeather]}}}}\n");
    let home = Home::with_config(&out);
    let mut message = said("1772442000.000100", "U1", "the newer words");
    message["user_profile"] = json!({"display_name": "Quillfeather"});
    let export = export("Brown", Some(1_772_000_000), "2026-03-02", &message);
    assert_eq!(number(&import(&home, "export", &export), "left_out"), 1);
    assert!(!holds(&home, "the newer words"));
}
