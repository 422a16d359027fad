//! `${VAR}` and `.env`.

use insta::assert_snapshot;
use myao_config::{Config, Database};

use crate::loaded::{complaint, load};

fn prompt(system_prompt: &str, env: &[(&str, &str)]) -> String {
    let text = format!("persona:\n  name: a\n  system_prompt: {system_prompt}\n");
    load(&text, env).unwrap().config.persona.system_prompt
}

#[test]
fn variables_are_filled_into_every_kind_of_string() {
    let env = [("A", "にゃ"), ("B_2", "x: # ${A} \"y\"")];
    assert_eq!(prompt("${A}", &env), "にゃ");
    assert_eq!(prompt("'${A} and ${A}'", &env), "にゃ and にゃ");
    assert_eq!(prompt("\"<${A}|${B_2}>\"", &env), "<にゃ|x: # ${A} \"y\">");
    assert_eq!(prompt("|\n    one ${A}\n    two ${A}", &env), "one にゃ\ntwo にゃ\n");
    assert_eq!(prompt("costs $5 and $A", &env), "costs $5 and $A");
}

#[test]
fn two_dollars_escape() {
    assert_eq!(prompt("'$${A} ${A} $$${A} $$'", &[("A", "1")]), "${A} 1 $${A} $$");
}

#[test]
fn lists_and_nested_maps_are_filled_too() {
    let text = "privacy: {never_remember: {users: [\"${A}\", b]}}\n\
                agents: {memory: {model_id: builtin, params: {stop: [\"${A}\"]}}}\n";
    let config = load(text, &[("A", "U1")]).unwrap().config;
    assert_eq!(config.privacy.never_remember.users, ["U1", "b"]);
    assert_eq!(config.agents.memory.params["stop"], serde_json::json!(["U1"]));
}

#[test]
fn a_variable_stands_for_a_number_or_a_switch_where_one_is_expected() {
    let text = "health_check: {port: \"${PORT}\"}\nresponse: {jitter_ratio: \"${J}\"}\n\
                tools: {web_fetch: {enabled: \"${F}\"}}\n";
    let config = load(text, &[("PORT", "9000"), ("J", "0.5"), ("F", "False")]).unwrap().config;
    assert_eq!(config.health_check.port, 9000);
    assert!((config.response.jitter_ratio - 0.5).abs() < f64::EPSILON);
    assert!(!config.tools.web_fetch.enabled);
    let error = load(text, &[("PORT", "http"), ("J", "0.5"), ("F", "")]).unwrap_err();
    assert_snapshot!(error, @"config.yaml:1: health_check.port: expected a whole number from 1 to 65535, found text from the environment");
}

#[test]
fn an_empty_variable_is_as_good_as_no_key() {
    let text = "tools: {web_search: {api_key: \"${K}\"}}\nhealth_check: {port: \"${K}\"}\n";
    let config = load(text, &[("K", "")]).unwrap().config;
    assert_eq!(config.tools.web_search.api_key, None);
    assert_eq!(config.health_check.port, 8080);
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    let text = "\
slack:
  bot_token: ${BOT}
  app_token: \"x${APP}y${BOT}\"
persona:
  name: ${}
  system_prompt: |
    a
    ${NOT CLOSED
    ${1ST} ${X-default} ${LAST}
privacy:
  never_remember:
    users:
      - ${USER_ID}
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:2: slack.bot_token: `BOT` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    config.yaml:3: slack.app_token: `APP` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    config.yaml:3: slack.app_token: `BOT` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    config.yaml:5: persona.name: `${` must be followed by a variable's name and `}`; write `$${` for `${` itself
    config.yaml:6: persona.system_prompt: `${` must be followed by a variable's name and `}`; write `$${` for `${` itself
    config.yaml:6: persona.system_prompt: `LAST` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    config.yaml:13: privacy.never_remember.users[0]: `USER_ID` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    ");
}

#[test]
fn an_env_file_beside_the_configuration_is_read_and_the_environment_wins() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.yaml");
    let text = "memory: {database_path: \"${DIR}/${NAME}.db\"}\n\
                persona: {name: \"${WHO}\", system_prompt: \"${SAYS}\"}\n";
    std::fs::write(&file, text).unwrap();
    let env = "# a comment\nexport DIR=/srv # where\n\nNAME = \"a b\"\nWHO='$5 ${NAME}'\n\
               SAYS=\"line \\\"one\\\"\nline ${NAME} \\${NAME} \\n\"\nDIR=/var\n";
    std::fs::write(dir.path().join(".env"), env).unwrap();
    let real = |name: &str| (name == "NAME").then(|| "real".to_owned());
    let config = Config::load_with(Some(&file), dir.path(), real).unwrap().config;
    assert_eq!(config.database, Database::Sqlite("/var/real.db".into()));
    assert_eq!(config.persona.name, "$5 ${NAME}");
    assert_eq!(config.persona.system_prompt, "line \"one\"\nline real ${NAME} \n");
}

#[test]
fn a_faulty_env_file_names_its_lines_and_shows_nothing_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.yaml");
    std::fs::write(&file, "locale: {language: ja}\n").unwrap();
    let env = "A=1\nxoxb-s3cr3t\nB=${NOBODY}\nC='s3cr3t' x\n2D=s3cr3t\nE=\"s3cr3t\n";
    std::fs::write(dir.path().join(".env"), env).unwrap();
    let error = Config::load_with(Some(&file), dir.path(), |_| None).unwrap_err().to_string();
    assert_snapshot!(error.replace(&dir.path().display().to_string(), "DIR"), @r#"
    DIR/.env:2: expected NAME=value, NAME="value", NAME='value' or # a comment
    DIR/.env:3: B: `NOBODY` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    DIR/.env:4: expected NAME=value, NAME="value", NAME='value' or # a comment
    DIR/.env:5: expected NAME=value, NAME="value", NAME='value' or # a comment
    DIR/.env:6: expected NAME=value, NAME="value", NAME='value' or # a comment
    "#);
}
