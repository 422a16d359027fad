//! Configurations that are broken.

use std::fs;

use crate::binary::Home;

#[test]
fn a_broken_configuration_starts_nothing() {
    for (yaml, words) in [
        ("memory: [", "config.yaml:1"),
        (
            "memory: {database_path: a.db}\nloging: {level: INFO}",
            "config.yaml:2: loging: unknown key, did you mean `logging`?",
        ),
        ("memory: {database_path: 7}", "config.yaml:1: memory.database_path"),
        (
            "memory:\n  database_path: a.db\n  short_term_window_hours: -1",
            "config.yaml:3: memory.short_term_window_hours",
        ),
        ("slack: {bot_token: \"${NO_SUCH_VARIABLE}\"}", "NO_SUCH_VARIABLE"),
        ("", "config.yaml"),
    ] {
        let home = Home::with_config(yaml);
        home.run(&["status"]).ends(2, words);
        home.run(&["memory", "build"]).ends(2, words);
        assert_eq!(fs::read_dir(home.path(".")).expect("listed").count(), 1, "nothing is made: {yaml}");
    }
    let home = Home::new();
    home.write("config.yaml", b"persona: \xFF\xFE");
    home.run(&["status"]).ends(2, "config.yaml:1: ");
    let home = Home::with_config("agents: {memory: {model_id: openai/gpt-4o-mini}}");
    home.run(&["memory", "build"]).ends(2, "agents.memory: openai needs a key");
}
