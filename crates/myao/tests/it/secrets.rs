//! What lets somebody in is shown to nobody, wherever words go (ADR 50).

use std::{fs, path::Path};

use myao_core::memory::MemorySettings;
use serde_json::json;

use crate::{
    binary::Home,
    exports::{Export, said},
    scenario::{BUILD, Scenario, copying_model, hours, literal_mode_settings},
};

/// What must stand nowhere, with the kind by which it is named.
fn secrets() -> [(&'static str, String); 5] {
    let letters = "q7Zr2Vx9Kd4Lm8Np1Ts6Wb3Yc5Hf0Jg".repeat(2);
    let token = |begin: &str, length: usize| format!("{begin}{}", letters.get(..length).expect("ASCII"));
    [
        ("github-pat", token("ghp_", 36)),
        ("slack-bot-token", token("xoxb-123456789012-1234567890123-", 24)),
        ("password-in-url", "hunter2hunter2".to_owned()),
        ("card-number", "4111 1111 1111 1111".to_owned()),
        ("my-number", "1234 5678 9018".to_owned()),
    ]
}

/// Each of them, as somebody says it.
pub(crate) fn talk() -> Vec<String> {
    let said = |(kind, secret): (&str, String)| match kind {
        "password-in-url" => format!("鏡は postgres://app:{secret}@db.example.com/main に決めました"),
        "my-number" => format!("私のマイナンバーは{secret}です"),
        _ => format!("鍵は「{secret}」に決めました"),
    };
    secrets().map(said).into()
}

pub(crate) fn assert_has_none(what: &str, text: &str) {
    for (kind, secret) in secrets() {
        assert!(!text.contains(&secret), "{what} tells the {kind}: {text}");
    }
}

/// A workspace in which each was posted, and enough else for chapters that are no verbatim ones.
fn furnished(config: &str) -> Home {
    let day = 1_772_442_000;
    let mut messages: Vec<_> = (talk().iter().enumerate())
        .map(|(n, text)| said(&format!("{}.000100", day + n), "U1", text))
        .collect();
    for n in 0..80 {
        let text = format!("議題{n}の期日は{}月に決めました", n % 12 + 1);
        messages.push(said(&format!("{}.000100", day + 100 + n), "U1", &text));
    }
    let export = Export::new()
        .with("users.json", &json!([{"id": "U1", "name": "noor", "profile": {"display_name": "Noor K"}}]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("general/2026-03-02.json", &json!(messages));
    let home = Home::with_config(config);
    home.import(&export.folder(&home, "export", None));
    home
}

fn written(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).expect("listed").flatten() {
        let path = entry.path();
        all += &if path.is_dir() { written(&path) } else { fs::read_to_string(path).expect("text") };
    }
    all
}

#[test]
fn no_command_tells_a_secret_and_status_names_each() {
    let home = furnished("logging: {level: TRACE}\nmemory: {database_path: data/memory.db}\n");
    home.done(&["memory", "build"]);
    let asked = format!("これは {} ですか", secrets()[0].1);
    for args in [
        &["prompt", "#general"][..],
        &["prompt", "#general", "--ask", &asked],
        &["prompt", "#general", "--judgment"],
        &["memory", "show", "#general"],
        &["memory", "log", "#general"],
        &["memory", "why", "#general"],
        &["memory", "why", "#general", "鍵"],
        &["recall", "鍵"],
        &["recall", "鏡", "--json"],
        &["recall", "from:noor", "--limit", "200"],
        &["status"],
    ] {
        let ran = home.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        assert_has_none(&format!("{args:?}"), &ran.out);
        assert_has_none(&format!("{args:?}"), &ran.err);
    }
    assert!(home.done(&["recall", "鍵"]).out.contains("[secret: github-pat]"));
    for (kind, secret) in secrets() {
        let found = home.json(&["recall", &format!("\"{secret}\"")]);
        assert_eq!(found["hits"], json!([]), "found by the {kind}");
    }
    home.done(&["memory", "export", "exported"]);
    assert_has_none("the export", &written(&home.path("exported")));

    let status = home.json(&["status"]);
    assert_eq!(status["secrets"], 5);
    let named = status["messages_with_secrets"].as_array().expect("a list");
    let kinds: Vec<_> = named.iter().rev().map(|one| one["kinds"][0].as_str().expect("a kind")).collect();
    assert_eq!(kinds, secrets().map(|(kind, _)| kind));
    assert_eq!((&named[4]["name"], &named[4]["ts"]), (&json!("general"), &json!("1772442000.000100")));
    let told = home.done(&["status"]).out;
    assert!(told.contains("messages with secrets: 5"), "{told}");
    assert!(told.contains("github-pat in #general at 2026-03-02 09:00\n"), "{told}");
}

/// Where the archive is masked, the secrets are in no byte of the database.
#[test]
fn a_masked_archive_holds_no_byte_of_a_secret() {
    let home = furnished("privacy: {mask_archive: true}\nmemory: {database_path: data/memory.db}\n");
    home.done(&["memory", "build"]);
    let bytes = String::from_utf8_lossy(&fs::read(home.database()).expect("read")).into_owned();
    assert_has_none("the database", &bytes);
    assert_eq!(home.json(&["status"])["secrets"], 5);
}

/// A model that copies all it is shown: what reaches it would stand in memory. It complains of a request with a secret.
#[tokio::test]
async fn no_model_is_shown_a_secret_and_no_memory_holds_one() {
    for settings in [literal_mode_settings(), MemorySettings::default()] {
        let scenario = Scenario::new(settings, copying_model()).await;
        scenario.channel("C1").await;
        for text in talk() {
            scenario.say("C1", &text).await;
        }
        scenario.pass(hours(24));
        scenario.round(BUILD).await;
        let mut memories = scenario.versions("C1").await;
        memories.extend(scenario.long_term("C1").await);
        assert!(memories.len() > 1, "{memories:?}");
        assert!(
            memories.iter().any(|memory| memory.content().contains("[secret: github-pat]")),
            "{memories:?}"
        );
        assert_has_none("a memory", &format!("{memories:?}"));
    }
}
