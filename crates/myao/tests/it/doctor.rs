//! `myao doctor`: what is in a report, and that nothing is in it that somebody wrote or that lets somebody in.

#![cfg(test)]

use std::fs;

use serde_json::json;

use crate::{
    binary::{Home, Ran},
    exports::{Export, said},
    planted_secrets::{assert_has_none, talk},
};

/// Everything that a person can write into a configuration, each a word that stands nowhere else.
const CONFIG: &str = "\
slack: {bot_token: xoxb-111-PLANTEDbot, app_token: xapp-1-PLANTEDapp, api_base_url: 'http://127.0.0.1:9/plantedslack/'}
agents:
  response:
    model_id: openai//srv/plantedmodel.gguf
    system_prompt: Say plantedinstruction
    client_args: {api_key: sk-plantedkey, api_base: 'http://plantedhost.example/v1'}
  judgment: {model_id: builtin}
  memory: {model_id: builtin}
persona: {name: Plantedname, system_prompt: You are plantedpersona}
memory: {database_path: plantedfolder/memory.db}
locale: {language: ja, timezone: Asia/Tokyo}
privacy: {never_remember: {users: [plantedperson], channels: [plantedchannel]}}
budget: {currency: plantedcoin, daily_tokens: 1000, prices: [{model: a/plantedprice, input: 1, output: 1}]}
web: {listen: 127.0.0.1:8099, password: plantedpassword, hosts: [plantedhost.example]}
recall: {embeddings: {api_base: 'http://plantedembed.example/v1', model_id: plantedvectors, api_key: plantedvectorkey}}
tools: {web_search: {provider: brave, api_key: plantedsearch}}
logging: {level: ERROR}
health_check: {host: 127.0.0.1, port: 9}
";

/// A workspace with secrets and words of its own.
fn furnished() -> Home {
    let mut messages: Vec<_> = (0..)
        .zip(talk())
        .map(|(n, text)| said(&format!("{}.000100", 1_772_442_000 + n), "U1", &text))
        .collect();
    messages.push(said("1772452000.000100", "U1", "plantedword in #plantedroom"));
    let export = Export::new()
        .with(
            "users.json",
            &json!([{"id": "U1", "name": "plantednoor", "profile": {"display_name": "Plantednoor K"}}]),
        )
        .with("channels.json", &json!([{"id": "C1", "name": "plantedroom"}]))
        .with("plantedroom/2026-03-02.json", &json!(messages));
    let home = Home::with_config(CONFIG);
    home.import(&export.folder(&home, "export", None));
    home
}

fn assert_holds_nothing(ran: &Ran, home: &Home) {
    let told = format!("{}\n{}", ran.out, ran.err);
    assert!(!told.to_lowercase().contains("planted"), "{told}");
    assert_has_none("doctor", &told);
    let folder = home.path(".");
    assert!(!told.contains(folder.to_str().expect("UTF-8")), "no path: {told}");
    for id in ["U1", "C1", "127.0.0.1"] {
        assert!(!told.contains(id), "{id}: {told}");
    }
}

#[test]
fn a_report_counts_and_names_nothing() {
    let home = furnished();
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "- version: 0.1.0",
        "- locale.timezone: Asia/Tokyo",
        "- agents.response: a model of openai, key set, address of its own set, instructions set, images off",
        "- slack tokens: bot set, app set",
        "- pages: on, password set",
        "- myao run: none answers",
        "- kind: SQLite",
        "- channels: 1 public",
        "- faults: none",
    ] {
        assert!(ran.out.lines().any(|there| there == line), "{line} is not in {}", ran.out);
    }
    assert_holds_nothing(&ran, &home);
}

/// Where something is broken a report is wanted most; it says so by its kind and by the exit code.
#[test]
fn what_is_broken_is_told_by_its_kind() {
    let home = furnished();
    fs::write(home.path("plantedfolder/memory.db"), "plantedword, no database".repeat(100)).expect("written");
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("- database: could not be read (it is damaged, or no database)"), "{ran:?}");
    assert_holds_nothing(&ran, &home);

    home.write("config.yaml", "slack: {bot_tokken: xoxb-111-PLANTEDbot}\n");
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("- configuration: could not be read"), "{ran:?}");
    assert_holds_nothing(&ran, &home);

    let ran = Home::new().run(&["doctor"]);
    assert!(ran.code == Some(1) && ran.out.contains("(there is none yet)"), "{ran:?}");
}
