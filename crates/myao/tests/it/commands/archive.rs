//! `import`, `memory build`, `status`.

use myao_core::chat::{ChannelId, MessageTs};
use myao_store::{FirstSight, Store, Target};
use serde_json::{Value, json};

use crate::{
    binary::{Home, number},
    exports::{Export, said, sample},
};

/// Elements of all day files of an export.
fn elements(export: &Export) -> u64 {
    let days = export.files.iter().filter(|(path, _)| path.contains('/'));
    let count = |content: &[u8]| {
        let day: Vec<Value> = serde_json::from_slice(content).expect("a list");
        u64::try_from(day.len()).expect("few")
    };
    days.map(|(_, content)| count(content)).sum()
}

#[test]
fn an_import_is_complete_and_idempotent_as_folder_and_as_zip() {
    let export = Export::read(&sample("ja"));
    let total = elements(&export);
    assert!(total > 300, "{total}");
    let home = Home::new();
    let first = home.import(&sample("ja"));
    assert_eq!((number(&first, "new"), number(&first, "same")), (total, 0));
    assert_eq!(number(&first, "messages") + number(&first, "notices"), total);
    let zip = export.zip(&home, "export.zip");
    for again in [&sample("ja"), &zip] {
        let report = home.import(again);
        let counts = ["new", "changed", "deleted", "same"].map(|key| number(&report, key));
        assert_eq!(counts, [0, 0, 0, total]);
    }
    let other = Home::new();
    assert_eq!(other.import(&zip)["new"], total);
    assert_eq!(home.adds_up()["channels"], other.adds_up()["channels"]);
    let told = other.done(&["import", "slack", zip.to_str().expect("UTF-8")]);
    assert!(told.out.contains(&format!("0 new, 0 changed, 0 deleted, {total} there already")), "{told:?}");
}

#[test]
fn a_build_does_its_work_once() {
    let home = Home::new();
    home.import(&sample("ja"));
    let status = home.adds_up();
    assert_eq!((number(&status, "covered"), number(&status, "pending")), (0, number(&status, "messages")));
    let first = home.json(&["memory", "build"]);
    for key in ["channels", "chapters", "verbatim", "summaries", "merges", "model_calls", "tokens_in"] {
        assert!(number(&first, key) > 0, "{key}: {first}");
    }
    assert_eq!((number(&first, "workspace_updates"), &first["troubles"]), (1, &Value::Array(vec![])));
    let again = home.json(&["memory", "build"]);
    for key in ["chapters", "merges", "workspace_updates", "model_calls", "tokens_in", "tokens_out"] {
        assert_eq!(number(&again, key), 0, "{key}");
    }
    let status = home.adds_up();
    assert_eq!((number(&status, "covered"), number(&status, "pending")), (number(&status, "messages"), 0));
    assert_eq!(number(&status, "model_calls"), number(&first, "model_calls"));
    assert_eq!(number(&status, "tokens_in"), number(&first, "tokens_in"));
    assert!(number(&status, "notices") > 0, "they are counted apart");
}

#[test]
fn why_a_build_failed_is_said_once() {
    let home = Home::with_config(&format!(
        "agents: {{memory: {{model_id: builtin, system_prompt: {}}}}}",
        "words ".repeat(9000)
    ));
    home.import(&sample("en"));
    let built = home.run(&["memory", "build"]);
    built.ends(1, "#dev: the instructions for a summary take");
    assert_eq!(built.err.matches("#dev: the instructions").count(), 1, "{built:?}");
    assert!(!built.err.contains("WARN") && built.err.contains("not brought up to date: "), "{built:?}");
}

#[test]
fn a_build_begins_where_it_is_told_to() {
    let home = Home::new();
    home.import(&sample("ja"));
    home.done(&["memory", "build", "--since", "2026-03-10"]);
    let status = home.adds_up();
    assert!(number(&status, "before_start") > 50 && number(&status, "covered") > 50, "{status}");
    assert_eq!(number(&status, "pending"), 0);
    let again = home.done(&["memory", "build", "--since", "2026-03-01"]);
    assert!(
        again.err.contains("--since changes nothing for channels that have chapters already: 5 of 5"),
        "{again:?}"
    );
}

#[tokio::test]
async fn status_names_gaps_and_channels_of_unknown_kind() {
    let home = Home::new();
    home.import(&sample("ja"));
    let before = home.json(&["status"]);
    assert_eq!(
        (&before["gaps"], &before["unknown_channels"]),
        (&Value::Array(vec![]), &Value::Array(vec![]))
    );
    let store = Store::open(&Target::Sqlite(home.database())).await.expect("opened");
    let id = ChannelId::new("C0NEW");
    let from = MessageTs::from_micros(1_767_571_200_000_000);
    store.hearing().join_channel(&id, FirstSight::since(from)).await.expect("joined");
    assert!(
        store.hearing().note_swept(&id, from.plus_seconds(60), from.plus_seconds(120)).await.expect("noted")
    );
    store.close().await;
    let status = home.json(&["status"]);
    assert_eq!(status["unknown_channels"], serde_json::json!(["C0NEW"]));
    let gap = serde_json::json!([{"channel": "C0NEW", "from": "2026-01-05T00:00:00Z",
        "fetched_from": "2026-01-05T00:01:00Z", "fetched_to": "2026-01-05T00:02:00Z"}]);
    assert_eq!(status["gaps"], gap);
    let told = home.done(&["status"]).out;
    assert!(told.contains("#C0NEW: what was said since 2026-01-05 00:00 may be missing; fetched so far: 2026-01-05 00:01 to 2026-01-05 00:02"), "{told}");
    assert!(told.contains("of unknown kind, and kept as private until Slack tells: #C0NEW"), "{told}");
}

/// One may be public and one private: which is meant is for the person to say.
#[test]
fn two_channels_of_one_name_are_told_apart_by_their_ids() {
    let home = Home::new();
    let export = Export::new()
        .with("channels.json", &json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "C1"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "general"}]))
        .with("C1/2026-03-02.json", &json!([said("1772510000.000100", "U1", "of C1")]))
        .with("G1/2026-03-02.json", &json!([said("1772510000.000100", "U1", "of G1")]))
        .folder(&home, "export", None);
    home.import(&export);
    home.done(&["memory", "build"]);
    for args in [&["prompt", "#general"][..], &["memory", "show", "general"], &["memory", "log", "#general"]]
    {
        let ran = home.run(args);
        ran.ends(2, "there are 2 channels `#general`; name one by its id: C1 (public), G1 (private)");
        assert_eq!(ran.out, "");
    }
    let status = home.done(&["status"]).out;
    assert!(status.contains("#general (C1)") && status.contains("#general (G1)"), "{status}");
    assert!(home.done(&["memory", "show", "G1"]).out.contains("of G1"));
    assert!(home.done(&["memory", "show", "C1"]).out.contains("of C1"), "an id goes before a name");
}
