//! `memory log` and `memory show`.

use jiff::Timestamp;
use myao_core::chat::MessageTs;
use serde_json::Value;

use super::remembered;
use crate::{
    binary::{Home, number},
    exports::sample,
};

fn time(value: &Value) -> Timestamp {
    value.as_str().expect("a text").parse().expect("a time")
}

/// A time stamp as Slack writes it.
fn ts(value: &Value) -> MessageTs {
    let text = value.as_str().expect("a text");
    let ts: MessageTs = text.parse().expect("a time stamp");
    assert_eq!(ts.to_string(), text);
    ts
}

#[test]
fn the_log_lists_every_version_with_its_sources() {
    let home = remembered("ja");
    let status = home.adds_up();
    for row in status["channels"].as_array().expect("channels") {
        let name = format!("#{}", row["name"].as_str().expect("a name"));
        let log = home.json(&["memory", "log", &name]);
        let versions = log.as_array().expect("a list");
        assert!(!versions.is_empty(), "{name}");
        let mut end = MessageTs::MIN;
        let mut messages = 0;
        for (version, n) in versions.iter().zip(1..) {
            assert_eq!(number(version, "version"), n);
            assert!(!version["content"].as_str().expect("a text").is_empty());
            let first = ts(&version["source_first_message_ts"]);
            let last = ts(&version["source_latest_message_ts"]);
            assert!(end < first && first <= last, "{name} {n}: one after the other");
            assert!(time(&version["created_at"]) <= time(&version["updated_at"]));
            end = last;
            messages += number(version, "source_message_count");
        }
        assert_eq!(messages, number(row, "covered"), "{name}: every message in one version");
        let table = home.done(&["memory", "log", &name]).out;
        assert_eq!(table.lines().count(), versions.len() + 1, "{table}");
    }
    assert_eq!(home.json(&["memory", "log", "web"]), home.json(&["memory", "log", "C0WEBSHOP2"]));
    assert_eq!(home.json(&["memory", "log", "web"]), home.json(&["memory", "log", "＃web"]));
}

#[test]
fn show_tells_what_is_remembered() {
    let home = remembered("ja");
    let log = home.json(&["memory", "log", "#web"]);
    let content = |n: usize| log[n]["content"].as_str().expect("a text").to_owned();
    let shown = home.json(&["memory", "show", "#web"]);
    let mut versions = shown["short_term"].as_array().expect("a list").clone();
    for version in &mut versions {
        let ended = version.as_object_mut().expect("an object").remove("ended");
        assert_eq!(ended, Some(serde_json::json!([])), "nothing was replaced in them");
    }
    let newest = log.as_array().expect("a list").iter().rev().take(5).rev().cloned().collect::<Vec<_>>();
    assert_eq!(versions, newest, "the newest five");
    let long_term = shown["long_term"]["content"].as_str().expect("a text");
    assert_eq!(shown["long_term"]["source_message_count"], home.adds_up()["channels"][1]["covered"]);

    let text = home.done(&["memory", "show", "#web"]).out;
    assert!(text.starts_with("## #web, long-term") && text.contains(long_term), "{text}");
    let third = home.done(&["memory", "show", "#web", "--version", "3"]).out;
    assert!(third.starts_with("## #web, version 3 ("), "{third}");
    assert!(third.contains(&content(2)) && !third.contains(&content(3)) && !third.contains(long_term));

    let workspace = home.json(&["memory", "show", "--workspace"]);
    let text = home.done(&["memory", "show", "--workspace"]).out;
    assert!(text.contains(workspace["content"].as_str().expect("a text")));
    home.run(&["memory", "show", "#web", "--version", "99"]).ends(2, "#web has no version 99");
    home.run(&["memory", "show"]).ends(2, "<CHANNEL|--workspace>");
}

#[test]
fn nothing_remembered_yet_is_said() {
    let home = Home::new();
    home.done(&["memory", "build"]);
    assert!(home.done(&["status"]).out.contains("`myao import slack PATH` fills it"));
    home.run(&["memory", "log", "#web"]).ends(2, "the archive is empty; `myao import slack PATH` fills it");
    home.import(&sample("ja"));
    for args in
        [&["memory", "log", "web"][..], &["memory", "show", "web"], &["memory", "show", "--workspace"]]
    {
        assert!(home.done(args).out.contains("`myao memory build` builds it"), "{args:?}");
    }
    assert_eq!(home.json(&["memory", "log", "web"]), Value::Array(vec![]));
    assert_eq!(home.json(&["memory", "show", "--workspace"]), Value::Null);
    assert!(home.done(&["prompt", "web"]).out.contains("===== user ====="), "the conversation alone");
}
