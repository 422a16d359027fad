//! What was missed while no process ran is fetched by several together: each channel by one of them, each mention
//! answered once.

use super::Town;

const CHANNELS: usize = 16;

async fn gaps(town: &Town) -> i64 {
    town.shared.count("SELECT count(*) FROM channels WHERE gap_from IS NOT NULL").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_fetch_what_was_missed_once() {
    let town = Town::new(CHANNELS, "").await;
    let first = town.start("before").await;
    town.eventually("nothing is missing", async || gaps(&town).await == 0).await;
    first.kill();
    town.slack.wait_until(|seen| seen.connections == 0).await;
    let asked_before = town.slack.seen().calls("conversations.history");
    let missed: Vec<_> = town.channels.iter().step_by(2).collect();
    let roots: Vec<_> = missed
        .iter()
        .map(|channel| town.slack.muted(|_| town.mention(channel, "is anybody there?")))
        .collect();
    let workers = [town.begin("one"), town.begin("two")];
    town.eventually("all are answered", async || roots.iter().all(|root| town.answers(*root) > 0)).await;
    town.eventually("nothing is missing", async || gaps(&town).await == 0).await;
    assert!(roots.iter().all(|root| town.answers(*root) == 1), "{}", town.logs());
    let asked = town.slack.seen().calls("conversations.history") - asked_before;
    // Whoever is connected later may open the gaps anew, which begins with the newest page again.
    assert!((CHANNELS..=2 * CHANNELS).contains(&asked), "{asked} calls for {CHANNELS} channels");
    drop(workers);
}
