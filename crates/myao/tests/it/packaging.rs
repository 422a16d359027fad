//! What `packaging/` and the documents say of the program is true: numbers, options, configurations.

#![cfg(test)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use myao_companion::live::metrics::{FAMILIES, FamilyKind};
use serde_json::Value;

use crate::{binary::Home, terminal::root};

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every number that a text names; `myao:…` are the rules' own.
fn numbers_in(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    text.split(|c: char| !is_part(c))
        .filter(|word| word.starts_with("myao_") || word.starts_with("myao:"))
        .collect()
}

/// The family that a number belongs to, as Prometheus keeps it; `None` if there is none.
fn family_of(number: &str) -> Option<&'static str> {
    let is_it = |kind: FamilyKind, listed: &str| match kind {
        FamilyKind::Gauge | FamilyKind::Counter => listed == number,
        FamilyKind::Histogram => {
            ["_bucket", "_sum", "_count"].iter().any(|end| format!("{listed}{end}") == number)
        }
    };
    FAMILIES.iter().find(|family| is_it(family.kind, family.name)).map(|family| family.name)
}

#[test]
fn rules_and_dashboard_name_only_numbers_that_there_are() {
    let rules = read("packaging/prometheus/rules.yml");
    let recorded: BTreeSet<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).collect();
    assert!(recorded.len() > 2, "{recorded:?}");
    let dashboard = read("packaging/grafana/myao.json");
    for (file, text) in [("rules.yml", &rules), ("myao.json", &dashboard)] {
        let named = numbers_in(text);
        assert!(named.len() > 10, "{file}: {named:?}");
        for number in named {
            assert!(recorded.contains(number) || family_of(number).is_some(), "{file} names {number}");
        }
    }
    // A panel for nearly everything: what is not shown is told here.
    let shown: BTreeSet<&str> = numbers_in(&dashboard).into_iter().filter_map(family_of).collect();
    let in_rules: BTreeSet<&str> = numbers_in(&rules).into_iter().filter_map(family_of).collect();
    let nowhere: Vec<&str> = FAMILIES
        .iter()
        .map(|f| f.name)
        .filter(|name| !shown.contains(name) && !in_rules.contains(name))
        .collect();
    assert_eq!(nowhere, ["myao_start_time_seconds", "myao_processes"]);
}

#[test]
fn the_dashboard_is_whole() {
    let dashboard: Value = serde_json::from_str(&read("packaging/grafana/myao.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().expect("a number")).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels {
        assert!(!panel["targets"].as_array().expect("queries").is_empty(), "{panel}");
        let place = &panel["gridPos"];
        assert!(place["x"].as_u64().expect("x") + place["w"].as_u64().expect("w") <= 24, "{panel}");
    }
}

#[test]
fn the_documents_tell_every_number() {
    for page in ["docs/operations.md", "docs/ja/operations.md"] {
        let operations = read(page);
        for family in FAMILIES {
            let is_told = operations.contains(&format!("| `{}` |", family.name));
            assert!(is_told, "{} is not told in {page}", family.name);
        }
        for number in numbers_in(&operations) {
            assert!(FAMILIES.iter().any(|family| family.name == number), "{page} names {number}");
        }
    }
}

/// The configurations of containers are read without a complaint, and the options in the manifests are the program's.
#[test]
fn the_configurations_are_read() {
    let environment: BTreeMap<&str, &str> = BTreeMap::from([
        ("SLACK_BOT_TOKEN", "xoxb-1"),
        ("SLACK_APP_TOKEN", "xapp-1"),
        ("DATABASE_URL", "postgres://myao@127.0.0.1:1/myao"),
    ]);
    let files = [
        "packaging/container/config.yaml",
        "packaging/container/config.postgres.yaml",
        "packaging/kubernetes/overlays/sqlite/config.yaml",
        "packaging/kubernetes/overlays/postgres/config.yaml",
    ];
    for file in files {
        let home = Home::with_config(&read(file));
        let mut command = home.command(&["health", "--within", "1", "--json"]);
        let ended = command.envs(&environment).output().expect("it starts");
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(1), "{file}: nobody answers, and the file is right: {told}");
        assert!(
            read(file).contains("telemetry: {metrics: true}"),
            "{file}: the service says that it can be scraped"
        );
    }
}

#[test]
fn every_piece_is_checked_by_a_script() {
    let all = read("packaging/check");
    for entry in fs::read_dir(root().join("packaging")).expect("listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // The dashboard is checked by the tests above.
        if !path.is_dir() || name == "grafana" {
            continue;
        }
        assert!(is_program(&path.join("check")), "{name}/check cannot be run");
        assert!(all.contains(&format!(" {name}")), "packaging/check leaves {name} out");
        assert!(read("packaging/README.md").contains(&format!("| [{name}]({name}) |")), "{name} is not told");
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o111 != 0)
}
