//! How long somebody waits in Slack for an answer to a command and for their Home tab, in a large workspace: 1,000 channels,
//! 1,000,000 messages. Meanwhile the program catches up on all channels, as after a start.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use myao::{app::App, clock::SystemClock};
use myao_config::{Config, Database};
use myao_core::chat::{ChannelId, Own, UserId, Visibility};
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, UserSpec},
};

use super::{
    Home, Running,
    fill::{Size, fill},
    tell,
};

/// Channels, messages of each (a multiple of a chapter's 25), people.
const SIZE: Size = (1000, 1000, 500);
/// How often each is asked for, after once that is not counted.
const TIMES: usize = 100;
/// Between two: Slack takes a hundred Home tabs a minute.
const BETWEEN: Duration = Duration::from_millis(700);
/// What is typed, each in its turn.
const COMMANDS: [&str; 6] = [
    "recall when is the release put off to",
    "recall printer 16th",
    "recall nobody had time to look at the window",
    "recall Number 777777",
    "status",
    "why",
];

/// Fills a database, unless there is one that was kept, and measures.
pub(super) async fn asked(kept: Option<&str>) {
    let slack = FakeSlack::setup().with_clock(SystemClock).start().await;
    let aki = slack.user(UserSpec::person("aki"));
    for nth in 0..SIZE.0 {
        let spec = ChannelSpec::public(&format!("c{nth}")).id(&format!("C{nth}"));
        slack.channel(spec.members(&[&aki]));
    }
    let home = Home::new(&slack, None);
    furnish(&home, &slack, kept).await;
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let place = ChannelId::new("C7");
    for command in COMMANDS {
        let mut took = Vec::new();
        for _ in 0..=TIMES / 4 {
            let began = Instant::now();
            slack.slash(&place, &aki, "/myao", command).answered().await;
            took.push(began.elapsed());
        }
        report(&format!("/myao {command}"), &took);
    }
    report("the Home tab", &homes(&slack, &aki).await);
    tell(&format!("asked: RSS {} MB", running.rss_mb()));
    running.stop();
}

/// From opening the tab to the tab that is published.
async fn homes(slack: &FakeSlack, user: &UserId) -> Vec<Duration> {
    let mut took = Vec::new();
    for _ in 0..=TIMES {
        let before = slack.seen().calls("views.publish");
        let began = Instant::now();
        slack.open_home(user);
        slack.wait_until(|seen| seen.calls("views.publish") > before).await;
        took.push(began.elapsed());
        tokio::time::sleep(BETWEEN).await;
    }
    took
}

/// A workspace with its index, which knows its channels.
async fn furnish(home: &Home, slack: &FakeSlack, kept: Option<&str>) {
    let database = home.path("memory.db");
    let mut config = Config::default();
    config.database = Database::Sqlite(database.clone());
    if let Some(kept) = kept.map(Path::new).filter(|kept| kept.exists()) {
        fs::copy(kept, &database).expect("copied");
    } else {
        App::open(config.clone()).await.expect("opened").store.close().await;
        fill(&database, SIZE, &[]).await;
    }
    let app = App::open(config).await.expect("opened");
    while !app.store.recall().index_some().await.expect("indexed").is_complete {}
    let rows = app.store.archive().channels(&Visibility::Owner).await.expect("read");
    let channels: Vec<ChannelId> = rows.into_iter().map(|row| row.channel.id).collect();
    app.store.hearing().note_known(&channels, app.clock.now()).await.expect("noted");
    let own = Own { user: slack.bot_user_id(), bot: Some(UserId::new(slack.bot_id())) };
    app.store.recall().note_own(&own).await.expect("noted");
    app.store.close().await;
    // Counts the words of all messages: nothing old is left to be done beside what is measured.
    home.run(&["memory", "build"]);
    if let Some(kept) = kept.map(Path::new).filter(|kept| !kept.exists()) {
        fs::copy(&database, kept).expect("kept");
    }
}

/// Without the first, which asks Slack who it is.
fn report(what: &str, took: &[Duration]) {
    let ms = |took: &Duration| took.as_secs_f64() * 1000.0;
    let mut sorted: Vec<Duration> = took.iter().skip(1).copied().collect();
    sorted.sort_unstable();
    let at = |share: usize| sorted.get(sorted.len() * share / 100).or(sorted.last()).map_or(0.0, ms);
    let first = took.first().map_or(0.0, ms);
    tell(&format!(
        "asked: {what}: p50 {:.0} ms, p99 {:.0} ms of {}, first {first:.0} ms",
        at(50),
        at(99),
        sorted.len()
    ));
}
