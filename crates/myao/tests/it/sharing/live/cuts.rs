//! The connection to the database breaks, anywhere on the way from a mention to its answer and from talk to a memory
//! (ADR 63).

use std::{sync::Arc, time::Duration};

use myao_core::chat::{MessageTs, UserId};
use myao_testkit::{ConnectionCut, DatabaseProxy, fresh_database, slack::UserSpec};

use super::{
    super::building::{merged, remembered},
    Shared, Town,
};
use crate::{binary::number, kill::workspace::written_with};

/// It breaks before every second statement up to this one: more than a mention takes until it is answered.
const STATEMENTS: u64 = 48;
/// Commits whose answer is lost, in turn.
const COMMITS: u64 = 8;
/// Within an hour: more are not answered.
const ASKED_BY_EACH: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_is_answered_once_wherever_the_connection_breaks() {
    let direct = fresh_database().await;
    let proxy = DatabaseProxy::before(&direct).await;
    let town = Town::with(Shared::by(proxy.url(), vec![direct], ""), 1).await;
    let cuts: Vec<ConnectionCut> = (1..=STATEMENTS)
        .step_by(2)
        .map(ConnectionCut::Before)
        .chain((1..=COMMITS).map(ConnectionCut::Answer))
        .collect();
    let people: Vec<UserId> = (0..=cuts.len() / ASKED_BY_EACH)
        .map(|n| town.slack.user(UserSpec::person(&format!("asker-{n}"))))
        .collect();
    let worker = town.start("one").await;
    let mut asked = Vec::<MessageTs>::new();
    let mut made = 0;
    for cut in cuts {
        proxy.plan(cut);
        let curious = &people[asked.len() % people.len()];
        let root = town.ask(&town.channels[0], curious, &format!("{cut:?}"));
        asked.push(root);
        town.eventually("it is answered", async || town.answers(root) == 1).await;
        made += usize::from(!proxy.calm());
    }
    println!("{made} of {} cuts were made before the answer", asked.len());
    assert!(made > asked.len() / 2, "{made}");
    worker.signal("-TERM");
    assert_eq!(worker.ended().await, Some(0));
    for root in &asked {
        assert_eq!(town.answers(*root), 1);
    }
    let stored = town.shared.count("SELECT count(*) FROM messages WHERE deleted = 0").await;
    assert_eq!(usize::try_from(stored), Ok(asked.len() * 3), "a question, a mention and an answer each");
    tokio::task::block_in_place(|| town.shared.home.done(&["memory", "verify"]));
}

/// The most runs in a row that get no further: what fails because its connection broke while it read, or committed, is
/// started again by whoever runs it, and goes on from what is written.
const MOST_RUNS_IN_VAIN: usize = 10;
/// The most runs at all: a build that writes the same again and again gets on, and never ends.
const MOST_RUNS: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memories_are_the_same_wherever_the_connection_breaks() {
    let alone = Shared::new("").await;
    let export = written_with(&alone.home, 0);
    alone.home.import(&export);
    tokio::task::block_in_place(|| alone.home.done(&["memory", "build"]));

    let direct = fresh_database().await;
    let proxy = Arc::new(DatabaseProxy::before(&direct).await);
    let many = Shared::by(proxy.url(), vec![direct], "");
    many.home.import(&export);
    let breaking = {
        let proxy = Arc::clone(&proxy);
        tokio::spawn(async move {
            for n in 0.. {
                // Before a statement, and after a commit, by turns; never twice at the same distance.
                let cut = if n % 2 == 0 {
                    ConnectionCut::Before(400 + n)
                } else {
                    ConnectionCut::Answer(3 + n % 5)
                };
                proxy.plan(cut);
                while !proxy.is_made() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
        })
    };
    let mut written = vec![0];
    while tokio::task::block_in_place(|| many.home.run(&["memory", "build"])).code != Some(0) {
        written.push(
            many.count("SELECT (SELECT count(*) FROM chapters) + (SELECT count(*) FROM memory_steps)").await,
        );
        let before = written.len().checked_sub(MOST_RUNS_IN_VAIN + 1).map(|run| written[run]);
        assert!(before < written.last().copied(), "it does not get on: {written:?}");
        assert!(written.len() <= MOST_RUNS, "it does not come to an end: {written:?}");
    }
    breaking.abort();
    // Until it has ended it may be about to plan one more.
    drop(breaking.await);
    proxy.calm();
    println!("written after each run that was disturbed: {written:?}");
    assert!(written.len() > 1, "no run was disturbed");
    assert_eq!(remembered(&many), remembered(&alone));
    assert_eq!(merged(&many).await, merged(&alone).await);
    many.home.done(&["memory", "verify"]);
    let again = many.home.json(&["memory", "build"]);
    assert_eq!((number(&again, "model_calls"), number(&again, "merges")), (0, 0), "nothing is left to do");
}
