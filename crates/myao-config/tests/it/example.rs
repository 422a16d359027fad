//! `config.yaml.example` is complete and true.

use std::collections::BTreeSet;

use myao_config::Config;
use serde_json::Value;

use crate::loaded::load;

const EXAMPLE: &str = include_str!("../../../../config.yaml.example");

const ENV: [(&str, &str); 8] = [
    ("SLACK_BOT_TOKEN", "xoxb-1"),
    ("SLACK_APP_TOKEN", "xapp-1"),
    ("OPENAI_API_KEY", "sk-1"),
    ("DATABASE_URL", "postgres://localhost/myao"),
    ("WEB_FETCH_API_ENDPOINT", "http://localhost:5000"),
    ("TAVILY_API_KEY", "tvly-1"),
    ("MYAO_WEB_PASSWORD", "one long secret"),
    ("MYAO_WEB_READER", "another secret"),
];

/// The example with the keys that are switched off in it switched on: `#   key: value` becomes `    key: value`.
fn switched_on() -> String {
    let is_key = |line: &str| {
        line.split_once(": ").is_some_and(|(key, _)| {
            key.starts_with("  ")
                && !key.trim_start().contains(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        })
    };
    let lines = EXAMPLE.lines().map(|line| match line.strip_prefix('#') {
        Some(rest) => {
            let rest = format!(" {rest}");
            // A section that is switched off ends in a colon.
            if is_key(&rest) || is_key(&format!("{rest} ")) { rest } else { line.to_owned() }
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, &format!("{path}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn it_loads_as_it_is_and_shows_the_defaults() {
    let config = load(EXAMPLE, &[]).unwrap().config;
    let default = Config::default();
    assert_eq!(config.response, default.response);
    assert_eq!(config.memory, default.memory);
    assert_eq!(config.database, default.database);
    assert_eq!(config.locale, default.locale);
    assert_eq!(config.prompt, default.prompt);
    assert_eq!(config.privacy, default.privacy);
    assert_eq!(config.tools, default.tools);
    assert_eq!(config.logging, default.logging);
    assert_eq!((config.budget, config.health_check), (default.budget, default.health_check));
    assert_eq!(config.mcp, default.mcp);
    assert_eq!((config.web, config.shutdown_seconds), (default.web, default.shutdown_seconds));
    assert_eq!(config.quiet_hours, default.quiet_hours);
    assert_eq!(config.slack.api_base_url, default.slack.api_base_url);
    assert_eq!(config.slack.backfill_days, default.slack.backfill_days);
    assert_eq!(config.slack.recheck_hours, default.slack.recheck_hours);
    assert_eq!(config.slack.owners, default.slack.owners);
    assert_eq!((config.slack.commands, default.slack.commands), (true, true));
    assert_eq!((config.slack.home, default.slack.home), (true, true));
    assert_eq!((config.slack.agent_view, default.slack.agent_view), (true, true));
}

#[test]
fn it_loads_with_everything_switched_on_and_holds_every_key_there_is() {
    let text = switched_on();
    let loaded = load(&text, &ENV);
    assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
    let mut found = BTreeSet::new();
    keys(&serde_saphyr::from_str(&text).unwrap(), "", &mut found);
    let missing: Vec<_> = Config::known_keys().into_iter().filter(|key| !found.contains(key)).collect();
    assert!(missing.is_empty(), "not in the example: {missing:?}");
}

#[test]
fn the_keys_of_the_specification_are_known() {
    let known = Config::known_keys();
    for key in [
        "slack.backfill_days",
        "slack.recheck_hours",
        "memory.short_term_history.verbatim_small",
        "privacy.never_remember.users",
        "response.dynamic_wait.thresholds[].wait_multiplier",
        "persona.quiet_hours",
        "budget.daily_tokens",
        "shutdown_seconds",
    ] {
        assert!(known.iter().any(|path| path == key), "{key}");
    }
}
