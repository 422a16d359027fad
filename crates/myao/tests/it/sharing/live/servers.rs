//! Live processes behind a pooler, and on a server whose place another one takes (ADR 63).

use std::time::{Duration, Instant};

use myao_testkit::{Pooler, ReplicatedServer, fresh_database};
use tokio::{sync::oneshot, task::JoinHandle};

use super::{
    Shared,
    flood::{Outcome, Plan, check, flood, flood_from},
};

/// From the death of a server until answers flow again, beside what the promotion takes, on a machine that does much else.
/// Whoever waited until the system gives a connection up would wait for a quarter of an hour.
const GOES_ON_WITHIN: Duration = Duration::from_mins(3);

const PLAN: Plan = Plan {
    processes: 3,
    channels: 4,
    messages: 600,
    mentions: 60,
    lasts: Duration::from_secs(15),
    kill_every: None,
    seed: 18,
};

/// A flood in the middle of which something is done to the servers, which takes real time: real processes are its subject.
/// A process that is being started then would not start.
async fn flood_with<T: Send + 'static>(
    plan: Plan,
    shared: Shared,
    work: impl FnOnce() -> T + Send + 'static,
) -> (Outcome, T) {
    let (start, started) = oneshot::channel();
    let done: JoinHandle<T> = tokio::spawn(async move {
        started.await.expect("it begins");
        tokio::time::sleep(plan.lasts / 2).await;
        tokio::task::spawn_blocking(work).await.expect("done")
    });
    let outcome = flood_from(plan, shared, || start.send(()).expect("somebody waits for it")).await;
    (outcome, done.await.expect("done"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_pooler_every_message_is_stored_and_every_mention_answered_once() {
    let direct = fresh_database().await;
    let pooler = Pooler::before(&direct);
    let plan = Plan { kill_every: Some(Duration::from_secs(3)), ..PLAN };
    check(plan, &flood(plan, Shared::by(&pooler.url(&direct), vec![direct], "")).await);
}

/// The primary is killed in the middle of a flood, and its synchronous replica promoted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_another_server_takes_over_nothing_is_lost_or_doubled() {
    let mut servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
    let shared = Shared::by(&servers.url(), servers.each().into(), "");
    let replace = move || {
        let killed = Instant::now();
        servers.kill_primary();
        servers.promote();
        (servers, killed.elapsed())
    };
    let (outcome, (servers, took)) = flood_with(PLAN, shared, replace).await;
    println!("the replica was promoted within {took:?}");
    check(PLAN, &outcome);
    assert!(outcome.longest_answer < took + GOES_ON_WITHIN, "{:?}", outcome.longest_answer);
    drop(servers);
}

/// The primary that was replaced comes back while the other one serves, and takes writes again. Processes are killed and
/// started all the time, and find both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_old_server_comes_back_nobody_is_answered_twice() {
    let mut servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
    let shared = Shared::by(&servers.url(), vec![servers.each()[1].clone()], "");
    let replace = move || {
        servers.kill_primary();
        servers.promote();
        servers.revive_primary();
        servers
    };
    let plan = Plan { kill_every: Some(Duration::from_secs(3)), ..PLAN };
    let (outcome, servers) = flood_with(plan, shared, replace).await;
    check(plan, &outcome);
    drop(servers);
}
