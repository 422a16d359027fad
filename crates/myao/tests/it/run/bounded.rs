//! A reply and a quiet round read nothing from end to end (ADR 38).

use std::{fs, time::Instant};

use super::{LONG, Running, World, look_again};
use crate::reads;

/// What the keeper asks between two rounds.
const BETWEEN_ROUNDS: &str = "min(look_at)";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_and_a_quiet_round_read_nothing_from_end_to_end() {
    let world =
        World::with("logging: {loggers: {sqlx: DEBUG}}\nresponse: {check_interval_seconds: 1}\n").await;
    let path = world.home.path("log");
    let mut command = world.home.command(&["run"]);
    let running =
        Running(command.stderr(fs::File::create(&path).expect("a file")).spawn().expect("it starts"));
    world.slack.wait_until(|seen| seen.connected > 0).await;
    let log = || fs::read_to_string(&path).expect("the log");
    world.mention("is anybody there?");
    world.slack.wait_until(|seen| !seen.posts.is_empty()).await;
    rounds(&log, 0).await;
    let before = log().len();
    world.mention("and now?");
    world.slack.wait_until(|seen| seen.posts.len() >= 2).await;
    rounds(&log, before).await;
    let log = log();
    assert_eq!(running.stop(), Some(0));
    let statements = reads::statements(log.get(before..).unwrap_or_default());
    assert!(statements.iter().any(|sql| sql.contains("reply_triggers")), "{statements:#?}");
    let found = reads::read_from_end_to_end(&world.home.database(), &statements).await;
    assert!(found.is_empty(), "{found:#?}");
}

/// Waits for two rounds of the keeper after this much of the log.
async fn rounds(log: &impl Fn() -> String, after: usize) {
    let began = Instant::now();
    while log().get(after..).unwrap_or_default().matches(BETWEEN_ROUNDS).count() < 3 {
        assert!(began.elapsed() < LONG, "the keeper does not look again");
        look_again().await;
    }
}
