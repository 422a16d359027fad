use crate::house::found;

const TEST: &str = "crates/a/tests/it/prompt.rs";

/// What is found about a snapshot of this name whose test file reads `source`.
fn about(name: &str, source: &str) -> Vec<String> {
    let snapshot = format!("crates/a/tests/it/snapshots/{name}.snap");
    found(&[(&snapshot, &format!("---\nsource: {TEST}\nexpression: x\n---\ntext")), (TEST, source)])
}

#[test]
fn a_snapshot_has_a_test() {
    let cases = [
        ("it__prompt__whole", "assert_snapshot!(\"whole\", text);"),
        ("it__prompt__whole", "fn whole() {"),
        ("it__prompt__whole-2", "async fn test_whole() {"),
        ("it__prompt__whole@en", "fn whole() {"),
        ("it__prompt__two__words", "assert_snapshot!(\"two__words\", text);"),
        ("it__prompt__ja_10_versions", "let name = format!(\"{language}_{count}_versions\");"),
        ("it__prompt__ja_10", "let name = format!(\"{language}_{count}\");"),
    ];
    for (name, source) in cases {
        assert_eq!(about(name, source), Vec::<String>::new(), "{name}");
    }
    let beside = ("crates/a/tests/it/other.rs", "named(\"whole\")");
    let snapshot =
        ("crates/a/tests/it/snapshots/it__prompt__whole.snap", &*format!("---\nsource: {TEST}\n---\n"));
    assert!(found(&[snapshot, (TEST, "assert_snapshot!(name, text)"), beside]).is_empty());
}

#[test]
fn a_snapshot_without_a_test_is_found() {
    let cases = [
        ("it__prompt__whole", "fn half() {"),
        ("it__prompt__whole", "println!(\"{text}\");"),
        ("it__prompt__ja_versions", "format!(\"{language}_{count}_versions\")"),
    ];
    for (name, source) in cases {
        let advice = format!("snapshot: no test beside {TEST} has this name: delete the snapshot");
        assert_eq!(about(name, source), [format!("crates/a/tests/it/snapshots/{name}.snap:1: {advice}")]);
    }
    let gone = found(&[("a.snap", "---\nsource: crates/a/tests/gone.rs\n---\n")]);
    assert_eq!(gone, ["a.snap:1: snapshot: the test in crates/a/tests/gone.rs is gone: delete the snapshot"]);
    assert_eq!(found(&[("a.snap", "text")]).len(), 1);
}

#[test]
fn no_snapshot_waits() {
    let complaints = found(&[("a.snap.new", ""), (".b.rs.pending-snap", "")]);
    assert_eq!(complaints.len(), 2);
    assert!(complaints.iter().all(|line| line.contains("snapshot: look at it, then accept it")));
}
