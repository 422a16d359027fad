//! The example personas of the documentation can be copied as they are.

use myao_config::Config;

use crate::loaded::config;

const PERSONAS: &str = include_str!("../../../../docs/personas.md");

/// The `yaml` blocks, in order.
fn examples() -> Vec<Config> {
    let blocks = PERSONAS.split("```yaml\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    blocks.map(|(text, _)| config(text)).collect()
}

#[test]
fn each_example_is_a_configuration_in_two_languages() {
    let examples = examples();
    assert_eq!(examples.len(), 8);
    for pair in examples.chunks(2) {
        let [english, japanese] = pair else { panic!("{} examples", examples.len()) };
        assert!(english.persona.system_prompt.is_ascii(), "{}", english.persona.name);
        assert!(!japanese.persona.system_prompt.is_ascii(), "{}", japanese.persona.name);
        assert_eq!(english.quiet_hours, japanese.quiet_hours, "{}", english.persona.name);
        for example in pair {
            let agents = &example.agents;
            assert!(!agents.judgment.system_prompt.is_empty(), "{}", example.persona.name);
        }
    }
}
