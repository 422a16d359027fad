//! `logging.debug_llm_messages`: what was said, in a file, and played again.

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use myao_companion::ask::{Recorder, days_before};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageKind, MessageTs, UserId},
    ports::{Clock as _, ModelError, RecordedOutcome, Recording, Role, Thought, Turn},
};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde_json::json;

use super::{Desk, request};

fn recordings(text: &str) -> Vec<Recording> {
    text.lines().map(|line| serde_json::from_str(line).expect("a recording")).collect()
}

#[tokio::test]
async fn every_try_is_recorded_and_can_be_played_again() {
    let down = ModelError::Unavailable("down".to_owned());
    let answers = [ScriptedAnswer::from(down.clone()), "- 一つ目".into(), "- second".into()];
    let desk = Desk::with(&Arc::new(ScriptedModel::answers(answers)), None, true).await;
    let mut other = request(Role::Response);
    other.system = "Another.".to_owned();
    desk.ask(&request(Role::Memory)).await.expect("answered");
    desk.ask(&other).await.expect("answered");
    let path = desk.folder.path().join("llm.jsonl");
    let mode = fs::metadata(&path).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it holds what people said");
    let recorded = recordings(&fs::read_to_string(&path).expect("text"));
    assert_eq!(recorded.len(), 3);
    assert_eq!(recorded[0].answer, RecordedOutcome::Error(down));
    assert_eq!((recorded[1].role.as_str(), recorded[1].purpose.as_str()), ("memory", "chapter"));

    let replayed = Desk::new(&Arc::new(ScriptedModel::replaying(recorded))).await;
    let second = replayed.ask(&other).await.expect("it was recorded");
    let first = replayed.ask(&request(Role::Memory)).await.expect("after the recorded failure");
    assert_eq!((first.response.text.as_str(), second.response.text.as_str()), ("- 一つ目", "- second"));
}

#[tokio::test]
async fn nothing_is_recorded_unless_asked_for() {
    let desk = Desk::new(&Arc::new(ScriptedModel::answers(["x"]))).await;
    desk.ask(&request(Role::Memory)).await.expect("answered");
    assert!(!desk.folder.path().join("llm.jsonl").exists());
}

/// As written before thoughts were kept.
#[test]
fn what_was_recorded_earlier_can_still_be_read() {
    let old = r#"{"at":"2026-03-01T00:00:00Z","model":"openai/fake","role":"response","purpose":"reply",
        "system":"s","turns":[{"user":"hello"},{"assistant":{"text":"","calls":[]}}],"target_tokens":300,
        "answer":{"response":{"text":"hi","calls":[],"stop":"end",
        "usage":{"input":1,"cached":0,"output":1,"estimated":false}}}}"#;
    let mut recording: Recording = serde_json::from_str(old).expect("a recording");
    let written = serde_json::to_string(&recording).expect("text");
    assert!(!written.contains("thoughts"), "{written}");

    let thought = Thought::new(json!({"words": "so"}));
    recording.turns.push(Turn::Assistant { text: String::new(), calls: Vec::new(), thoughts: vec![thought] });
    let written = serde_json::to_string(&recording).expect("text");
    assert_eq!(recordings(&written), [recording], "replayed, it has to match");
}

fn said(at: Timestamp) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts: MessageTs::from_timestamp(at),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: "words".to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

/// What was recorded before the words were said, or well after they were gone, cannot hold them.
#[tokio::test]
async fn a_removal_takes_the_words_of_what_was_recorded_since_they_were_said() {
    let answers = std::iter::repeat_n("- x", 5).map(ScriptedAnswer::from);
    let desk = Desk::with(&Arc::new(ScriptedModel::answers(answers)), None, true).await;
    let hours = SignedDuration::from_hours;
    desk.ask(&request(Role::Memory)).await.expect("before");
    desk.clock.advance(hours(2));
    let message = said(desk.clock.now());
    let channel = message.channel.clone();
    let ts = message.ts;
    desk.store.intake().apply(vec![Event::Message(message)], desk.clock.now()).await.expect("said");
    desk.clock.advance(hours(1));
    desk.ask(&request(Role::Memory)).await.expect("while it stands");
    desk.clock.advance(hours(1));
    desk.store.intake().apply(vec![Event::Deleted { channel, ts }], desk.clock.now()).await.expect("deleted");
    // Asked from what was read before it was deleted, perhaps.
    desk.clock.advance(SignedDuration::from_mins(5));
    desk.ask(&request(Role::Memory)).await.expect("right after");
    desk.clock.advance(SignedDuration::from_mins(10));
    desk.ask(&request(Role::Memory)).await.expect("later");

    let path = desk.folder.path().join("llm.jsonl");
    let recorded = || recordings(&fs::read_to_string(&path).expect("text"));
    let has_words = || recorded().iter().map(|r| !r.system.is_empty()).collect::<Vec<_>>();
    assert_eq!(has_words(), [true, true, false, true]);
    // A kill left half a line.
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("opened");
    std::io::Write::write_all(&mut file, b"{\"at\":\"2026-03-02T0").expect("written");
    for _ in 0..2 {
        Recorder::new(path.clone()).follow_removals(&desk.store).await.expect("followed");
        assert_eq!(has_words(), [true, false, false, true]);
    }
    let wiped = &recorded()[1];
    assert_eq!((wiped.purpose.as_str(), wiped.turns.len()), ("chapter", 0), "what for stays");
    assert!(matches!(&wiped.answer, RecordedOutcome::Response(response) if response.text.is_empty()));
    desk.ask(&request(Role::Memory)).await.expect("recorded on");
    assert_eq!(has_words(), [true, false, false, true, true]);
}

/// `privacy.recordings_days`: what is older keeps when, whom and what for.
#[tokio::test]
async fn what_is_old_loses_its_words_and_nothing_else() {
    let answers = std::iter::repeat_n("- x", 2).map(ScriptedAnswer::from);
    let desk = Desk::with(&Arc::new(ScriptedModel::answers(answers)), None, true).await;
    desk.ask(&request(Role::Memory)).await.expect("long ago");
    desk.clock.advance(SignedDuration::from_hours(24 * 30));
    desk.ask(&request(Role::Memory)).await.expect("now");
    let path = desk.folder.path().join("llm.jsonl");
    let recorder = Recorder::new(path.clone());
    let now = desk.clock.now();
    let texts = || {
        let written = recordings(&fs::read_to_string(&path).expect("text"));
        written.iter().map(|one| (one.purpose.clone(), one.system.is_empty())).collect::<Vec<_>>()
    };
    recorder.wipe_older(days_before(now, 31), now).expect("looked through");
    assert_eq!(texts(), [("chapter".to_owned(), false), ("chapter".to_owned(), false)]);
    for _ in 0..2 {
        recorder.wipe_older(days_before(now, 29), now).expect("expired");
        assert_eq!(texts(), [("chapter".to_owned(), true), ("chapter".to_owned(), false)]);
    }
    let none = Recorder::new(desk.folder.path().join("none.jsonl"));
    none.wipe_older(now, now).expect("there is no file");
}
