//! `myao memo` as a person types it.

use serde_json::{Value, json};

use crate::terminal::{Desk, root};

fn sample() -> Desk {
    let desk = Desk::new();
    let export = root().join("examples/ja");
    desk.ok(&["import", "slack", export.to_str().expect("UTF-8")]);
    desk
}

fn list(desk: &Desk, args: &[&str]) -> Value {
    desk.run(&[&["memo", "list", "--json"], args].concat()).json()
}

fn names(list: &Value) -> Vec<&str> {
    list["memos"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|memo| memo["name"].as_str().expect("a name"))
        .collect()
}

#[test]
fn a_memo_is_made_shown_changed_and_removed() {
    let desk = sample();
    let made = desk.ok(&[
        "memo",
        "add",
        "棚卸し",
        "月末の金曜",
        "--channel",
        "#general",
        "--priority",
        "5",
        "--tag",
        "店",
        "--tag",
        "予定",
        "--detail",
        "倉庫は澄子さん",
    ]);
    assert_eq!(made, "noted: 棚卸し (#general: seen in every channel that no outsiders are in)\n");
    let memo = desk.run(&["memo", "get", "棚卸し", "--json"]).json();
    assert_eq!(
        [
            &memo["content"],
            &memo["detail"],
            &memo["priority"],
            &memo["tags"],
            &memo["channel"],
            &memo["made_by"]
        ],
        [
            &json!("月末の金曜"),
            &json!("倉庫は澄子さん"),
            &json!(5),
            &json!(["店", "予定"]),
            &json!("general"),
            &json!("alice"),
        ]
    );
    assert!(memo["created_at"].as_str().is_some_and(|at| at.ends_with('Z')), "{memo}");
    assert_eq!(memo["sources"], json!([]));
    let shown = desk.ok(&["memo", "get", "棚卸し"]);
    assert!(
        shown.starts_with("棚卸し, priority 5, tags: 店, 予定\nof #general, made by alice 20"),
        "{shown}"
    );
    assert!(shown.ends_with("\n\n月末の金曜\n\n倉庫は澄子さん\n"), "{shown}");

    let stdin = desk.run_with(&["memo", "edit", "棚卸し", "-", "--rename", "在庫"], "月初の月曜\n", &[]);
    assert_eq!((stdin.code, stdin.out.as_str()), (Some(0), "changed: 在庫\n"), "{}", stdin.err);
    assert_eq!(desk.ok(&["memo", "edit", "在庫", "月初の月曜"]), "在庫 says so already\n");
    desk.ok(&["memo", "edit", "在庫", "--no-tags", "--detail", "", "--priority", "1"]);
    let memo = desk.run(&["memo", "get", "在庫", "--json"]).json();
    assert_eq!(
        [&memo["content"], &memo["detail"], &memo["priority"], &memo["tags"]],
        [&json!("月初の月曜"), &Value::Null, &json!(1), &json!([])]
    );
    assert_eq!(desk.ok(&["memo", "remove", "在庫"]), "removed: 在庫\n");
    assert_eq!(desk.ok(&["memo", "list"]), "there are no such memos; `myao memo add` makes one\n");
}

/// Where it belongs is where it is seen.
#[test]
fn a_prompt_shows_what_its_place_may_see() {
    let desk = sample();
    for (name, channel, told) in [
        ("公開", Some("#web"), "#web: seen in every channel that no outsiders are in"),
        ("人事のメモ", Some("#人事"), "#人事: seen there alone"),
        ("私の", None, "your own: seen nowhere but at the terminal and on the pages"),
    ] {
        let mut args = vec!["memo", "add", name, "中身"];
        args.extend(channel.into_iter().flat_map(|channel| ["--channel", channel]));
        assert_eq!(desk.ok(&args), format!("noted: {name} ({told})\n"));
    }
    for (place, seen) in [("#general", vec!["公開"]), ("#人事", vec!["公開", "人事のメモ"])] {
        let prompt = desk.run(&["prompt", place, "--json"]).json();
        let system = prompt["system"].as_str().expect("a text");
        for name in ["公開", "人事のメモ", "私の"] {
            let is_shown = system.contains(&format!("- {name}: 中身"));
            assert_eq!(is_shown, seen.contains(&name), "{place} {name}: {system}");
        }
        let items: Vec<&str> =
            prompt["shown"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(items.iter().filter(|item| item.starts_with("memo ")).count(), seen.len(), "{items:?}");
    }
}

#[test]
fn lists_are_by_importance_channel_tag_and_page() {
    let desk = sample();
    for (name, priority, channel, tag) in [
        ("a", "1", "#web", "x"),
        ("b", "5", "#web", "y"),
        ("c", "3", "#人事", "x"),
        ("d", "3", "#general", "x"),
    ] {
        desk.ok(&["memo", "add", name, name, "--channel", channel, "--priority", priority, "--tag", tag]);
    }
    assert_eq!(names(&list(&desk, &[])), ["b", "d", "c", "a"]);
    assert_eq!(names(&list(&desk, &["--tag", "x"])), ["d", "c", "a"]);
    assert_eq!(names(&list(&desk, &["--channel", "web"])), ["b", "a"]);
    let page = list(&desk, &["--offset", "1", "--limit", "2"]);
    assert_eq!((names(&page), &page["total"]), (vec!["d", "c"], &json!(4)));
    let table = desk.ok(&["memo", "list", "--limit", "1", "--tag", "x"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(lines[1].trim_start().starts_with("d ") && lines[1].contains("#general"), "{table}");
    assert_eq!(lines[2], "1 of 3; `--offset 1` goes on");
    let tags = desk.run(&["memo", "tags", "--json"]).json();
    assert_eq!(tags, json!([{"tag": "x", "memos": 3}, {"tag": "y", "memos": 1}]));
    assert_eq!(
        desk.run(&["memo", "tags", "--channel", "#general", "--json"]).json(),
        json!([{"tag": "x", "memos": 1}])
    );
    assert_eq!(desk.ok(&["memo", "tags", "--channel", "#新茶2026"]), "no memo has a tag\n");
}

/// Full-width letters take two columns: what stands behind them is one below the other.
#[test]
fn columns_are_straight_in_japanese() {
    let desk = sample();
    for name in ["猫", "長い名前のメモ", "abc"] {
        desk.ok(&["memo", "add", name, "ここから始まる\n二行目", "--channel", "#web"]);
    }
    let table = desk.ok(&["memo", "list"]);
    let width = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    let columns: Vec<usize> = table
        .lines()
        .skip(1)
        .map(|line| width(line.split_once("ここから").unwrap_or_else(|| panic!("{line}")).0))
        .collect();
    assert_eq!(columns.len(), 3, "{table}");
    assert!(columns.iter().all(|column| *column == columns[0]), "{table}");
    assert!(!table.contains("二行目"), "{table}");
}

#[test]
fn of_several_memos_of_one_name_one_is_chosen() {
    let desk = sample();
    for place in [&["--channel", "#web"][..], &["--channel", "#人事"], &[]] {
        desk.ok(&[&["memo", "add", "猫", "ミケ"], place].concat());
    }
    for command in [&["get", "猫"][..], &["remove", "猫"], &["edit", "猫", "タマ"]] {
        let ended = desk.run(&[&["memo"], command].concat());
        assert_eq!(ended.code, Some(2));
        for part in
            ["there are 3 memos `猫`; say which one: ", "--channel '#web'", "--channel '#人事'", "--own"]
        {
            assert!(ended.err.contains(part), "{part}: {}", ended.err);
        }
    }
    desk.ok(&["memo", "edit", "猫", "タマ", "--channel", "#人事"]);
    desk.ok(&["memo", "remove", "猫", "--own"]);
    desk.ok(&["memo", "remove", "猫", "--channel", "web"]);
    let left = desk.run(&["memo", "get", "猫", "--json"]).json();
    assert_eq!((&left["channel"], &left["content"]), (&json!("人事"), &json!("タマ")));
}

#[test]
fn what_is_asked_for_wrongly_is_explained() {
    let desk = sample();
    desk.ok(&["memo", "add", "猫", "ミケ", "--channel", "#web"]);
    let long = "あ".repeat(33);
    for (arguments, expected) in [
        (&["add", "猫", "x", "--channel", "#web"][..], "there is a memo `猫` already"),
        (&["add", &long, "x"], "the name has 33 characters; at most 32 fit"),
        (&["add", "a\nb", "x"], "the name has to be one line"),
        (&["add", "犬", "-"], "the content is empty"),
        (&["add", "犬", "x", "--priority", "-1"], "the priority is -1"),
        (&["add", "犬", "x", "--tag", "1", "--tag", "2", "--tag", "3", "--tag", "4"], "there are 4 tags"),
        (&["add", "犬", "x", "--channel", "#wep"], "did you mean `#web`?"),
        (&["edit", "猫"], "nothing is to change"),
        (&["edit", "犬", "x"], "there is no such memo `犬`; `myao memo list` lists them"),
        (&["edit", "猫", "x", "--channel", "#general"], "there is no such memo `猫`"),
        (&["remove", "犬"], "there is no such memo"),
        (&["get", "猫", "--own"], "there is no such memo"),
        (&["list", "--limit", "51"], "1..=50"),
        (&["list", "--channel", "#wep"], "did you mean `#web`?"),
    ] {
        let ended = desk.run(&[&["memo"], arguments].concat());
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(expected), "{arguments:?}: {}", ended.err);
    }
    assert_eq!(list(&desk, &[])["total"], 1);
}

/// What people call things must not move the cursor of whoever looks at them.
#[test]
fn control_characters_are_seen_not_obeyed() {
    let desk = sample();
    desk.ok(&["memo", "add", "x", "a\u{1b}[31mb"]);
    for shown in [desk.ok(&["memo", "get", "x"]), desk.ok(&["memo", "list"])] {
        assert!(!shown.contains('\u{1b}') && shown.contains("a[31mb"), "{shown:?}");
    }
}

/// Who did what, in a table and for scripts; what the owner removes is not told any more.
#[test]
fn the_log_tells_who_changed_what() {
    let desk = sample();
    assert_eq!(
        desk.ok(&["memo", "log"]),
        "nothing is written down of that; the log holds what happened within a year\n"
    );
    desk.ok(&["memo", "add", "棚卸し", "月末の\u{1b}[31m金曜", "--channel", "#web"]);
    desk.ok(&["memo", "edit", "棚卸し", "--rename", "在庫", "--priority", "5"]);
    desk.ok(&["memo", "add", "私の", "x"]);
    let log = desk.run(&["memo", "log", "棚卸し", "--json"]).json();
    let entries = log.as_array().expect("a list");
    assert_eq!(entries.len(), 2, "{log}");
    assert_eq!(
        [&entries[0]["what"], &entries[0]["by_hand"], &entries[0]["channel"], &entries[0]["asked"]],
        [&json!("added"), &json!("alice"), &json!("web"), &json!([])]
    );
    assert_eq!(
        [&entries[1]["name"], &entries[1]["fields"], &entries[1]["before"], &entries[1]["after"]],
        [
            &json!("在庫"),
            &json!(["name", "priority"]),
            &json!({"name": "棚卸し", "priority": 3}),
            &json!({"name": "在庫", "priority": 5}),
        ]
    );
    let memo = desk.run(&["memo", "get", "在庫", "--json"]).json();
    assert_eq!((&memo["id"], &memo["changed_by"]), (&entries[0]["id"], &json!("alice")));
    let id: String = memo["id"].as_str().expect("an id").chars().take(8).collect();
    let shown = desk.ok(&["memo", "log", &id]);
    for part in ["#web", "alice, by hand", "added: content", "name “棚卸し” → “在庫”; priority 3 → 5", &id]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains('\u{1b}') && !shown.contains("私の"), "{shown:?}");

    desk.ok(&["memo", "remove", "在庫"]);
    let shown = desk.ok(&["memo", "log"]);
    assert!(shown.contains("(wiped)") && shown.contains("removed: content; priority"), "{shown}");
    assert!(!shown.contains("金曜") && !shown.contains("在庫") && shown.contains("私の"), "{shown}");
    assert_eq!(desk.run(&["memo", "log", "--json"]).json().as_array().map(Vec::len), Some(4));
    assert_eq!(desk.run(&["memo", "log", "--limit", "0"]).code, Some(2));
}
