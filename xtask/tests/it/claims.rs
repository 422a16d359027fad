use crate::house::found;

#[test]
fn only_what_is_listed_reads_the_time() {
    let text = "// Instant::now is not asked.\nfn f() { Instant::now(); }\n";
    assert_eq!(
        found(&[("crates/myao-core/src/a.rs", text), ("crates/myao-store/src/schema/open.rs", text)]),
        [
            "crates/myao-core/src/a.rs:2: claims: reads the time: take it from the Clock, or list the file in xtask/src/tidy/claims.rs with a reason"
        ]
    );
    assert!(found(&[("crates/myao-testkit/src/slack.rs", text)]).is_empty(), "it plays the world");
}

#[test]
fn only_what_is_listed_draws_by_chance_waits_or_deletes() {
    let text = "fn f() {\n    RandomState::new();\n    time::sleep(A_WHILE);\n    run(\"DELETE FROM memory_steps\");\n}\n";
    let found = found(&[("crates/myao-store/src/a.rs", text)]);
    let told: Vec<&str> = found.iter().filter_map(|line| line.split(", or list").next()).collect();
    assert_eq!(
        told,
        [
            "crates/myao-store/src/a.rs:2: claims: draws by chance: draw from the seed you are given",
            "crates/myao-store/src/a.rs:3: claims: waits by a clock of its own: wait by the Clock",
            "crates/myao-store/src/a.rs:4: claims: deletes rows that stay: wipe their words",
        ]
    );
}

#[test]
fn tests_do_not_sleep() {
    let text = "async fn f() {\n    tokio::time::sleep(A_WHILE).await;\n}\n";
    assert_eq!(
        found(&[("crates/myao/tests/it/new.rs", text), ("crates/myao/tests/it/kill.rs", text)]),
        [
            "crates/myao/tests/it/new.rs:2: claims: sleeps: move the clock, or wait for what is to happen, or list the file in xtask/src/tidy/claims.rs with a reason"
        ]
    );
}

#[test]
fn tests_do_not_wait_without_an_end() {
    let text = "async fn f() {\n    while !is_done() {\n        yield_now().await;\n    }\n}\n";
    assert_eq!(
        found(&[("crates/myao/tests/it/new.rs", text), ("crates/myao-slack/tests/it/live.rs", text)]),
        [
            "crates/myao/tests/it/new.rs:3: claims: waits without an end: wait by myao_testkit::waiting, or list the file in xtask/src/tidy/claims.rs with a reason"
        ]
    );
}

#[test]
fn libraries_have_no_tests_inside() {
    let text = "fn f() {}\n#[cfg(test)]\nmod tests {}\n";
    assert_eq!(
        found(&[("crates/myao-core/src/new.rs", text), ("crates/myao-core/tests/it/main.rs", text)]),
        [
            "crates/myao-core/src/new.rs:2: claims: has a test inside: let it use the public surface, in tests/it, or list the file in xtask/src/tidy/claims.rs with a reason"
        ]
    );
}

#[test]
fn tests_of_the_store_run_on_both_databases() {
    let text = "#[tokio::test(flavor = \"multi_thread\")]\nasync fn f() {}\n";
    assert_eq!(
        found(&[("crates/myao-store/tests/it/a.rs", text), ("crates/myao-store/tests/it/adopt/b.rs", text)]),
        [
            "crates/myao-store/tests/it/a.rs:1: claims: a test of one database: declare it by `on_both!`, or list the file in xtask/src/tidy/claims.rs with a reason"
        ]
    );
}

#[test]
fn an_exception_that_is_none_any_more_is_found() {
    let list = ("xtask/src/tidy/claims.rs", "");
    let gone = "xtask/src/tidy/claims.rs:1: claims: `crates/myao/src/clock.rs` is no exception any more (reads the time): take it from the list";
    assert!(found(&[list, ("crates/myao/src/clock.rs", "")]).contains(&gone.to_owned()));
    let still = ("crates/myao/src/clock.rs", "fn f() { Timestamp::now() }\n");
    assert!(!found(&[list, still]).contains(&gone.to_owned()));
}

#[test]
fn a_trait_has_two_implementations() {
    let one = ("crates/a/src/a.rs", "pub(crate) trait Walk: Send {}\nimpl Walk for A {}\n");
    let other = ("crates/b/src/b.rs", "impl<T> a::Walk for T {}\n");
    assert_eq!(
        found(&[one]),
        [
            "crates/a/src/a.rs:1: traits: `Walk` has fewer than 2 implementations: do without the trait, or list it in xtask/src/tidy/traits.rs with a reason"
        ]
    );
    assert!(found(&[one, other]).is_empty());
    assert!(found(&[("crates/a/src/a.rs", "trait ReadRow {}\n")]).is_empty(), "it is listed");
}

#[test]
fn the_design_tells_the_tables() {
    let first = "-- Rows; of what.\nCREATE TABLE old (id); CREATE TABLE IF NOT EXISTS gone (id);\n";
    let second =
        "CREATE VIRTUAL TABLE found USING fts5(terms);\nALTER TABLE old RENAME TO new;\nDROP TABLE gone;\n";
    let told = "## §8 Tables\n| table | one row for |\n|---|---|\n| `new`, `other` | `a_column` |\n## §9 More\n| `none` | |\n";
    let (one, two) = (("migrations/sqlite/0001_a.sql", first), ("migrations/sqlite/0002_b.sql", second));
    let twins = [("migrations/postgres/0001_a.sql", ""), ("migrations/postgres/0002_b.sql", "")];
    assert_eq!(
        found(&[one, two, twins[0], twins[1], ("docs/design.md", told)]),
        [
            "docs/design.md:4: tables: no migration makes a table `other`",
            "migrations/sqlite/0002_b.sql:1: tables: `found` has no row in the tables of docs/design.md: say there what one of its rows is",
        ]
    );
}
