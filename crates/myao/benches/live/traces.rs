//! What traces cost: the processor time of replies with a collector and without, turn by turn.

use std::time::Duration;

use myao_core::chat::{ChannelId, UserId};
use myao_testkit::{CollectorMood, FakeCollector, FakeSlack};

use super::{asker, home::Home, home::Running, share, tell, workspace};

/// Pairs of runs, one with a collector and one without, and the replies of each run.
const PAIRS: usize = 6;
const REPLIES: usize = 400;
/// Channels in which somebody asks, in turn: nobody is answered more often than 30 times an hour, nor in one channel more
/// often than once a second.
const ASKERS: usize = 20;
/// Longer than spans wait before they are sent.
const SENT: Duration = Duration::from_secs(6);

/// Tells the ratio of each pair, sorted, and their median.
pub(crate) async fn traces() {
    let mut ratios = Vec::new();
    let mut spans = 0;
    for pair in 0..PAIRS {
        let mut took = [Duration::ZERO; 2];
        // What comes first is not always the same.
        for traced in [pair % 2 == 0, pair % 2 != 0] {
            let collector = FakeCollector::start(CollectorMood::Takes).await;
            took[usize::from(traced)] = cpu_of_replies(traced.then_some(&collector)).await;
            spans += collector.seen().spans.len();
        }
        let ratio = took[1].as_secs_f64() / took[0].as_secs_f64();
        tell(&format!(
            "traces: pair {pair}: {:.2} ms of CPU for a reply with traces, {:.2} ms without: {ratio:.4}",
            share(took[1], REPLIES),
            share(took[0], REPLIES),
        ));
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let median = f64::midpoint(ratios[PAIRS / 2 - 1], ratios[PAIRS / 2]);
    tell(&format!(
        "traces: median of {PAIRS} ratios {median:.4}, from {:.4} to {:.4}; {:.1} spans for a reply",
        ratios[0],
        ratios[PAIRS - 1],
        share(Duration::from_millis(u64::try_from(spans).unwrap_or(0)), PAIRS * REPLIES),
    ));
}

/// The processor time of a run that answers [`REPLIES`] mentions by builtin, one after the other.
async fn cpu_of_replies(collector: Option<&FakeCollector>) -> Duration {
    let (slack, ..) = workspace().await;
    let home = Home::new(&slack, None);
    if let Some(collector) = collector {
        let variable = format!("OTEL_EXPORTER_OTLP_ENDPOINT={}\n", collector.url());
        std::fs::write(home.path(".env"), variable).expect("written");
    }
    let askers: Vec<(ChannelId, UserId)> = (0..ASKERS).map(|n| asker(&slack, n)).collect();
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    ask(&slack, &askers, ASKERS).await;
    tokio::time::sleep(SENT).await;
    let before = running.cpu();
    ask(&slack, &askers, REPLIES).await;
    tokio::time::sleep(SENT).await;
    let took = running.cpu().saturating_sub(before);
    running.stop();
    took
}

/// Asks so often, one after the other.
async fn ask(slack: &FakeSlack, askers: &[(ChannelId, UserId)], mentions: usize) {
    for (n, (channel, user)) in askers.iter().cycle().take(mentions).enumerate() {
        let posts = slack.posts().len();
        slack.say(channel, user, &format!("<@{}> question {n}?", slack.bot_user_id()));
        slack.wait_until(|seen| seen.posts.len() > posts).await;
    }
}
