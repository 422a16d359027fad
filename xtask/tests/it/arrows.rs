use serde_json::{Value, json};

use crate::house::found_with;

/// A workspace in which `name` has these dependencies: name, kind.
fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
    let own = ["myao-core", "myao-store", "myao-slack", "myao-testkit", "workspace-hack"]
        .map(|own| (own, Value::Null));
    let described: Vec<Value> =
        dependencies.iter().map(|(name, kind)| json!({"name": name, "kind": kind})).collect();
    let packages: Vec<Value> = own
        .into_iter()
        .filter(|(other, _)| *other != name)
        .map(|(other, _)| (other, json!([])))
        .chain([(name, Value::Array(described))])
        .map(|(name, dependencies)| {
            let manifest = format!("/clone/crates/{name}/Cargo.toml");
            json!({"name": name, "manifest_path": manifest, "dependencies": dependencies})
        })
        .collect();
    json!({"workspace_root": "/clone", "packages": packages})
}

fn found(name: &str, dependencies: &[(&str, Option<&str>)]) -> Vec<String> {
    found_with(&package(name, dependencies), &[])
}

#[test]
fn known_arrows_are_fine() {
    let dev = Some("dev");
    assert!(found("myao-store", &[("myao-core", None), ("sqlx", None), ("myao-testkit", dev)]).is_empty());
    assert!(found("myao", &[("myao-store", None), ("myao-slack", None)]).is_empty());
    assert!(found("myao-core", &[("jiff", None), ("serde", None), ("insta", dev)]).is_empty());
}

#[test]
fn siblings_do_not_import_one_another() {
    let metadata = package("myao-slack", &[("myao-core", None), ("myao-store", None)]);
    let manifest = "[lints]\nworkspace = true\n[dependencies]\nmyao-core.workspace = true\nmyao-store.workspace = true\n";
    assert_eq!(
        found_with(&metadata, &[("crates/myao-slack/Cargo.toml", manifest)]),
        [
            "crates/myao-slack/Cargo.toml:5: arrows: `myao-slack` must not use `myao-store`: a new arrow goes into \
          xtask/src/tidy/arrows.rs, with an ADR"
        ]
    );
    assert_eq!(found("myao-store", &[("myao-slack", Some("dev"))]).len(), 1, "for tests neither");
    assert_eq!(found("myao-core", &[("myao-store", None)]).len(), 1);
}

#[test]
fn the_testkit_is_for_tests() {
    let complaints = found("myao-store", &[("myao-testkit", None)]);
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].ends_with("`myao-testkit` is for tests: move it to [dev-dependencies]"));
}

#[test]
fn features_of_tests_reach_no_program() {
    let dev = Some("dev");
    assert!(found("myao-store", &[("workspace-hack", dev)]).is_empty());
    assert!(found("workspace-hack", &[("serde", None)]).is_empty());
    let complaints = found("myao-store", &[("workspace-hack", None)]);
    assert!(complaints[0].ends_with("`workspace-hack` is for tests: move it to [dev-dependencies]"));
    let complaints = found("xtask", &[("workspace-hack", dev)]);
    assert!(complaints[0].ends_with("what only tasks need stays out of the product"), "{complaints:?}");
}

#[test]
fn the_mind_cannot_do_io() {
    let complaints = found("myao-core", &[("tokio", None)]);
    assert_eq!(complaints.len(), 1);
    assert!(
        complaints[0]
            .contains("`myao-core` may use aho-corasick, bip39, iban_validate, jiff, minijinja, regex, rust-stemmers, serde, serde_json, similar, strsim, thiserror, unicode-normalization only")
    );
}

#[test]
fn a_new_crate_must_be_listed() {
    let complaints = found("myao-new", &[]);
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].starts_with("crates/myao-new/Cargo.toml:1: arrows: `myao-new` is not among"));
}
