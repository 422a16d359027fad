//! Whatever stands in the files, there is an answer, and its lines are lines of the file.

use myao_config::{Config, ConfigError};
use proptest::prelude::*;

use crate::loaded::load;

const EXAMPLE: &str = include_str!("../../../../config.yaml.example");

fn check(text: &str) -> Result<(), TestCaseError> {
    if let Err(ConfigError::Faulty(problems)) = load(text, &[("SLACK_BOT_TOKEN", "xoxb-1")]) {
        prop_assert!(!problems.is_empty());
        // A parser may only notice at the end, on the line after the last.
        let last = u64::try_from(text.lines().count()).unwrap() + 1;
        for problem in problems {
            prop_assert!(problem.line.is_none_or(|line| (1..=last).contains(&line)), "{problem}");
            prop_assert_eq!(problem.to_string().lines().count(), 1, "{}", problem);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn any_yaml_like_text_is_answered(text in "([ \\t]{0,4}[-?]? ?[a-z&*!]{0,8}(: ?[\\[{\"'|>$0-9a-z}\\]~.&*!-]{0,8})?\n){0,12}") {
        check(&text)?;
    }

    #[test]
    fn a_damaged_example_is_answered(at in 0..EXAMPLE.chars().count(), gone in 0_usize..40, put in "[\\[{}:\n\t\"'#&*|>$ a0-]{0,6}") {
        let damaged: String = EXAMPLE.chars().take(at).chain(put.chars()).chain(EXAMPLE.chars().skip(at + gone)).collect();
        check(&damaged)?;
    }

    #[test]
    fn any_env_file_is_answered(env in "([A-Z_]{0,3}[= ]{0,2}[\"'\\\\$#{}a-zA-Z \n]{0,12}\n){0,8}") {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.yaml");
        std::fs::write(&file, "shutdown_seconds: 1\n").unwrap();
        std::fs::write(dir.path().join(".env"), &env).unwrap();
        if let Err(ConfigError::Faulty(problems)) = Config::load_with(Some(&file), dir.path(), |_| None) {
            let last = u64::try_from(env.lines().count()).unwrap();
            prop_assert!(problems.iter().all(|p| p.line.is_some_and(|line| (1..=last).contains(&line))));
        }
    }

    #[test]
    fn text_without_references_stays_as_it_is(text in "[^\\x00-\\x1f{\\x7f-\\x9f\u{2028}\u{2029}\u{feff}]{1,30}") {
        let quoted = text.replace('\'', "''");
        let yaml = format!("persona: {{name: '{quoted}', system_prompt: x}}\n");
        prop_assert_eq!(load(&yaml, &[]).unwrap().config.persona.name, text);
    }
}
