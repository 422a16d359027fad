//! What changed between two readings of a configuration, and what a run takes over of it.

use insta::assert_snapshot;
use myao_config::{Config, is_followed};

use crate::loaded::{config, load};

fn changes(before: &str, after: &str) -> String {
    let env = [("A", "first-secret"), ("B", "second-secret")];
    let (before, after) = (load(before, &env).unwrap(), load(after, &env).unwrap());
    let line = |change: &myao_config::KeyChange| {
        format!("{} {change}", if change.is_followed { "followed" } else { "restart " })
    };
    after.changes_since(&before).iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_key_that_changed_is_told_without_texts() {
    let before = "slack: {bot_token: '${A}', app_token: xapp-1, commands: true}\nprompt: {max_tokens: 8000}\n\
                  persona: {name: mia, system_prompt: words of hers}\nlogging: {level: INFO}\n\
                  budget: {prices: [{model: a/b, input: 1, output: 2}]}\n";
    let after = "slack: {bot_token: '${B}', app_token: xapp-1, commands: false}\nprompt: {max_tokens: 6000}\n\
                 persona: {name: mia, system_prompt: other words}\nlogging: {level: DEBUG}\n\
                 privacy: {archive_days: 30}\nbudget: {prices: []}\n";
    assert_snapshot!(changes(before, after));
    assert_eq!(changes(before, before), "");
}

#[test]
fn what_is_not_followed_stays() {
    let before = config(
        "slack: {owners: [U0123456789]}\nresponse: {max_message_age_seconds: 100, message_limit: 5}\n\
         memory: {database_path: a.db}\nlocale: {language: en}\n",
    );
    let after = config(
        "slack: {owners: [U0123456780]}\nresponse: {max_message_age_seconds: 200, message_limit: 6}\n\
         memory: {database_path: b.db, auxiliary: false}\nlocale: {language: ja}\nweb: {listen: '127.0.0.1:1'}\n",
    );
    let followed = before.following(after);
    let mut expected = before.clone();
    expected.memory.auxiliary = false;
    expected.response.message_limit = 6;
    assert_eq!(followed, expected);
}

/// The table of the documentation marks the keys that are followed, and no others.
#[test]
fn the_documentation_marks_what_is_followed() {
    let page = std::fs::read_to_string("../../docs/configuration.md").unwrap();
    let mut marked = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split('|').nth(1).unwrap();
        let mut section = "";
        for key in cell.split('`').skip(1).step_by(2) {
            let full = if let Some(rest) = key.strip_prefix('.') {
                format!("{section}.{rest}")
            } else {
                section = key.rsplit_once('.').map_or(key, |(section, _)| section);
                key.to_owned()
            };
            let key = full.strip_suffix(".*").unwrap_or(&full);
            assert_eq!(is_followed(key), cell.contains('↻'), "{row}");
        }
        marked += usize::from(cell.contains('↻'));
    }
    assert!(marked > 10);
}

/// What `following` takes over is what the list says: every key that is known, changed by itself.
#[test]
fn the_list_names_keys_that_are_there() {
    let known = Config::known_keys();
    for followed in myao_config::FOLLOWED_KEYS {
        assert!(known.iter().any(|key| key == followed), "{followed}");
    }
}
