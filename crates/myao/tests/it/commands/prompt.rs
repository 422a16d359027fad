//! `prompt`: as it is, of a thread, what is left out, and what must never be in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{private_words, remembered};
use crate::{
    binary::{Home, number},
    exports::{Export, said, sample},
};

fn channels(home: &Home) -> Vec<String> {
    let status = home.json(&["status"]);
    let name = |row: &Value| format!("#{}", row["name"].as_str().expect("a name"));
    status["channels"].as_array().expect("a list").iter().map(name).collect()
}

#[test]
fn a_prompt_is_shown_as_it_is() {
    let home = remembered("ja");
    let json = home.json(&["prompt", "#新茶2026"]);
    let part = |key: &str| json[key].as_str().expect("a text");
    // The last line tells the time of day.
    let stable = |text: &str| text.trim_end().rsplit_once('\n').expect("lines").0.to_owned();
    let text = home.done(&["prompt", "#新茶2026"]);
    assert!(text.out.starts_with(&format!("===== system =====\n{}\n\n===== user =====\n", part("system"))));
    assert!(text.out.contains(&stable(part("user"))));
    assert!(number(&json, "tokens") <= 8000);
    assert!(
        text.err.contains(&format!("about {} of at most 8000 tokens", number(&json, "tokens"))),
        "{text:?}"
    );
    for heading in ["## #新茶2026", "### 歴史（長期記憶）", "### 最近の出来事（短期記憶履歴）"]
    {
        assert!(part("system").contains(heading), "{heading}");
    }
    let user = part("user");
    let place = |heading: &str| user.find(heading).unwrap_or_else(|| panic!("{heading} in {user}"));
    let places = ["# 会話（", "\n# 関係のありそうなこと", "\n# すること"].map(place);
    assert!(places.is_sorted(), "{user}");
}

/// The same memory, another question; each role has the owner's instructions for itself.
#[test]
fn a_prompt_of_a_judgment() {
    let home = remembered("en");
    home.write(
        "config.yaml",
        "locale: {language: en}\nagents:\n  response: {model_id: builtin, system_prompt: Be brief.}\n  \
         judgment: {model_id: builtin, system_prompt: Prefer silence.}",
    );
    let place = "#general";
    let part = |args: &[&str], key: &str| {
        home.json(&[&["prompt", place], args].concat())[key].as_str().expect("a text").to_owned()
    };
    let reply = part(&[], "system");
    let judgment = part(&["--judgment"], "system");
    let memory = |system: &str| system.split_once("\n# What you remember\n").expect("memory").1.to_owned();
    assert_eq!(memory(&reply), memory(&judgment));
    let instructed = |system: &str| ["Be brief.", "Prefer silence."].map(|text| system.contains(text));
    assert_eq!((instructed(&reply), instructed(&judgment)), ([true, false], [false, true]));
    assert!(part(&["--judgment"], "user").contains("\"should_respond\""));
    assert!(!part(&[], "user").contains("should_respond"));
}

#[test]
fn a_prompt_of_a_thread() {
    let home = remembered("ja");
    let export = Export::read(&sample("ja"));
    let days = export.files.iter().filter(|(path, _)| path.starts_with("web/"));
    let talk: Vec<Value> =
        days.flat_map(|(_, day)| serde_json::from_slice::<Vec<Value>>(day).expect("a list")).collect();
    let is_reply = |m: &&Value| m["thread_ts"].is_string() && m["thread_ts"] != m["ts"];
    let reply = talk.iter().find(is_reply).expect("a reply");
    let root = talk.iter().find(|m| m["ts"] == reply["thread_ts"]).expect("its root");
    let prompt = |ts: &Value| {
        let place = format!("#web:{}", ts.as_str().expect("a text"));
        home.json(&["prompt", &place])["user"].as_str().expect("a text").to_owned()
    };
    let user = prompt(&root["ts"]);
    // The end of it: at the beginning people are addressed.
    let words = |m: &Value| {
        let text = m["text"].as_str().expect("a text");
        text.chars().skip(text.chars().count().saturating_sub(8)).collect::<String>()
    };
    assert!(user.contains(&words(root)) && user.contains(&words(reply)), "{user}");
    // The last line tells the time of day.
    assert_eq!(prompt(&reply["ts"]).lines().count(), user.lines().count(), "a reply stands for its thread");
    home.run(&["prompt", "#web:1999999999.000000"]).ends(2, "there is no message 1999999999.000000");
    home.run(&["prompt", "#web:now"]).ends(2, "`now` is not a message time stamp");
}

/// What there was no room for is told by name, in a bounded number of lines; `--json` has all of it.
#[test]
fn what_a_prompt_leaves_out_is_told_by_name() {
    let home = remembered("ja");
    home.write("config.yaml", "prompt: {max_tokens: 1500}");
    let json = home.json(&["prompt", "#general"]);
    let left_out = json["left_out"].as_array().expect("a list");
    assert!(left_out.len() > 10, "{}", left_out.len());
    let told = home.done(&["prompt", "#general"]).err;
    for item in left_out.iter().take(20) {
        let line =
            format!("left out: {} ({} tokens)", item["item"].as_str().expect("a text"), item["tokens"]);
        assert!(told.contains(&line), "{line} is not in {told}");
    }
    assert!(told.contains("of #web") && !told.contains("C0WEBSHOP2"), "{told}");
}

/// A key that asks for more than there is room for is named; with the default size all that is due is shown.
#[test]
fn a_prompt_says_which_key_asks_for_more_than_has_room() {
    for (language, place) in [("ja", "#新茶2026"), ("en", "#spring-count")] {
        let home = remembered(language);
        let is_due = |item: &Value| {
            let name = item["item"].as_str().expect("a text");
            name.ends_with(&format!(" of {place}")) || name.ends_with("of the workspace")
        };
        let left = |home: &Home| {
            let json = home.json(&["prompt", place]);
            json["left_out"].as_array().expect("a list").iter().filter(|item| is_due(item)).count()
        };
        let told = home.done(&["prompt", place]).err;
        assert!(left(&home) == 0 && !told.contains("max_history_count"), "{told}");
        assert!(home.run(&["check", "--quick"]).out.contains("ok    prompt.max_tokens: 8000 tokens; "));
        home.write("config.yaml", format!("locale: {{language: {language}}}\nprompt: {{max_tokens: 2000}}"));
        let told = home.done(&["prompt", place]).err;
        assert!(left(&home) > 2, "{told}");
        let reason =
            " of the 5 newest versions that memory.short_term_history.max_history_count asks for have room";
        assert!(told.contains(reason), "{told}");
        assert!(told.contains("prompt.max_tokens (2000) is too small for all that is due here"), "{told}");
        let checked = home.run(&["check", "--quick"]).out;
        assert!(checked.contains("note  prompt.max_tokens: 2000 tokens; up to "), "{checked}");
    }
}

/// Promise 2, from outside: in all a public place is shown, in all languages and forms.
#[test]
fn nothing_private_reaches_a_public_place() {
    for (language, private) in [("ja", "#人事"), ("en", "#hiring")] {
        let home = remembered(language);
        let words = private_words(language);
        let export = Export::read(&sample(language));
        let folder = format!("{}/", private.trim_start_matches('#'));
        for (path, content) in export.files.iter().filter(|(path, _)| path.contains('/')) {
            let content = serde_json::from_slice::<Value>(content).expect("JSON").to_string();
            let is_private = path.starts_with(&folder);
            assert!(is_private || words.iter().all(|word| !content.contains(word)), "{path}");
        }
        let seen = |args: &[&str]| {
            let out = home.done(args).out;
            words.iter().filter(|word| out.contains(**word)).copied().collect::<BTreeSet<_>>()
        };
        assert!(seen(&["memory", "log", private, "--json"]).len() >= 4, "it is remembered, in its place");
        assert!(!seen(&["prompt", private]).is_empty(), "and known there");
        assert_eq!(seen(&["memory", "show", "--workspace"]), BTreeSet::new());
        for place in channels(&home).iter().filter(|name| *name != private) {
            assert_eq!(seen(&["prompt", place]), BTreeSet::new(), "{place}");
            assert_eq!(seen(&["prompt", place, "--json"]), BTreeSet::new(), "{place}");
            assert_eq!(seen(&["prompt", place, "--judgment"]), BTreeSet::new(), "{place}");
            assert_eq!(seen(&["memory", "show", place]), BTreeSet::new(), "{place}");
        }
    }
}

/// What a reply would be shown of a linked page stands in the prompt too, before the task; this machine's own addresses
/// are never read.
#[test]
fn a_prompt_shows_linked_pages() {
    let home = Home::with_config(
        "locale: {language: en, timezone: UTC}\nmemory: {database_path: memory.db}\n\
         agents: {response: {model_id: openai/gpt-4o, client_args: {api_key: sk-none}}}\n\
         tools: {web_fetch: {enabled: true}}\n",
    );
    let said = json!([said("1772442384.000100", "U1", "read <http://127.0.0.1:9/a>")]);
    let export = Export::new().with("general/2026-03-02.json", &said);
    home.import(&export.folder(&home, "export", None));
    let user = |args: &[&str]| {
        let prompt = home.json(&[&["prompt", "#general"], args].concat());
        (prompt["user"].as_str().expect("a text").to_owned(), number(&prompt, "pages"))
    };
    let (shown, pages) = user(&[]);
    let at = |words: &str| shown.find(words).unwrap_or_else(|| panic!("{words}: {shown}"));
    assert!(at("## http://127.0.0.1:9/a") < at("(It could not be read: ") && at("could not") < at("# Task"));
    assert_eq!(pages, 1);
    let (without, pages) = user(&["--no-pages"]);
    assert!(!without.contains("# Linked pages") && pages == 0, "{without}");
}
