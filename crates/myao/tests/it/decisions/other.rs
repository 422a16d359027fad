//! `myao decisions replay`: the past judged again at the terminal, with these settings or others.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::chat::{AnswerVote, ChannelId, Event, MessageTs, UserId, Vote, VoteSource};
use myao_testkit::{
    ScriptedAnswer, ScriptedModel,
    llm::{FakeProvider, KEY, Reply},
};
use serde_json::{Value, json};

use super::{Room, desk, says, settings, top};
use crate::{
    binary::{Home, Ran, number},
    exports::{Export, sample},
};

const REPLAY: [&str; 6] = ["decisions", "replay", "--since", "2026-03-02", "--until", "2026-03-03"];

fn replay(home: &Home, more: &[&str]) -> Ran {
    tokio::task::block_in_place(|| home.run(&[&REPLAY[..], more].concat()))
}

fn replayed(home: &Home, more: &[&str]) -> Value {
    let ran = replay(home, &[more, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

/// A day in which nobody judged: a cry for help that nobody hears, a question that somebody answers after four
/// minutes, and one that somebody answers after eight.
async fn day() -> Room {
    let room = Room::with(Arc::new(ScriptedModel::answers([ScriptedAnswer::from("")]))).await;
    let say = async |who: &str, place, text: &str, then: i64| -> MessageTs {
        let ts = room.say(who, place, text).await;
        room.world.clock.advance(SignedDuration::from_secs(then));
        ts
    };
    say("U1", top("C1"), "ビルドが壊れて困っています。誰か助けてください", 7200).await;
    let quick = say("U1", top("C2"), "昨日の議事録はどこにありますか？", 240).await;
    say("U2", ("C2", Some(quick)), "共有フォルダです", 7200).await;
    let slow = say("U1", top("C2"), "次の定例は何時からですか？", 480).await;
    say("U2", ("C2", Some(slow)), "15時です", 7200).await;
    room
}

/// The same, where what is asked was answered before, in the talk that the judge sees: `builtin` speaks of nothing else.
async fn answered_day() -> Room {
    let room = Room::with(Arc::new(ScriptedModel::answers([ScriptedAnswer::from("")]))).await;
    let say = async |who: &str, place, text: &str, then: i64| -> MessageTs {
        let ts = room.say(who, place, text).await;
        room.world.clock.advance(SignedDuration::from_secs(then));
        ts
    };
    say("U2", top("C1"), "次のビルドは17時からです", 7200).await;
    say("U1", top("C1"), "次のビルドは何時からですか？", 7200).await;
    say("U2", top("C2"), "次の定例は15時からです", 7200).await;
    let slow = say("U1", top("C2"), "次の定例は何時からですか？", 480).await;
    say("U2", ("C2", Some(slow)), "15時です", 7200).await;
    room
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn builtin_judges_a_day() {
    let room = day().await;
    let home = desk(&room, "dynamic_wait: {enabled: false}");
    let told = replay(&home, &["--judge", "builtin"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    insta::assert_snapshot!(told.out);
    let all = replayed(&home, &["--judge", "builtin"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&all).expect("JSON"));
    let one = replayed(&home, &["--judge", "builtin", "--channel", "#c2"]);
    let channels: Vec<&Value> = moments(&one).iter().map(|moment| &moment["channel_id"]).collect();
    assert!(!channels.is_empty() && channels.iter().all(|id| **id == "C2"), "{channels:?}");
    let none = replay(&home, &["--judge", "builtin", "--examples", "0"]);
    assert!(!none.out.contains("ビルド"), "{none:?}");
}

fn moments(all: &Value) -> &Vec<Value> {
    all["settings"][0]["moments"].as_array().expect("a list")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_settings_are_compared_with_these() {
    let room = day().await;
    let home = desk(&room, "dynamic_wait: {enabled: false}");
    home.write("hasty.yaml", settings(&room, "dynamic_wait: {enabled: false}, min_wait_seconds: 60"));
    let both = replayed(&home, &["--with", "hasty.yaml"]);
    let about = |side: usize| -> Vec<(String, f64)> {
        let all = both["settings"][side]["moments"].as_array().expect("a list");
        let one = |m: &Value| (m["latest_ts"].to_string(), m["wait_seconds"].as_f64().expect("a number"));
        all.iter().map(one).collect()
    };
    let ours = about(0);
    let hasty = about(1);
    assert!(ours.iter().all(|(_, wait)| (*wait - 300.0).abs() < 0.001), "{ours:?}");
    assert!(hasty.iter().all(|(_, wait)| (*wait - 60.0).abs() < 0.001), "{hasty:?}");
    let told = replay(&home, &["--with", "hasty.yaml"]).out;
    assert!(
        told.contains("judged with these settings only: 0; with the others only: 1; with both: 4"),
        "the question that was answered after four minutes: {told}"
    );

    let room = answered_day().await;
    let home = desk(&room, "dynamic_wait: {enabled: false}");
    home.write("hasty.yaml", settings(&room, "dynamic_wait: {enabled: false}, min_wait_seconds: 60"));
    let told = replay(&home, &["--with", "hasty.yaml", "--judge", "builtin"]).out;
    assert!(told.contains("said with both: 1"), "{told}");
    assert!(
        told.contains("with the other settings only: 1") && told.contains("次の定例は何時からですか？"),
        "its patience with questions is five minutes, and the answer came after eight: {told}"
    );
    home.write("mute.yaml", settings(&room, "dynamic_wait: {enabled: false}, max_message_age_seconds: 100"));
    let told = replay(&home, &["--with", "mute.yaml", "--judge", "builtin"]).out;
    assert!(told.contains("with these settings only: 1") && told.contains("次のビルドは"), "{told}");

    home.write("broken.yaml", "response: {min_wait_seconds: soon}\n");
    replay(&home, &["--with", "broken.yaml"]).ends(2, "broken.yaml:1: response.min_wait_seconds");
    replay(&home, &["--with", "nowhere.yaml"]).ends(2, "nowhere.yaml");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_stands_beside_what_would_have_been() {
    let answers = [
        ScriptedAnswer::from(says(true, "because", 0.9, None)),
        says(true, "because", 0.9, Some(600)).into(),
    ];
    let room = Room::with(Arc::new(ScriptedModel::answers(answers))).await;
    room.say("U1", top("C1"), "困っています。誰か助けて").await;
    room.live(3600).await;
    let question = room.say("U1", top("C2"), "困っています。誰か助けて").await;
    room.live(400).await;
    room.say("U2", ("C2", Some(question)), "はい").await;
    room.world.clock.advance(SignedDuration::from_secs(600));
    room.world.settle().await;
    let all = replayed(&desk(&room, ""), &[]);
    assert_eq!(all["ledger"], json!({"decisions": 2, "to_speak": 2, "said": 1}));
}

/// What people liked is a label. Settings that wait longer find the pause ended by what was said then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_tells_what_of_the_liked_it_would_say_again() {
    let answers = [ScriptedAnswer::from(says(true, "because", 0.9, None))];
    let room = Room::with(Arc::new(ScriptedModel::answers(answers))).await;
    let say = async |who: &str, text: &str, then: i64| {
        room.say(who, top("C1"), text).await;
        room.world.clock.advance(SignedDuration::from_secs(then));
    };
    say("U2", "次のビルドは17時からです", 7200).await;
    room.say("U1", top("C1"), "次のビルドは何時からですか？").await;
    room.live(3600).await;
    let home = desk(&room, "");
    let told = home.json(&["decisions", "--since", "2026-03-02"]);
    let posted = told["decisions"]
        .as_array()
        .expect("a list")
        .iter()
        .find_map(|one| one["reply"]["posted_ts"].as_str());
    let vote = AnswerVote {
        channel: ChannelId::new("C1"),
        ts: posted.expect("said").parse().expect("a time"),
        by: UserId::new("U1"),
        vote: Vote::Good,
        source: VoteSource::Button,
        is_taken_back: false,
        at: MessageTs::from_timestamp(room.world.now()),
    };
    room.world.hear(vec![Event::Voted(vote)]).await;
    home.write("slow.yaml", settings(&room, "min_wait_seconds: 3000, dynamic_wait: {enabled: false}"));
    let both = replayed(&home, &["--with", "slow.yaml", "--judge", "builtin"]);
    let liked = |nth: usize| both["settings"][nth]["liked"].clone();
    assert_eq!(liked(0), json!({"all": 1, "to_speak": 1}), "{both}");
    assert_eq!(liked(1), json!({"all": 1, "to_speak": 0}), "{both}");
    assert_eq!(both["settings"][0]["disliked"], json!({"all": 0, "to_speak": 0}));
    let told = replay(&home, &["--with", "slow.yaml", "--judge", "builtin"]).out;
    assert!(told.contains("people liked it, to speak") && told.contains("1 of 1"), "{told}");
    let rules = replay(&home, &["--with", "slow.yaml"]).out;
    assert!(!rules.contains("people liked it"), "nobody judged: {rules}");
}

#[test]
fn spans_that_are_none_are_refused() {
    let home = Home::with_config("locale: {timezone: Asia/Tokyo}");
    home.import(&sample("ja"));
    for (since, until) in [("2026-03-02", "2026-03-02"), ("2026-03-05", "2026-03-02")] {
        home.run(&["decisions", "replay", "--since", since, "--until", until]).ends(
            2,
            &format!("there is no time between --since ({since} 00:00) and --until (2026-03-02 00:00)"),
        );
    }
    home.run(&["decisions", "replay", "--since", "9000-01-01"]).ends(2, "there is no time between --since");
    home.run(&["decisions", "replay", "--until", "7x"]).ends(2, "--until 7x: expected a date (2026-03-01)");
    home.run(&["decisions", "replay", "--channel", "#wep"]).ends(2, "did you mean `#web`?");
    home.run(&["decisions", "replay", "--judge", "me"]).ends(2, "rules, builtin, model");
}

/// No run, no seed, nobody knows who we are.
#[test]
fn an_export_is_replayed_without_a_run() {
    let home = Home::new();
    home.import(&sample("en"));
    let month = ["decisions", "replay", "--since", "2026-03-01", "--until", "2026-04-01"];
    let rules = home.json(&month);
    let builtin = home.json(&[&month[..], &["--judge", "builtin"]].concat());
    assert_eq!(home.json(&month), rules, "chance is the same each time");
    for (all, judge) in [(&rules, "rules"), (&builtin, "builtin")] {
        assert_eq!(all["judge"], judge);
        assert_eq!(all["ledger"], json!({"decisions": 0, "to_speak": 0, "said": 0}));
        let side = &all["settings"][0];
        assert_eq!(side["complete"], true);
        assert!(number(side, "judged") > 10 && number(side, "messages") > 100, "{judge}");
        assert_eq!(number(side, "failed"), 0);
    }
    let said = &builtin["settings"][0]["said"];
    let messages = number(&builtin["settings"][0], "messages");
    let said = said.as_u64().expect("a number");
    assert!(said < messages / 50, "it is modest: {said} of {messages}");
    assert_eq!(home.json(&["cost"])["all"]["calls"], 0, "what never was costs nothing");
    let told = home.done(&month).out;
    assert!(!told.contains("in the ledger"), "{told}");
}

/// Nothing that stands in an export makes it stumble.
#[test]
fn replies_to_what_was_said_later_are_replayed() {
    let reply = json!({"type": "message", "ts": "1772442000.000100", "user": "U1", "text": "help! it is broken",
        "thread_ts": "1772449999.000100"});
    let export = Export::new().with("general/2026-03-02.json", &json!([reply]));
    let home = Home::new();
    home.import(&export.folder(&home, "export", None));
    let all = home.json(&[&REPLAY[..], &["--judge", "builtin"]].concat());
    let side = &all["settings"][0];
    assert!(number(side, "judged") > 0 && number(side, "failed") == 0, "{side}");
}

fn home_of(room: &Room, provider: &FakeProvider, more: &str) -> Home {
    let agent = format!(
        "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 20}}}}",
        provider.url()
    );
    let home = Home::new();
    let config = settings(room, "dynamic_wait: {enabled: false}");
    home.write("config.yaml", format!("{config}agents: {{judgment: {agent}}}\n{more}"));
    home
}

fn data(speak: bool) -> Reply {
    let reason = if speak { "left alone" } else { "they are fine" };
    Reply::data(
        &json!({"should_respond": speak, "reason": reason, "confidence": 0.95, "delay_seconds": null}),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_judges_and_is_paid_for_it() {
    let room = day().await;
    let refused = Reply::error(400, "invalid_request_error", "no");
    let provider = FakeProvider::answering([data(true), data(false), refused]).await;
    let home = home_of(&room, &provider, "");
    let ran = replay(&home, &["--judge", "model", "--json", "--channel", "c1", "--most", "1"]);
    assert_eq!(ran.code, Some(0), "one was all there is: {ran:?}");
    let side = &ran.json()["settings"][0];
    assert_eq!((number(side, "said"), &side["complete"]), (1, &json!(true)));
    assert_eq!(side["moments"][0]["verdict"]["reason"], "left alone");
    let prompt = provider.only_call().body.to_string();
    assert!(prompt.contains("ビルドが壊れて") && !prompt.contains("議事録"), "{prompt}");

    let ran = replay(&home, &["--judge", "model", "--channel", "c2", "--most", "2"]);
    ran.ends(1, "");
    assert!(ran.out.contains("not asked any more after --most judgments"), "{ran:?}");
    assert!(ran.out.contains("judgments that failed: 1"), "{ran:?}");
    assert_eq!(provider.calls().len(), 3);
    let cost = tokio::task::block_in_place(|| home.json(&["cost", "--by", "role"]));
    assert_eq!(cost["groups"][0]["key"], "judgment");
    assert_eq!((number(&cost["all"], "calls"), number(&cost["all"], "failed")), (3, 1));
    let ledger = tokio::task::block_in_place(|| home.json(&["decisions", "--since", "3650d"]));
    assert_eq!(ledger["decisions"], json!([]), "what never was is not in the ledger");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spent_budget_ends_it_and_keeps_what_was_found() {
    let room = day().await;
    let provider = FakeProvider::answering([data(true).counted(9000, 0, 100)]).await;
    let home = home_of(&room, &provider, "budget: {daily_tokens: 10500}\n");
    let ran = replay(&home, &["--judge", "model"]);
    ran.ends(1, "the replay ended early: the budget of 10500 tokens a day has no room for judgment");
    assert!(ran.out.contains("left alone"), "{ran:?}");
    assert_eq!(provider.calls().len(), 1);
}
