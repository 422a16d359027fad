//! `myao run` as it is run: the real program beside a fake Slack, killed and started again.

mod agents;
mod backup;
mod bounded;
mod hang_up;
mod health;
mod idle;
mod indexed;
mod metrics;
mod older_app;
mod opting_out;
mod put_right;
mod server_down;
mod status;
mod traces;
mod unasked;

use std::{
    process::Child,
    time::{Duration, Instant},
};

use myao::clock::SystemClock;
use myao_core::chat::{ChannelId, UserId};
use myao_store::{Store, Target};
use myao_testkit::{
    FakeSlack,
    llm::{FakeProvider, KEY},
    reserve_port,
    slack::{ChannelSpec, InjectedFault, UserSpec},
};
use serde_json::Value;

use crate::binary::{Home, number};

/// Messages of a flood.
const FLOOD: usize = 2_000;
/// A post that is in doubt is looked for after a call's timeout and some seconds.
const LONG: Duration = Duration::from_secs(90);

struct World {
    slack: FakeSlack,
    general: ChannelId,
    alice: UserId,
    home: Home,
}

impl World {
    async fn new() -> Self {
        Self::with("").await
    }

    /// With more configuration.
    async fn with(more: &str) -> Self {
        let slack = FakeSlack::setup().with_clock(SystemClock).start().await;
        let alice = slack.user(UserSpec::person("alice"));
        let general = slack.channel(ChannelSpec::public("general").members(&[&alice]));
        let home = Home::with_config(&format!("{}{more}", config(&slack, slack.bot_token())));
        Self { slack, general, alice, home }
    }

    /// Starts the program and waits until it listens.
    async fn start(&self) -> Running {
        let before = self.slack.seen().connected;
        let running = Running(self.home.command(&["run"]).spawn().expect("it starts"));
        self.slack.wait_until(|seen| seen.connected > before).await;
        running
    }

    fn status(&self) -> Value {
        tokio::task::block_in_place(|| self.home.json(&["status"]))
    }

    /// Waits until the archive and the replies are as they should be.
    async fn eventually(&self, what: &str, reached: impl Fn(&Value) -> bool) {
        let began = Instant::now();
        loop {
            let status = self.status();
            if reached(&status) {
                return;
            }
            assert!(began.elapsed() < LONG, "{what}: {status}");
            look_again().await;
        }
    }

    /// Waits until nothing is left to be answered, and no post to be looked for.
    async fn all_answered(&self) {
        let store = Store::open(&Target::Sqlite(self.home.database())).await.expect("the same file");
        let began = Instant::now();
        while !store.replies().list_unfinished().await.expect("read").is_empty() {
            assert!(began.elapsed() < LONG, "a post is not found");
            look_again().await;
        }
        store.close().await;
    }

    fn mention(&self, text: &str) {
        self.slack.say(&self.general, &self.alice, &format!("<@{}> {text}", self.slack.bot_user_id()));
    }
}

/// Another process tells nobody when it is done.
async fn look_again() {
    tokio::time::sleep(Duration::from_millis(200)).await;
}

fn config(slack: &FakeSlack, bot_token: &str) -> String {
    let port = reserve_port();
    format!(
        "slack: {{bot_token: {bot_token}, app_token: {}, api_base_url: '{}'}}\nlocale: {{language: en}}\n\
         memory: {{database_path: data/memory.db}}\nhealth_check: {{port: {port}}}\n",
        slack.app_token(),
        slack.api_base_url()
    )
}

/// Lines of configuration by which this provider answers.
fn with_provider(provider: &FakeProvider, more: &str) -> String {
    format!(
        "agents: {{response: {{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n{more}",
        provider.url()
    )
}

/// The program; killed when nobody needs it any more.
struct Running(Child);

impl Running {
    /// As `kill -9` does.
    fn kill(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }

    /// As a service manager does; the exit code.
    fn stop(mut self) -> Option<i32> {
        std::process::Command::new("kill").arg(self.0.id().to_string()).status().expect("kill");
        tokio::task::block_in_place(|| self.0.wait()).expect("ended").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// What Slack had told and not seen acknowledged is never told again here: catching up alone completes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_a_flood_it_catches_up() {
    let world = World::new().await;
    let mut running = world.start().await;
    let killed = async {
        world.slack.wait_until(|seen| seen.acks.len() > FLOOD / 4).await;
        running.kill();
        world.slack.forget_unacknowledged();
        world.start().await
    };
    let (_, again) = tokio::join!(world.slack.flood(&world.general, &world.alice, FLOOD, 300), killed);
    let said = u64::try_from(FLOOD).expect("few");
    world.eventually("every message once", |status| number(status, "messages") == said).await;
    assert_eq!(number(&world.home.adds_up(), "messages"), said);
    assert_eq!(again.stop(), Some(0));
}

/// The post was made, its answer never came, and the program was killed: it is found, and not made again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_post_and_record_it_posts_once() {
    killed_while_posting(InjectedFault::HangAfter, 1).await;
}

/// The answer was written and given away, but never taken: it is looked for in vain, and posted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_answer_and_post_it_posts_once() {
    killed_while_posting(InjectedFault::CutBefore, 0).await;
}

/// Kills the program over its first post, of which Slack has taken so many by then.
async fn killed_while_posting(fault: InjectedFault, taken: usize) {
    let world = World::new().await;
    let mut running = world.start().await;
    world.slack.fail_next("chat.postMessage", fault);
    world.mention("is anybody there?");
    world.slack.wait_until(|seen| seen.calls("chat.postMessage") > 0 && seen.posts.len() == taken).await;
    running.kill();
    world.slack.release();
    let again = world.start().await;
    world.all_answered().await;
    assert_eq!(number(&world.status(), "messages"), 2, "the question and the answer, once");
    world.mention("and now?");
    world.slack.wait_until(|seen| seen.posts.len() >= 2).await;
    assert_eq!(world.slack.posts().len(), 2);
    assert_eq!(again.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_do_not_share_a_file_and_the_first_stops_gracefully() {
    let world = World::new().await;
    let running = world.start().await;
    world.home.write("second.yaml", config(&world.slack, world.slack.bot_token()));
    let second = tokio::task::block_in_place(|| world.home.run(&["run", "--config", "second.yaml"]));
    second.ends(1, "another `myao run` or `myao demo` is using");
    assert_eq!(number(&world.status(), "messages"), 0, "reading commands work beside it");
    assert_eq!(running.stop(), Some(0));
    let again = world.start().await;
    assert_eq!(again.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_tokens_and_other_workspaces_end_it_plainly() {
    let world = World::new().await;
    world.home.write("wrong.yaml", config(&world.slack, "xoxb-nobody-gave-this"));
    let ended = tokio::task::block_in_place(|| world.home.run(&["run", "--config", "wrong.yaml"]));
    ended.ends(2, "invalid_auth");
    assert!(!ended.err.contains("xoxb-nobody"), "{ended:?}");
    world.slack.tolerate(myao_testkit::slack::Rule::TokenKind);
    let running = world.start().await;
    assert_eq!(running.stop(), Some(0));
    let none = Home::with_config("memory: {database_path: m.db}\n");
    none.run(&["run"]).ends(2, "slack.bot_token");
}

/// Before it spends anything, and not at every start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_run_says_that_nothing_bounds_the_bill() {
    let agent =
        "agents: {memory: {model_id: openai/some, client_args: {api_base: 'http://127.0.0.1:9/v1'}}}\n";
    for (more, says_so) in [
        (agent.to_owned(), true),
        (format!("{agent}budget: {{daily_tokens: 1000}}\n"), false),
        (String::new(), false),
    ] {
        let world = World::with(&more).await;
        let wrong = format!("{}{more}", config(&world.slack, "xoxb-nobody-gave-this"));
        world.home.write("wrong.yaml", wrong);
        let start = || tokio::task::block_in_place(|| world.home.run(&["run", "--config", "wrong.yaml"]));
        let first = start();
        first.ends(2, "invalid_auth");
        assert_eq!(first.err.contains("budget.daily_tokens"), says_so, "{first:?}");
        let running = world.start().await;
        assert_eq!(running.stop(), Some(0));
        let again = start();
        assert!(!again.err.contains("budget.daily_tokens"), "{again:?}");
        world.slack.tolerate(myao_testkit::slack::Rule::TokenKind);
    }
}
