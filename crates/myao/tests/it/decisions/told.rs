//! The ledger as a person reads it: `myao decisions`.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use myao::clock::SystemClock;
use myao_core::{
    chat::{
        AnswerStop, AnswerVote, Channel, ChannelId, ChannelKind, Event, MessageTs, Place, UserId, Vote,
        VoteSource,
    },
    ports::{Clock as _, ModelError},
};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};

use super::{Room, desk, forward, says, top};
use crate::{binary::Home, page_statements::Pages};

const MARCH: [&str; 2] = ["--since", "2026-03-02"];

/// A morning in Tokyo: it answers a question, keeps quiet in a talk of others, is beaten to the answer to the
/// next one, gets no answer from its judge once, and hears words that are taken back.
async fn morning() -> Room {
    let answers = [
        ScriptedAnswer::from(says(true, "誰も答えていない", 0.9, None)),
        says(false, "they talk to each other", 0.75, None).into(),
        says(true, "it is still open", 0.8, Some(600)).into(),
        ModelError::Rejected("no".to_owned()).into(),
        says(false, "the two have found it", 0.95, None).into(),
        says(false, "合言葉は琥珀色の梟らしい", 0.95, None).into(),
    ];
    let room = Room::with(Arc::new(ScriptedModel::answers(answers))).await;
    let question = room.say("U1", top("C1"), "昨日の議事録はどこですか？").await;
    room.live(600).await;
    room.say("U2", top("C2"), "それで、次はどうする？").await;
    room.live(600).await;
    room.say("U2", ("C1", Some(question)), "それではない方です").await;
    room.live(400).await;
    room.say("U1", ("C1", Some(question)), "ここ\u{1b}[31mです").await;
    room.live(600).await;
    let secret = room.say("U2", top("C2"), "合言葉は琥珀色の梟").await;
    room.live(3600).await;
    room.world.hear(vec![Event::Deleted { channel: ChannelId::new("C2"), ts: secret }]).await;
    room
}

/// The excerpt's column and what stands right of it, told by where the header has it.
fn columns(table: &str, head: &str) -> Vec<usize> {
    let width = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    let mut lines = table.lines().take_while(|line| !line.is_empty());
    let header = lines.next().expect("a header");
    let column = width(header.split_once(head).unwrap_or_else(|| panic!("{header}")).0);
    // Two columns further left a cell ends; a blank stands between.
    let ends = |line: &str| {
        line.chars()
            .scan(0, |at, c| {
                let began = *at;
                *at += if c.is_ascii() { 1 } else { 2 };
                Some((began, c))
            })
            .find(|(at, _)| *at + 1 >= column)
            .map(|(at, _)| at)
    };
    lines.filter_map(ends).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_tells_what_was_decided_why_and_what_came_of_it() {
    let room = morning().await;
    let home = desk(&room, "");
    let told = home.done(&[&["decisions"], &MARCH[..]].concat()).out;
    insta::assert_snapshot!(told);
    assert!(!told.contains('\u{1b}'), "control characters are seen, not obeyed");
    assert!(!told.contains("琥珀"), "what was taken back is gone");
    for head in ["waited", "decided"] {
        let at = columns(&told, head);
        assert!(at.len() == 4 && at.iter().all(|column| *column == at[0]), "{head}: {at:?}\n{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_unasked_stands_out_on_the_page() {
    let room = morning().await;
    let home = desk(&room, "");
    let page = tokio::task::block_in_place(|| Pages::serve(&home).get("/decisions?days=3650"));
    assert_eq!(page.matches("class=\"unasked\"").count(), 1, "{page}");
    assert!(page.contains("One more statement was judged that is deleted since"), "{page}");
    assert!(!page.contains("琥珀"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_for_scripts() {
    let room = morning().await;
    let told = desk(&room, "").json(&[&["decisions"], &MARCH[..]].concat());
    insta::assert_snapshot!(serde_json::to_string_pretty(&told).expect("JSON"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_are_chosen_by_channel_day_and_number() {
    let room = morning().await;
    let home = desk(&room, "");
    let ids = |more: &[&str]| -> Vec<i64> {
        let told = home.json(&[&["decisions"], more].concat());
        let all = told["decisions"].as_array().expect("a list");
        all.iter().map(|one| one["id"].as_i64().expect("a number")).collect()
    };
    assert_eq!(ids(&MARCH), [1, 2, 3, 4, 5, 6], "oldest first");
    for name in ["#c2", "c2", "C2", "＃c2"] {
        assert_eq!(ids(&[&[name], &MARCH[..]].concat()), [2, 6], "{name}");
    }
    assert_eq!(ids(&[&MARCH[..], &["--limit", "2"]].concat()), [5, 6], "the newest");
    assert_eq!(ids(&["--since", "2026-03-03"]), [0_i64; 0], "a day later in Tokyo");
    assert_eq!(ids(&["--since", "3650d"]), [1, 2, 3, 4, 5, 6]);
    let told = home.done(&["decisions"]).out;
    assert_eq!(told, "nothing was decided in that time\n", "the last seven days");
    let told = home.done(&[&["decisions"], &MARCH[..], &["--limit", "2"]].concat()).out;
    assert!(
        told.contains("the newest 2 statements (--limit shows more): 0 to speak, 2 to stay quiet, 0 failed"),
        "{told}"
    );

    home.run(&["decisions", "#c22"]).ends(2, "there is no channel `#c22`; did you mean `#c2`?");
    home.run(&["decisions", "--since", "somewhen"]).ends(
        2,
        "--since somewhen: expected a date (2026-03-01), a number of days (7d) or a name (yesterday,",
    );
    home.run(&["decisions", "--limit=-1"]).ends(2, "--limit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_called_replay_is_named_with_its_sign() {
    let room = Room::judged_by(|_| says(false, "because", 0.95, None)).await;
    let replay = ChannelId::new("C9");
    room.world
        .hear(vec![Event::Channel(Channel {
            id: replay.clone(),
            name: "replay".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        })])
        .await;
    room.listen(&["C9"]).await;
    room.say("U1", top("C9"), "?").await;
    room.live(310).await;
    let home = desk(&room, "");
    let told = home.json(&[&["decisions", "#replay"], &MARCH[..]].concat());
    assert_eq!(told["decisions"][0]["channel_id"], "C9");
    let told = home.json(&[&["decisions", "replay"], &MARCH[..]].concat());
    assert!(told["settings"].is_array(), "without it, it is the command: {told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_considered_next_is_told() {
    let mut room = forward().await;
    room.world.config.response.dynamic_wait.enabled = false;
    let now = Timestamp::from_microsecond(SystemClock.now().as_microsecond()).expect("now");
    room.world.clock.set(now);
    room.world.store.replies().seed_of_chance(7).await.expect("drawn");
    let question = room.say("U1", top("C1"), "誰かいますか？").await;
    room.world.clock.advance(SignedDuration::from_micros(1));
    let minutes = room.say("U1", top("C2"), "議事録です").await;
    room.world.clock.advance(SignedDuration::from_micros(1));
    room.say("U2", ("C2", Some(minutes)), "?").await;
    let home = desk(&room, "");
    let next = home.json(&["decisions"])["next"].clone();
    let about = |one: &Value| (one["channel_id"].clone(), one["at"].clone(), one["wait_seconds"].clone());
    let at = now + SignedDuration::from_secs(300);
    let later = at + SignedDuration::from_micros(2);
    assert_eq!(
        next.as_array().expect("a list").iter().map(about).collect::<Vec<_>>(),
        [(json!("C1"), json!(at), json!(300.0)), (json!("C2"), json!(later), json!(300.0))]
    );
    assert_eq!((&next[0]["thread_ts"], &next[0]["latest_ts"]), (&Value::Null, &json!(question)));
    assert_eq!(next[1]["thread_ts"], json!(minutes));
    let told = home.done(&["decisions", "#c1"]).out;
    assert!(told.contains("considered next, unless somebody says something:"), "{told}");
    assert!(told.contains("佐藤さん: 誰かいますか？"), "{told}");
    assert!(told.contains("300 s") || told.contains("5 min"), "{told}");
    assert!(!told.contains("#c2"), "of that channel alone: {told}");
    // Where a reply is under way nothing is considered.
    room.world.clock.set(later);
    room.look().await;
    assert_eq!(home.json(&["decisions"])["next"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_counts_the_judgments_of_a_week() {
    let room = morning().await;
    let home = desk(&room, "");
    assert_eq!(home.json(&["status"])["judgments"], json!({"speak": 0, "quiet": 0, "failed": 0}));
    assert!(!home.done(&["status"]).out.contains("judgments"), "that was long ago");
    // The same now.
    let ago = SystemClock.now().duration_since(room.world.now()).as_micros();
    let options = SqliteConnectOptions::new().filename(room.world.path());
    let mut database = options.connect().await.expect("opened");
    let shift = i64::try_from(ago).expect("years");
    sqlx::query("UPDATE verdicts SET at = at + $1").bind(shift).execute(&mut database).await.expect("moved");
    assert_eq!(home.json(&["status"])["judgments"], json!({"speak": 2, "quiet": 3, "failed": 1}));
    let told = home.done(&["status"]).out;
    assert!(told.contains("\njudgments of the last 7 days: 6, of these 2 to speak, 1 failed\n"), "{told}");
}

/// The predecessor did not say how long was waited, by whom it was judged and what came of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_predecessor_decided_is_told_as_far_as_it_is_known() {
    let room = forward().await;
    let said = room.say("U1", top("C1"), "お疲れさま").await.as_micros();
    let options = SqliteConnectOptions::new().filename(room.world.path());
    let mut database = options.connect().await.expect("opened");
    sqlx::query(
        "INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, hold_until, at)
         VALUES ('C1', 0, $1, 'speak', NULL, 'mention', $1 + 5, $1 + 1)",
    )
    .bind(said)
    .execute(&mut database)
    .await
    .expect("written");
    let home = desk(&room, "");
    let told = home.json(&[&["decisions"], &MARCH[..]].concat());
    let one = &told["decisions"][0];
    for key in ["confidence", "wait_seconds", "model", "call", "shown_from", "reply"] {
        assert_eq!(one[key], Value::Null, "{key}: {one}");
    }
    let told = home.done(&[&["decisions"], &MARCH[..]].concat()).out;
    assert!(told.contains("お疲れさま") && told.contains("mention"), "{told}");
}

#[test]
fn an_archive_without_a_run_has_an_empty_ledger() {
    let home = Home::new();
    home.import(&crate::exports::sample("ja"));
    assert_eq!(home.done(&["decisions"]).out, "nothing was decided in that time\n");
    let told = home.json(&["decisions"]);
    assert_eq!((&told["decisions"], &told["next"]), (&json!([]), &json!([])));
    let help = home.done(&["decisions", "--help"]).out;
    insta::assert_snapshot!(help);
}

/// Somebody stops an answer that was asked for: the ledger knows nothing of it, but people want to know who it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_were_stopped_stand_below_with_who_stopped_them() {
    let room = morning().await;
    let at = room.world.mention("C1", "いる？").await;
    let stop = AnswerStop {
        place: Place { channel: ChannelId::new("C1"), thread: None },
        by: Some(UserId::new("U2")),
        at: MessageTs::from_timestamp(room.world.now()),
    };
    room.world.hear(vec![Event::AnswerStopped(stop)]).await;
    let home = desk(&room, "");
    let told = home.done(&[&["decisions"], &MARCH[..]].concat()).out;
    let below = told.split_once("answers that were stopped").expect("a list").1;
    assert!(below.contains("いる？") && below.contains("stopped by 鈴木さん"), "{told}");
    let json = home.json(&[&["decisions"], &MARCH[..]].concat());
    assert_eq!(json["stopped"][0]["stopped_by"], "鈴木さん");
    assert_eq!(json["stopped"][0]["asked_ts"], at.to_string());
    assert_eq!(json["stopped"].as_array().map(Vec::len), Some(1));
}

/// Who it was is told nowhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_think_stands_beside_what_was_said() {
    let room = morning().await;
    let home = desk(&room, "");
    let march = [&["decisions"], &MARCH[..]].concat();
    let before = home.json(&march);
    let is_said = |decision: &&Value| decision["reply"]["posted_ts"].is_string();
    let decisions = before["decisions"].as_array().expect("a list");
    let said = decisions.iter().find(is_said).expect("something was said");
    let posted: MessageTs = said["reply"]["posted_ts"].as_str().expect("a time").parse().expect("a time");
    assert_eq!((&said["reply"]["good"], &before["voted"]), (&json!(0), &json!([])));
    let vote = |by: &str, vote| {
        Event::Voted(AnswerVote {
            channel: ChannelId::new("C1"),
            ts: posted,
            by: UserId::new(by),
            vote,
            source: VoteSource::Reaction,
            is_taken_back: false,
            at: MessageTs::from_timestamp(room.world.now()),
        })
    };
    room.world.hear(vec![vote("U1", Vote::Good), vote("U2", Vote::Good), vote("U3", Vote::Bad)]).await;
    let told = home.done(&march).out;
    let (beside, below) = told.split_once("what people think of what was said:").expect("a list");
    for part in [beside, below] {
        assert!(part.contains("liked by 2, disliked by 1"), "{told}");
    }
    let json = home.json(&march);
    let one = &json["voted"][0];
    assert_eq!((&one["good"], &one["bad"], &one["cause"]), (&json!(2), &json!(1), &json!("judgment")));
    assert_eq!(one["posted_ts"], said["reply"]["posted_ts"]);
    assert!(json["decisions"].as_array().expect("a list").iter().any(|one| one["reply"]["good"] == json!(2)));
}
