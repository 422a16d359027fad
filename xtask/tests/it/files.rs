use crate::house::found;

#[test]
fn files_have_at_most_500_lines() {
    assert!(found(&[("crates/a/src/a.rs", &"\n".repeat(500)), ("a.json", &"\n".repeat(9000))]).is_empty());
    let long = "\n".repeat(501);
    assert_eq!(
        found(&[("crates/a/src/a.rs", &long)]),
        [
            "crates/a/src/a.rs:501: size: 501 lines, at most 500 are allowed: split the file where its topic changes"
        ]
    );
}

#[test]
fn manifests_inherit_from_the_workspace() {
    let good =
        "[lints]\nworkspace = true\n[dependencies]\nserde = { workspace = true }\njiff.workspace = true\n";
    let root = "[workspace.dependencies]\nserde = \"1\"\n[dependencies]\nserde = \"1\"\n";
    assert!(found(&[("crates/a/Cargo.toml", good), ("Cargo.toml", root)]).is_empty());
    let bad = "[dev-dependencies]\nserde = \"1\"\n";
    assert_eq!(
        found(&[("crates/a/Cargo.toml", bad)]),
        [
            "crates/a/Cargo.toml:1: manifest: add `[lints] workspace = true`",
            "crates/a/Cargo.toml:1: manifest: give `serde` its version in the workspace's Cargo.toml, and here \
             `serde.workspace = true`",
        ]
    );
    assert!(found(&[("crates/a/Cargo.toml", "[")])[0].contains("is not TOML"));
}

#[test]
fn prompts_and_migrations_come_in_twins() {
    let pairs = [
        ("prompts/ja/a.j2", ""),
        ("prompts/en/a.j2", ""),
        ("migrations/sqlite/1.sql", ""),
        ("migrations/postgres/1.sql", ""),
    ];
    assert!(found(&pairs).is_empty());
    assert_eq!(
        found(&[("prompts/ja/a.j2", ""), ("prompts/en/b.j2", ""), ("migrations/postgres/1.sql", "")]),
        [
            "migrations/postgres/1.sql:1: twins: its twin is missing: write migrations/sqlite/1.sql",
            "prompts/en/b.j2:1: twins: its twin is missing: write prompts/ja/b.j2",
            "prompts/ja/a.j2:1: twins: its twin is missing: write prompts/en/a.j2",
        ]
    );
}

#[test]
fn no_machine_and_no_registry_is_named() {
    // In parts, so that this file keeps the rule it tests.
    let [host, root, home] = [concat!("crates", ".io"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    let text = format!("from {host}\ncd {root}x\nsee \"{home}ann\" and file://{home}ann\n");
    let path = |folder| format!("a path from {folder} exists on one machine only: make it relative");
    assert_eq!(
        found(&[("scripts/a", &text), ("Cargo.lock", host), ("a/Cargo.lock", host)]),
        [
            format!("scripts/a:1: machine: names the registry {host}: leave it to the client's own settings"),
            format!("scripts/a:2: machine: {}", path(root)),
            format!("scripts/a:3: machine: {}", path(home)),
        ]
    );
    let fine = format!("$HOME{home}x ../shared{root} https://example.com{home} docs.rs /usr/lib /tmp");
    assert!(found(&[("scripts/a", &fine)]).is_empty(), "a path through such a folder is another matter");
}

#[test]
fn a_workspace_beside_ours_is_locked_to_our_versions() {
    let package = |name: &str, version: &str| {
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"somewhere\"\n\n")
    };
    let ours = [package("serde", "1.0.1"), package("zip", "8.0.0"), package("zip", "9.0.0")].concat();
    let beside = |locked: &str| {
        let own = "[[package]]\nname = \"a\"\nversion = \"0.1.0\"\n";
        found(&[("Cargo.lock", &ours), ("fuzz/Cargo.lock", &format!("{locked}{own}"))])
    };
    assert!(
        beside(&[package("serde", "1.0.1"), package("zip", "9.0.0"), package("more", "2.0.0")].concat())
            .is_empty()
    );
    assert_eq!(
        beside(&[package("zip", "9.0.0"), package("zip", "9.1.0")].concat()),
        [
            "fuzz/Cargo.lock:7: locks: `zip` 9.1.0 is 8.0.0 or 9.0.0 in Cargo.lock: cargo update --manifest-path \
             fuzz/Cargo.toml zip@9.1.0 --precise …"
        ]
    );
}

#[test]
fn unfinished_work_is_found() {
    let mark = concat!("TO", "DO");
    let rust = format!(
        "let word = \"{mark}\";\nlet x = 1; // {mark}: more\n{}(\"later\")\n",
        concat!("unimplemented", "!")
    );
    let found_in = |path: &str, text: &str| found(&[(path, text)]);
    let complaints = found_in("crates/a/src/a.rs", &rust);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].starts_with("crates/a/src/a.rs:2: finished: "));
    assert!(complaints[1].starts_with("crates/a/src/a.rs:3: finished: "));
    assert_eq!(found_in("migrations/x.sql", &format!("SELECT 1; -- {mark}")).len(), 1);
    assert!(found_in("examples/a.json", mark).is_empty(), "people may say so");
}
