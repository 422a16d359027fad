//! `completions` and `man`.

use std::{path::Path, process::Command};

use super::remembered;
use crate::binary::{Home, MYAO};

/// What the real bash offers for these words, the last of which is completed.
fn complete(home: &Home, words: &[&str]) -> Vec<String> {
    const SCRIPT: &str = r#"
        source <(myao completions bash)
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9
        _clap_complete_myao myao "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let folder = Path::new(MYAO).parent().expect("a folder").display().to_string();
    let mut bash = Command::new("bash");
    bash.args(["-c", SCRIPT, "bash", "myao"]).args(words).current_dir(home.path(""));
    let output = bash.env("PATH", format!("{folder}:/usr/bin:/bin")).output().expect("bash is there");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_channels_and_people() {
    let home = remembered("en");
    assert_eq!(complete(&home, &["mem"]), ["memory", "memo"]);
    assert_eq!(complete(&home, &["memory", "show", "sp"]), ["spring-count"]);
    assert_eq!(complete(&home, &["prompt", "#sp"]), ["#spring-count"]);
    assert_eq!(complete(&home, &["forget", "--user", "Im"]), ["Imogen"]);
    home.done(&["token", "add", "laptop"]);
    assert_eq!(complete(&home, &["token", "revoke", "la"]), ["laptop"]);
    assert_eq!(complete(&home, &["token", "add", "shop", "--sees", "sp"]), ["spring-count"]);
    home.write("other.yaml", "memory: {database_path: nowhere.db}");
    assert_eq!(
        complete(&home, &["--config", "other.yaml", "memory", "show", "sp"]),
        [""],
        "another database"
    );
    assert!(!home.path("nowhere.db").exists());
    let japanese = remembered("ja");
    assert_eq!(complete(&japanese, &["memory", "log", "新"]), ["新茶2026"]);
}

#[test]
fn every_shell_has_a_script_and_every_command_a_page() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.done(&["completions", shell]).out;
        assert!(script.contains("MYAO_COMPLETE") && script.contains("myao"), "{shell}: {script}");
    }
    home.run(&["completions", "tcsh"]).ends(2, "possible values: bash, zsh, fish, powershell, elvish");
    assert!(home.done(&["man"]).out.contains(".TH myao 1"));
    home.done(&["man", "--to", "pages"]);
    for page in ["myao.1", "myao-init.1", "myao-memory-build.1"] {
        assert!(home.path("pages").join(page).is_file(), "{page}");
    }
    assert!(!home.database().exists());
}
