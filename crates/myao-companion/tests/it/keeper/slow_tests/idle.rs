//! A keeper looks at a channel when something happened in it, or when time may have made something due (ADR 38). It
//! misses nothing by that: one that starts afresh, and looks at every channel, finds nothing to do.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Visibility},
    memory::{HistorySettings, MemorySettings},
    ports::ModelError,
};
use myao_store::{ChannelRow, FirstSight};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use proptest::{prelude::*, test_runner::Config};

use crate::scenario::{LIVE, Scenario, counting_model, hours, literal_mode_settings, minutes};

const CHANNELS: [&str; 3] = ["C1", "C2", "C3"];

#[derive(Clone, Debug)]
enum Happening {
    Say(usize),
    Reply(usize),
    Edit(usize),
    Delete(usize),
    /// So many half hours pass.
    Pass(i64),
    Join(usize),
    Leave(usize),
    /// The connection is lost, or what was missed is caught up with.
    Lose,
    CatchUp,
    Hear,
}

fn happening() -> impl Strategy<Value = Happening> {
    let channel = || 0..CHANNELS.len();
    prop_oneof![
        4 => channel().prop_map(Happening::Say),
        2 => channel().prop_map(Happening::Reply),
        1 => channel().prop_map(Happening::Edit),
        1 => channel().prop_map(Happening::Delete),
        3 => prop_oneof![1..12_i64, Just(49)].prop_map(Happening::Pass),
        1 => channel().prop_map(Happening::Join),
        1 => channel().prop_map(Happening::Leave),
        2 => Just(Happening::Lose),
        3 => Just(Happening::CatchUp),
        2 => Just(Happening::Hear),
    ]
}

async fn happens(scenario: &Scenario, what: &Happening, said: &mut Vec<(usize, MessageTs)>) {
    let store = &scenario.store;
    let now = scenario.now();
    let last_in =
        |said: &[(usize, MessageTs)], n| said.iter().rev().find(|(at, _)| *at == n).map(|(_, ts)| *ts);
    let id = |n: usize| ChannelId::new(CHANNELS[n]);
    match *what {
        Happening::Say(n) => said.push((n, scenario.say(CHANNELS[n], "こんにちは").await)),
        Happening::Reply(n) => {
            if let Some(root) = last_in(said, n) {
                scenario.reply(CHANNELS[n], root, "はい").await;
            }
        }
        Happening::Edit(n) => {
            if let Some(ts) = last_in(said, n) {
                let edited_at = Some(MessageTs::from_timestamp(now));
                let edit = Message { ts, edited_at, ..scenario.message(CHANNELS[n], "やっぱり") };
                scenario.apply(vec![Event::Message(edit)]).await;
            }
        }
        Happening::Delete(n) => {
            if let Some(ts) = last_in(said, n) {
                scenario.apply(vec![Event::Deleted { channel: id(n), ts }]).await;
            }
        }
        Happening::Pass(half_hours) => scenario.pass(minutes(30 * half_hours)),
        Happening::Join(n) => {
            store
                .hearing()
                .join_channel(&id(n), FirstSight::since(MessageTs::from_timestamp(now)))
                .await
                .expect("joined");
        }
        Happening::Leave(n) => store.hearing().leave_channel(&id(n), now).await.expect("left"),
        Happening::Lose => store.hearing().open_gaps_since(now).await.expect("open"),
        Happening::CatchUp => {
            for gap in store.hearing().gaps().await.expect("read") {
                store.hearing().close_filled_gap(&gap).await.expect("closed");
            }
        }
        Happening::Hear => scenario.heard().await,
    }
}

/// With small chapters that wait to be merged for a day, during which a channel is looked at anyway, or without.
async fn misses_nothing(are_small_kept: bool, happenings: Vec<Happening>) -> Result<(), TestCaseError> {
    let history = HistorySettings { verbatim_small: are_small_kept, ..HistorySettings::default() };
    let scenario =
        Scenario::new(MemorySettings { history, ..literal_mode_settings() }, counting_model()).await;
    for channel in CHANNELS {
        scenario.channel(channel).await;
    }
    let keeper = scenario.keeper();
    let mut said = Vec::new();
    // We are in two of the channels, and each has a chapter.
    let before = [Happening::Join(0), Happening::Join(1), Happening::CatchUp]
        .into_iter()
        .chain((0..CHANNELS.len()).map(Happening::Say))
        .chain([Happening::Pass(6), Happening::Hear]);
    for what in before.chain(happenings) {
        let what = &what;
        happens(&scenario, what, &mut said).await;
        keeper.round(LIVE, &|_| {}).await.expect("works");
    }
    // What is due was due by half hours, or half a minute later. What waits is looked at after ten minutes at the latest.
    for wait in [2, 10, 3] {
        scenario.pass(minutes(wait));
        keeper.round(LIVE, &|_| {}).await.expect("works");
    }
    let found = scenario.keeper().round(LIVE, &|_| {}).await.expect("works");
    prop_assert_eq!(found.channels, 3, "it looks at all of them");
    let done = [found.chapters, found.verbatim, found.summaries, found.emptied, found.merges, found.threads];
    prop_assert_eq!((done, found.workspace), ([0; 6], 0), "{:?}", found);
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 32, max_shrink_iters: 200, ..Config::default() })]

    #[test]
    fn a_keeper_that_looks_where_something_happened_misses_nothing(
        are_small_kept in any::<bool>(),
        happenings in prop::collection::vec(happening(), 1..40)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(misses_nothing(are_small_kept, happenings))?;
    }
}

/// The first round after a start looks at every channel. What it found and could not do is due, whenever the channel
/// was to be looked at before.
#[tokio::test]
async fn what_a_first_round_could_not_do_is_tried_again() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let model = ScriptedModel::answering(move |_| {
        if down.load(Ordering::Relaxed) {
            ScriptedAnswer::from(ModelError::Rejected("no".to_owned()))
        } else {
            ScriptedAnswer::from("- 2026-03-02 記憶")
        }
    });
    let scenario = Scenario::new(literal_mode_settings(), Arc::new(model)).await;
    scenario.channel("C1").await;
    scenario.say("C1", "朝の話").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    // As a keeper left it to which there was nothing to do, under another configuration.
    let rows: Vec<ChannelRow> = scenario.store.archive().channels(&Visibility::Owner).await.expect("read");
    let later = scenario.now() + SignedDuration::from_hours(24);
    scenario.store.memory().rest_channel(&rows[0], later).await.expect("noted");
    let keeper = scenario.keeper();
    assert_eq!(keeper.round(LIVE, &|_| {}).await.expect("works").troubles.len(), 1);
    is_down.store(false, Ordering::Relaxed);
    scenario.pass(minutes(2));
    keeper.round(LIVE, &|_| {}).await.expect("works");
    assert_eq!(scenario.versions("C1").await.len(), 1);
}

/// What is only looked at is not claimed, so that a start does not write twice for every channel there is. Somebody who
/// holds the channel may be in the middle of something: as long as they do, it is not left alone for a day.
#[tokio::test]
async fn a_channel_in_which_nothing_is_due_is_not_claimed() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    for channel in CHANNELS {
        scenario.channel(channel).await;
        scenario.say(channel, "朝の話").await;
    }
    scenario.pass(hours(3));
    scenario.heard().await;
    scenario.keeper().round(LIVE, &|_| {}).await.expect("works");
    let store = &scenario.store;
    let now = scenario.now();
    let held = store
        .claim("channel:C1", now, now + SignedDuration::from_mins(1))
        .await
        .expect("asked")
        .expect("free");
    let keeper = scenario.keeper();
    let found = keeper.round(LIVE, &|_| {}).await.expect("works");
    assert_eq!((found.channels, found.busy, found.troubles), (3, vec![], vec![]));
    let due = async || {
        let rows = store.memory().channels_due_at(scenario.now()).await.expect("read");
        rows.into_iter().map(|row| row.channel.id).collect::<Vec<_>>()
    };
    assert_eq!(due().await, [ChannelId::new("C1")]);
    store.release(&held).await.expect("released");
    keeper.round(LIVE, &|_| {}).await.expect("works");
    assert_eq!(due().await, []);
}

/// What was said before a channel's window, in a run that begins there, is in no memory and makes no work.
#[tokio::test]
async fn talk_from_before_the_window_is_not_due_for_good() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    happens(&scenario, &Happening::Join(0), &mut Vec::new()).await;
    happens(&scenario, &Happening::CatchUp, &mut Vec::new()).await;
    scenario.say("C1", "昔の話").await;
    scenario.pass(hours(30));
    scenario.heard().await;
    let keeper = scenario.keeper();
    let found = keeper.round(LIVE, &|_| {}).await.expect("works");
    assert_eq!((found.channels, found.chapters), (1, 0));
    assert_eq!(scenario.store.memory().channels_due_at(scenario.now()).await.expect("read"), []);
}

/// A thread that is still going, and whose memory is as it should be, makes no work either.
#[tokio::test]
async fn a_thread_in_which_nothing_is_due_is_not_claimed() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "朝の話").await;
    scenario.reply("C1", root, "はい").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    let keeper = scenario.keeper();
    assert_eq!(keeper.round(LIVE, &|_| {}).await.expect("works").threads, 1);
    let store = &scenario.store;
    let now = scenario.now();
    let held = store.claim("channel:C1", now, now + SignedDuration::from_mins(9)).await.expect("asked");
    assert!(held.is_some());
    let found = scenario.keeper().round(LIVE, &|_| {}).await.expect("works");
    assert_eq!((found.channels, found.busy), (1, vec![]), "nobody has to hold it to see that");
}
