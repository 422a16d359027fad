//! `config.yaml` and `.env`: a configuration or everything that is wrong with it, in words that hold no secret.

use std::{fs, path::Path};

use myao_config::{Config, ConfigError, ConfigFault, Problem};

use super::{effort, material};

/// What a variable holds. As a key or a variable's name it would be shown; no such name has a hyphen.
const SECRET: &str = "xoxb-hush-hush";
/// What stands for it where a file itself holds it.
const MARK: &str = "HUSH";
/// What parts the two files.
const ENV: &str = "\n=== .env\n";
/// Characters of a problem: the longest key and advice.
const MOST_TOLD: usize = 600;

pub(crate) fn run(data: &[u8]) {
    let text = material::text(data);
    let (yaml, env) = text.split_once(ENV).unwrap_or((&text, ""));
    // What is pasted in may be a secret, but for a key, which is named where nobody knows it.
    let yaml = yaml.replace(MARK, SECRET);
    check(&yaml);
    if !env.is_empty() {
        beside(env);
    }
    effort::grows_in_proportion("YAML", &yaml, |yaml| drop(load(yaml)));
}

fn load(yaml: &str) -> Result<Config, ConfigError> {
    let variable = |name: &str| (name == "SECRET").then(|| SECRET.to_owned());
    Config::load_from(yaml, Path::new("config.yaml"), variable).map(|loaded| {
        if let Some(note) = loaded.notes.in_one_line() {
            assert!(!note.contains(SECRET), "a note tells the secret: {note}");
        }
        loaded.config
    })
}

fn check(yaml: &str) {
    match load(yaml) {
        Ok(config) => {
            config.recording_file();
            // Asked for when it is needed, and told of in the same way.
            if let Err(error) = config.slack_for_run() {
                assert!(!error.to_string().contains(SECRET), "{error}");
            }
        }
        Err(ConfigError::Faulty(problems)) => {
            assert!(!problems.is_empty(), "what is wrong?");
            are_fit_to_be_told(&problems, yaml);
        }
        Err(error) => panic!("there is no such file to read: {error}"),
    }
}

/// The number of the last line, and one more, for a parser may only notice at the end. To YAML a carriage return by
/// itself ends a line as well.
fn lines(text: &str) -> usize {
    text.matches(['\n', '\r']).count() + 2
}

fn are_fit_to_be_told(problems: &[Problem], text: &str) {
    let last = lines(text);
    // A file that is no map of sections is at fault as a whole.
    let is_no_map = problems.iter().all(|problem| problem.key.is_none());
    for problem in problems {
        let told = problem.to_string();
        let is_line = |line: u64| line >= 1 && usize::try_from(line).is_ok_and(|line| line <= last);
        assert!(problem.line.is_none_or(is_line), "there is no such line: {told}");
        assert_eq!(told.lines().count(), 1, "more than a line: {told:?}");
        assert!(told.chars().count() <= MOST_TOLD, "too long to be told: {told}");
        assert!(!problem.fault.to_string().contains(SECRET), "the secret is told: {told}");
        let is_of_the_file = matches!(problem.fault, ConfigFault::EnvLine);
        assert!(is_no_map || is_of_the_file || problem.key.is_some(), "which key? {told}");
    }
}

/// A configuration with these variables beside it.
fn beside(env: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.yaml");
    fs::write(&file, "slack: {bot_token: \"${TOKEN}\"}\n").expect("written");
    let env = env.replace(MARK, SECRET);
    fs::write(folder.path().join(".env"), &env).expect("written");
    let variable = |name: &str| (name == "SECRET").then(|| SECRET.to_owned());
    if let Err(ConfigError::Faulty(problems)) = Config::load_with(Some(&file), folder.path(), variable) {
        are_fit_to_be_told(&problems, &env);
    }
}
