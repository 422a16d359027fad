//! The manifest is made from what is switched on, keeps Slack's limits, and the code understands what it subscribes to.

use std::collections::BTreeSet;

use myao_core::chat::{Event, UserId};
use myao_slack::{
    directory::BotIdentity,
    event::{DeliveryContent, read_payload},
    interaction::WHY_SHORTCUT,
    manifest::{
        AGENT_EVENTS, AGENT_SCOPE, BOT_EVENTS, BOT_SCOPES, COMMANDS_SCOPE, FEATURES, FILES_SCOPE,
        ManifestComments, ManifestWords, OptionalFeatures, REACTIONS_SCOPE, Scope, ShortcutWords,
        VOTES_SCOPE, apps_page, creation_link, later_features, manifest_as_yaml, manifest_of, missing_scopes,
        wanted_events, wanted_scopes,
    },
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// All that can be switched on.
const EVERYTHING: OptionalFeatures = OptionalFeatures {
    reactions: true,
    files: true,
    commands: true,
    home: true,
    agent_view: true,
    votes: true,
};
const NOTHING: OptionalFeatures = OptionalFeatures {
    reactions: false,
    files: false,
    commands: false,
    home: false,
    agent_view: false,
    votes: false,
};

fn words(name: &str) -> ManifestWords {
    ManifestWords {
        name: name.to_owned(),
        description: "A friend who remembers.".to_owned(),
        agent_description: "It remembers. ".repeat(20),
        command_description: "Ask it".to_owned(),
        command_hint: "[words]".to_owned(),
        shortcuts: vec![ShortcutWords {
            shortcut: WHY_SHORTCUT,
            name: "Why did you say this?".to_owned(),
            description: "Why: it says".to_owned(),
        }],
        comments: ManifestComments::default(),
    }
}

fn names<'a>(manifest: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = manifest.pointer(pointer).unwrap().as_array().unwrap();
    list.iter().map(|name| name.as_str().unwrap()).collect()
}

/// An event with whatever an event of its kind could say.
fn heard(name: &str) -> DeliveryContent {
    let own = BotIdentity {
        team: "T1".to_owned(),
        team_name: String::new(),
        team_url: String::new(),
        user: UserId::new("U1"),
        bot: None,
        name: String::new(),
    };
    let user = if matches!(name, "team_join" | "user_change" | "user_profile_changed" | "user_status_changed")
    {
        json!({"id": "U2", "team_id": "T1", "name": "aki", "profile": {}})
    } else {
        json!("U1")
    };
    let event = json!({
        "type": name.split('.').next(), "channel": "C1", "user": user, "text": "hello", "tab": "home",
        "ts": "1772442384.359059", "event_ts": "1772442385.000000", "old_channel_id": "C1", "reaction": "+1",
        "item": {"type": "message", "channel": "C1", "ts": "1772442384.359059"}, "new_channel_id": "C2", "tokens": {"bot": ["U1"]}
    });
    read_payload(&json!({"event_id": "Ev1", "event": event}), &own)
}

fn means_something(heard: &DeliveryContent) -> bool {
    let is_unread = heard.events.iter().any(|event| matches!(event, Event::Unread { .. }));
    let is_something = !heard.events.is_empty() || !heard.news.is_empty() || heard.interaction.is_some();
    !is_unread && is_something
}

#[test]
fn what_is_switched_on_is_in_the_manifest_and_nothing_else() {
    let bare = manifest_of(NOTHING, &words("myao"));
    assert_eq!(names(&bare, "/oauth_config/scopes/bot"), BOT_SCOPES.map(|scope| scope.name));
    assert_eq!(bare.pointer("/features/slash_commands"), None);
    assert_eq!(bare.pointer("/settings/interactivity"), None);
    assert_eq!(bare.pointer("/settings/socket_mode_enabled"), Some(&json!(true)));
    assert_eq!(bare.pointer("/settings/token_rotation_enabled"), Some(&json!(false)));
    let tabs = bare.pointer("/features/app_home").unwrap();
    assert_eq!(tabs["messages_tab_enabled"], true, "else nobody can write to it directly");
    assert_eq!(tabs["messages_tab_read_only_enabled"], false);

    for (on, scope) in [
        (OptionalFeatures { reactions: true, ..NOTHING }, REACTIONS_SCOPE),
        (OptionalFeatures { files: true, ..NOTHING }, FILES_SCOPE),
        (OptionalFeatures { commands: true, ..NOTHING }, COMMANDS_SCOPE),
        (OptionalFeatures { agent_view: true, ..NOTHING }, AGENT_SCOPE),
        (OptionalFeatures { votes: true, ..NOTHING }, VOTES_SCOPE),
    ] {
        let more = manifest_of(on, &words("myao"));
        let scopes = names(&more, "/oauth_config/scopes/bot");
        assert_eq!(scopes.len(), BOT_SCOPES.len() + 1);
        assert!(scopes.contains(&scope.name) && scopes.is_sorted(), "{scopes:?}");
    }
    let whole = manifest_of(EVERYTHING, &words("myao"));
    assert_eq!(
        whole.pointer("/features/slash_commands"),
        Some(&json!([{
            "command": "/myao", "description": "Ask it", "usage_hint": "[words]", "should_escape": false
        }]))
    );
    assert_eq!(whole.pointer("/settings/interactivity"), Some(&json!({"is_enabled": true})));
    assert_eq!(names(&whole, "/settings/event_subscriptions/bot_events"), wanted_events(EVERYTHING));
}

/// What can be switched on, in every combination.
fn combinations() -> impl Iterator<Item = OptionalFeatures> {
    (0..64_u8).map(|bits| OptionalFeatures {
        reactions: bits & 1 != 0,
        files: bits & 2 != 0,
        commands: bits & 4 != 0,
        home: bits & 8 != 0,
        agent_view: bits & 16 != 0,
        votes: bits & 32 != 0,
    })
}

/// The limits of docs.slack.dev/reference/app-manifest, with the longest words there may be.
#[test]
fn every_manifest_keeps_the_limits_of_slack() {
    let length = |value: &Value| value.as_str().unwrap().chars().count();
    for on in combinations() {
        let manifest = manifest_of(on, &words(&"みゃお".repeat(40)));
        assert!(length(&manifest["display_information"]["name"]) <= 35);
        assert!(length(&manifest["display_information"]["description"]) <= 140);
        assert!(length(&manifest["features"]["bot_user"]["display_name"]) <= 80);
        assert!(names(&manifest, "/oauth_config/scopes/bot").len() <= 255);
        assert!(names(&manifest, "/settings/event_subscriptions/bot_events").len() <= 100);
        let agent = &manifest["features"]["agent_view"];
        assert_eq!(agent.is_object(), on.agent_view);
        assert!(!on.agent_view || (1..=300).contains(&length(&agent["agent_description"])));
        let list = |name: &str| manifest["features"][name].as_array().cloned().unwrap_or_default();
        assert!(list("slash_commands").len() <= 50 && list("shortcuts").len() <= 10);
        for command in list("slash_commands") {
            assert!(
                command["command"].as_str().unwrap().starts_with('/') && length(&command["command"]) <= 32
            );
            assert!(length(&command["description"]) <= 2_000 && length(&command["usage_hint"]) <= 1_000);
            assert_eq!(command.get("url"), None, "Socket Mode has none");
        }
        for shortcut in list("shortcuts") {
            assert!(length(&shortcut["callback_id"]) <= 255 && length(&shortcut["description"]) <= 150);
        }
    }
}

/// Slack may refuse other characters in the name of a bot, and an app without a name.
#[test]
fn a_bot_has_a_name_that_slack_takes() {
    for (name, of_app, of_bot) in [
        ("Mo", "Mo", "Mo"),
        (" Old Mo_2.0 ", "Old Mo_2.0", "Old Mo_2.0"),
        ("みゃお", "みゃお", "myao"),
        ("Mo & Co", "Mo & Co", "myao"),
    ] {
        let manifest = manifest_of(NOTHING, &words(name));
        assert_eq!(manifest["display_information"]["name"], of_app);
        assert_eq!(manifest["features"]["bot_user"]["display_name"], of_bot);
    }
}

#[test]
fn as_yaml_it_has_comments_where_they_belong() {
    let comments = ManifestComments {
        head: "Of our app.\n\nPaste it.".to_owned(),
        of_fields: vec![("settings.socket_mode_enabled", "No address is needed.".to_owned())],
    };
    let manifest = json!({
        "features": {"slash_commands": [{"command": "/myao", "usage_hint": "[words]"}], "none": []},
        "settings": {"events": ["message.im", "no"], "socket_mode_enabled": true}
    });
    insta::assert_snapshot!(manifest_as_yaml(&manifest, &comments), @r#"
    # Of our app.
    #
    # Paste it.
    features:
      slash_commands:
        - command: /myao
          usage_hint: "[words]"
      none: []
    settings:
      events:
        - message.im
        - "no"
      # No address is needed.
      socket_mode_enabled: true
    "#);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever it is called: as YAML, and in the link, it is the same manifest.
    #[test]
    fn its_text_and_its_link_say_what_it_is(name in "\\PC{0,40}", more in "[ -~]{0,30}") {
        let words = ManifestWords { description: more.clone(), command_hint: more, ..words(&name) };
        let manifest = manifest_of(EVERYTHING, &words);
        let read: Value = serde_saphyr::from_str(&manifest_as_yaml(&manifest, &words.comments)).unwrap();
        prop_assert_eq!(&read, &manifest);
        let link = creation_link("https://api.slack.com/apps", &manifest);
        // No terminal cuts it: there is no space in it, nor anything that could be a mark behind an address.
        prop_assert!(link.chars().all(|c| c.is_ascii_alphanumeric() || ":/?&=%-._~".contains(c)), "{}", link);
        let url = reqwest::Url::parse(&link).unwrap();
        let sent: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        prop_assert_eq!(&sent[0], &("new_app".to_owned(), "1".to_owned()));
        prop_assert_eq!(&sent[1].0, "manifest_json");
        prop_assert_eq!(serde_json::from_str::<Value>(&sent[1].1).unwrap(), manifest);
    }
}

#[test]
fn an_app_is_made_where_its_web_api_is() {
    for (api, page) in [
        ("https://slack.com/api/", "https://api.slack.com/apps"),
        ("http://127.0.0.1:9/api/", "https://api.slack.com/apps"),
        ("https://slack-gov.com/api/", "https://api.slack-gov.com/apps"),
        ("https://notslack-gov.com/api/", "https://api.slack.com/apps"),
    ] {
        assert_eq!(apps_page(api), page, "{api}");
    }
}

#[test]
fn what_came_later_is_told_with_its_day() {
    let later = |on| -> Vec<&str> { later_features(on).map(|feature| feature.without).collect() };
    assert!(later(NOTHING).is_empty());
    let later_ones = [
        "there is no `/myao` (slack.commands)",
        "a message's menu has none of its entries (slack.commands)",
        "nobody sees in the app's Home tab what is remembered (slack.home)",
        AGENT_SCOPE.without,
        VOTES_SCOPE.without,
    ];
    assert_eq!(later(EVERYTHING), later_ones);
    for feature in FEATURES {
        assert!(feature.since.is_none_or(|day| day.parse::<jiff::civil::Date>().is_ok()), "{feature:?}");
        assert!(!feature.without.is_empty(), "{feature:?}");
    }
}

#[test]
fn every_event_subscribed_to_means_something() {
    let events = wanted_events(EVERYTHING);
    assert!(AGENT_EVENTS.iter().all(|name| events.contains(name)));
    for name in events.iter().copied() {
        assert!(means_something(&heard(name)), "{name}");
    }
    assert_eq!(BOT_EVENTS.into_iter().collect::<BTreeSet<_>>().len(), BOT_EVENTS.len());
    assert!(BOT_EVENTS.is_sorted() && events.is_sorted());
}

/// What is understood and not subscribed to: Slack offers it in other ways only, or it says what another says.
#[test]
fn what_is_left_out_is_left_out_for_a_reason() {
    for name in ["channel_joined", "group_joined", "mpim_joined", "mpim_open"] {
        assert!(means_something(&heard(name)), "{name} is of the RTM API only");
    }
    for name in ["user_profile_changed", "user_status_changed"] {
        assert_eq!(heard(name), heard("user_change"), "{name}");
    }
    for name in ["channel_created", "pin_added", "file_shared"] {
        assert!(!means_something(&heard(name)), "{name} means something now: subscribe to it");
    }
}

#[test]
fn a_missing_scope_is_found_and_more_than_needed_is_fine() {
    let wanted = wanted_scopes(EVERYTHING);
    let all: Vec<String> = wanted.iter().map(|scope| scope.name.to_owned()).collect();
    assert_eq!(missing_scopes(&wanted, &all), []);
    assert_eq!(missing_scopes(&wanted, &[]), wanted);
    let mut granted = all.clone();
    granted.retain(|name| name != "users:read");
    granted.extend(["users:write".to_owned(), "files:write".to_owned()]);
    let missing: Vec<&str> = missing_scopes(&wanted, &granted).iter().map(|scope| scope.name).collect();
    assert_eq!(missing, ["users:read"]);
}

#[test]
fn what_is_switched_off_needs_no_scope() {
    assert_eq!(wanted_scopes(NOTHING), BOT_SCOPES);
    let more = |extras| -> Vec<Scope> { missing_scopes(&wanted_scopes(extras), &basic()) };
    assert_eq!(more(OptionalFeatures { reactions: true, ..NOTHING }), [REACTIONS_SCOPE]);
    assert_eq!(more(OptionalFeatures { files: true, ..NOTHING }), [FILES_SCOPE]);
    assert_eq!(more(OptionalFeatures { commands: true, ..NOTHING }), [COMMANDS_SCOPE]);
    assert_eq!(more(OptionalFeatures { agent_view: true, ..NOTHING }), [AGENT_SCOPE]);
    assert_eq!(more(OptionalFeatures { votes: true, ..NOTHING }), [VOTES_SCOPE]);
}

fn basic() -> Vec<String> {
    BOT_SCOPES.iter().map(|scope| scope.name.to_owned()).collect()
}
