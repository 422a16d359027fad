//! Language and zone without a configuration: the terminal's, told once, and kept.

use crate::{binary::Home, exports::sample};

const ENGLISH: [(&str, &str); 2] = [("LANG", "en_GB.UTF-8"), ("TZ", "Europe/London")];
const JAPANESE: [(&str, &str); 2] = [("LANG", "ja_JP.UTF-8"), ("TZ", "Asia/Tokyo")];

/// Runs a command that must do all it was asked to; its stdout, and its stderr.
fn run(home: &Home, args: &[&str], variables: [(&str, &str); 2]) -> (String, String) {
    let output = home.command(args).envs(variables).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let out = text(output.stdout);
    let err = text(output.stderr);
    assert!(output.status.success(), "{args:?}: {out}{err}");
    (out, err)
}

#[test]
fn the_terminals_language_is_told_once_and_stays() {
    let home = Home::new();
    let export = sample("en");
    let (_, err) = run(&home, &["import", "slack", export.to_str().expect("UTF-8")], ENGLISH);
    assert_eq!(
        err,
        "note: no ./config.yaml yet: English, times of Europe/London, the builtin model, the database \
         ./data/memory.db. `myao init` asks for all of it; `myao locale` changes language and zone\n"
    );
    let (_, err) = run(&home, &["memory", "build"], JAPANESE);
    assert_eq!(err, "", "what was settled is not told again");
    let (prompt, _) = run(&home, &["prompt", "general"], JAPANESE);
    assert!(prompt.contains("### Recent events"), "{prompt}");
    let (locale, _) = run(&home, &["locale"], JAPANESE);
    assert!(locale.starts_with("English, times of Europe/London\n"), "{locale}");

    let (changed, _) = run(&home, &["locale", "--language", "ja", "--timezone", "Asia/Tokyo"], ENGLISH);
    assert!(changed.starts_with("from now on: Japanese, times of Asia/Tokyo\n"), "{changed}");
    assert!(changed.contains("stay in English and in times of Europe/London"), "{changed}");
    let (prompt, _) = run(&home, &["prompt", "general"], ENGLISH);
    assert!(prompt.contains("### 最近の出来事"), "{prompt}");

    // A file without `locale` changes nothing; one with it does, and says so once.
    home.write("config.yaml", "shutdown_seconds: 5\n");
    let (locale, _) = run(&home, &["locale"], ENGLISH);
    assert!(locale.starts_with("Japanese, times of Asia/Tokyo\n"), "{locale}");
    home.write("config.yaml", "locale: {language: en}\n");
    let (_, err) = run(&home, &["memory", "build"], ENGLISH);
    assert!(
        err.starts_with("note: memories are written in English, times of Asia/Tokyo from now on"),
        "{err}"
    );
    assert_eq!(run(&home, &["memory", "build"], ENGLISH).1, "");
    home.run(&["locale", "--language", "ja"]).ends(2, "config.yaml says locale.language: change it there");
}

#[test]
fn a_file_without_locale_is_japanese_as_it_always_was() {
    let home = Home::with_config("shutdown_seconds: 5\n");
    let (_, err) = run(&home, &["memory", "build"], ENGLISH);
    assert!(err.contains("Memories are written in Japanese, times of UTC"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    std::fs::remove_file(home.path("config.yaml")).expect("removed");
    assert!(run(&home, &["locale"], ENGLISH).0.starts_with("Japanese, times of UTC\n"));
}

#[test]
fn the_example_works_as_it_is() {
    let home = Home::with_config(include_str!("../../../../../config.yaml.example"));
    let ran = home.done(&["check"]);
    assert!(!ran.out.contains("WRONG"), "{ran:?}");
}
