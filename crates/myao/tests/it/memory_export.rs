//! `myao memory export`: complete, readable, private, and nowhere but in its folder.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event},
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
};
use myao_store::{Store, Target};
use serde_json::Value;

use crate::scenario::write_memory;
use crate::terminal::{Desk, root};

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let below = if path.is_dir() { files(&path) } else { BTreeSet::from([path]) };
        found.extend(below);
    }
    found
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A database with these channels, each with a long-term memory.
async fn remembering(desk: &Desk, channels: &[(&str, &str, ChannelKind)], text: &str) {
    let store = Store::open(&Target::Sqlite(desk.path("memory.db"))).await.expect("a database");
    let now = jiff::Timestamp::now();
    for (id, name, kind) in channels {
        let channel =
            Channel { id: ChannelId::new(*id), name: (*name).to_owned(), kind: *kind, external: false };
        store.intake().apply(vec![Event::Channel(channel)], now).await.expect("applied");
        let draft =
            create_memory(MemoryScope::Channel, ScopeId::new(*id), MemoryType::LongTerm, text, 1, None);
        let origin = Origin { kind: StepKind::Edit, actor: "te*st".into(), reason: "<b>".into() };
        write_memory(&store, draft.expect("valid"), origin, now).await;
    }
    store.close().await;
}

#[test]
fn everything_is_in_it_and_nobody_else_may_read_it() {
    let desk = Desk::remembering(&root().join("examples/ja"));
    let report = desk.run(&["memory", "export", "out", "--json"]).json();
    let out = desk.path("out");
    let journal = lines(&out.join("journal.jsonl"));
    let memories = lines(&out.join("memories.jsonl"));
    assert_eq!(report["entries"], journal.len());
    assert_eq!(report["memories"], memories.len());
    let status = desk.run(&["status", "--json"]).json();
    let numbers = ["versions", "long_term", "threads"].map(|name| status[name].as_u64().expect("a number"));
    assert_eq!(memories.len() as u64, numbers.iter().sum::<u64>() + 1, "and the workspace");
    let private: BTreeSet<&str> =
        memories.iter().filter(|m| m["is_private"] == true).filter_map(|m| m["channel"].as_str()).collect();
    assert_eq!(private, BTreeSet::from(["人事"]));
    for memory in &memories {
        let entry = journal.iter().find(|entry| entry["entry"] == memory["entry"]).expect("its entry");
        for field in ["content", "made_from", "source_message_count", "at", "tokens", "through_version"] {
            assert_eq!(memory[field], entry[field], "{field} of {memory}");
        }
    }
    for file in files(&out) {
        assert_eq!(
            fs::metadata(&file).expect("a file").permissions().mode() & 0o777,
            0o600,
            "{}",
            file.display()
        );
    }
    for folder in [out.clone(), out.join("channels")] {
        assert_eq!(fs::metadata(&folder).expect("a folder").permissions().mode() & 0o777, 0o700);
    }
    let readme = fs::read_to_string(out.join("README.md")).expect("a file");
    assert!(readme.contains("| [#人事](<channels/人事.md>) | **private** | 3 | 14 |"), "{readme}");
    let page = fs::read_to_string(out.join("channels/web.md")).expect("a file");
    assert!(page.contains("- [Version 12](#version-12): 2026-03-19 15:20 – 2026-03-19 15:33, 3 messages"));
    let newer = page.find("### Version 12").expect("one");
    let older = page.find("### Version 1\n").expect("one");
    assert!(newer < older, "newest first");
}

#[tokio::test]
async fn names_stay_in_the_folder_and_apart() {
    let desk = Desk::new();
    let public = ChannelKind::Public;
    let channels = [
        ("C1", "../../etc/passwd", public),
        ("C2", "", public),
        ("C3", "Café ☕ 雑談", public),
        ("C4", "cafe", public),
        ("C5", "CAFE", public),
        ("C6", "con", public),
        ("C7", "a/b", public),
        ("C8", "a\\b", ChannelKind::Dm),
        ("C9", &"長".repeat(300), public),
        ("C10", "..", public),
    ];
    remembering(&desk, &channels, "- text").await;
    desk.ok(&["memory", "export", "out"]);
    let out = desk.path("out");
    let pages: BTreeSet<String> = files(&out.join("channels"))
        .iter()
        .map(|path| path.strip_prefix(out.join("channels")).expect("inside").display().to_string())
        .collect();
    let long = format!("{}.md", "長".repeat(40));
    let expected = [
        "etc-passwd.md",
        "channel-C2.md",
        "Café-雑談.md",
        "cafe.md",
        "CAFE-C5.md",
        "channel-C6.md",
        "a-b.md",
        "a-b-C8.md",
        long.as_str(),
        "channel-C10.md",
    ];
    assert_eq!(pages, expected.map(str::to_owned).into());
    let readme = fs::read_to_string(out.join("README.md")).expect("a file");
    assert!(pages.iter().all(|page| readme.contains(&format!("(<channels/{page}>)"))), "{readme}");
}

/// What a memory says can't pass for a part of the page.
#[tokio::test]
async fn a_text_stays_a_text() {
    let desk = Desk::new();
    let text = "- one\n# A heading\n<script>alert(1)</script>\n[x](javascript:1)";
    remembering(&desk, &[("C1", "a|b_c", ChannelKind::Public)], text).await;
    desk.ok(&["memory", "export", "out"]);
    let page = fs::read_to_string(desk.path("out/channels/a-b_c.md")).expect("a file");
    assert!(page.contains("> - one\n> # A heading\n> &lt;script>alert(1)&lt;/script>\n"), "{page}");
    assert!(page.contains("by te\\*st on") && page.contains("(\\<b\\>)"), "{page}");
    let readme = fs::read_to_string(desk.path("out/README.md")).expect("a file");
    assert!(readme.contains("[#a\\|b\\_c](<channels/a-b_c.md>)"), "{readme}");
}

#[tokio::test]
async fn a_folder_in_use_is_left_alone_unless_told_otherwise() {
    let desk = Desk::new();
    let two = [("C1", "one", ChannelKind::Public), ("C2", "two", ChannelKind::Public)];
    remembering(&desk, &two, "- text").await;
    desk.ok(&["memory", "export", "out"]);
    let again = desk.run(&["memory", "export", "out"]);
    assert!(again.code == Some(2) && again.err.contains("out is not empty"), "{}", again.err);

    // A file of somebody else stays, a link is replaced and not followed, an outdated page goes.
    let out = desk.path("out");
    fs::write(out.join("channels/mine.md"), "my own notes").expect("written");
    fs::write(desk.path("elsewhere"), "untouched").expect("written");
    fs::remove_file(out.join("README.md")).expect("removed");
    std::os::unix::fs::symlink(desk.path("elsewhere"), out.join("README.md")).expect("linked");
    remembering(&desk, &[("C2", "renamed", ChannelKind::Public)], "- text").await;
    desk.ok(&["memory", "export", "out", "--overwrite"]);
    assert_eq!(fs::read_to_string(desk.path("elsewhere")).expect("a file"), "untouched");
    assert!(fs::symlink_metadata(out.join("README.md")).expect("a file").is_file());
    let pages = files(&out.join("channels"));
    let names: Vec<_> = pages.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(names, ["mine.md", "one.md", "renamed.md"]);

    // A manifest that names what is not in the folder removes nothing.
    let manifest =
        r#"{"format": "myao memory export", "files": ["../elsewhere", "/etc/hostname", "channels/one.md"]}"#;
    fs::write(out.join("export.json"), manifest).expect("written");
    desk.ok(&["memory", "export", "out", "--overwrite"]);
    assert!(desk.path("elsewhere").exists());
    let file = desk.run(&["memory", "export", "config.yaml"]);
    assert!(file.code == Some(2) && file.err.contains("is no folder"), "{}", file.err);
}

#[tokio::test]
async fn a_link_inside_the_folder_leads_nowhere() {
    let desk = Desk::new();
    remembering(&desk, &[("C1", "one", ChannelKind::Public)], "- text").await;
    fs::create_dir_all(desk.path("out")).expect("made");
    fs::create_dir_all(desk.path("elsewhere")).expect("made");
    std::os::unix::fs::symlink(desk.path("elsewhere"), desk.path("out/channels")).expect("linked");
    let ended = desk.run(&["memory", "export", "out", "--overwrite"]);
    assert!(ended.code == Some(2) && ended.err.contains("is no folder"), "{}", ended.err);
    assert_eq!(files(&desk.path("elsewhere")), BTreeSet::new());
}
