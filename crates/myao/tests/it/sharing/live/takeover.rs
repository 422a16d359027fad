//! What one process was at, another takes over; what one does, none does again.

use std::time::{Duration, Instant};

use myao_testkit::llm::{FakeProvider, KEY};
use serde_json::json;

use super::Town;
use crate::binary::number;

/// What is taken over after a kill, at most.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(15);
/// An answer takes that long besides, on a machine that does much else: the model alone takes three seconds. A process that
/// heard nothing of it would look for it after a minute.
const ANSWERED_WITHIN: Duration = Duration::from_secs(25);

async fn gaps(town: &Town) -> i64 {
    town.shared.count("SELECT count(*) FROM channels WHERE gap_from IS NOT NULL").await
}

/// Processes that hear, and know that another one heard what was said before they were connected. One that is connected
/// and has not told yet that it hears is none of them.
async fn settled(town: &Town) -> i64 {
    let settled = "SELECT count(*) FROM processes
        WHERE hears_since <= (SELECT cast(value AS BIGINT) FROM settings WHERE key = 'heard')";
    town.shared.count(settled).await
}

/// A model that takes so long, and how it is configured.
async fn slow(latency: Duration) -> (FakeProvider, String) {
    let provider = FakeProvider::echoing(0, latency).await;
    let agent = format!(
        "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 60}}}}",
        provider.url()
    );
    (provider, format!("agents: {{response: {agent}}}\n"))
}

/// Waits until a place is worked on, and tells by which process.
async fn at_work(town: &Town) -> String {
    let held = "SELECT coalesce(min(owner), '') FROM claims WHERE subject LIKE 'place:%' AND until > 0";
    let mut by = String::new();
    town.eventually("somebody answers", async || {
        by = sqlx::query_scalar(held).fetch_one(&mut town.shared.connect().await).await.expect("read");
        !by.is_empty()
    })
    .await;
    by.split('-').next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hearing_survives_the_death_of_a_process_and_its_answer_is_given_by_another() {
    let (provider, more) = slow(Duration::from_secs(3)).await;
    let town = Town::new(1, &more).await;
    let mut workers = vec![town.start("one").await, town.start("two").await];
    town.eventually("nothing is missing", async || gaps(&town).await == 0 && settled(&town).await == 2).await;
    let root = town.mention(&town.channels[0], "is anybody there?");
    let pid = at_work(&town).await;
    let at = workers.iter().position(|worker| worker.0.id().to_string() == pid).expect("one of ours");
    workers.remove(at).kill();
    let killed = Instant::now();
    town.eventually("it is answered", async || town.answers(root) == 1).await;
    let took = killed.elapsed();
    println!("answered {took:?} after kill -9, of which the model took 3 s");
    assert!(took < TAKEN_OVER_WITHIN + ANSWERED_WITHIN, "{took:?}");
    // What is said meanwhile is heard, and no gap opens.
    let said = town.slack.say(&town.channels[0], &town.alice, "heard by the other").as_micros();
    town.eventually("it is stored", async || {
        let stored = format!("SELECT count(*) FROM messages WHERE ts = {said}");
        let stored: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(stored))
            .fetch_one(&mut town.shared.connect().await)
            .await
            .expect("read");
        stored == 1
    })
    .await;
    let histories = town.slack.seen().calls("conversations.history");
    let again = town.start("three").await;
    town.eventually("the dead one is not listed", async || {
        town.status()["processes"].as_array().is_some_and(|all| all.len() == 2)
    })
    .await;
    assert_eq!(gaps(&town).await, 0);
    assert_eq!(town.slack.seen().calls("conversations.history"), histories, "nothing had to be fetched");
    assert_eq!(town.answers(root), 1);
    drop((again, provider));
}

/// A process that sleeps for longer than its claims last wakes up: its answer is not written, nor posted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_one_that_slept_too_long_is_refused() {
    let (provider, more) = slow(Duration::from_secs(3)).await;
    let town = Town::new(1, &more).await;
    let mut workers = vec![town.start("one").await, town.start("two").await];
    let root = town.mention(&town.channels[0], "is anybody there?");
    let pid = at_work(&town).await;
    let at = workers.iter().position(|worker| worker.0.id().to_string() == pid).expect("one of ours");
    let sleeper = workers.remove(at);
    provider.asked(1).await;
    sleeper.signal("-STOP");
    town.eventually("it is answered by the other", async || town.answers(root) == 1).await;
    sleeper.signal("-CONT");
    // It goes on: with what is new, and not with what it was at.
    let next = town.mention(&town.channels[0], "and now?");
    town.eventually("the next one is answered", async || town.answers(next) == 1).await;
    assert_eq!(provider.calls().len(), 3, "the sleeper had asked, too, and its answer was not written");
    assert_eq!((town.answers(root), town.answers(next)), (1, 1));
    assert_eq!(town.slack.posts().len(), 2);
    drop(provider);
}

/// After a graceful stop nothing waits for a claim to expire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_process_leaves_behind_when_it_is_stopped_is_free_at_once() {
    let town = Town::new(1, "").await;
    let one = town.start("one").await;
    let two = town.start("two").await;
    // Connected, one may not have told yet that it hears, nor have looked at what was said before.
    town.eventually("nothing is missing", async || gaps(&town).await == 0 && settled(&town).await == 2).await;
    let listed = town.status();
    let processes = listed["processes"].as_array().expect("a list");
    assert_eq!(processes.len(), 2, "{listed}");
    for process in processes {
        assert!(process["hears_since"].is_string() && process["health"].is_string(), "{process}");
        assert_eq!(process["alive"], json!(true));
    }
    one.signal("-TERM");
    assert_eq!(one.ended().await, Some(0));
    assert_eq!(town.shared.count("SELECT count(*) FROM processes").await, 1);
    let root = town.mention(&town.channels[0], "still there?");
    town.eventually("it is answered", async || town.answers(root) == 1).await;
    assert_eq!(gaps(&town).await, 0);
    two.signal("-TERM");
    assert_eq!(two.ended().await, Some(0));
    assert_eq!(town.shared.count("SELECT count(*) FROM claims WHERE until > 0").await, 0);
    // While nobody heard, something was said: the next one fetches it.
    town.slack.say(&town.channels[0], &town.alice, "nobody heard this");
    town.slack.forget_unacknowledged();
    let _again = town.start("three").await;
    town.eventually("it is fetched", async || number(&town.status(), "messages") == 4).await;
}
