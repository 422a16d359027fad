//! What a file that is right means.

use std::path::Path;

use insta::assert_snapshot;
use jiff::civil::time;
use myao_config::{Config, Database, LogFormat, ModelId, Secret};
use myao_core::{
    memory::{HistorySettings, MemorySettings},
    ports::Role,
    text::Language,
};

use crate::loaded::{config, load};

/// An installation of the predecessor, in its words.
const MYAO2: &str = r#"
slack:
  bot_token: ${SLACK_BOT_TOKEN}
  app_token: ${SLACK_APP_TOKEN}
agents:
  response:
    model_id: "openai/gpt-4o"
    system_prompt: |
      にゃ
    params:
      temperature: 0.7
      max_tokens: 1000
    client_args:
      api_key: ${OPENAI_API_KEY}
      api_base: ${OPENAI_API_BASE}
  judgment:
    model_id: "openai/gpt-4o-mini"
    params: {temperature: 0.3}
    client_args: {api_key: "${OPENAI_API_KEY}"}
  memory:
    model_id: "openai/gpt-4o"
persona:
  name: "myao"
  system_prompt: "猫です。"
response:
  min_wait_seconds: 300
  judgment_skip:
    enabled: true
    thresholds:
      - min_confidence: 0.7
        skip_seconds: 3600
      - min_confidence: 0.9
        skip_seconds: 43200
    default_skip_seconds: 600
memory:
  database_path: "./data/memory.db"
logging:
  level: INFO
  format: "%(asctime)s - %(name)s - %(levelname)s - %(message)s"
  debug_llm_messages: false
  loggers:
tools:
  web_fetch:
    enabled: true
    api_endpoint: ${WEB_FETCH_API_ENDPOINT}
  web_search:
    api_key: ${TAVILY_API_KEY}
health_check:
  port: 8080
"#;

const ENV: [(&str, &str); 6] = [
    ("SLACK_BOT_TOKEN", "xoxb-s3cr3t"),
    ("SLACK_APP_TOKEN", "xapp-s3cr3t"),
    ("OPENAI_API_KEY", "sk-s3cr3t"),
    ("OPENAI_API_BASE", "http://localhost:4000/v1"),
    ("WEB_FETCH_API_ENDPOINT", "http://localhost:5000"),
    ("TAVILY_API_KEY", "tvly-s3cr3t"),
];

#[test]
fn a_file_of_myao2_works_unchanged() {
    let loaded = load(MYAO2, &ENV).unwrap();
    assert_snapshot!(loaded.notes.in_one_line().unwrap(), @"locale.language, locale.timezone are left out, so their defaults hold; logging.format: a Python format string; `full`, the nearest of ours, is used");
    let config = loaded.config;
    let response = config.agents.get(Role::Response);
    assert_eq!(
        response.model_id,
        ModelId::Provider { provider: "openai".to_owned(), model: "gpt-4o".to_owned() }
    );
    assert_eq!(response.model_id.to_string(), "openai/gpt-4o");
    assert_eq!(response.system_prompt, "にゃ\n");
    assert_eq!(response.params["max_tokens"], 1000);
    assert_eq!(response.client_args.api_key, Some(Secret::new("sk-s3cr3t")));
    assert_eq!(response.client_args.api_base.as_deref(), Some("http://localhost:4000/v1"));
    assert_eq!(config.agents.judgment.client_args.api_key, Some(Secret::new("sk-s3cr3t")));
    assert_eq!(config.persona.system_prompt, "猫です。");
    assert_eq!(config.response, Config::default().response);
    assert_eq!(config.memory, MemorySettings::default());
    assert_eq!(config.logging, Config::default().logging);
    assert_eq!(config.slack_for_run().unwrap().app.expose(), "xapp-s3cr3t");
}

#[test]
fn the_predecessor_s_own_fixture_loads() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let corpora = std::env::var_os("MYAO_CORPORA").map_or(beside, Into::into);
    let file = corpora.join("../fixtures/myao2/config.yaml");
    if !file.exists() {
        eprintln!("skipped: {} is not there", file.display());
        return;
    }
    let env = |name: &str| ENV.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let loaded = Config::load_with(Some(&file), &corpora, env).unwrap();
    assert_eq!(loaded.notes.defaults, ["locale.language", "locale.timezone"]);
    assert!(
        matches!(&loaded.notes.remarks[..], [one] if one.starts_with("logging.format: ")),
        "{:?}",
        loaded.notes
    );
    assert_eq!(loaded.config.response, Config::default().response);
}

#[test]
fn debug_output_shows_no_secret() {
    let text = MYAO2.replace("database_path: \"./data/memory.db\"", "database_url: postgres://u:s3cr3t@h/d");
    let loaded = load(&text, &ENV).unwrap();
    let debug = format!("{loaded:?} {:?}", loaded.config.slack_for_run().unwrap());
    assert!(debug.contains("REDACTED"));
    assert!(!debug.contains("s3cr3t"), "{debug}");
}

#[test]
fn nothing_reaches_out_by_default() {
    let config = Config::default();
    for role in [Role::Response, Role::Judgment, Role::Memory] {
        assert_eq!(config.agents.get(role).model_id, ModelId::Builtin);
    }
    assert_eq!((config.web.listen, config.budget.daily_tokens), (None, None));
    assert_eq!((config.tools.web_search.api_key, config.tools.web_fetch.api_endpoint), (None, None));
    assert_eq!((config.slack.bot_token, config.quiet_hours, config.prompt.dir), (None, None, None));
    assert_eq!((config.persona.name.as_str(), config.locale.language), ("myao", Language::Ja));
    let english = self::config("locale: {language: en}").persona.system_prompt;
    assert_ne!(config.persona.system_prompt, english);
}

#[test]
fn a_file_without_sections_says_what_stands_in_for_them() {
    assert_snapshot!(load("shutdown_seconds: 1\n", &[]).unwrap().notes.in_one_line().unwrap(), @"locale.language, locale.timezone, persona.name, memory.database_path, agents.response.model_id, agents.judgment.model_id, agents.memory.model_id are left out, so their defaults hold");
}

#[test]
fn short_term_history_is_on_unless_switched_off() {
    let memory = config("memory: {database_path: x}").memory;
    assert_eq!(memory.history, HistorySettings::default());
    let text = "memory: {database_path: x, short_term_history: {max_history_count: 0, verbatim_small: off}}";
    let history = config(text).memory.history;
    assert_eq!(
        history,
        HistorySettings { max_history_count: 0, verbatim_small: false, ..HistorySettings::default() }
    );
    let history = config("memory: {database_path: x, short_term_history: {enabled: false}}").memory.history;
    assert_eq!(history, HistorySettings { enabled: false, ..HistorySettings::default() });
}

#[test]
fn switches_understand_the_words_of_old_yaml_and_text_keeps_them() {
    for (word, on) in
        [("yes", true), ("On", true), ("TRUE", true), ("no", false), ("OFF", false), ("'false'", false)]
    {
        let config = config(&format!("logging: {{debug_llm_messages: {word}}}"));
        assert_eq!(config.logging.debug_llm_messages, on, "{word}");
    }
    assert_eq!(config("persona: {name: on, system_prompt: yes}").persona.name, "on");
}

#[test]
fn either_a_file_or_a_server_holds_the_memory() {
    assert_eq!(config("memory: {database_path: a/b.db}").database, Database::Sqlite("a/b.db".into()));
    let both = load("memory: {database_path: a.db, database_url: 'postgresql://h/d'}", &[]).unwrap();
    assert_eq!(both.config.database, Database::Postgres(Secret::new("postgresql://h/d")));
    assert!(
        both.notes.remarks.contains(&"memory.database_path: not used, since database_url is set".to_owned())
    );
}

#[test]
fn quiet_hours_reach_over_midnight() {
    let hours = |text: &str| {
        config(&format!("persona: {{name: a, system_prompt: b, quiet_hours: {text}}}")).quiet_hours.unwrap()
    };
    let night = hours("22:00-07:30");
    let quiet =
        [(21, 59), (22, 0), (0, 0), (7, 29), (7, 30), (12, 0)].map(|(h, m)| night.covers(time(h, m, 0, 0)));
    assert_eq!(quiet, [false, true, true, true, false, false]);
    let noon = hours("\"12:00 - 13:00\"");
    let quiet = [(11, 59), (12, 0), (12, 59), (13, 0)].map(|(h, m)| noon.covers(time(h, m, 0, 0)));
    assert_eq!(quiet, [false, true, true, false]);
}

#[test]
fn language_and_time_zone() {
    let locale = config("locale: {language: en, timezone: Asia/Tokyo}").locale;
    assert_eq!((locale.language, locale.timezone.iana_name()), (Language::En, Some("Asia/Tokyo")));
}

#[test]
fn log_formats_of_python_are_mapped_to_the_nearest() {
    let format = |text: &str| config(&format!("logging: {{format: '{text}'}}")).logging.format;
    assert_eq!(format("%(asctime)s %(message)s"), LogFormat::Full);
    assert_eq!(format("%(levelname)s: %(message)s"), LogFormat::Compact);
    assert_eq!(format("{\"time\": \"%(asctime)s\"}"), LogFormat::Json);
    assert_eq!(format("json"), LogFormat::Json);
    let logging = config("logging: {level: critical, loggers: {myao2.infrastructure: debug}}").logging;
    assert_eq!(logging.level, tracing::Level::ERROR);
    assert_eq!(logging.loggers, [("myao2.infrastructure".to_owned(), tracing::Level::DEBUG)]);
}

#[test]
fn thresholds_are_sorted_the_surest_first_and_an_empty_list_is_none() {
    let text = "response: {judgment_skip: {thresholds: [{min_confidence: 0.1, skip_seconds: 1}, \
                {min_confidence: 0.8, skip_seconds: 2}]}, dynamic_wait: {thresholds: []}}";
    let response = config(text).response;
    let skips: Vec<_> = response.judgment_skip.thresholds.iter().map(|t| t.skip_seconds).collect();
    assert_eq!(skips, [2, 1]);
    assert!(response.dynamic_wait.thresholds.is_empty());
}

#[test]
fn anchors_and_merge_keys_work() {
    let text = "agents:\n  response: &all\n    model_id: ollama/a/b:7b\n    client_args: {timeout: 5}\n  \
                judgment: *all\n  memory:\n    <<: *all\n    model_id: builtin\n";
    let agents = config(text).agents;
    assert_eq!(agents.judgment, agents.response);
    assert_eq!(agents.memory.model_id, ModelId::Builtin);
    assert_eq!(agents.memory.client_args.timeout, Some(5.0));
}

#[test]
fn tokens_are_asked_for_when_slack_is_needed() {
    let none = config("locale: {language: ja}").slack_for_run().unwrap_err();
    assert_snapshot!(none, @r"
    config.yaml: slack.bot_token: missing: expected the bot's token, xoxb-… (needed to connect to Slack; `myao setup slack` asks for it)
    config.yaml: slack.app_token: missing: expected the app-level token, xapp-… (needed to connect to Slack; `myao setup slack` asks for it)
    ");
    let one = config("\nslack:\n  bot_token: xoxb-1\n").slack_for_run().unwrap_err();
    assert_snapshot!(one, @"config.yaml:2: slack.app_token: missing: expected the app-level token, xapp-… (needed to connect to Slack; `myao setup slack` asks for it)");
    assert_snapshot!(Config::default().slack_for_run().unwrap_err(), @r"
    config.yaml: slack.bot_token: missing: expected the bot's token, xoxb-… (needed to connect to Slack; `myao setup slack` asks for it)
    config.yaml: slack.app_token: missing: expected the app-level token, xapp-… (needed to connect to Slack; `myao setup slack` asks for it)
    ");
}

/// A file of the predecessor knows one key of the two, and waits as long as that says.
#[test]
fn a_wait_shorter_than_the_usual_floor_is_kept() {
    let wait = |text: &str| {
        let loaded = load(&format!("response: {{{text}}}"), &[]).unwrap();
        let manners = loaded.config.manners(1);
        let floor = manners.liveliness.map(|lively| lively.floor_seconds);
        let notes: Vec<String> =
            loaded.notes.remarks.into_iter().filter(|note| note.starts_with("response.")).collect();
        (manners.min_wait_seconds, floor, notes)
    };
    for (seconds, floor) in [(0, 0.0), (3, 3.0), (59, 59.0), (60, 60.0), (300, 60.0)] {
        let (base, found, notes) = wait(&format!("min_wait_seconds: {seconds}"));
        assert_eq!((base, found), (f64::from(seconds), Some(floor)));
        assert_eq!(notes, Vec::<String>::new());
    }
    // Who asks for both gets both, and is told what that means.
    let (_, floor, notes) = wait("min_wait_seconds: 3, dynamic_wait: {floor_wait_seconds: 60}");
    assert_eq!(floor, Some(60.0));
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(note.contains("min_wait_seconds") && note.contains("dynamic_wait.floor_wait_seconds"), "{note}");
    let (_, floor, notes) =
        wait("min_wait_seconds: 3, dynamic_wait: {enabled: false, floor_wait_seconds: 60}");
    assert_eq!((floor, notes.len()), (None, 0));
}
