//! Several processes on one database: who is alive, who hears, and where nobody did (ADR 60).

use jiff::Timestamp;
use myao_core::chat::{ChannelKind, MessageTs, Visibility};
use myao_store::{Beat, FirstSight, ProcessCard, Sight, Store, Target};
use myao_testkit::waiting::yield_until;
use sqlx::{Connection as _, PgConnection};

use crate::support::{World, at, channel, claim, general, on_both, postgres, ts};

fn card() -> ProcessCard {
    ProcessCard { host: "one".to_owned(), health: "127.0.0.1:8080".to_owned(), started: at(0) }
}

/// C1, of which nothing is missing.
async fn joined(store: &Store) {
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
    fill(store).await;
}

async fn fill(store: &Store) {
    for gap in store.hearing().gaps().await.expect("read") {
        assert!(store.hearing().close_filled_gap(&gap).await.expect("closed"));
    }
}

async fn gap(store: &Store) -> Option<MessageTs> {
    store.hearing().gaps().await.expect("read").first().map(|gap| gap.from)
}

/// A process that is connected at a second, and shows itself.
async fn connect(store: &Store, second: i64) -> Beat {
    store.hearing().begin(at(second));
    beat(store, second).await
}

async fn beat(store: &Store, second: i64) -> Beat {
    store.hearing().report_alive(&card(), Some(at(second)), at(second)).await.expect("shown")
}

async fn deaf(store: &Store, second: i64) -> Beat {
    store.hearing().report_alive(&card(), None, at(second)).await.expect("shown")
}

async fn heard(store: &Store) -> Option<Timestamp> {
    store.hearing().last_heard().await.expect("read")
}

on_both! {
    /// One process: a gap opens when it does not hear, and where the next one begins.
    alone_a_gap_opens_whenever_nobody_hears => async |world: &World| {
        let store = &world.store;
        joined(store).await;
        assert_eq!(deaf(store, 1).await, Beat::default(), "it never heard anything");
        connect(store, 2).await;
        beat(store, 10).await;
        assert_eq!((gap(store).await, heard(store).await), (None, Some(at(10))));
        store.hearing().stop(&card(), at(12), at(13)).await.expect("stopped");
        assert_eq!(gap(store).await, Some(ts(12 - 30)));
        let opened = store.hearing().gaps().await.expect("read")[0].opened;
        deaf(store, 17).await;
        assert_eq!(store.hearing().gaps().await.expect("read")[0].opened, opened, "told once");
        assert!(connect(store, 20).await.opened, "the sweep begins with what was lost until now");
        fill(store).await;
        assert!(!beat(store, 24).await.opened);
        let doubts = store.hearing().count_doubts().await.expect("read");
        store.hearing().doubt_all(at(25)).await.expect("doubted");
        assert_eq!(store.hearing().count_doubts().await.expect("read"), doubts + 1);
        // Killed: the next one finds out.
        store.close().await;
        let next = Store::open(&world.target).await.expect("the next process");
        deaf(&next, 100).await;
        assert_eq!(gap(&next).await, Some(ts(24 - 30)));
    };

    who_runs_here_can_be_seen => async |world: &World| {
        let store = &world.store;
        joined(store).await;
        connect(store, 2).await;
        store.claim("channel:C1", at(2), at(60)).await.expect("asked").expect("free");
        let seen = store.hearing().processes_by_start(at(5)).await.expect("read");
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].card.clone(), seen[0].hears_since), (card(), Some(at(2))));
        assert_eq!((seen[0].holds.clone(), seen[0].is_gone), (vec!["channel:C1".to_owned()], false));
        assert_eq!(seen[0].pid, std::process::id().to_string());
        assert!(store.hearing().processes_by_start(at(50)).await.expect("read")[0].is_gone);
        store.hearing().note_own_end(at(6)).await.expect("left");
        assert_eq!(store.hearing().processes_by_start(at(7)).await.expect("read"), []);
    };
}

async fn two() -> (World, Store) {
    let world = postgres().await;
    joined(&world.store).await;
    let other = Store::open(&world.target).await.expect("a second process");
    (world, other)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_gap_opens_while_another_process_hears() {
    let (world, other) = two().await;
    let store = &world.store;
    connect(store, 0).await;
    // Another one starts: nothing was missed.
    assert_eq!(deaf(&other, 1).await, Beat::default());
    assert!(!connect(&other, 2).await.opened);
    beat(store, 4).await;
    assert!(!beat(&other, 5).await.opened);
    assert_eq!((gap(store).await, heard(store).await), (None, Some(at(5))));
    // The first one loses its connection and finds it again.
    store.hearing().stop(&card(), at(6), at(7)).await.expect("stopped");
    beat(&other, 9).await;
    connect(store, 10).await;
    beat(&other, 13).await;
    beat(store, 14).await;
    assert_eq!((gap(store).await, heard(store).await), (None, Some(at(14))));
    // Killed, and started again.
    for second in [17, 21, 25, 29, 33] {
        beat(&other, second).await;
    }
    assert_eq!(gap(store).await, None);
    assert_eq!(
        world.store.hearing().processes_by_start(at(33)).await.expect("read").len(),
        1,
        "the dead one is not listed"
    );
    assert!(!connect(store, 34).await.opened);
    beat(&other, 37).await;
    beat(store, 38).await;
    assert_eq!(gap(store).await, None);
}

/// The other one looks alive when the new one connects, and is not: between its death and the connection nobody heard.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_heard_is_a_gap_even_if_it_shows_only_later() {
    let (world, other) = two().await;
    connect(&world.store, 0).await;
    beat(&world.store, 4).await;
    // Here the first one dies.
    assert_eq!(deaf(&other, 6).await, Beat::default());
    assert!(!connect(&other, 8).await.opened, "it may still be told that the first one heard");
    assert!(!beat(&other, 12).await.opened);
    assert_eq!(
        (gap(&other).await, heard(&other).await),
        (None, Some(at(4))),
        "nothing is passed over meanwhile"
    );
    let late = beat(&other, 20).await;
    assert!(late.opened && late.doubts, "{late:?}");
    assert_eq!((gap(&other).await, heard(&other).await), (Some(ts(4 - 30)), Some(at(20))));
    fill(&other).await;
    assert_eq!(beat(&other, 24).await, Beat::default());
}

/// Both die one after the other, and a third starts: nothing between the first one's last word and its start is passed
/// over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_dies_before_it_could_settle_what_was_missed_hides_nothing() {
    let (world, other) = two().await;
    connect(&world.store, 0).await;
    connect(&other, 8).await;
    beat(&other, 12).await;
    let third = Store::open(&world.target).await.expect("a third process");
    deaf(&third, 60).await;
    assert_eq!(gap(&third).await, Some(ts(-30)));
}

/// A connection that died in silence: the platform may have gone on sending there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_loss_is_a_gap_whoever_hears() {
    let (world, other) = two().await;
    connect(&world.store, 0).await;
    connect(&other, 1).await;
    for second in [4, 8, 12, 16, 20, 24, 28, 32, 36, 40] {
        beat(&other, second).await;
        world.store.hearing().report_alive(&card(), Some(at(2)), at(second)).await.expect("shown");
    }
    world.store.hearing().stop(&card(), at(2), at(42)).await.expect("stopped");
    assert_eq!(gap(&other).await, Some(ts(2 - 30)));
}

/// One that was stopped for longer than the others wait goes on: what it knows may have changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_was_taken_for_dead_begins_anew() {
    let (world, other) = two().await;
    connect(&world.store, 0).await;
    deaf(&other, 5).await;
    deaf(&other, 30).await;
    assert_eq!(gap(&other).await, Some(ts(-30)));
    fill(&other).await;
    let back = beat(&world.store, 40).await;
    assert!(back.opened && back.anew, "{back:?}");
    assert!(gap(&other).await.is_some());
}

/// What is known of a channel is known to all that hear, and what one of them died with is in doubt.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_looked_up_all_know_until_one_dies() {
    let (world, other) = two().await;
    connect(&world.store, 0).await;
    world.store.hearing().note_known(&[general()], at(1)).await.expect("noted");
    let sees = async |store: &Store| store.hearing().sight_of_channel(&general()).await.expect("read");
    assert_eq!(sees(&world.store).await, Sight::Open);
    connect(&other, 2).await;
    assert_eq!(sees(&other).await, Sight::Unknown, "it does not know yet that the first one goes on");
    beat(&world.store, 3).await;
    beat(&other, 4).await;
    assert_eq!(sees(&other).await, Sight::Open);
    let before = other.hearing().count_doubts().await.expect("read");
    assert!(beat(&other, 22).await.doubts, "the first one died");
    assert_eq!(sees(&other).await, Sight::Unknown);
    assert!(
        other.hearing().count_doubts().await.expect("read") > before,
        "what is remembered of people is to be forgotten"
    );
    other.hearing().note_known(&[general()], at(23)).await.expect("noted");
    assert_eq!(sees(&other).await, Sight::Open);
    let rows = other.archive().channels(&Visibility::Owner).await.expect("read");
    assert_eq!(rows.len(), 1);
}

/// Two machines whose clocks are an hour apart, and which go by the server's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claims_hold_however_wrong_a_clock_is() {
    let world = postgres().await;
    let store = world.store.clone().by_server_time();
    let ahead = Store::open(&world.target).await.expect("a second process").by_server_time();
    store.measure_clock_offset(at(0)).await.expect("told");
    ahead.measure_clock_offset(at(3600)).await.expect("told");
    let held = claim(&store, "channel:C1").await;
    assert!(ahead.claim("channel:C1", at(3601), at(3661)).await.expect("asked").is_none());
    assert!(store.renew(&held, at(120)).await.expect("renewed"));
    assert!(ahead.claim("channel:C1", at(3600 + 100), at(3800)).await.expect("asked").is_none());
    assert!(ahead.claim("channel:C1", at(3600 + 121), at(3800)).await.expect("asked").is_some());
    assert!(store.seconds_from_server() > 0);
}

/// While every connection is taken, the time is asked for late; that must not look like a clock that is wrong.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_a_connection_is_no_difference_of_clocks() {
    let world = postgres().await;
    let store = world.store.clone().by_server_time();
    let Target::Postgres(url) = &world.target else { panic!("a server") };
    let mut holder = PgConnection::connect(url).await.expect("connected");
    sqlx::raw_sql("BEGIN; LOCK TABLE claims").execute(&mut holder).await.expect("locked");
    let held: Vec<_> = (0..10)
        .map(|number| {
            let store = store.clone();
            let claimed = async move { store.claim(&format!("channel:C{number}"), at(0), at(60)).await };
            tokio::spawn(claimed)
        })
        .collect();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    // Within a transaction the server tells the same again and again.
    let mut watcher = PgConnection::connect(url).await.expect("connected");
    let all_wait =
        async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watcher).await.expect("counted") >= 10;
    yield_until("ten to wait for the lock", all_wait).await;
    let asks = store.clone();
    let asked = tokio::spawn(async move { asks.measure_clock_offset(Timestamp::now()).await });
    sqlx::raw_sql("SELECT pg_sleep(2.5); COMMIT").execute(&mut holder).await.expect("released");
    asked.await.expect("ended").expect("told");
    for claimed in held {
        claimed.await.expect("ended").expect("claimed");
    }
    // The answer itself may take a moment on a busy machine.
    assert!(store.seconds_from_server() < 2, "{} s", store.seconds_from_server());
}
