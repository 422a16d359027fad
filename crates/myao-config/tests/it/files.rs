//! Which file is read, and files that can't be.

use std::path::Path;

use insta::assert_snapshot;
use myao_config::{Config, ConfigError, Database};

fn load(path: Option<&Path>, dir: &Path) -> Result<myao_config::Loaded, ConfigError> {
    Config::load_with(path, dir, |_| None)
}

#[test]
fn without_a_file_the_defaults_hold_and_a_note_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let loaded = load(None, dir.path()).unwrap();
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.config.database, Database::Sqlite("./data/memory.db".into()));
    assert_eq!(loaded.file, None);
    assert_snapshot!(loaded.notes.join("\n"), @"there is no ./config.yaml, so the defaults hold: the builtin model, the database ./data/memory.db, Japanese, times in UTC");
}

#[test]
fn the_file_in_the_working_directory_is_found() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.yaml"), "shutdown_seconds: 3\n").unwrap();
    let loaded = load(None, dir.path()).unwrap();
    assert_eq!(loaded.config.shutdown_seconds, 3);
    assert_eq!(loaded.file, Some(dir.path().join("config.yaml")));
}

#[test]
fn a_named_file_that_does_not_exist_is_an_error() {
    let error = load(Some(Path::new("nowhere/myao.yaml")), Path::new(".")).unwrap_err();
    assert!(matches!(error, ConfigError::NotFound(_)));
    assert_snapshot!(error, @"nowhere/myao.yaml: there is no such file");
}

#[test]
fn a_directory_is_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let error = load(Some(dir.path()), dir.path()).unwrap_err().to_string();
    assert_snapshot!(error.replace(&dir.path().display().to_string(), "DIR"), @"DIR: cannot be read: Is a directory (os error 21)");
}

#[test]
fn a_file_that_is_not_utf8_names_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.yaml");
    std::fs::write(&file, b"locale:\n  language: ja\npersona:\n  name: \x82\xdd\x82\xe1\n").unwrap();
    let error = load(Some(&file), dir.path()).unwrap_err().to_string();
    assert_snapshot!(error.replace(&dir.path().display().to_string(), "DIR"), @"DIR/config.yaml:4: the file is not UTF-8 text");
}
