//! Absence is no deletion (ADR 81, ADR 82): exports of several tools, one after the other, and what they leave out.

#![cfg(test)]

mod killed;
mod random;
mod talk;
mod undone;

use std::time::{Duration, SystemTime};

use serde_json::Value;

use self::talk::{MAKERS, Maker, Post, export, taken, workspace};
use crate::binary::{Home, Ran, number};

fn run(home: &Home, posts: &[&Post], maker: Maker, at: SystemTime, more: &[&str]) -> Ran {
    // A name of its own for each: an older export that lies there would be imported with it.
    let name = format!("export-{}", std::fs::read_dir(home.path(".")).expect("listed").count());
    let path = export(posts.iter().copied(), maker).folder(home, &name, Some(at));
    let path = path.to_str().expect("UTF-8");
    home.run(&[&["import", "slack", path, "--json"], more].concat())
}

/// Imports what must go well.
fn import(home: &Home, posts: &[&Post], maker: Maker, at: SystemTime, more: &[&str]) -> Value {
    let ran = run(home, posts, maker, at, more);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

/// A home in which everything was imported from Slack's own export of the eighth day, and remembered.
fn remembered(all: &[&Post]) -> Home {
    let home = Home::new();
    import(&home, all, Maker::Slack, taken(7), &[]);
    home.done(&["memory", "build", "--now"]);
    home
}

/// Everything that is remembered, as people see it.
fn told(home: &Home) -> String {
    [&["--workspace"][..], &["general"], &["random"]]
        .map(|which| home.done(&[&["memory", "show"], which].concat()).out)
        .concat()
}

fn stands(home: &Home) -> u64 {
    number(&home.adds_up(), "messages")
}

/// What a tool leaves out of everything that there is.
type LeavesOut = fn(&Post) -> bool;

/// The pattern by which it is told, and how many messages are missing. `None`: they are not even expected.
type MissingBy = Option<(&'static str, u64)>;

const TOOLS: [(&str, LeavesOut, MissingBy); 8] = [
    ("no thread replies", |post| post.root.is_some(), Some(("replies", 39))),
    ("no bots", |post| post.is_bot, Some(("bots", 24))),
    ("no files", |post| post.has_file, Some(("with_files", 17))),
    ("no edited messages", |post| post.is_edited, Some(("edited", 12))),
    ("begins inside a day", |post| post.minute < 1000, None),
    ("ends inside a day", |post| post.minute > 6700, None),
    (
        "ends where another channel goes on",
        |post| post.channel == "general" && post.minute > 6700,
        Some(("after", 15)),
    ),
    (
        "begins where another channel is",
        |post| post.channel == "general" && post.minute < 1000,
        Some(("before", 33)),
    ),
];

#[test]
fn what_a_tool_leaves_out_is_not_deleted() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let before = told(&home);
    let count = stands(&home);
    assert_eq!(count, 289);
    // One tool after the other, on one archive.
    for maker in MAKERS {
        for (what, leaves_out, pattern) in TOOLS {
            let part: Vec<&Post> = all.iter().copied().filter(|post| !leaves_out(post)).collect();
            let imported = import(&home, &part, maker, taken(20), &[]);
            let counts = ["deleted", "missing_deleted", "new", "changed"].map(|key| number(&imported, key));
            assert_eq!(counts, [0; 4], "{maker:?}, {what}: {imported}");
            assert_eq!(imported["not_slacks_own"].is_null(), maker == Maker::Slack);
            let kept = imported["missing_doubtful"].as_array().expect("a list");
            match pattern {
                None => assert!(kept.is_empty(), "{maker:?}, {what}: {kept:?}"),
                Some((name, missing)) => {
                    assert_eq!(kept.len(), 1, "{maker:?}, {what}: {kept:?}");
                    assert_eq!(
                        (&kept[0]["channel"], number(&kept[0], "missing")),
                        (&Value::from("C1"), missing)
                    );
                    let patterns = kept[0]["patterns"].as_array().expect("a list");
                    assert_eq!(
                        (patterns.len(), &patterns[0]["pattern"]),
                        (1, &Value::from(name)),
                        "{what}: {kept:?}"
                    );
                }
            }
        }
    }
    home.done(&["memory", "build", "--now"]);
    assert_eq!(stands(&home), count);
    assert!(told(&home) == before, "memory is as it was");
    assert!(
        !home.done(&["status"]).out.contains("missing in a newer"),
        "nobody is asked about what proves nothing"
    );
}

/// In words: what was left out, and why nothing follows from it.
#[test]
fn the_summary_says_what_is_missing_and_from_what_it_is_concluded() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let without_replies = all.iter().copied().filter(|post| post.root.is_none());
    let tool = export(without_replies.clone(), Maker::Tool).folder(&home, "tool", Some(taken(20)));
    let said = home.done(&["import", "slack", tool.to_str().expect("UTF-8")]).out;
    for words in
        ["`is_channel`", "#general (C1): missing in the export, and kept: 39 of 239 messages: all 39 replies"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Two of a thousand, with no pattern, in Slack's own.
    let gone = [600, 2490];
    let own = export(all.iter().copied().filter(|post| !gone.contains(&post.minute)), Maker::Slack);
    let own = own.folder(&home, "own", Some(taken(21)));
    let said = home.done(&["import", "slack", own.to_str().expect("UTF-8")]).out;
    let expected = "taken for deleted, as they are missing in this export of 2026-03-23 00:00, which has the shape of \
                    Slack's own: 2 messages";
    assert!(said.contains(expected), "{said}");
    assert_eq!(stands(&home), 287);
}

/// Slack's own export, on whose last day it was taken: that day is not whole.
#[test]
fn a_day_in_which_the_export_was_taken_proves_nothing() {
    let posts = workspace();
    // Both channels end at noon of the fifth day.
    let noon = 4 * 1440 + 720;
    let all: Vec<&Post> = posts.iter().filter(|post| post.minute <= noon).collect();
    let part: Vec<&Post> = all.iter().copied().filter(|post| post.minute != noon - 60).collect();
    let hours = |hours: u64| taken(4) + Duration::from_secs(hours * 3600);
    let home = Home::new();
    import(&home, &all, Maker::Slack, hours(13), &[]);
    let counts = [hours(18), hours(24), taken(7)]
        .map(|at| number(&import(&home, &part, Maker::Slack, at, &[]), "deleted"));
    assert_eq!(counts, [0, 0, 1], "on that day, when it may not be over everywhere, and later");
}
