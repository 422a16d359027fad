//! Which file is read, and files that can't be.

use std::path::Path;

use insta::assert_snapshot;
use myao_config::{Config, ConfigError, Database, LocaleSource, LocaleSources};
use myao_core::text::Language;

fn load(path: Option<&Path>, dir: &Path) -> Result<myao_config::Loaded, ConfigError> {
    Config::load_with(path, dir, |_| None)
}

#[test]
fn without_a_file_the_defaults_hold_in_the_terminals_language_and_zone() {
    let dir = tempfile::tempdir().unwrap();
    let loaded = load(None, dir.path()).unwrap();
    assert_eq!(loaded.config.database, Database::Sqlite("./data/memory.db".into()));
    assert_eq!((loaded.file, loaded.notes.in_one_line()), (None, None));
    assert_eq!(loaded.config.locale_sources, LocaleSources::both(LocaleSource::Machine));
    for (variables, language, zone) in [
        (&[("TZ", "Europe/London")][..], Language::En, "Europe/London"),
        (&[("LANG", "ja_JP.UTF-8"), ("TZ", ":Asia/Tokyo")], Language::Ja, "Asia/Tokyo"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "en_GB.UTF-8"), ("TZ", "JST-9")], Language::En, "Etc/GMT-9"),
        (&[("LC_ALL", ""), ("LC_MESSAGES", "ja"), ("TZ", "Mars/Olympus")], Language::Ja, "UTC"),
        (&[("LC_ALL", "C.UTF-8"), ("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")], Language::En, "UTC"),
        (&[("LC_ALL", "de_DE"), ("TZ", "\0")], Language::En, "UTC"),
    ] {
        let env =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let loaded = Config::load_with(None, dir.path(), env).unwrap();
        // Of a zone that cannot be taken it is said that it is not.
        let notes = loaded.notes.in_one_line();
        assert_eq!(notes.is_some_and(|notes| notes.contains("has no name")), zone == "UTC", "{variables:?}");
        let config = loaded.config;
        let found = (config.locale.language, config.locale.timezone.iana_name());
        assert_eq!(found, (language, Some(zone)), "{variables:?}");
        let persona = persona_of(&format!("locale: {{language: {}}}", language.as_str()));
        assert_eq!(config.persona.system_prompt, persona);
    }
}

fn persona_of(text: &str) -> String {
    Config::load_from(text, Path::new("config.yaml"), |_| None).unwrap().config.persona.system_prompt
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
