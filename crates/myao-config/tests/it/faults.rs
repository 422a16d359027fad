//! Every kind of fault, as a person reads it.

use insta::assert_snapshot;

use crate::loaded::{complaint, config, load};

#[test]
fn everything_wrong_is_told_at_once_in_the_order_of_the_file() {
    let text = "\
slack:
  bot_token: ${SLACK_BOT_TOKEN}
agents:
  response:
    model_id: gpt-4o
  judgement:
    model_id: builtin
  memory:
    params: {temperature: 0.5}
response:
  min_wait_second: 10
  jitter_ratio: 1.5
  judgment_skip:
    thresholds:
      - min_confidence: 2
        skip_seconds: 10
      - skip_second: 10
memory:
  short_term_history:
    message_threshold: 0
    conversation_idle_seconds: 0
    max_history_count: -1
locale: {language: jp, timezone: Asia/Tokio}
min_wait_seconds: 3
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:2: slack.bot_token: `SLACK_BOT_TOKEN` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)
    config.yaml:5: agents.response.model_id: expected `builtin` or provider/model, as in openai/gpt-4o, found text
    config.yaml:6: agents.judgement: unknown key, did you mean `agents.judgment`?
    config.yaml:8: agents.memory.model_id: missing: expected `builtin` or provider/model, as in openai/gpt-4o
    config.yaml:11: response.min_wait_second: unknown key, did you mean `response.min_wait_seconds`?
    config.yaml:12: response.jitter_ratio: expected a number from 0 to 1, found 1.5
    config.yaml:15: response.judgment_skip.thresholds[0].min_confidence: expected a number from 0 to 1, found 2
    config.yaml:17: response.judgment_skip.thresholds[1].min_confidence: missing: expected a number from 0 to 1
    config.yaml:17: response.judgment_skip.thresholds[1].skip_seconds: missing: expected a number of seconds
    config.yaml:17: response.judgment_skip.thresholds[1].skip_second: unknown key, did you mean `response.judgment_skip.thresholds[1].skip_seconds`?
    config.yaml:18: memory.database_path: missing: expected where the SQLite file is kept, as in ./data/memory.db
    config.yaml:20: memory.short_term_history.message_threshold: expected a whole number from 1 to 100000, found 0
    config.yaml:21: memory.short_term_history.conversation_idle_seconds: expected a whole number from 1 to 315360000, found 0
    config.yaml:22: memory.short_term_history.max_history_count: expected a whole number from 0 to 1000, found -1
    config.yaml:23: locale.language: expected `ja` or `en`, found text
    config.yaml:23: locale.timezone: expected a zone of the tz database, as in Asia/Tokyo, found text, did you mean `Asia/Tokyo`?
    config.yaml:24: min_wait_seconds: unknown key, did you mean `response.min_wait_seconds`?
    ");
}

#[test]
fn a_wrong_type_says_what_is_there_and_what_should_be() {
    let text = "\
persona: [myao]
agents:
  response: builtin
  judgment: {model_id: builtin, params: 3, client_args: [key]}
response:
  min_wait_seconds: \"300\"
  message_limit: 20.5
  jitter_ratio: high
  check_interval_seconds: true
  judgment_skip: {enabled: 1, thresholds: {min_confidence: 1}}
  dynamic_wait: {thresholds: [0.5]}
memory:
  database_path: 2024
privacy:
  never_remember: {channels: general, users: [1, {}, \"\"]}
  archive_days: 6
  recordings_days: 1.5
logging: {loggers: {myao: LOUD, store: DEBUGG, slack: [INFO]}, format: pretty, level: 10}
tools: {web_search: {search_depth: deep}}
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:1: persona: expected a map of keys, found a list
    config.yaml:3: agents.response: expected a map of keys, found text
    config.yaml:4: agents.judgment.params: expected a map of keys, found 3
    config.yaml:4: agents.judgment.client_args: expected a map of keys, found a list
    config.yaml:6: response.min_wait_seconds: expected a whole number from 0 to 315360000, found a number in quotes
    config.yaml:7: response.message_limit: expected a whole number from 1 to 10000, found 20.5
    config.yaml:8: response.jitter_ratio: expected a number from 0 to 1, found text
    config.yaml:9: response.check_interval_seconds: expected a whole number from 1 to 86400, found true
    config.yaml:10: response.judgment_skip.thresholds: expected a list of maps, found a map of keys
    config.yaml:10: response.judgment_skip.enabled: expected true or false, found 1
    config.yaml:11: response.dynamic_wait.thresholds[0]: expected a map of keys, found 0.5
    config.yaml:13: memory.database_path: expected text (what looks like a number needs quotes), found 2024
    config.yaml:15: privacy.never_remember.channels: expected a list of texts, found text
    config.yaml:15: privacy.never_remember.users[0]: expected text (what looks like a number needs quotes), found 1
    config.yaml:15: privacy.never_remember.users[1]: expected text (what looks like a number needs quotes), found a map of keys
    config.yaml:15: privacy.never_remember.users[2]: expected text (what looks like a number needs quotes), found empty text
    config.yaml:16: privacy.archive_days: expected a whole number from 7 to 36500, found 6
    config.yaml:17: privacy.recordings_days: expected a whole number from 7 to 36500, found 1.5
    config.yaml:18: logging.level: expected TRACE, DEBUG, INFO, WARNING, ERROR or CRITICAL, found 10
    config.yaml:18: logging.format: expected `full`, `compact`, `json` or a Python format string with %(…)s, found text
    config.yaml:18: logging.loggers.myao: expected TRACE, DEBUG, INFO, WARNING, ERROR or CRITICAL, found text
    config.yaml:18: logging.loggers.store: expected TRACE, DEBUG, INFO, WARNING, ERROR or CRITICAL, found text, did you mean `DEBUG`?
    config.yaml:18: logging.loggers.slack: expected TRACE, DEBUG, INFO, WARNING, ERROR or CRITICAL, found a list
    config.yaml:19: tools.web_search.search_depth: expected `basic`, `advanced`, `fast` or `ultra-fast`, found text
    ");
}

#[test]
fn a_search_of_one_s_own_needs_its_address() {
    let text = "tools: {web_search: {provider: searxng, api_key: k}}";
    assert_snapshot!(complaint(text), @"config.yaml:1: tools.web_search.provider: searxng has no address of its own: `api_base` says where yours is");
    assert_snapshot!(complaint("tools: {web_search: {provider: google, api_base: localhost}}"), @r"
    config.yaml:1: tools.web_search.provider: expected `tavily`, `brave` or `searxng`, found text
    config.yaml:1: tools.web_search.api_base: expected an address that begins with https:// or http://, found text
    ");
    let off = config("tools: {web_search: {provider: searxng, enabled: false}}").tools.web_search;
    assert!(!off.is_on());
}

#[test]
fn a_number_with_a_leading_zero_is_told_as_it_stands() {
    let text = "\
persona: {name: 007, system_prompt: A friend}
response: {min_wait_seconds: 072}
";
    assert_snapshot!(complaint(text), @"config.yaml:2: response.min_wait_seconds: expected a whole number from 0 to 315360000, found a number with a leading zero");
}

#[test]
fn numbers_out_of_range_are_quoted() {
    let text = "\
response:
  min_wait_seconds: 99999999999999999999999999
  check_interval_seconds: -1
  jitter_ratio: .nan
  message_limit: 4294967296
  response_interval: {min: 5, max: 1e999}
health_check: {port: 70000}
web: {listen: 127.0.0.1:0}
prompt: {max_tokens: 0}
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:2: response.min_wait_seconds: expected a whole number from 0 to 315360000, found 1e+26
    config.yaml:3: response.check_interval_seconds: expected a whole number from 1 to 86400, found -1
    config.yaml:4: response.jitter_ratio: expected a number from 0 to 1, found a number that is not finite
    config.yaml:5: response.message_limit: expected a whole number from 1 to 10000, found 4294967296
    config.yaml:6: response.response_interval.max: expected a number from 0 to 86400, found a number that is not finite
    config.yaml:7: health_check.port: expected a whole number from 1 to 65535, found 70000
    config.yaml:8: web.listen: expected an address of this machine, as in 127.0.0.1 or 127.0.0.1:8081, found text
    config.yaml:9: prompt.max_tokens: expected a whole number from 1500 to 2000000, found 0
    ");
}

#[test]
fn pages_that_others_could_reach_need_to_know_who_is_there() {
    let open = complaint("web: {listen: 0.0.0.0}");
    assert!(open.contains("web.listen: others can reach 0.0.0.0:8081"), "{open}");
    assert!(open.contains("web.password") && open.contains("web.trusted_header"), "{open}");
    let weak = complaint("web: {listen: '[::]:80', password: short, trusted_header: X User}");
    for faulty in
        ["web.password: ", "which is soon guessed", "web.trusted_header: expected the name of a header"]
    {
        assert!(weak.contains(faulty), "{faulty}: {weak}");
    }
    assert!(!weak.contains("short,"), "no password is repeated: {weak}");
    let same = complaint("web: {password: long enough 1, reader_password: long enough 1}");
    assert!(same.contains("web.reader_password: it is the same as web.password"), "{same}");
    for safe in [
        "web: {listen: 127.0.0.1}",
        "web: {listen: 'localhost:9000'}",
        "web: {listen: '::1'}",
        "web: {listen: 0.0.0.0, password: long enough 1}",
        "web: {listen: 10.0.0.7, password: $argon2id$v=19}",
        "web: {listen: '[::]:8081', trusted_header: X-Forwarded-User, hosts: [Memory.example.com]}",
    ] {
        assert!(load(safe, &[]).is_ok(), "{safe}: {:?}", load(safe, &[]).err());
    }
}

#[test]
fn proxies_are_addresses_or_networks_and_name_an_address_somewhere() {
    let wrong = complaint("web: {address_header: X Real, proxies: [10.0.0.7, 'the proxy', 10.0.0.0/40]}");
    for faulty in [
        "web.address_header: expected the name of a header",
        "`the proxy` is neither",
        "`10.0.0.0/40` is neither",
    ] {
        assert!(wrong.contains(faulty), "{faulty}: {wrong}");
    }
    assert!(complaint("web: {proxies: [10.0.0.7]}").contains("web.address_header does not say"));
    let web = load("web: {address_header: X-Real-IP, proxies: [10.0.0.7, 'fd00::/8']}", &[])
        .expect("read")
        .config
        .web;
    let trusts = |address: &str| web.proxies.trusts(address.parse().expect("an address"));
    assert!(trusts("10.0.0.7") && trusts("fd00::1") && trusts("::ffff:10.0.0.7"));
    assert!(!trusts("10.0.0.8") && !trusts("127.0.0.1"));
    let web = load("web: {address_header: X-Real-IP}", &[]).expect("read").config.web;
    assert!(web.proxies.trusts([127, 0, 0, 1].into()) && !web.proxies.trusts([10, 0, 0, 7].into()));
    let web = load("web: {}", &[]).expect("read").config.web;
    assert!(!web.proxies.trusts([127, 0, 0, 1].into()), "no header, nobody is believed");
}

#[test]
fn what_contradicts_itself_is_told() {
    assert_snapshot!(complaint("response:\n  response_interval:\n    min: 20\n"), @"config.yaml:3: response.response_interval.min: expected min ≤ max, found 20 and 10");
    let swapped = "slack:\n  bot_token: xapp-1-secret\n  app_token: xoxb-1-secret\n";
    assert_snapshot!(complaint(swapped), @r"
    config.yaml:2: slack.bot_token: this is an app-level token (xapp-…): expected the bot's, xoxb-…
    config.yaml:3: slack.app_token: this is a bot's token (xoxb-…): expected the app-level one, xapp-…
    ");
}

/// A name may be borne by somebody else tomorrow.
#[test]
fn owners_are_ids_of_people() {
    let owners = |list: &str| format!("slack: {{owners: [{list}]}}");
    assert!(load(&owners("U0123456789, W2ABC"), &[]).is_ok());
    for wrong in ["alice", "'@alice'", "u0123456789", "C0123456789", "U", "'<@U0123456789>'"] {
        let told = complaint(&owners(&format!("U0123456789, {wrong}")));
        assert!(told.contains("slack.owners") && told.contains("is no id of a person"), "{told}");
    }
}

#[test]
fn a_section_that_is_there_needs_its_keys() {
    let text = "persona:\n  quiet_hours: 25:00-07:00\nmemory: {}\nagents:\n  memory:\n    system_prompt: x\n";
    assert_snapshot!(complaint(text), @r#"
    config.yaml:1: persona.name: missing: expected the name people call it by
    config.yaml:1: persona.system_prompt: missing: expected who it is, in your words
    config.yaml:2: persona.quiet_hours: expected two different times, as in "22:00-07:30", found text
    config.yaml:3: memory.database_path: missing: expected where the SQLite file is kept, as in ./data/memory.db
    config.yaml:5: agents.memory.model_id: missing: expected `builtin` or provider/model, as in openai/gpt-4o
    "#);
    assert_snapshot!(complaint("persona:\n  name:\n  system_prompt: ''\n"), @r"
    config.yaml:1: persona.name: missing: expected the name people call it by
    config.yaml:1: persona.system_prompt: missing: expected who it is, in your words
    ");
}

#[test]
fn quiet_hours_and_addresses_have_a_form() {
    let text = "\
persona: {name: a, system_prompt: b, quiet_hours: 22:00-22:00}
memory: {database_url: sqlite://x}
slack: {api_base_url: slack.com}
agents: {memory: {model_id: openai/, client_args: {api_base: https://, timeout: 0}}}
";
    assert_snapshot!(complaint(text), @r#"
    config.yaml:1: persona.quiet_hours: expected two different times, as in "22:00-07:30", found text
    config.yaml:2: memory.database_url: expected an address that begins with postgres:// or postgresql://, found text
    config.yaml:3: slack.api_base_url: expected an address that begins with https:// or http://, found text
    config.yaml:4: agents.memory.model_id: expected `builtin` or provider/model, as in openai/gpt-4o, found text
    config.yaml:4: agents.memory.client_args.api_base: expected an address that begins with https:// or http://, found text
    config.yaml:4: agents.memory.client_args.timeout: expected a number from 0.1 to 3600, found 0
    "#);
}

#[test]
fn keys_given_twice_are_told_with_both_lines() {
    let text =
        "persona:\n  name: a\n  system_prompt: b\n  name: c\nlocale: {language: ja}\npersona: {name: d}\n";
    assert_snapshot!(complaint(text), @r"
    config.yaml:4: persona.name: given twice, first in line 2
    config.yaml:6: persona: given twice, first in line 1
    ");
}

#[test]
fn unknown_keys_get_a_suggestion_only_when_one_is_likely() {
    let text = "\
respones: {min_wait_seconds: 1}
message_threshold: 3
response:
  short_term_history: {enabled: false}
  zzz: 1
memory: {database_path: x, databse_path: y}
api_key: 1
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:1: respones: unknown key, did you mean `response`?
    config.yaml:2: message_threshold: unknown key, did you mean `memory.short_term_history.message_threshold`?
    config.yaml:4: response.short_term_history: unknown key, did you mean `memory.short_term_history`?
    config.yaml:5: response.zzz: unknown key
    config.yaml:6: memory.databse_path: unknown key, did you mean `memory.database_path`?
    config.yaml:7: api_key: unknown key
    ");
}

#[test]
fn whatever_is_written_as_a_key_stays_on_one_line() {
    let text = format!("\"a\\nb\\u001b[1m\": 1\n? {}\n: 1\n名前: 1\n1: 1\n", "長".repeat(300));
    assert_snapshot!(complaint(&text), @r"
    config.yaml:1: a b [1m: unknown key
    config.yaml:2: 長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長…: unknown key
    config.yaml:4: 名前: unknown key
    config.yaml:5: 1: unknown key
    ");
}

#[test]
fn broken_yaml_names_its_line() {
    assert_snapshot!(complaint("persona:\n  name: \"myao\n"), @"config.yaml:3: no valid YAML: invalid indentation in multiline quoted scalar");
    assert_snapshot!(complaint("persona:\n  name: a\n system_prompt: b\n"), @"config.yaml:3: no valid YAML: while parsing a block mapping, did not find expected key");
    assert_snapshot!(complaint("persona: {name: a\nlocale:\n  language: ja\n"), @"config.yaml:2: no valid YAML: while parsing a flow mapping, did not find expected ',' or '}'");
    assert_snapshot!(complaint("persona:\n\tname: myao\n"), @"config.yaml:2: no valid YAML: tabs cannot indent, use spaces");
    assert_snapshot!(complaint("persona: *nobody\n"), @"config.yaml:1: no valid YAML: alias references unknown anchor");
    assert_snapshot!(complaint("persona: @home\n"), @"config.yaml:1: no valid YAML: unexpected character: `@'");
    assert_snapshot!(complaint("locale: {language: ja}\n---\nlocale: {language: en}\n"), @"config.yaml:3: no valid YAML: a second document begins here (`---`)");
    assert_snapshot!(complaint("? [a, b]\n: c\n"), @"config.yaml:1: no valid YAML: expected string scalar");
    assert_snapshot!(complaint("locale: !!int ja\n"), @"config.yaml:1: no valid YAML: invalid u64");
}

#[test]
fn a_file_is_a_map_of_sections() {
    assert_snapshot!(complaint("- slack\n- agents\n"), @"config.yaml:1: expected sections such as `persona:` and `memory:`, found a list");
    assert_snapshot!(complaint("just words\n"), @"config.yaml:1: expected sections such as `persona:` and `memory:`, found text");
    assert_snapshot!(complaint(""), @"config.yaml: the file holds no keys: `myao init` writes one, config.yaml.example lists all; or remove it to run with the defaults");
    assert_snapshot!(complaint("# nothing yet\n\n"), @"config.yaml: the file holds no keys: `myao init` writes one, config.yaml.example lists all; or remove it to run with the defaults");
}

#[test]
fn aliases_that_multiply_and_endless_nesting_are_refused() {
    let level = |n: usize| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", "));
    let bomb = format!("a0: &a0 [{}]\n{}", ["x"; 10].join(", "), (1..10).map(level).collect::<String>());
    assert_snapshot!(complaint(&bomb), @"config.yaml:5: no valid YAML: larger or nested deeper than any configuration is");
    assert_snapshot!(complaint(&format!("a: {}{}\n", "[".repeat(10_000), "]".repeat(10_000))), @"config.yaml:1: no valid YAML: larger or nested deeper than any configuration is");
}

#[test]
fn lines_are_true_behind_comments_blocks_and_windows_line_ends() {
    let text = "\u{feff}# first\r\npersona:\r\n  name: a\r\n  system_prompt: |\r\n    one\r\n    two\r\n\r\n  nam: b\r\n";
    assert_snapshot!(complaint(text), @"config.yaml:8: persona.nam: unknown key, did you mean `persona.name`?");
}

#[test]
fn no_message_and_no_debug_output_holds_text_of_the_file() {
    let hidden = "s3cr3t";
    let text = format!(
        "slack: {hidden}-1\npersona: [{hidden}-2]\nagents:\n  memory: {{model_id: {hidden}, params: {hidden}}}\n\
         response: {{min_wait_seconds: {hidden}}}\nlocale: {{language: {hidden}, timezone: \"${{KEY}}\"}}\n\
         logging: {{level: {hidden}, format: {hidden}, loggers: {{a: {hidden}}}}}\n\
         memory: {{database_url: \"postgres:/{hidden}\"}}\nhealth_check: {{port: \"${{KEY}}\"}}\n"
    );
    let error = load(&text, &[("KEY", hidden)]).unwrap_err();
    assert_eq!(error.to_string().lines().count(), 12, "{error}");
    assert!(!format!("{error} {error:?}").contains(hidden), "{error:?}");
    let broken = complaint(&format!("slack:\n  bot_token: \"{hidden}\n  app_token: {hidden}\n"));
    assert!(!broken.contains(hidden), "{broken}");
}

#[test]
fn only_a_model_that_answers_and_is_somebodys_may_see() {
    let text = "\
agents:
  response:
    model_id: builtin
    vision: true
  judgment:
    model_id: openai/gpt-4o
    vision: true
";
    assert_snapshot!(complaint(text), @r"
    config.yaml:4: agents.response.vision: expected a model that sees, and the builtin one does not
    config.yaml:7: agents.judgment.vision: unknown key, did you mean `agents.response.vision`?
    ");
    let text = "agents: {response: {model_id: openai/gpt-4o, vision: true}}";
    assert!(load(text, &[]).unwrap().config.agents.response.vision);
}
