//! `slack-manifest.yaml` says what the code asks for, and the code understands what it subscribes to.

use std::collections::BTreeSet;

use myao_core::chat::{Event, UserId};
use myao_slack::{
    directory::BotIdentity,
    event::{DeliveryContent, read_payload},
    manifest::{
        AGENT_EVENTS, BOT_EVENTS, BOT_SCOPES, FILES_SCOPE, OptionalFeatures, REACTIONS_SCOPE, Scope,
        TYPING_SCOPE, missing_scopes, wanted_scopes,
    },
};
use serde_json::{Value, json};

const MANIFEST: &str = include_str!("../../../../slack-manifest.yaml");

/// All that can be switched on.
const EVERYTHING: OptionalFeatures = OptionalFeatures { reactions: true, files: true };

fn manifest() -> Value {
    serde_saphyr::from_str(MANIFEST).unwrap()
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
        "type": name.split('.').next(), "channel": "C1", "user": user, "text": "hello",
        "ts": "1772442384.359059", "event_ts": "1772442385.000000", "old_channel_id": "C1", "new_channel_id": "C2", "tokens": {"bot": ["U1"]}
    });
    read_payload(&json!({"event_id": "Ev1", "event": event}), &own)
}

fn means_something(heard: &DeliveryContent) -> bool {
    let is_unread = heard.events.iter().any(|event| matches!(event, Event::Unread { .. }));
    !is_unread && (!heard.events.is_empty() || !heard.news.is_empty())
}

#[test]
fn the_manifest_is_what_the_code_asks_for() {
    let manifest = manifest();
    assert_eq!(names(&manifest, "/settings/event_subscriptions/bot_events"), BOT_EVENTS);
    let mut scopes: Vec<&str> = wanted_scopes(EVERYTHING).iter().map(|scope| scope.name).collect();
    scopes.sort_unstable();
    assert_eq!(names(&manifest, "/oauth_config/scopes/bot"), scopes);
    assert_eq!(manifest.pointer("/settings/socket_mode_enabled"), Some(&json!(true)));
    assert_eq!(manifest.pointer("/settings/token_rotation_enabled"), Some(&json!(false)));
    let messages = manifest.pointer("/features/app_home").unwrap();
    assert_eq!(messages["messages_tab_enabled"], true, "else nobody can write to it directly");
    assert_eq!(messages["messages_tab_read_only_enabled"], false);
}

#[test]
fn every_event_subscribed_to_means_something() {
    let all = BOT_EVENTS.into_iter().chain(AGENT_EVENTS);
    let mute: Vec<&str> = all.filter(|name| !means_something(&heard(name))).collect();
    assert_eq!(mute, Vec::<&str>::new());
    assert_eq!(BOT_EVENTS.into_iter().collect::<BTreeSet<_>>().len(), BOT_EVENTS.len());
    assert!(BOT_EVENTS.is_sorted());
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
    for name in ["reaction_added", "channel_created", "pin_added", "file_shared"] {
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
    granted.extend([TYPING_SCOPE.to_owned(), "files:write".to_owned()]);
    let missing: Vec<&str> = missing_scopes(&wanted, &granted).iter().map(|scope| scope.name).collect();
    assert_eq!(missing, ["users:read"]);
}

#[test]
fn what_is_switched_off_needs_no_scope() {
    assert_eq!(wanted_scopes(OptionalFeatures::default()), BOT_SCOPES);
    let more = |extras| -> Vec<Scope> { missing_scopes(&wanted_scopes(extras), &basic()) };
    let nothing = OptionalFeatures::default();
    assert_eq!(more(OptionalFeatures { reactions: true, ..nothing }), [REACTIONS_SCOPE]);
    assert_eq!(more(OptionalFeatures { files: true, ..nothing }), [FILES_SCOPE]);
}

fn basic() -> Vec<String> {
    BOT_SCOPES.iter().map(|scope| scope.name.to_owned()).collect()
}
