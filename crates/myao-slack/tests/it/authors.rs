//! Who said it: the directory says it, and a message only what nobody else says.

use myao_core::chat::{DatedUser, Event, HearsaySource, Message, User, UserId};
use myao_slack::message::{NameTold, Reading, read_message_object};
use serde_json::{Value, json};

use crate::sample::{Outcome, Sample, person};

fn user(id: &str, name: &str, is_bot: bool) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot }
}

fn only(id: &str, name: &str) -> NameTold {
    NameTold::Only(user(id, name, true))
}

fn hearsay(source: HearsaySource, user: User) -> NameTold {
    NameTold::Hearsay(user, source)
}

/// The author of a message with these fields, and what it says of people.
fn told(fields: &Value) -> (String, Vec<NameTold>) {
    let mut raw = json!({"type": "message", "ts": "1700000000.000100", "text": "the lorry is late"});
    raw.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    match read_message_object(&myao_core::chat::ChannelId::new("C1"), &raw).unwrap() {
        Reading::Said(said) => (said.message.user.to_string(), said.people),
        deleted @ Reading::Deleted { .. } => panic!("{deleted:?}"),
    }
}

#[test]
fn an_app_that_posts_for_somebody_is_hearsay() {
    let helper = json!({"id": "B9", "app_id": "A1", "name": "Helper"});
    let through = json!({"user": "U1", "bot_id": "B9", "app_id": "A1", "bot_profile": helper});
    assert_eq!(
        told(&through),
        ("U1".to_owned(), vec![hearsay(HearsaySource::App, user("U1", "Helper", true))])
    );
    let mut with_profile = through.clone();
    with_profile["user_profile"] = json!({"display_name": "Ann"});
    assert_eq!(
        told(&with_profile).1,
        [hearsay(HearsaySource::Profile, user("U1", "Ann", true))],
        "a profile names its person; that an app posted makes a bot of nobody who is known"
    );
    let mut without_name = through;
    without_name["bot_profile"] = json!({"id": "B9"});
    assert_eq!(told(&without_name).1, [hearsay(HearsaySource::App, user("U1", "U1", true))]);
    assert_eq!(
        told(&json!({"user": "U1", "username": "ann"})).1,
        [],
        "an old account name beside an account says nothing"
    );
    assert_eq!(
        told(&json!({"user": "U9", "user_profile": {"real_name": "Eri"}})).1,
        [hearsay(HearsaySource::Profile, user("U9", "Eri", false))]
    );
}

#[test]
fn each_name_of_a_bot_is_somebody_else() {
    let post = |fields: Value| {
        let mut raw = json!({"subtype": "bot_message"});
        raw.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        told(&raw)
    };
    for name in ["alice (irc)", "bob (irc)"] {
        let id = format!("B7:{name}");
        assert_eq!(post(json!({"bot_id": "B7", "username": name})), (id.clone(), vec![only(&id, name)]));
    }
    let profile = json!({"id": "B7", "name": "IRC"});
    assert_eq!(
        post(json!({"bot_id": "B7", "username": "IRC", "bot_profile": profile})),
        ("B7".to_owned(), vec![only("B7", "IRC")]),
        "under its own name it is itself"
    );
    assert_eq!(
        post(json!({"bot_id": "B7", "bot_profile": profile})),
        ("B7".to_owned(), vec![only("B7", "IRC")])
    );
    assert_eq!(
        post(json!({"user": "U7", "bot_id": "B7", "username": "Planner", "bot_profile": profile})),
        ("U7:Planner".to_owned(), vec![only("U7:Planner", "Planner")]),
        "agents of one app"
    );
    assert_eq!(
        told(&json!({"user": "U7", "bot_id": "B7", "username": "Planner", "bot_profile": profile})).0,
        "U7",
        "without the subtype the name is not what is shown"
    );
    assert_eq!(post(json!({"bot_id": "B7"})), ("B7".to_owned(), vec![]));
    assert_eq!(post(json!({"username": "hook"})), ("bot:hook".to_owned(), vec![only("bot:hook", "hook")]));
    let long = "x".repeat(300);
    assert_eq!(post(json!({"bot_id": "B7", "username": long})).0.len(), "B7:".len() + 80);
}

#[test]
fn the_label_of_a_mention_is_a_name() {
    let zoe = hearsay(HearsaySource::Label, user("U9", "Zoe", false));
    assert_eq!(told(&json!({"user": "U1", "text": "ask <@U9|Zoe>"})).1, std::slice::from_ref(&zoe));
    assert_eq!(told(&json!({"user": "U1", "text": "ask <@U9|@Zoe> and <@U2>, &lt;@U3|no&gt;"})).1, [zoe]);
    let many = (0..50).map(|n| format!("<@U{n}|name{n}>")).collect::<Vec<_>>().join(" ");
    assert_eq!(told(&json!({"user": "U1", "text": many})).1.len(), 20, "bounded");
}

/// Everybody of whom an import tells, by id.
fn people(outcome: &Outcome) -> Vec<(String, String, bool)> {
    let people = outcome.events.iter().filter_map(|event| match event {
        Event::User(user) | Event::Departed(user) | Event::Dated(DatedUser { user, .. }) => {
            Some((user.id.to_string(), user.name.clone(), user.is_bot))
        }
        Event::Hearsay(told) => {
            Some((format!("{}?", told.user.id), told.user.name.clone(), told.user.is_bot))
        }
        Event::Channel(_)
        | Event::Message(_)
        | Event::Sighting(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => None,
    });
    people.collect()
}

fn authors(outcome: &Outcome) -> Vec<String> {
    outcome.messages().into_iter().map(|message: &Message| message.user.to_string()).collect()
}

#[test]
fn an_import_keeps_what_the_directory_says() {
    let helper = json!({"id": "B9", "app_id": "A1", "name": "Helper"});
    let outcome = Sample::new()
        .day(&json!([
            {"ts": "1772420000.000100", "user": "U1", "text": "a", "bot_id": "B9", "bot_profile": helper},
            {"ts": "1772420001.000100", "user": "U1", "text": "<@U2|benny> <@U9|Zoe>"},
            {"ts": "1772420002.000100", "user": "U8", "text": "b", "bot_id": "B9", "bot_profile": helper},
            {"ts": "1772420003.000100", "user": "U1", "text": "a", "bot_id": "B9", "bot_profile": helper},
        ]))
        .read();
    let told = |id: &str, name: &str, is_bot| (id.to_owned(), name.to_owned(), is_bot);
    assert_eq!(
        people(&outcome),
        [
            told("U1", "aki", false),
            told("U2", "ben", false),
            told("U1?", "Helper", true),
            // By that name they may have opted out; the list's is the better one, whatever a message says.
            told("U2?", "benny", false),
            told("U9?", "Zoe", false),
            told("U8?", "Helper", true),
        ]
    );
    assert_eq!(authors(&outcome), ["U1", "U1", "U8", "U1"]);
    assert_eq!(outcome.report.users, 4);
}

#[test]
fn an_import_gives_each_post_its_own_name() {
    let bot =
        json!({"id": "U7", "name": "ci", "is_bot": true, "profile": {"bot_id": "B1", "real_name": "CI"}});
    let post = |second: u32, bot: &str, name: Option<&str>| {
        json!({"ts": format!("177242000{second}.000100"), "subtype": "bot_message", "bot_id": bot,
            "username": name, "text": format!("I am {}", name.unwrap_or("nobody"))})
    };
    let outcome = Sample::new()
        .with("users.json", &json!([person("U1", "aki"), bot]))
        .day(&json!([
            post(1, "B7", Some("alice (irc)")),
            post(2, "B7", Some("bob (irc)")),
            post(3, "B1", Some("CI")),
            post(4, "B1", None),
            post(5, "B1", Some("Planner")),
            post(6, "B7", Some("alice (irc)")),
        ]))
        .read();
    assert_eq!(
        authors(&outcome),
        ["B7:alice (irc)", "B7:bob (irc)", "U7", "U7", "B1:Planner", "B7:alice (irc)"]
    );
    let names: Vec<_> = people(&outcome).into_iter().skip(2).map(|(id, name, _)| (id, name)).collect();
    let expected =
        [("B7:alice (irc)", "alice (irc)"), ("B7:bob (irc)", "bob (irc)"), ("B1:Planner", "Planner")];
    assert_eq!(names, expected.map(|(id, name)| (id.to_owned(), name.to_owned())));
}

#[test]
fn apps_have_the_names_of_the_integrations_log() {
    let logs = json!([
        {"user_id": "U1", "change_type": "added", "app_id": "A1", "app_type": "Deploy Bot"},
        {"user_id": 0, "change_type": "removed", "app_id": "A1", "app_type": "Older name"},
        {"user_id": "U1", "change_type": "added", "service_id": 4_281_231, "service_type": "IFTTT"},
        {"user_id": "U1", "bot_id": "B3", "app_type": "Third"},
        {"user_id": "U1"}, 7,
    ]);
    let sample = Sample::new().with("integration_logs.json", &logs).day(&json!([
        {"ts": "1772420000.000100", "subtype": "bot_message", "bot_id": "B5", "app_id": "A1", "text": "a"},
        {"ts": "1772420001.000100", "user": "U7", "bot_id": "B5", "app_id": "A1", "text": "b"},
        {"ts": "1772420002.000100", "subtype": "bot_message", "bot_id": "B3", "text": "c"},
        {"ts": "1772420003.000100", "subtype": "bot_message", "bot_id": "4281231", "text": "d"},
        {"ts": "1772420004.000100", "user": "U1", "bot_id": "B5", "app_id": "A1", "text": "e"},
    ]));
    let told = people(&sample.read());
    let named: Vec<_> = told.iter().skip(2).map(|(id, name, _)| (id.as_str(), name.as_str())).collect();
    assert_eq!(
        named,
        [("B5?", "Deploy Bot"), ("U7?", "Deploy Bot"), ("B3?", "Third"), ("4281231?", "IFTTT")]
    );
    let broken = Sample::new().with_raw("integration_logs.json", "{no").day(&json!([])).read();
    assert!(broken.report.problems[0].contains("integration_logs.json"), "{:?}", broken.report.problems);
}

#[test]
fn a_direct_message_has_its_people() {
    let dm = |listed: Value| {
        let mut raw = json!({"id": "D1", "created": 1});
        raw.as_object_mut().unwrap().extend(listed.as_object().unwrap().clone());
        let sample = Sample::new().with("dms.json", &json!([raw]));
        let channels = sample.read().events.into_iter().filter_map(|event| match event {
            Event::Channel(channel) if channel.id.as_str() == "D1" => Some((channel.name, channel.external)),
            Event::User(_)
            | Event::Departed(_)
            | Event::Dated(_)
            | Event::Hearsay(_)
            | Event::Channel(_)
            | Event::Message(_)
            | Event::Sighting(_)
            | Event::Deleted { .. }
            | Event::HeardUntil { .. }
            | Event::AnswerStopped(_)
            | Event::Voted(_)
            | Event::Unread { .. } => None,
        });
        channels.collect::<Vec<_>>().pop().unwrap()
    };
    assert_eq!(dm(json!({"members": ["U1", "U2"]})), ("aki, ben".to_owned(), false));
    assert_eq!(dm(json!({"user": "U2"})), ("ben".to_owned(), false));
    assert_eq!(dm(json!({"user": "U2", "members": []})), ("ben".to_owned(), false));
}
