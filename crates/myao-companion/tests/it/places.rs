//! Rules for places at work: what each may spend, who answers there, and when it speaks up there (ADR 139).

use std::{collections::BTreeMap, path::Path, sync::Arc};

use myao_companion::ask::PlaceAnswers;
use myao_config::{Config, PlaceRules};
use myao_core::{
    ports::{Model, Role},
    prompt::Excuse,
    text::Language,
};
use myao_testkit::ScriptedModel;

use crate::{
    judged_room::{Room, forward, top, verdict},
    reply_world::World,
};

fn rules(text: &str) -> PlaceRules {
    Config::load_from(&format!("places: {text}\n"), Path::new("config.yaml"), |_| None)
        .expect("a configuration")
        .config
        .places
}

fn saying(text: &'static str) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(move |_| text))
}

#[tokio::test]
async fn a_place_uses_its_own_budget_and_no_others() {
    let mut world = World::new(&saying("はい")).await;
    world.daily_tokens = Some(100_000);
    world.config.places = rules("{C2: {budget: 90000}, public: {budget: 1}}");
    // What is left to the others would do, but each of them has next to nothing.
    world.mention("C1", "いる？").await;
    world.settle().await;
    world.mention("C2", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Budget.words(Language::Ja), "はい"]);
    assert!(world.states().await[0].1.contains("the place's own budget"));
    // Where nothing is set aside, a neighbour may use what it likes of what is left.
    world.config.places = rules("{C2: {budget: 90000}}");
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.texts().last().map(String::as_str), Some("はい"));
}

#[tokio::test]
async fn what_is_set_aside_is_left_for_its_channel_whatever_the_others_ask() {
    let mut world = World::new(&saying("はい")).await;
    world.daily_tokens = Some(100_000);
    world.config.places = rules("{C2: {budget: 99999}}");
    world.mention("C1", "いる？").await;
    world.settle().await;
    world.mention("C2", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Budget.words(Language::Ja), "はい"]);
    assert!(world.states().await[0].1.contains("budget for channels without their own"));
}

#[tokio::test]
async fn another_model_answers_where_a_rule_says_so() {
    let mut world = World::new(&saying("usual")).await;
    world.config.places = rules("{C2: {model: openai/other}, dm: {model: openai/other}}");
    let other: Arc<dyn Model> = saying("other");
    let asker = world.asker();
    let models = BTreeMap::from([("openai/other".to_owned(), other)]);
    asker.set_places(PlaceAnswers { rules: world.config.places.clone(), models });
    let kept = asker.model_id(Role::Response).to_owned();
    for channel in ["C1", "C2"] {
        world.mention(channel, "いる？").await;
        world.drive(tokio::spawn(world.answering_with(asker.clone()).settle())).await;
    }
    assert_eq!(world.chat.texts(), ["usual", "other"]);
    assert_eq!(asker.model_id(Role::Response), kept, "elsewhere it stays");
}

#[tokio::test]
async fn it_speaks_up_by_the_manners_of_the_place() {
    let mut room = forward().await;
    room.world.config.places =
        rules("{C1: {manners: {unasked: false}}, public: {manners: {min_wait_seconds: 30}}}");
    room.say("U1", top("C1"), "?").await;
    room.say("U1", top("C2"), "?").await;
    room.live(6 * 3600).await;
    let spoke = room.spoke();
    let places: Vec<(i64, &str)> =
        spoke.iter().map(|(second, place)| (*second, place.channel.as_str())).collect();
    assert_eq!(places, [(30, "C2")]);
    assert_eq!(room.judge.calls(), 1, "nobody is asked about a place where nothing is said");
    // A rule that goes has it judged like any other.
    room.world.config.places = PlaceRules::default();
    room.live(1).await;
    assert_eq!(room.judge.calls(), 2);
}

#[tokio::test]
async fn what_was_decided_before_a_rule_is_not_said_against_it() {
    let mut room = Room::judged_by(|_| verdict(true, 0.9, Some(600))).await;
    room.say("U1", top("C1"), "?").await;
    room.live(400).await;
    assert_eq!((room.judge.calls(), room.spoke_at().len()), (1, 0), "it is to be said later");
    room.world.config.places = rules("{C1: {manners: {unasked: false}}}");
    room.live(6 * 3600).await;
    assert!(room.spoke_at().is_empty());
}

#[tokio::test]
async fn quiet_hours_of_a_place_are_its_own() {
    let mut room = forward().await;
    let hour = |seconds: i64| {
        let at = room.began + jiff::SignedDuration::from_secs(seconds);
        at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%H:%M").to_string()
    };
    let text = format!("{{C1: {{manners: {{quiet_hours: '{}-{}'}}}}}}", hour(0), hour(3600));
    room.world.config.places = rules(&text);
    room.say("U1", top("C1"), "?").await;
    room.say("U1", top("C2"), "?").await;
    room.live(3 * 3600).await;
    let spoke = room.spoke();
    let first =
        spoke.iter().find(|(_, place)| place.channel.as_str() == "C1").expect("after its quiet hours");
    assert!(first.0 >= 3540, "{spoke:?}");
    assert!(
        spoke.iter().any(|(second, place)| *second < 3000 && place.channel.as_str() == "C2"),
        "{spoke:?}"
    );
}

/// Many places without room cost no model anything, and keep nobody else from their turn.
#[tokio::test]
async fn places_without_room_stand_in_nobodys_way() {
    let channels: Vec<String> = (10..40).map(|n| format!("C{n}")).collect();
    let each: Vec<String> = channels.iter().map(|channel| format!("{channel}: {{budget: 1}}")).collect();
    // Each has next to nothing of its own, or all of them together have next to nothing to share.
    for text in [format!("{{{}}}", each.join(", ")), "{C2: {budget: 999999}}".to_owned()] {
        let mut room = forward().await;
        room.world.daily_tokens = Some(1_000_000);
        let names: Vec<&str> = channels.iter().map(String::as_str).collect();
        room.listen(&names).await;
        room.world.config.places = rules(&text);
        for channel in &names {
            room.say("U1", top(channel), "?").await;
        }
        room.say("U2", top("C2"), "?").await;
        room.live(3 * 3600).await;
        let spoke = room.spoke();
        let places: Vec<&str> = spoke.iter().map(|(_, place)| place.channel.as_str()).collect();
        assert_eq!(places, ["C2"], "{text}");
    }
}
