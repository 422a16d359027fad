//! `myao memory log|why|diff|revert|edit` as a person types them, on the sample workspace.

use serde_json::Value;

use crate::terminal::{Desk, root};

fn sample() -> Desk {
    Desk::remembering(&root().join("examples/ja"))
}

/// The entry a memory's text is from now, and the text.
fn current(desk: &Desk, arguments: &[&str]) -> (i64, String) {
    let log = desk.run(&[&["memory", "log", "--json"], arguments].concat()).json();
    let entries = log.as_array().expect("a list");
    let now: Vec<&Value> = entries.iter().filter(|entry| entry["current"] == true).collect();
    assert_eq!(now.len(), 1, "{log}");
    (now[0]["entry"].as_i64().expect("a number"), now[0]["content"].as_str().expect("a text").to_owned())
}

#[test]
fn the_log_tells_who_wrote_what_from_what() {
    let desk = sample();
    let log = desk.run(&["memory", "log", "#web", "--long-term", "--json"]).json();
    let entry = &log[0];
    assert_eq!((&entry["kind"], &entry["actor"]), (&"merge".into(), &"builtin".into()));
    assert_eq!(entry["chapters"], serde_json::json!((1..=12).collect::<Vec<_>>()));
    assert_eq!(entry["made_from"].as_array().map(Vec::len), Some(12));
    assert!(entry["call"]["tokens_in"].as_u64() > Some(0), "{entry}");
    assert_eq!((&entry["wiped"], &entry["parent"]), (&false.into(), &Value::Null));
    let table = desk.ok(&["memory", "log", "web", "--long-term"]);
    assert!(table.contains("chapters 1–12") && table.contains("builtin"), "{table}");
    let workspace = desk.ok(&["memory", "log", "--workspace"]);
    assert!(workspace.contains("#general") && !workspace.contains("#人事"), "{workspace}");
    let one = desk.run(&["memory", "log", "#web", "--version", "2", "--json"]).json();
    assert_eq!((&one[0]["version"], &one[0]["kind"]), (&2.into(), &"summary".into()));
    let versions = desk.run(&["memory", "log", "#web", "--json"]).json();
    assert_eq!(versions[1]["entry"], one[0]["entry"], "the list of versions names the entry");
    assert!(
        desk.ok(&["memory", "log", "#web", "--thread", "1772501472.673709"]).contains("nothing was ever")
    );
}

#[test]
fn going_back_and_forth_is_shown_by_diff_and_log() {
    let desk = sample();
    let (merged, before) = current(&desk, &["#web", "--long-term"]);
    let edited = desk.run_with(
        &["memory", "edit", "#web", "--stdin", "--reason", "日付が違う", "--json"],
        &before.replacen("サーバー", "データベース", 1),
        &[],
    );
    assert_eq!(edited.code, Some(0), "{}", edited.err);
    let edited = edited.json();
    assert_eq!((&edited["kind"], &edited["actor"]), (&"edit".into(), &"alice".into()));
    assert_eq!((&edited["reason"], &edited["parent"]), (&"日付が違う".into(), &merged.into()));
    assert_eq!(edited["through_version"], 12, "what is folded in stays folded in");

    let diff = desk.ok(&["memory", "diff", "#web"]);
    assert!(diff.contains("[-サーバー-]{+データベース+}の引っ越し"), "{diff}");
    let coloured = desk.ok(&["memory", "diff", "#web", "--color", "always"]);
    assert!(
        coloured.contains("\u{1b}[31;9mサーバー\u{1b}[0m\u{1b}[32;4mデータベース\u{1b}[0m"),
        "{coloured}"
    );
    let pieces = desk.run(&["memory", "diff", &merged.to_string(), "--json"]).json();
    let side = |left_out: &str| -> String {
        let pieces = pieces["pieces"].as_array().expect("a list").iter();
        pieces
            .filter(|piece| piece["change"] != left_out)
            .filter_map(|piece| piece["text"].as_str())
            .collect()
    };
    assert_eq!(side("added"), before);
    assert_eq!(pieces["to"]["entry"], edited["entry"]);

    let reverted = desk.run(&["memory", "revert", &merged.to_string(), "--by", "澄子", "--json"]).json();
    assert_eq!((&reverted["kind"], &reverted["actor"]), (&"revert".into(), &"澄子".into()));
    assert_eq!((&reverted["content"], &reverted["made_from"]), (&before.into(), &vec![merged].into()));
    let again = desk.run(&["memory", "revert", &merged.to_string()]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("is what the memory says now"), "{}", again.err);
    desk.ok(&["memory", "build", "--now"]);
    desk.ok(&["memory", "verify"]);
}

#[test]
fn a_text_is_written_in_the_editor() {
    let desk = sample();
    let (before, text) = current(&desk, &["--workspace"]);
    let none = desk.run(&["memory", "edit", "--workspace"]);
    assert!(none.code == Some(2) && none.err.contains("set EDITOR"), "{}", none.err);
    let edit = |editor: &str| desk.run_with(&["memory", "edit", "--workspace"], "", &[("EDITOR", editor)]);
    assert_eq!(edit("sed -i 's/^- /* /'").code, Some(0));
    assert_eq!(current(&desk, &["--workspace"]).1, text.replace("\n- ", "\n* ").replacen("- ", "* ", 1));
    let same = edit("true");
    assert!(same.code == Some(2) && same.err.contains("nothing changed"), "{}", same.err);
    assert!(!same.err.contains("your text is in"), "nothing of theirs was lost: {}", same.err);
    let failed = edit("false");
    assert!(failed.code == Some(2) && failed.err.contains("nothing was changed"), "{}", failed.err);
    desk.ok(&["memory", "revert", &before.to_string()]);
}

/// What somebody wrote by hand is not thrown away when it cannot be used.
#[test]
fn a_text_that_is_too_long_is_refused_and_kept() {
    let desk = sample();
    let long = desk.run_with(
        &["memory", "edit", "#web"],
        "",
        &[("EDITOR", "yes 'なかなか終わらない長い話です。' | head -n 400 >")],
    );
    assert_eq!(long.code, Some(2));
    assert!(long.err.contains("at most 1000 fit"), "{}", long.err);
    let (_, kept) = long.err.split_once("your text is in ").expect("it says where the text is");
    let kept = kept.lines().next().expect("a path");
    assert_eq!(std::fs::read_to_string(kept).expect("the text").lines().count(), 400);
    std::fs::remove_file(kept).expect("removed");
}

/// A rebuild is noted in the journal; the note never had a text that could have been wiped.
/// Where a long-term memory holds a value and the line that takes it back, both are shown, the first with its end. The
/// text itself stays as it was written.
#[test]
fn an_old_value_is_shown_with_its_end() {
    let desk = sample();
    let text = "- 2026-03-02 高橋: 棚卸しは3月23日に始めます\n- 2026-03-12 高橋: 棚卸しは3月23日ではなく4月20日からです\n";
    desk.run_with(&["memory", "edit", "#general", "--stdin"], text, &[]);
    let old = "棚卸しは3月23日に始めます（2026-03-12まで）";
    for command in [&["memory", "show", "#general"][..], &["prompt", "#general", "--no-pages"]] {
        let shown = desk.ok(command);
        assert!(shown.contains(old) && shown.contains("4月20日からです\n"), "{shown}");
    }
    assert_eq!(current(&desk, &["#general", "--long-term"]).1.trim(), text.trim());
}

#[test]
fn a_note_is_told_apart_from_a_wiped_text() {
    let desk = sample();
    desk.ok(&["memory", "rebuild", "#web", "--from", "3", "--by", "澄子"]);
    let log = desk.run(&["memory", "log", "#web", "--long-term", "--json"]).json();
    let kinds: Vec<_> = log.as_array().expect("a list").iter().map(|entry| entry["kind"].clone()).collect();
    assert_eq!(kinds, ["merge", "dropped", "merge"]);
    assert_eq!(log[1]["actor"], "澄子");
    assert_eq!((&log[1]["wiped"], &log[1]["content"]), (&false.into(), &Value::Null));
    let note = log[1]["entry"].to_string();
    let revert = desk.run(&["memory", "revert", &note]);
    assert!(revert.code == Some(2) && revert.err.contains("holds no text to go back to"), "{}", revert.err);
    let diff = desk.run(&["memory", "diff", &note]);
    assert!(diff.code == Some(2) && diff.err.contains("was never kept"), "{}", diff.err);
    desk.ok(&["memory", "verify"]);
}

#[test]
fn why_leads_down_to_what_was_said() {
    let desk = sample();
    let tree = desk.ok(&["memory", "why", "#web", "--limit", "3"]);
    let lines: Vec<&str> = tree.lines().collect();
    assert_eq!(lines.len(), 5, "{tree}");
    assert!(lines[0].contains("#web, long-term, merge by builtin"), "{tree}");
    assert!(lines[1].starts_with("├─ ") && lines[1].contains("#web, version 12, verbatim"), "{tree}");
    assert!(lines[1].ends_with("said 2026-03-19 15:20 – 2026-03-19 15:33"), "{tree}");
    assert_eq!(lines[4], "└─ … 9 more");
    let whole = desk.run(&["memory", "why", "--workspace", "--json"]).json();
    assert_eq!(whole["inputs"].as_array().map(Vec::len), Some(4));
    let chapter = &whole["inputs"][0]["inputs"][0];
    assert!(chapter["source_first_message_ts"].is_string() && chapter["memory_type"] == "short_term");
}

#[test]
fn why_finds_where_words_come_from() {
    let desk = sample();
    // Full-width and half-width letters are one.
    let found = desk.run(&["memory", "why", "#web", "１０％クーポン", "--json"]).json();
    assert_eq!(found["lines"].as_array().map(Vec::len), Some(1), "{found}");
    let chapters = found["chapters"].as_array().expect("a list");
    assert_eq!(chapters[0]["in_long_term"], true, "{found}");
    assert!(chapters[0]["messages"][0]["text"].as_str().is_some_and(|text| text.contains("10%クーポン")));
    let text = desk.ok(&["memory", "why", "#web", "10%クーポン"]);
    assert!(text.contains("the memory says: - 2026-03-12") && text.contains("] 澄子: "), "{text}");

    // A line of the memory, as it stands there, with day and name: the message that says it so, and no other.
    let line = found["lines"][0].as_str().expect("a line");
    let said = desk.run(&["memory", "why", "#web", line, "--json"]).json();
    assert_eq!((&said["is_said"], &said["is_likely"]), (&true.into(), &false.into()), "{said}");
    assert!(desk.ok(&["memory", "why", "#web", line]).contains("said so here:"));
    // In other words: what it was most likely made from comes first.
    let line = found["lines"][0].as_str().expect("a line").replace("10%", "ちょうど 10%");
    let likely = desk.run(&["memory", "why", "#web", &line, "--json"]).json();
    assert_eq!((&likely["is_likely"], &found["is_likely"]), (&true.into(), &false.into()), "{likely}");
    let first = &likely["chapters"][0]["messages"][0];
    assert!(first["text"].as_str().is_some_and(|text| text.contains("10%クーポン")), "{likely}");
    assert!(desk.ok(&["memory", "why", "#web", &line]).contains("most likely it was made from these"));

    // The workspace's memory is made of open channels: nothing of a private one is under it.
    let everywhere = desk.run(&["memory", "why", "--workspace", "の", "--limit", "400", "--json"]).json();
    let chapters = everywhere["chapters"].as_array().expect("a list");
    assert!(chapters.len() > 20 && chapters.iter().all(|found| found["channel"] != "人事"));
    assert_eq!(everywhere["is_complete"], true);
    let newest: Vec<&str> =
        chapters.iter().filter_map(|found| found["source_latest_message_ts"].as_str()).collect();
    assert!(newest.is_sorted_by(|a, b| a >= b), "newest first");
    let few = desk.run(&["memory", "why", "--workspace", "の", "--limit", "2", "--json"]).json();
    assert_eq!(few["is_complete"], false);
    assert!(
        desk.ok(&["memory", "why", "#web", "どこにもない言葉"]).contains("may have put it in other words")
    );
    assert_eq!(desk.run(&["memory", "why", "#web", "  "]).code, Some(2));
    assert_eq!(desk.run(&["memory", "why", "#web", "クーポン", "--limit", "0"]).code, Some(2));
}

/// No model is blamed for what a person wrote.
#[test]
fn why_names_who_wrote_words_by_hand() {
    let desk = sample();
    let edited = desk.run_with(&["memory", "edit", "#web", "--stdin", "--json"], "- 手で書いた言葉", &[]);
    let entry = edited.json()["entry"].clone();
    let why = desk.ok(&["memory", "why", "#web", "手で書いた"]);
    let told = "no message holds “手で書いた”; alice wrote it by hand on ";
    assert!(why.contains(told) && why.contains(&format!("(entry {entry})")), "{why}");
    let json = desk.run(&["memory", "why", "#web", "手で書いた", "--json"]).json();
    assert_eq!((&json["by_hand"], &json["is_likely"]), (&entry, &false.into()), "{json}");
    let built = desk.run(&["memory", "build"]).err;
    let (_, until) =
        built.split_once("the workspace's memory waits until ").expect("it was written just now");
    assert_eq!(
        until.find(" (memory.long_term"),
        Some("2026-03-02 09:00".len()),
        "no seconds, no zone: {built}"
    );
}

#[test]
fn what_is_asked_for_wrongly_is_explained() {
    let desk = sample();
    for (arguments, expected) in [
        (&["diff", "9999"][..], "there is no journal entry 9999"),
        (&["diff", "#web"], "the long-term memory of #web has no two texts to compare yet"),
        (&["revert", "x"], "`x` is no number of an entry"),
        (&["why", "9999"], "there is no journal entry 9999"),
        (&["why", "--workspace", "a", "b"], "--workspace stands for the channel"),
        (&["log", "#web", "--thread", "soon"], "--thread: `soon` is not a message time stamp"),
        (&["log", "#wep", "--long-term"], "did you mean `#web`?"),
    ] {
        let ended = desk.run(&[&["memory"], arguments].concat());
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert!(ended.err.contains(expected), "{arguments:?}: {}", ended.err);
    }
}

/// What was put right is listed with who did it, stands in whatever is written anew, and is taken back by its entry.
#[test]
fn what_was_put_right_is_listed_and_taken_back() {
    let desk = sample();
    let (_, before) = current(&desk, &["#web", "--long-term"]);
    let line = before.lines().find(|line| line.contains("サーバー")).expect("a line");
    let right = before.replacen(line, &line.replace("サーバー", "データベース"), 1);
    assert_eq!(desk.run_with(&["memory", "edit", "#web", "--stdin"], &right, &[]).code, Some(0));
    let listed = desk.run(&["memory", "corrections", "#web", "--json"]).json();
    let [correction] = listed.as_array().expect("a list").as_slice() else { panic!("{listed}") };
    assert_eq!(correction["actor"], "alice");
    let words = correction["words"].as_str().expect("words");
    assert!(words.contains("データベース"), "{words}");
    let entry = correction["entry"].to_string();
    assert!(desk.ok(&["memory", "corrections", "#web"]).contains(&entry));
    let ended = |desk: &Desk| {
        let found = desk.run(&["recall", "サーバー", "in:web", "--no-memories", "--json"]).json();
        let hits = found["hits"].as_array().expect("hits").clone();
        assert!(hits.len() > 1, "{found}");
        hits.into_iter().filter(|hit| hit["ended_on"].is_string()).count()
    };
    assert_eq!(ended(&desk), 1, "the message that says it, and no other");
    assert!(desk.ok(&["recall", "サーバー", "in:web", "--no-memories"]).contains("まで）"));
    for _ in 0..3 {
        desk.ok(&["memory", "rebuild", "#web", "--from-start"]);
        let (_, text) = current(&desk, &["#web", "--long-term"]);
        assert!(text.contains(words), "{text}");
    }
    desk.ok(&["memory", "verify"]);
    let none = desk.run(&["memory", "corrections", "#web", "--undo", "1"]);
    assert!(none.code == Some(2) && none.err.contains("no correction 1 stands in #web"), "{}", none.err);
    assert!(desk.ok(&["memory", "corrections", "#web", "--undo", &entry]).contains("taken back"));
    assert!(desk.ok(&["memory", "corrections", "#web"]).contains("nothing was put right"));
    assert_eq!(ended(&desk), 0);
    desk.ok(&["memory", "build", "--now"]);
    assert_eq!(current(&desk, &["#web", "--long-term"]).1, before);
    desk.ok(&["memory", "verify"]);
}

/// Texts hold references to channels and are shown with names: what is given back as it was shown was not put right.
#[test]
fn only_what_was_changed_is_put_right_in_a_text_that_was_shown() {
    let desk = Desk::new();
    let config = "locale: {language: en, timezone: UTC}\nmemory: {database_path: memory.db}\n";
    std::fs::write(desk.path("config.yaml"), config).expect("written");
    desk.ok(&["import", "slack", root().join("examples/en").to_str().expect("UTF-8")]);
    desk.ok(&["memory", "build"]);
    let (_, stored) = current(&desk, &["#general", "--long-term"]);
    let whole = desk.ok(&["memory", "show", "#general"]);
    let lines = whole.lines().skip_while(|line| !line.starts_with("- ")).take_while(|line| !line.is_empty());
    let shown = lines.collect::<Vec<_>>().join("\n");
    assert!(shown.contains("not in #dev"), "another channel is named: {shown}");
    let right = shown.replacen("Friday the 13th", "Friday the 20th", 1);
    assert_ne!(right, shown);
    assert_eq!(desk.run_with(&["memory", "edit", "#general", "--stdin"], &right, &[]).code, Some(0));
    let listed = desk.run(&["memory", "corrections", "#general", "--json"]).json();
    let [correction] = listed.as_array().expect("a list").as_slice() else { panic!("{listed}") };
    assert!(correction["words"].as_str().expect("words").contains("the 20th"), "{listed}");
    let now = current(&desk, &["#general", "--long-term"]).1;
    assert_eq!(now, stored.replacen("Friday the 13th", "Friday the 20th", 1), "references stay references");
}

/// Words of the house are listed with their messages, through the eyes of a place, and ended by hand.
#[test]
fn words_of_the_house_are_listed_and_ended() {
    let desk = Desk::new();
    let config = "locale: {language: en, timezone: UTC}\nmemory: {database_path: memory.db}\n";
    std::fs::write(desk.path("config.yaml"), config).expect("written");
    let export = [
        ("channels.json", r#"[{"id":"C1","name":"general"}]"#),
        ("groups.json", r#"[{"id":"G1","name":"secret"}]"#),
        ("users.json", r#"[{"id":"U1","name":"ann","profile":{"display_name":"Ann"}}]"#),
        (
            "general/2026-03-02.json",
            r#"[{"type":"message","user":"U1","ts":"1772460000.000100","text":"OBR stands for the Old Bakery Road."}]"#,
        ),
        (
            "secret/2026-03-02.json",
            r#"[{"type":"message","user":"U1","ts":"1772460000.000200","text":"ZKW = Zwickau"}]"#,
        ),
    ];
    for (file, text) in export {
        let path = desk.path("export").join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    desk.ok(&["import", "slack", "export"]);
    desk.ok(&["memory", "build"]);
    let words = |arguments: &[&str]| -> Vec<(String, String)> {
        let listed = desk.run(&[&["memory", "terms", "--json"], arguments].concat()).json();
        let word = |one: &Value| {
            let of = |key: &str| one[key].as_str().expect("words").to_owned();
            (of("word"), of("meaning"))
        };
        listed.as_array().expect("a list").iter().map(word).collect()
    };
    let open = ("OBR".to_owned(), "Old Bakery Road".to_owned());
    let closed = ("ZKW".to_owned(), "Zwickau".to_owned());
    assert_eq!(words(&[]), [open.clone(), closed.clone()]);
    assert_eq!(words(&["--channel", "#general"]), std::slice::from_ref(&open));
    assert_eq!(words(&["--place", "#general"]), std::slice::from_ref(&open));
    assert_eq!(words(&["--place", "#secret"]), [open.clone(), closed.clone()]);
    assert_eq!(words(&["zwickau"]), [closed]);
    let table = desk.ok(&["memory", "terms"]);
    assert!(table.contains("Old Bakery Road") && table.contains("Ann"), "{table}");
    let found = desk.ok(&["recall", "OBR"]);
    assert!(found.contains("OBR stands for"), "{found}");

    let wrong = ["memory", "terms", "obr", "--channel", "#general", "--wrong", "old bakery road"];
    assert!(desk.ok(&wrong).contains("counts no more in #general"));
    assert_eq!(words(&["--place", "#general"]), []);
    assert!(desk.ok(&["memory", "terms", "--all"]).contains("ended"));
    let again = desk.run(&wrong);
    assert!(again.code == Some(2) && again.err.contains("no message in #general says"), "{}", again.err);
    let back = ["memory", "terms", "obr", "--channel", "#general", "--undo", "old bakery road"];
    assert!(desk.ok(&back).contains("counts again"));
    assert_eq!(words(&["--channel", "#general"]), [open]);
    assert_eq!(desk.run(&["memory", "terms", "--wrong", "x"]).code, Some(2));
}
