//! The reconciler: complete, exactly once, whatever happens in between (specification §2).

mod early_end;
mod first_version;
mod rewriting;

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::keeper::RoundEvent;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs},
    memory::{HistorySettings, MemorySettings},
    ports::{DayLimits, ModelError, Role, Turn},
};
use myao_model::Builtin;
use myao_store::{FirstSight, NewCall, Store};
use myao_testkit::ScriptedModel;
use proptest::prelude::*;

use crate::scenario::{
    BUILD, LIVE, Scenario, copying_model, counting_model, hours, literal_mode_settings, minutes,
};

async fn talk(scenario: &Scenario, channel: &str, messages: usize) {
    for n in 0..messages {
        scenario.say(channel, &format!("話 {n}")).await;
    }
}

async fn uncovered(scenario: &Scenario) -> (u64, u64, u64) {
    let rows = scenario.store.memory().coverage_by_channel().await.expect("read");
    rows.iter().fold((0, 0, 0), |(m, p, u), c| (m + c.messages, p + c.pending, u + c.uncovered))
}

#[tokio::test]
async fn nothing_new_means_no_call_and_no_version() {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 3).await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let calls = model.calls();
    assert_eq!(calls, 3, "chapter, merge, workspace");
    for _ in 0..5 {
        scenario.pass(hours(5));
        scenario.round(BUILD).await;
    }
    assert_eq!(model.calls(), calls);
    assert_eq!(scenario.versions("C1").await.len(), 1);
}

/// Another process asks models at the same time, as a second `memory build` does.
#[tokio::test]
async fn a_round_counts_its_own_calls_only() {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 3).await;
    scenario.pass(hours(3));
    let of_another = NewCall {
        at: scenario.now(),
        day: "2026-03-02".to_owned(),
        role: Role::Memory,
        purpose: "short_term",
        channel: None,
        thread: None,
        model: "builtin".to_owned(),
        attempt: 1,
        reserved: 0,
    };
    scenario.store.memory().record_call_start(of_another, DayLimits::default()).await.expect("recorded");
    let report = scenario.round(BUILD).await;
    assert_eq!(report.model_calls, u64::try_from(model.calls()).expect("few"));
    let all = scenario.store.memory().sum_all_calls().await.expect("read");
    assert_eq!((all.calls, all.tokens_in), (report.model_calls + 1, report.tokens_in));
    assert!(report.tokens_in > 0 && report.tokens_out == all.tokens_out);
}

#[tokio::test]
async fn a_small_chapter_is_kept_word_for_word_and_folded_after_a_day() {
    let model = counting_model();
    let scenario = Scenario::new(MemorySettings::default(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.say("C1", "会議は三月五日の十時から").await;
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert_eq!((report.verbatim, report.model_calls), (1, 0));
    assert_eq!(scenario.versions("C1").await[0].content(), "[2026-03-02 00:00] U1: 会議は三月五日の十時から");
    assert!(scenario.long_term("C1").await.is_none(), "it waits for company");
    scenario.pass(hours(22));
    let report = scenario.round(BUILD).await;
    assert_eq!((report.merges, report.workspace), (1, 1));
    assert!(scenario.long_term("C1").await.is_some());
}

#[tokio::test]
async fn waiting_chapters_are_merged_together_once_they_are_many() {
    let model = counting_model();
    let scenario = Scenario::new(MemorySettings::default(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    for _ in 0..4 {
        scenario.say("C1", &"長い話をひとつ。".repeat(15)).await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
    }
    let requests = model.requests();
    let merges: Vec<_> = requests.iter().filter(|r| r.purpose == "merge").collect();
    assert_eq!(merges.len(), 1, "three chapters of more than 300 tokens together, and one waiting");
    assert_eq!(scenario.versions("C1").await.len(), 4);
}

#[tokio::test]
async fn a_failing_channel_stops_no_other_and_is_tried_again() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        let said = |text: &str| match request.turns.first() {
            Some(Turn::User(turn)) => turn.contains(text),
            _ => false,
        };
        if said("こわれた") {
            myao_testkit::ScriptedAnswer::Error(ModelError::Unavailable("down".to_owned()))
        } else {
            myao_testkit::ScriptedAnswer::Text("- 2026-03-02 記憶".to_owned())
        }
    }));
    let scenario = Scenario::new(literal_mode_settings(), model).await;
    scenario.channel("C1").await;
    scenario.channel("C2").await;
    let bad = scenario.say("C1", "こわれた話").await;
    scenario.say("C2", "ふつうの話").await;
    scenario.pass(hours(3));
    let report = scenario.round(LIVE).await;
    assert_eq!(report.troubles.len(), 1);
    assert!(report.troubles[0].reason.contains("down"), "{:?}", report.troubles);
    assert!(scenario.versions("C1").await.is_empty());
    assert_eq!(scenario.versions("C2").await.len(), 1);
    assert!(scenario.workspace().await.is_some(), "the workspace is updated from what there is");
    assert_eq!(scenario.store.memory().list_open_setbacks().await.expect("read").len(), 1);

    let edit = Message {
        text: "直った話".to_owned(),
        ts: bad,
        edited_at: Some(MessageTs::from_timestamp(scenario.now())),
        ..scenario.message("C1", "")
    };
    scenario.apply(vec![Event::Message(edit)]).await;
    assert!(scenario.round(LIVE).await.troubles.is_empty());
    assert!(scenario.versions("C1").await.is_empty(), "within its backoff it is left alone");
    scenario.pass(minutes(2));
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await.len(), 1);
    assert!(scenario.store.memory().list_open_setbacks().await.expect("read").is_empty());
}

/// The removal wins: what the model wrote from the old words is dropped.
#[tokio::test]
async fn an_edit_while_the_model_writes_drops_the_answer() {
    let model = copying_model();
    let scenario = Arc::new(Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await);
    scenario.channel("C1").await;
    let ts = scenario.say("C1", "合言葉はひまわり").await;
    scenario.pass(hours(3));
    model.hold();
    let running = tokio::spawn({
        let scenario = Arc::clone(&scenario);
        async move { scenario.round(BUILD).await }
    });
    model.asked(1).await;
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts }]).await;
    model.release();
    running.await.expect("the round ends");
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0].content(), "", "the emptied chapter keeps its row");
    assert_eq!(versions[0].source_message_count(), 0);
    assert!(scenario.long_term("C1").await.is_none());
    assert!(scenario.workspace().await.is_none());
}

/// Two processes on one database: every chapter is written and merged once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_keepers_share_the_work() {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    for n in 0..6 {
        let id = format!("C{n}");
        scenario.channel(&id).await;
        talk(&scenario, &id, 4).await;
    }
    scenario.pass(hours(3));
    scenario.heard().await;
    let other = Store::open(&scenario.target).await.expect("a second process");
    let one = scenario.keeper();
    let two = scenario.keeper_of(other);
    let silent = |_: RoundEvent| {};
    let (first, second) = tokio::join!(one.round(BUILD, &silent), two.round(BUILD, &silent));
    let first = first.expect("works");
    let second = second.expect("works");
    assert_eq!(first.summaries + second.summaries, 6);
    assert_eq!(first.merges + second.merges, 6);
    let merges = model.requests().iter().filter(|r| r.purpose == "merge").count();
    assert_eq!(merges, 6, "nothing was asked twice");
}

/// A place with outsiders sees itself only: not even its memory is written with the workspace's beside it.
#[tokio::test]
async fn the_workspaces_memory_is_not_shown_where_outsiders_are() {
    let model = Arc::new(ScriptedModel::answering(|request| match request.purpose {
        "workspace" => "- 2026-03-02 ひみつの全体記憶",
        _ => "- 2026-03-02 記憶",
    }));
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.channel_of("CX", ChannelKind::Public, true).await;
    scenario.say("C1", "うちの話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    scenario.say("C1", "うちの話の続き").await;
    scenario.say("CX", "よその人もいる話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let shown = |words: &str| {
        let with_words = |turn: &Turn| matches!(turn, Turn::User(text) if text.contains(words));
        let requests = model.requests();
        requests.iter().filter(|r| r.turns.iter().any(with_words)).any(|r| {
            r.turns.iter().any(|t| matches!(t, Turn::User(text) if text.contains("ひみつの全体記憶")))
        })
    };
    assert!(shown("うちの話の続き"), "where it may be seen it helps");
    assert!(!shown("よその人もいる話"));
}

/// Private memories stay out of the workspace's.
#[tokio::test]
async fn the_workspace_is_made_of_open_channels() {
    let model = copying_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.channel_of("G1", ChannelKind::Private, false).await;
    scenario.channel_of("CX", ChannelKind::Public, true).await;
    scenario.say("C1", "みんなの話").await;
    scenario.say("G1", "ないしょの話").await;
    scenario.say("CX", "よそとの話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let workspace = scenario.workspace().await.expect("there");
    assert!(workspace.content().contains("みんなの話"));
    assert!(!workspace.content().contains("ないしょの話") && !workspace.content().contains("よそとの話"));
    assert_eq!(workspace.source_message_count(), 1);
}

#[tokio::test]
async fn the_workspace_waits_for_its_interval() {
    let scenario = Scenario::new(
        MemorySettings { long_term_update_interval_seconds: 3600, ..literal_mode_settings() },
        counting_model(),
    )
    .await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 50).await;
    assert_eq!(scenario.round(BUILD).await.workspace, 1);
    talk(&scenario, "C1", 50).await;
    let report = scenario.round(BUILD).await;
    assert_eq!((report.merges, report.workspace), (1, 0));
    assert!(report.workspace_waits_until.is_some());
    scenario.pass(hours(1));
    assert_eq!(scenario.round(BUILD).await.workspace, 1, "it is made up for, once");
    assert_eq!(scenario.round(BUILD).await.workspace, 0);
}

/// Live, a channel first seen gets its memory at once, from the window on (specification §2.1 Start).
#[tokio::test]
async fn a_channel_first_seen_live_begins_with_its_window() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "おとといの話").await;
    scenario.pass(hours(48));
    talk(&scenario, "C1", 3).await;
    scenario.round(LIVE).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.len(), 1, "nothing closed, so what is there is closed at once");
    assert_eq!(versions[0].source_message_count(), 3);
    let coverage = scenario.store.memory().coverage_by_channel().await.expect("read").remove(0);
    assert_eq!((coverage.covered, coverage.before_start, coverage.pending), (3, 1, 0));
    talk(&scenario, "C1", 3).await;
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await.len(), 1, "afterwards the triggers decide");
}

/// A channel that we hear begins with its window when it is first seen, however late its first memory is written: a round
/// may take long, and a machine may sleep right after something was said.
#[tokio::test]
async fn what_is_said_once_a_channel_is_seen_is_remembered_however_late() {
    let history = HistorySettings { enabled: false, ..literal_mode_settings().history };
    let overwriting = MemorySettings { history, ..literal_mode_settings() };
    for settings in [literal_mode_settings(), overwriting] {
        let scenario = Scenario::new(settings, counting_model()).await;
        scenario.channel("C1").await;
        talk(&scenario, "C1", 2).await;
        scenario.pass(hours(23));
        scenario.say("C1", "the window holds this").await;
        scenario.pass(hours(2));
        let now = MessageTs::from_timestamp(scenario.now());
        let sight = FirstSight { read_from: MessageTs::MIN, remember_from: now.plus_seconds(-24 * 3600) };
        let hearing = scenario.store.hearing();
        hearing.join_channel(&ChannelId::new("C1"), sight).await.expect("joined");
        for gap in hearing.gaps().await.expect("read") {
            assert!(hearing.close_filled_gap(&gap).await.expect("asked"));
        }
        talk(&scenario, "C1", 3).await;
        scenario.pass(hours(24 * 5));
        talk(&scenario, "C1", 4).await;
        scenario.pass(hours(3));
        scenario.heard().await;
        scenario.round(LIVE).await;
        let coverage = scenario.store.memory().coverage_by_channel().await.expect("read").remove(0);
        assert_eq!((coverage.before_start, coverage.covered, coverage.pending), (2, 8, 0));
    }
}

/// After a week of downtime nothing is missing, and each conversation is a chapter of its own.
#[tokio::test]
async fn a_week_of_downtime_is_made_up_for() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    for _ in 0..7 {
        talk(&scenario, "C1", 5).await;
        scenario.pass(hours(24));
    }
    scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await.len(), 7);
    assert_eq!(uncovered(&scenario).await, (35, 0, 0));
}

#[tokio::test]
async fn since_leaves_older_messages_before_the_start() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 2).await;
    scenario.pass(hours(24));
    let from = scenario.say("C1", "ここから").await;
    scenario.pass(hours(3));
    let policy =
        myao_companion::keeper::RoundPolicy { start: myao_companion::keeper::Start::Since(from), ..BUILD };
    scenario.round(policy).await;
    let coverage = scenario.store.memory().coverage_by_channel().await.expect("read").remove(0);
    assert_eq!((coverage.before_start, coverage.covered), (2, 1));
}

/// The versions after everything was said, with a round wherever the gap says so, or only at the end.
async fn run(gaps: &[(i64, bool)], rounds: bool) -> Vec<(u32, u64, Option<MessageTs>, String)> {
    let scenario = Scenario::new(MemorySettings::default(), Arc::new(Builtin)).await;
    scenario.channel("C1").await;
    let mut said = 0_i64;
    for (n, (gap, round)) in gaps.iter().enumerate() {
        // `round` moves the clock on by itself: the next message keeps its own instant.
        said += gap;
        let due = "2026-03-02T00:00:00Z".parse::<jiff::Timestamp>().expect("a time")
            + SignedDuration::from_secs(said);
        if due > scenario.now() {
            scenario.clock.set(due);
        }
        let mut message = scenario.message("C1", &format!("話題その{n}について決めました。"));
        message.ts = MessageTs::from_timestamp(due);
        scenario.apply(vec![Event::Message(message)]).await;
        if rounds && *round && gaps.get(n + 1).is_some_and(|(next, _)| *next > 40) {
            scenario.round(BUILD).await;
        }
    }
    scenario.pass(hours(30));
    scenario.round(BUILD).await;
    let (messages, pending, uncovered) = uncovered(&scenario).await;
    assert_eq!((messages, pending, uncovered), (u64::try_from(gaps.len()).expect("few"), 0, 0));
    let versions = scenario.versions("C1").await;
    versions
        .iter()
        .map(|m| {
            (m.version(), m.source_message_count(), m.source_latest_message_ts(), m.content().to_owned())
        })
        .collect()
}

/// A program that looks every minute leaves a quiet channel alone, and notices when it is not quiet any more.
#[tokio::test]
async fn a_channel_at_rest_is_not_worked_on_every_minute() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "朝の話").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    let keeper = scenario.keeper();
    let round = async || keeper.round(LIVE, &|_| {}).await.expect("works");
    assert_eq!(round().await.channels, 1);
    scenario.pass(minutes(1));
    assert_eq!(round().await.channels, 0, "nothing happened");
    scenario.say("C1", "昼の話").await;
    assert_eq!(round().await.channels, 1, "somebody spoke");
    scenario.pass(hours(3));
    scenario.heard().await;
    assert_eq!((round().await.channels, scenario.versions("C1").await.len()), (1, 2), "and was quiet again");
    scenario.pass(minutes(1));
    assert_eq!(round().await.channels, 0);
    scenario.pass(minutes(10));
    assert_eq!(round().await.channels, 0, "nothing waits for the time to pass");
    scenario.pass(hours(24));
    assert_eq!(round().await.channels, 1, "now and then it is looked at all the same");
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    mod idle;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// Whenever rounds are run, the same chapters come out and every message is covered once.
        #[test]
        fn the_rhythm_of_rounds_does_not_matter(
            gaps in prop::collection::vec((1_i64..9000, any::<bool>()), 1..60),
        ) {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            let (often, once) = runtime.block_on(async {
                let often = run(&gaps, true).await;
                let once = run(&gaps, false).await;
                (often, once)
            });
            prop_assert_eq!(often, once);
        }
    }
}
