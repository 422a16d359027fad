//! The connection to the database breaks, anywhere on the way from a mention to its answer (ADR 63).

use myao_core::chat::{MessageTs, UserId};
use myao_testkit::{ConnectionCut, DatabaseProxy, fresh_database, slack::UserSpec};

use super::{Shared, Town};

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
    let town = Town::with(Shared::by(proxy.url().to_owned(), vec![direct], ""), 1).await;
    let cuts: Vec<ConnectionCut> = (1..=STATEMENTS)
        .step_by(2)
        .map(ConnectionCut::Before)
        .chain((1..=COMMITS).map(ConnectionCut::Answer))
        .collect();
    let people: Vec<UserId> = (0..=cuts.len() / ASKED_BY_EACH)
        .map(|n| town.slack.user(UserSpec::person(&format!("asker-{n}"))))
        .collect();
    let worker = town.start("one").await;
    let (mut asked, mut made) = (Vec::<MessageTs>::new(), 0);
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
