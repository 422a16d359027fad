//! The database's server is gone when the program is told to end: it ends within `shutdown_seconds`, whatever stands between.

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use myao::clock::SystemClock;
use myao_testkit::{
    FakeSlack, Pooler, ReplicatedServer, reserve_port,
    slack::{InjectedFault, Rule},
};
use sqlx::{Connection as _, PgConnection};

use super::{LONG, look_again};
use crate::binary::Home;

const SHUTDOWN: Duration = Duration::from_secs(6);
/// Until the test sees that it has ended, on a machine that is busy with other tests. A run that waits for its server waits
/// for longer: half a minute, each time.
const SLACK: Duration = Duration::from_secs(15);
/// Until it notices that the server is gone: behind a pooler, what it asks waits there first.
const NOTICES_WITHIN: Duration = Duration::from_mins(4);
/// More than it writes in the meantime when all is well.
const MOST_BYTES: u64 = 1_000_000;

/// A configuration with a database on a server.
fn home(slack: &FakeSlack, url: &str) -> Home {
    Home::with_config(&format!(
        "slack: {{bot_token: {}, app_token: {}, api_base_url: '{}'}}\nlocale: {{language: en}}\n\
         memory: {{database_url: '{url}'}}\nshutdown_seconds: {}\nhealth_check: {{port: {}}}\n",
        slack.bot_token(),
        slack.app_token(),
        slack.api_base_url(),
        SHUTDOWN.as_secs(),
        reserve_port()
    ))
}

/// Waits until a run has told in its database that it hears. Before, it would end by itself where it cannot.
async fn hears(url: &str) {
    let mut database = PgConnection::connect(url).await.expect("connected");
    let hearing = "SELECT count(*) FROM processes WHERE hears_since IS NOT NULL";
    let began = Instant::now();
    // There may be no tables yet.
    while sqlx::query_scalar::<_, i64>(hearing).fetch_one(&mut database).await.unwrap_or_default() == 0 {
        assert!(began.elapsed() < LONG, "it does not hear");
        look_again().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_in_time_though_the_server_is_down() {
    for is_pooled in [false, true] {
        let mut servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
        let pooler = is_pooled.then(|| Pooler::before_port(servers.port()));
        let direct = servers.each()[0].clone();
        let url = pooler.as_ref().map_or(direct.clone(), |pooler| pooler.url(&direct));
        let slack = FakeSlack::setup().with_clock(SystemClock).with_redelivery().start().await;
        slack.tolerate(Rule::AcknowledgeInTime);
        let home = home(&slack, &url);
        let log = home.path("log");
        let mut command: Command = home.command(&["run"]);
        command.stdout(Stdio::null()).stderr(fs::File::create(&log).expect("a file"));
        let mut running = command.spawn().expect("it starts");
        hears(&direct).await;
        let mut servers = tokio::task::spawn_blocking(move || {
            servers.kill_primary();
            servers
        })
        .await
        .expect("killed");
        let told = || fs::read_to_string(&log).unwrap_or_default();
        let killed = Instant::now();
        while !told().contains("is lost") {
            assert!(
                killed.elapsed() < NOTICES_WITHIN,
                "pooled {is_pooled}: it does not notice that the server is gone: {:?} {}",
                running.try_wait(),
                told()
            );
            look_again().await;
        }
        Command::new("kill").arg(running.id().to_string()).status().expect("told to end");
        let since = Instant::now();
        let code = loop {
            if let Some(code) = running.try_wait().expect("asked") {
                break code.code();
            }
            if since.elapsed() > SHUTDOWN + SLACK {
                running.kill().expect("killed");
                panic!("pooled {is_pooled}: it did not end within {:?}", since.elapsed());
            }
            look_again().await;
        };
        let bytes = fs::metadata(&log).expect("a file").len();
        println!(
            "pooled {is_pooled}: ended after {:?} with {code:?}, a log of {bytes} bytes",
            since.elapsed()
        );
        assert!(bytes < MOST_BYTES, "pooled {is_pooled}: {bytes}");
        tokio::task::spawn_blocking(move || {
            servers.promote();
            drop(servers);
        })
        .await
        .expect("ended");
    }
}

/// It ends by itself, since it cannot note at its start who it is, and nobody tells it to: what is left to do then waits for
/// nobody either.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_ends_by_itself_ends_though_the_server_is_down() {
    let mut servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
    let slack = FakeSlack::setup().with_clock(SystemClock).with_redelivery().start().await;
    slack.tolerate(Rule::AcknowledgeInTime);
    let home = home(&slack, &servers.each()[0]);
    let log = home.path("log");
    let mut command: Command = home.command(&["run"]);
    command.stdout(Stdio::null()).stderr(fs::File::create(&log).expect("a file"));
    slack.fail_next("auth.test", InjectedFault::HangAfter);
    let mut running = command.spawn().expect("it starts");
    slack.wait_until(|seen| seen.calls("auth.test") > 0).await;
    let servers = tokio::task::spawn_blocking(move || {
        servers.kill_primary();
        servers
    });
    let servers = servers.await.expect("killed");
    slack.release();
    let told = || fs::read_to_string(&log).unwrap_or_default();
    let began = Instant::now();
    while !told().contains("take this one for dead") {
        assert!(began.elapsed() < LONG, "it does not end: {}", told());
        look_again().await;
    }
    let since = Instant::now();
    while running.try_wait().expect("asked").is_none() {
        if since.elapsed() > SHUTDOWN + SLACK {
            running.kill().expect("killed");
            panic!("it did not end within {:?}: {}", since.elapsed(), told());
        }
        look_again().await;
    }
    tokio::task::spawn_blocking(move || drop(servers)).await.expect("ended");
}
