//! What events tell.

use myao_core::chat::{
    AnswerStop, AnswerVote, ChannelId, ChannelKind, Event, MessageKind, MessageTs, Place, Telling, UserId,
    Vote, VoteSource,
};
use myao_slack::{
    event::{ChannelHint, DeliveryContent, News, read_payload},
    socket::Socket,
};
use myao_testkit::slack::{ChannelSpec, FakeSlack, UserSpec};
use serde_json::json;

use crate::live::{Live, delivery};

/// A workspace with a channel, somebody in it, and us listening.
struct Scene {
    live: Live,
    socket: Socket,
    channel: ChannelId,
    aki: UserId,
}

impl Scene {
    async fn start() -> Self {
        let live = Live::start().await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
        let socket = live.socket().await;
        Self { live, socket, channel, aki }
    }

    fn slack(&self) -> &FakeSlack {
        &self.live.slack
    }

    /// The next so many deliveries, read and acknowledged.
    async fn hear(&mut self, count: usize) -> Vec<DeliveryContent> {
        let mut heard = Vec::new();
        for _ in 0..count {
            let delivery = delivery(&mut self.socket).await;
            heard.push(delivery.content);
            self.socket.acknowledger().acknowledge(&[delivery.envelope.unwrap()]);
        }
        heard
    }
}

fn messages(heard: &[DeliveryContent]) -> Vec<(MessageTs, Option<MessageTs>, String)> {
    let events = heard.iter().flat_map(|heard| &heard.events);
    let messages = events.filter_map(|event| {
        let message = event.message()?;
        Some((message.ts, message.thread_ts, message.text.clone()))
    });
    messages.collect()
}

#[tokio::test]
async fn messages_as_they_are_told() {
    let mut scene = Scene::start().await;
    let channel = scene.channel.clone();
    let aki = scene.aki.clone();
    let plain = scene.slack().say(&channel, &aki, "a < b");
    let reply = scene.slack().reply(&channel, plain, &aki, "reply");
    let both = scene.slack().broadcast(&channel, plain, &aki, "both");
    let file = scene.slack().share_file(&channel, &aki, "plan.pdf", "");
    let me = scene.slack().me_message(&channel, &aki, "waves");
    let bot = scene.slack().bot_says(&channel, "ci", "green");
    let heard = scene.hear(6).await;
    let told = messages(&heard);
    let expected = [
        (plain, None, "a < b"),
        (reply, Some(plain), "reply"),
        (both, Some(plain), "both"),
        (file, None, ""),
        (me, None, "waves"),
        (bot, None, "green"),
    ];
    assert_eq!(told, expected.map(|(ts, thread, text)| (ts, thread, text.to_owned())));
    let id = channel.clone();
    let kind = ChannelKind::Public;
    let glimpse = ChannelHint { id, kind, external: false, we_are_in: true };
    assert!(heard.iter().all(|heard| heard.channel.as_ref() == Some(&glimpse) && heard.news.is_empty()));

    scene.slack().edit(&channel, plain, "a > b");
    scene.slack().unfurl(&channel, reply, "https://example.com");
    scene.slack().delete(&channel, file);
    let heard = scene.hear(3).await;
    assert_eq!(
        messages(&heard),
        [(plain, None, "a > b".to_owned()), (reply, Some(plain), "reply".to_owned())]
    );
    assert_eq!(heard[2].events, [Event::Deleted { channel, ts: file }]);
    scene.live.slack.finish();
}

#[tokio::test]
async fn a_mention_told_twice_is_one_message() {
    let mut scene = Scene::start().await;
    let text = format!("<@{}> hello", scene.slack().bot_user_id());
    let ts = scene.slack().say(&scene.channel, &scene.aki, &text);
    let heard = scene.hear(2).await;
    let telling = |heard: &DeliveryContent| match &heard.events[..] {
        [Event::Sighting(told)] => told.telling,
        _ => Telling::Posted,
    };
    assert_eq!((telling(&heard[0]), telling(&heard[1])), (Telling::Posted, Telling::Mentioned));
    assert_eq!(messages(&heard), [(ts, None, text.clone()), (ts, None, text.clone())]);
    scene.slack().edit(&scene.channel, ts, &format!("{text}!"));
    let heard = scene.hear(2).await;
    assert!(matches!(telling(&heard[0]), Telling::Changed(at) if at > ts));
    assert_eq!(telling(&heard[1]), Telling::Mentioned);
    assert_eq!(messages(&heard).pop().unwrap().2, format!("{text}!"));
}

#[tokio::test]
async fn direct_messages_are_known_for_what_they_are() {
    let mut scene = Scene::start().await;
    let dm = scene.slack().channel(ChannelSpec::dm(&scene.aki));
    scene.slack().say(&dm, &scene.aki, "psst");
    let heard = scene.hear(1).await;
    let hint = ChannelHint { id: dm, kind: ChannelKind::Dm, external: false, we_are_in: true };
    assert_eq!(heard[0].channel, Some(hint));
}

#[tokio::test]
async fn what_happens_to_channels_and_people() {
    let mut scene = Scene::start().await;
    let channel = scene.channel.clone();
    let aki = scene.aki.clone();
    let news =
        |heard: &[DeliveryContent]| heard.iter().flat_map(|heard| heard.news.clone()).collect::<Vec<_>>();
    let ben = scene.slack().user(UserSpec::person("ben"));
    scene.slack().join(&channel, &ben);
    let heard = scene.hear(2).await;
    assert_eq!(news(&heard), [News::Arrived { channel: channel.clone(), user: ben.clone() }]);
    let joins = heard.iter().flat_map(|heard| &heard.events);
    assert!(
        joins.clone().count() == 1
            && joins.clone().all(|event| matches!(event, Event::Message(m) if m.kind == MessageKind::Notice))
    );

    let other = scene.slack().channel(ChannelSpec::public("b").without_bot());
    scene.slack().invite_bot(&other);
    let heard = scene.hear(2).await;
    assert_eq!(news(&heard), [News::Joined(other.clone())]);
    scene.slack().remove_bot(&other);
    let heard = scene.hear(2).await;
    assert!(news(&heard).iter().all(|news| *news == News::Left(other.clone())), "{heard:?}");

    let until: MessageTs = "1770000000.000100".parse().unwrap();
    scene.slack().purge(&channel, until);
    let heard = scene.hear(1).await;
    assert_eq!(news(&heard), [News::HistoryChanged { channel: channel.clone(), until }]);

    scene.slack().rename_channel(&channel, "renamed");
    let heard = scene.hear(2).await;
    assert!(news(&heard).iter().all(|news| *news == News::Changed(channel.clone())), "{heard:?}");
    assert!(!news(&heard).is_empty());
    scene.slack().rename_user(&aki, "aki2");
    let heard = scene.hear(1).await;
    let [Event::User(user)] = heard[0].events.as_slice() else { panic!("{heard:?}") };
    assert_eq!((&user.id, user.name.as_str()), (&aki, "aki2"));
    scene.slack().deactivate_user(&aki);
    let heard = scene.hear(1).await;
    let [Event::Departed(user)] = heard[0].events.as_slice() else { panic!("{heard:?}") };
    assert_eq!((&user.id, user.name.as_str()), (&aki, "aki2"));
    let to = scene.slack().change_channel_id(&channel);
    let heard = scene.hear(1).await;
    assert_eq!(news(&heard), [News::Renumbered { from: channel, to: to.clone() }]);
    scene.slack().convert_to_private(&to);
    let heard = scene.hear(1).await;
    assert!(news(&heard).contains(&News::Closed(to)), "{heard:?}");
}

#[tokio::test]
async fn somebody_presses_stop() {
    let mut scene = Scene::start().await;
    let root = scene.slack().say(&scene.channel, &scene.aki, "hello");
    scene.hear(1).await;
    scene.slack().press_stop(&scene.channel, root, &scene.aki);
    let heard = scene.hear(1).await;
    let [Event::AnswerStopped(stop)] = heard[0].events.as_slice() else { panic!("{heard:?}") };
    assert_eq!(stop.place, Place { channel: scene.channel.clone(), thread: Some(root) });
    assert_eq!(stop.by, Some(scene.aki.clone()));
    assert!(stop.at > root);
    assert_eq!(heard[0].news, []);
}

#[tokio::test]
async fn somebody_says_what_they_think_of_an_answer() {
    let mut scene = Scene::start().await;
    let root = scene.slack().say(&scene.channel, &scene.aki, "hello");
    scene.hear(1).await;
    scene.slack().react(&scene.channel, root, &scene.aki, "+1");
    let heard = scene.hear(1).await;
    assert_eq!((&*heard[0].events, &*heard[0].news), (&[][..], &[][..]), "it is not ours");
}

/// Who reacts to what, and what else may stand there.
#[test]
fn a_thumb_is_a_vote_and_all_else_says_nothing() {
    let own = own();
    let reaction = |name: &str, of: Option<&str>| {
        json!({"event_id": "Ev1", "event": {"type": "reaction_added", "user": "U2", "reaction": name, "item_user": of,
            "item": {"type": "message", "channel": "C1", "ts": "1772442384.359059"},
            "event_ts": "1772442385.000200"}})
    };
    let read = |payload: &serde_json::Value| read_payload(payload, &own).events;
    let vote = |vote| AnswerVote {
        channel: ChannelId::new("C1"),
        ts: "1772442384.359059".parse().unwrap(),
        by: UserId::new("U2"),
        vote,
        source: VoteSource::Reaction,
        is_taken_back: false,
        at: "1772442385.000200".parse().unwrap(),
    };
    let ours = own.user.as_str();
    for (name, expected) in [
        ("+1", Some(Vote::Good)),
        ("thumbsup", Some(Vote::Good)),
        ("+1::skin-tone-2", Some(Vote::Good)),
        ("-1", Some(Vote::Bad)),
        ("thumbsdown::skin-tone-6", Some(Vote::Bad)),
        ("tada", None),
        ("+1::party", None),
        ("+10", None),
        ("", None),
    ] {
        let events: Vec<Event> = expected.map(vote).map(Event::Voted).into_iter().collect();
        assert_eq!(read(&reaction(name, Some(ours))), events, "{name}");
    }
    assert_eq!(read(&reaction("+1", None)), [Event::Voted(vote(Vote::Good))], "whose it is, is looked up");
    assert_eq!(read(&reaction("+1", Some("U3"))), [], "it is somebody else's");
    let mut back = reaction("-1", Some(ours));
    back["event"]["type"] = json!("reaction_removed");
    assert_eq!(read(&back), [Event::Voted(AnswerVote { is_taken_back: true, ..vote(Vote::Bad) })]);
    let mut file = reaction("+1", Some(ours));
    file["event"]["item"] = json!({"type": "file", "file": "F1"});
    assert_eq!(read(&file), []);
    let mut garbled = reaction("+1", Some(ours));
    garbled["event"]["event_ts"] = json!("soon");
    assert!(matches!(read(&garbled)[..], [Event::Unread { .. }]));
}

/// Slack's page shows few fields; what may be missing is done without.
#[test]
fn a_stop_that_tells_little_is_read_all_the_same() {
    let own = own();
    let read = |payload: &serde_json::Value| read_payload(payload, &own).events;
    let place = |thread: Option<&str>| Place {
        channel: ChannelId::new("C1"),
        thread: thread.map(|ts| ts.parse().unwrap()),
    };
    let bare = json!({"event_id": "Ev1", "event_time": 1_772_442_384,
        "event": {"type": "agent_session_stopped", "channel": "C1", "thread_ts": "0"}});
    let stop = AnswerStop { place: place(None), by: None, at: "1772442384.999999".parse().unwrap() };
    assert_eq!(read(&bare), [Event::AnswerStopped(stop)], "all of that second was before");
    let other = json!({"event": {"type": "agent_session_stopped", "channel_id": "C1", "user_id": "U2",
        "thread_ts": "1772442384.359059", "event_ts": "1772442385.000200"}});
    let stop = AnswerStop {
        place: place(Some("1772442384.359059")),
        by: Some(UserId::new("U2")),
        at: "1772442385.000200".parse().unwrap(),
    };
    assert_eq!(read(&other), [Event::AnswerStopped(stop)]);
    let nowhere =
        json!({"event_id": "Ev2", "event": {"type": "agent_session_stopped", "event_ts": "1.000000"}});
    assert!(matches!(read(&nowhere)[..], [Event::Unread { .. }]));
    let mut garbled = bare.clone();
    garbled["event"]["thread_ts"] = json!("soon");
    assert!(matches!(read(&garbled)[..], [Event::Unread { .. }]), "it is not the top level that is meant");
    let title = json!({"event": {"type": "agent_session_title_changed", "channel": "C1"}});
    assert_eq!(read(&title), []);
}

fn own() -> myao_slack::directory::BotIdentity {
    myao_slack::directory::BotIdentity {
        team: "T1".into(),
        team_name: String::new(),
        team_url: String::new(),
        user: UserId::new("U1"),
        bot: None,
        name: String::new(),
    }
}

#[test]
fn what_is_not_understood_is_kept_under_a_stable_name() {
    let own = own();
    let unread = |payload: &serde_json::Value| match read_payload(payload, &own).events.as_slice() {
        [Event::Unread { key, raw, error }] => {
            assert_eq!(raw, &payload.to_string());
            (key.clone(), error.clone())
        }
        other => panic!("{other:?}"),
    };
    let novelty = json!({"event_id": "Ev1", "event": {"type": "novelty"}});
    assert_eq!(unread(&novelty), ("event/Ev1".into(), "unknown event `novelty`".into()));
    let odd = json!({"event_id": "Ev2", "event": {"type": "message", "channel": "C1", "ts": "1700000000.000100",
        "subtype": "novelty", "user": "U2", "text": "x"}});
    assert_eq!(unread(&odd), ("C1/1700000000.000100".into(), "unknown subtype `novelty`".into()));
    let nowhere = json!({"event_id": "Ev3", "event": {"type": "message", "ts": "1700000000.000100"}});
    assert_eq!(unread(&nowhere).0, "event/Ev3");
    assert_eq!(unread(&json!({"event_id": "Ev4"})).1, "no event in it");
    let change = json!({"event_id": "Ev5", "event": {"type": "message", "subtype": "message_changed", "channel": "C1",
        "ts": "1700000000.000200", "message": {"ts": "1700000000.000100"}}});
    assert_eq!(unread(&change).0, "event/Ev5", "one of many of that message");

    let nothing = json!({"event": {"type": "reaction_added", "user": "U2"}});
    assert_eq!(read_payload(&nothing, &own), DeliveryContent::default());
    let news = |payload| read_payload(&payload, &own).news;
    assert_eq!(news(json!({"type": "app_rate_limited", "minute_rate_limited": 1})), [News::Dropped]);
    assert_eq!(news(json!({"event": {"type": "tokens_revoked", "tokens": {"oauth": ["U1"]}}})), []);
    assert_eq!(
        news(json!({"event": {"type": "tokens_revoked", "tokens": {"bot": ["U1"]}}})),
        [News::Revoked]
    );
    let shared = json!({"event": {"type": "channel_shared", "channel": "C1", "connected_team_id": "E1"}});
    assert_eq!(news(shared), [News::Closed(ChannelId::new("C1"))]);
    let guest =
        json!({"event": {"type": "user_change", "user": {"id": "U3", "name": "g", "is_restricted": true}}});
    assert_eq!(news(guest), [News::Outsider(UserId::new("U3"))]);
    let told = json!({"is_ext_shared_channel": true, "event": {"type": "message", "channel": "C1",
        "channel_type": "channel", "ts": "1700000000.000100", "user": "U2", "text": "x"}});
    assert!(read_payload(&told, &own).channel.unwrap().external);
}

/// What somebody looks at, as far as Slack says of whom it tells; what is no channel is left out.
#[test]
fn what_somebody_looks_at_is_read_leniently() {
    let own = own();
    let read = |event: serde_json::Value| read_payload(&json!({"event_id": "Ev1", "event": event}), &own);
    let entity = |kind: &str, value: &str| json!({"type": kind, "value": value});
    let context = json!({"entities": [
        entity("slack#/types/channel_id", "C1"),
        entity("slack#/types/canvas_id", "F1"),
        entity("slack#/types/channel_id", "C2"),
        json!("C3"),
        json!({"type": "slack#/types/channel_id"}),
    ]});
    let told = json!({"type": "app_context_changed", "user": "U2", "channel": "D1", "context": context});
    let in_view = |channels: &[&str]| News::InView {
        user: Some(UserId::new("U2")),
        direct_messages: Some(ChannelId::new("D1")),
        channels: channels.iter().copied().map(ChannelId::new).collect(),
    };
    assert_eq!(read(told.clone()).news, [in_view(&["C1", "C2"])]);
    for nothing in [json!({}), json!(null), json!({"entities": {}}), json!("C1")] {
        let mut told = told.clone();
        told["context"] = nothing;
        assert_eq!(read(told).news, [in_view(&[])]);
    }
    // Slack's sample says of nobody.
    let heard = read(json!({"type": "app_context_changed", "context": {"entities": []}}));
    assert_eq!((heard.news, heard.events.len()), (Vec::new(), 0));
}
