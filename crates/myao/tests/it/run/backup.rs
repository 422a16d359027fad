//! `myao backup` beside a run that stores a flood of messages.

use sqlx::{Connection as _, SqliteConnection};

use super::World;
use crate::binary::number;

/// Messages of the flood.
const SAID: usize = 600;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_beside_a_run_are_whole_and_hold_nobody_at_work() {
    let world = World::new().await;
    let running = world.start().await;
    let backing_up = async {
        let mut counts = Vec::new();
        for n in 0..4 {
            let made = tokio::task::block_in_place(|| world.home.json(&["backup", &format!("{n}.db")]));
            assert_eq!(made["faults"], serde_json::json!([]), "{made}");
            counts.push(number(&made, "messages"));
        }
        counts
    };
    let (_, counts) = tokio::join!(world.slack.flood(&world.general, &world.alice, SAID, 300), backing_up);
    assert!(counts.is_sorted(), "{counts:?}");
    let said = u64::try_from(SAID).expect("few");
    world.eventually("every message", |status| number(status, "messages") == said).await;
    let last = tokio::task::block_in_place(|| world.home.json(&["backup", "last.db"]));
    assert_eq!(number(&last, "messages"), said);
    // The run works on the database, and on no backup.
    let at_work = async |database: &str| {
        let path = world.home.path(database);
        let mut c = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.expect("open");
        let count: i64 =
            sqlx::query_scalar("SELECT (SELECT count(*) FROM processes) + (SELECT count(*) FROM claims)")
                .fetch_one(&mut c)
                .await
                .expect("counted");
        c.close().await.expect("closed");
        count
    };
    assert!(at_work("data/memory.db").await > 0);
    assert_eq!(at_work("last.db").await, 0);
    assert_eq!(running.stop(), Some(0));
}
