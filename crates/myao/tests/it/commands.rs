//! The commands on the samples, from outside: what they print, what they promise a script, how they end.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use jiff::Timestamp;
use myao_core::chat::MessageTs;
use serde_json::Value;

use crate::{
    binary::{Home, Ran, number},
    exports::{Export, sample},
};

/// A home with a sample in its memory.
fn remembered(language: &str) -> Home {
    let home = Home::new();
    home.import(&sample(language));
    home.done(&["memory", "build"]);
    home
}

/// Elements of all day files of an export.
fn elements(export: &Export) -> u64 {
    let days = export.files.iter().filter(|(path, _)| path.contains('/'));
    let count = |content: &[u8]| {
        let day: Vec<Value> = serde_json::from_slice(content).expect("a list");
        u64::try_from(day.len()).expect("few")
    };
    days.map(|(_, content)| count(content)).sum()
}

fn channels(home: &Home) -> Vec<String> {
    let status = home.json(&["status"]);
    let name = |row: &Value| format!("#{}", row["name"].as_str().expect("a name"));
    status["channels"].as_array().expect("a list").iter().map(name).collect()
}

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
            let (first, last) =
                (ts(&version["source_first_message_ts"]), ts(&version["source_latest_message_ts"]));
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
    let versions = shown["short_term"].as_array().expect("a list");
    let newest = log.as_array().expect("a list").iter().rev().take(5).rev().cloned().collect::<Vec<_>>();
    assert_eq!(*versions, newest, "the newest five");
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
    home.run(&["memory", "show"]).ends(2, "<CHANNEL>");
}

#[test]
fn nothing_remembered_yet_is_said() {
    let home = Home::new();
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
    for heading in ["## #新茶2026", "## #web", "### 歴史（長期記憶）", "### 最近の出来事（短期記憶履歴）"]
    {
        assert!(part("system").contains(heading), "{heading}");
    }
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
    home.write("config.yaml", "prompt: {max_tokens: 1200}");
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

#[test]
fn the_configuration_is_where_it_is_said_to_be() {
    let home = Home::new();
    let ran = home.done(&["status"]);
    assert!(ran.err.contains("note: there is no ./config.yaml, so the defaults hold"), "{ran:?}");
    assert!(!ran.out.contains("note:"), "notes are no results");
    assert!(home.database().is_file());

    let home = Home::new();
    home.write("etc/mine.yaml", "memory: {database_path: elsewhere/mine.db}");
    let ran = home.done(&["--config", "etc/mine.yaml", "status"]);
    assert!(!ran.err.contains("there is no ./config.yaml"), "{ran:?}");
    assert!(home.path("elsewhere/mine.db").is_file() && !home.database().exists());
    home.done(&["status", "--config", "etc/mine.yaml"]);
    home.run(&["--config", "nowhere.yaml", "status"]).ends(2, "nowhere.yaml: there is no such file");
}

#[test]
fn the_help_teaches() {
    let home = Home::new();
    let help = home.done(&["--help"]);
    insta::assert_snapshot!(help.out, @r"
    A friend in a chat workspace that remembers, and whose memory people can trust

    Usage: myao [OPTIONS] <COMMAND>

    Commands:
      demo    See it work: a sample workspace is imported and remembered before your eyes
      import  Take an archive in
      memory  Build and look at memories
      prompt  Show the exact prompt a reply in a place would be made from
      status  Show what is archived, what is remembered, and what it cost
      help    Print this message or the help of the given subcommand(s)

    Options:
          --config <PATH>  The configuration [default: ./config.yaml; without one, built-in defaults]
      -h, --help           Print help
      -V, --version        Print version

    Begin with `myao demo`. Then, with an export of a workspace of your own:
      myao import slack export.zip
      myao memory build
      myao memory show '#general'
      myao prompt '#general'

    Exit codes: 0 done; 1 done, but something was skipped or failed (it says what); 2 wrong arguments,
    configuration or input file; 3 the database cannot be used.
    ");
    assert_eq!(home.run(&[]).code, Some(2), "without a command the help is an error's");
    for command in ["demo", "import slack", "memory build", "memory log", "memory show", "prompt", "status"] {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let text = home.done(&args).out;
        assert!(
            text.contains(&format!("Usage: myao {command}")) && text.contains("--config <PATH>"),
            "{text}"
        );
    }
    assert!(!home.database().exists(), "asking for help makes nothing");
}

#[test]
fn an_unknown_channel_is_answered_with_a_known_one() {
    let home = Home::new();
    home.import(&sample("ja"));
    for command in [&["memory", "log"][..], &["memory", "show"], &["prompt"]] {
        home.run(&[command, &["#genral"]].concat())
            .ends(2, "there is no channel `#genral`; did you mean `#general`?");
    }
    let all = "there is no channel `zzz`; there are #general, #web, #人事, #新茶2026, #雑談";
    home.run(&["prompt", "zzz"]).ends(2, all);
}

/// 0 and 2 are told apart here; 1 and 3 where something is skipped, and where a database is none.
#[test]
fn the_exit_code_means_something() {
    let home = Home::new();
    home.run(&["status"]).ends(0, "");
    home.run(&["statsu"]).ends(2, "a similar subcommand exists: 'status'");
    home.run(&["status", "--jsno"]).ends(2, "--json");
    home.run(&["demo", "--lang", "fr"]).ends(2, "there are: ja, en");
    home.run(&["memory", "build", "--since", "yesterday"])
        .ends(2, "--since yesterday: expected a date (2026-03-01)");
    home.run(&["import", "slack", "nowhere"]).ends(2, "there is nothing at `nowhere`");
}

#[test]
fn a_build_begins_where_it_is_told_to() {
    let home = Home::new();
    home.import(&sample("ja"));
    home.done(&["memory", "build", "--since", "2026-03-10"]);
    let status = home.adds_up();
    assert!(number(&status, "before_start") > 50 && number(&status, "covered") > 50, "{status}");
    assert_eq!(number(&status, "pending"), 0);
}

/// `myao … | head -1`.
#[test]
fn a_closed_pipe_is_no_failure() {
    let home = remembered("ja");
    for args in
        [&["demo"][..], &["prompt", "web"], &["memory", "log", "web", "--json"], &["status"], &["--help"]]
    {
        let mut child =
            home.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("read");
        let ended = child.wait_with_output().expect("it ends");
        let ran = Ran {
            code: ended.status.code(),
            out: line,
            err: String::from_utf8(ended.stderr).expect("UTF-8"),
        };
        ran.ends(0, "");
    }
}

/// Half a result with exit code 0 would be taken for a whole one.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_could_not_be_written_is_told() {
    let home = remembered("ja");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has one");
    let ended = home.command(&["memory", "log", "web", "--json"]).stdout(full).output().expect("it starts");
    let err = String::from_utf8(ended.stderr).expect("UTF-8");
    assert!(err.contains("the result could not be written: No space left on device"), "{err}");
    assert_eq!(ended.status.code(), Some(1));
}

#[test]
fn the_demo_shows_the_whole_way() {
    for (language, channel, history) in [
        ("ja", "#新茶2026", "### 最近の出来事（短期記憶履歴）"),
        ("en", "#spring-count", "### Recent events"),
    ] {
        let home = Home::new();
        let ran = home.done(&["demo", "--lang", language, "--keep", "kept"]);
        for part in
            ["1. A workspace", "2. Its talk", "3. The chapters", "4. What it remembers", "5. The prompt"]
        {
            assert!(ran.out.contains(part), "{part}");
        }
        assert!(ran.out.contains("verbatim") && ran.out.contains("summary"), "chapters");
        assert!(
            ran.out.contains(&format!("## {channel}, long-term"))
                && ran.out.contains("## Workspace, long-term")
        );
        assert!(ran.out.contains("===== system =====") && ran.out.contains(history), "{}", ran.out);
        for word in private_words(language) {
            assert!(!ran.out.contains(*word), "{word}");
        }
        home.write("config.yaml", "memory: {database_path: kept/memory.db}");
        let status = home.adds_up();
        assert_eq!(
            number(&status, "covered"),
            number(&status, "messages"),
            "what was kept is a whole database"
        );
        home.done(&["demo", "--lang", language, "--keep", "kept"]);
        assert_eq!(home.adds_up()["messages"], status["messages"], "played again it changes nothing");
    }
}

/// Words that were said in the sample's private channel only.
fn private_words(language: &str) -> &'static [&'static str] {
    match language {
        "ja" => &["森下", "正社員登用", "1,250円", "238,000円", "試算表", "52万円"],
        _ => &["Rosalind", "Piet", "£31,500", "bequest", "unflappable"],
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
            assert_eq!(seen(&["memory", "show", place]), BTreeSet::new(), "{place}");
        }
    }
}

#[test]
fn no_escape_codes_where_no_terminal_is() {
    let home = Home::with_config("logging: {level: TRACE, loggers: {sqlx: DEBUG}}");
    let ran = home.done(&["import", "slack", sample("ja").to_str().expect("UTF-8")]);
    assert!(ran.err.contains("sqlx::query"), "there is a log to look at");
    for args in
        [&["memory", "build"][..], &["status"], &["prompt", "web"], &["memory", "log", "web"], &["--help"]]
    {
        let ran = home.done(args);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args:?}");
    }
    let ran = home.run(&["statsu"]);
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
}

#[test]
fn the_log_has_the_form_it_is_given() {
    for (format, is_it) in [
        (
            "full",
            (|line: &str| line.contains("DEBUG sqlx::query: ") && line.starts_with("20")) as fn(&str) -> bool,
        ),
        ("compact", |line| line.starts_with("DEBUG ") && !line.contains("sqlx::query:")),
        ("json", |line| serde_json::from_str::<Value>(line).is_ok_and(|v| v["target"] == "sqlx::query")),
    ] {
        let home = Home::with_config(&format!("logging: {{format: {format}, loggers: {{sqlx: DEBUG}}}}"));
        let err = home.done(&["status"]).err;
        let lines: Vec<&str> = err.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert!(lines.len() > 3 && lines.iter().all(|line| is_it(line)), "{format}: {err}");
    }
}
