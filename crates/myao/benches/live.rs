//! Figures of `myao run` (or of the program that `MYAO_PROGRAM` names, to compare two) and of a build by a provider: the
//! real program against a fake Slack and fake providers on loopback.
//!
//! `cargo bench -p myao --bench live` runs everything, `… -- start flood` only what is named: `start`, `flood`,
//! `mentions`, `latency`, `old-manifest` (the same in a workspace whose app has an older manifest), `words`, `thousand`,
//! `agents [RATE…]` (searches a second), `traces`, `looking`, `sizes`, `pages [DATABASE]` and `asked [DATABASE]` (made where
//! it is not there, and kept), `build EXPORT`.

#![expect(clippy::disallowed_methods, reason = "it measures real time")]
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a figure that cannot be taken is none")]

#[path = "live/agents.rs"]
mod agents;
#[path = "live/asked.rs"]
mod asked;
#[path = "live/fill.rs"]
mod fill;
#[path = "live/first_words.rs"]
mod first_words;
#[path = "live/home.rs"]
mod home;
#[path = "live/looking.rs"]
mod looking;
#[path = "live/pages.rs"]
mod pages;
#[path = "live/sizes.rs"]
mod sizes;
#[path = "live/traces.rs"]
mod traces;

use std::{
    env,
    time::{Duration, Instant},
};

use home::{Home, Running, echoing};
use jiff::SignedDuration;
use myao::clock::SystemClock;
use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, SeenPost, UserSpec},
};

/// Messages of a flood.
const FLOOD: usize = 5_000;
/// Threads that call at once, and how long their model takes.
const THREADS: usize = 50;
const MODEL: Duration = Duration::from_secs(1);
/// Mentions one after the other, in as many rounds: more at once Slack's limits slow down, and so do we.
const MENTIONS: usize = 70;
const ROUNDS: usize = 4;
/// Mentions in one channel, each of which somebody else asks, for the same reason and for our own limit.
const IN_ONE_CHANNEL: usize = 5;
/// After so long it has nothing left to do.
const SETTLED: Duration = Duration::from_millis(30);
/// A build's provider takes so long for each answer.
const LATENCY: Duration = Duration::from_millis(300);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    if is_wanted("start") {
        start().await;
    }
    if is_wanted("flood") {
        flood().await;
    }
    if is_wanted("mentions") {
        mentions().await;
    }
    if is_wanted("latency") {
        latency(Manifest::Newest).await;
    }
    if is_wanted("old-manifest") {
        latency(Manifest::Old).await;
    }
    if is_wanted("words") {
        Box::pin(first_words::first_words()).await;
    }
    if is_wanted("thousand") {
        thousand().await;
    }
    if is_wanted("agents") {
        let rates: Vec<u32> = wanted.iter().filter_map(|one| one.parse().ok()).collect();
        Box::pin(agents::agents(&rates)).await;
    }
    if is_wanted("traces") {
        Box::pin(traces::traces()).await;
    }
    if is_wanted("looking") {
        for channels in [10, 100, 1000] {
            let (millis, found) = looking::look(channels).await;
            tell(&format!("looking: {millis:.2} ms over {channels} channels, {found} pauses"));
        }
    }
    if is_wanted("sizes") {
        for size in sizes::SIZES {
            Box::pin(sizes::size(size)).await;
        }
    }
    let named_after = |name: &str| {
        let at = wanted.iter().position(|one| one == name)?;
        wanted.get(at + 1).map(String::as_str)
    };
    if is_wanted("pages") {
        Box::pin(pages::pages(named_after("pages"))).await;
    }
    if is_wanted("asked") {
        Box::pin(asked::asked(named_after("asked"))).await;
    }
    if let [name, export, ..] = wanted.as_slice()
        && name == "build"
    {
        build(export).await;
    }
}

fn tell(line: &str) {
    #[expect(clippy::print_stdout, reason = "figures are for a person")]
    {
        println!("{line}");
    }
}

/// What one of so many takes, in milliseconds.
fn share(all: Duration, many: usize) -> f64 {
    all.as_secs_f64() * 1000.0 / f64::from(u32::try_from(many).unwrap_or(u32::MAX))
}

async fn workspace() -> (FakeSlack, ChannelId, UserId) {
    // What the program takes for too old is not answered: the workspace lives now.
    let slack = FakeSlack::setup().with_clock(SystemClock).start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let general = slack.channel(ChannelSpec::public("general").members(&[&alice]));
    (slack, general, alice)
}

async fn start() {
    let (slack, ..) = workspace().await;
    let home = Home::new(&slack, None);
    let began = Instant::now();
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    let connected = began.elapsed();
    tokio::time::sleep(Duration::from_secs(1)).await;
    tell(&format!("start: connected within {} ms; RSS {} MB", connected.as_millis(), running.rss_mb()));
    running.stop();
}

async fn flood() {
    let (slack, general, alice) = workspace().await;
    let home = Home::new(&slack, None);
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    let cpu = running.cpu();
    let flood = slack.flood(&general, &alice, FLOOD, 1000).await;
    let rate = f64::from(u32::try_from(FLOOD).unwrap_or(0)) / flood.took.as_secs_f64();
    let cpu = share(running.cpu().saturating_sub(cpu), FLOOD);
    let rss = running.rss_mb();
    running.stop();
    tell(&format!(
        "flood: {FLOOD} messages stored and acknowledged in {:.2} s, {rate:.0} a second, {cpu:.2} ms of CPU each; {} in the archive; RSS {rss} MB",
        flood.took.as_secs_f64(),
        home.messages()
    ));
}

async fn mentions() {
    let (slack, ..) = workspace().await;
    let provider = echoing(MODEL).await;
    let home = Home::new(&slack, Some(&provider));
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    let channels: Vec<(ChannelId, UserId)> =
        (0..THREADS / IN_ONE_CHANNEL).map(|n| asker(&slack, n)).collect();
    let roots: Vec<(&ChannelId, &UserId, MessageTs)> = (0..THREADS)
        .zip(channels.iter().cycle())
        .map(|(n, (channel, user))| (channel, user, slack.say(channel, user, &format!("thread {n}"))))
        .collect();
    slack.wait_until(|seen| seen.unacknowledged == 0).await;
    let began = Instant::now();
    for (channel, user, root) in roots {
        slack.reply(channel, root, user, &format!("<@{}> are you there?", slack.bot_user_id()));
    }
    slack.wait_until(|seen| seen.posts.len() >= THREADS).await;
    let took = began.elapsed();
    tell(&format!(
        "mentions: {THREADS} threads in {} channels at once, a model of {} s: the last reply after {:.2} s",
        channels.len(),
        MODEL.as_secs(),
        took.as_secs_f64()
    ));
    running.stop();
}

/// What the app of a workspace may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manifest {
    /// All that today's manifest asks for.
    Newest,
    /// What manifests asked for before apps could be agents: no status, no sessions.
    Old,
}

async fn latency(manifest: Manifest) {
    let provider = echoing(Duration::ZERO).await;
    for (name, provider) in [("builtin", None), ("an instant provider", Some(&provider))] {
        let mut all = Answered::default();
        for _ in 0..ROUNDS {
            let slack = FakeSlack::setup().with_clock(SystemClock);
            let slack = match manifest {
                Manifest::Newest => slack,
                Manifest::Old => slack.without_scope("assistant:write").without_agent_sessions(),
            };
            let slack = slack.start().await;
            let home = Home::new(&slack, provider);
            let running = Running::start(&home);
            slack.wait_until(|seen| seen.connected > 0).await;
            all.rss_at_start = all.rss_at_start.max(running.rss_mb());
            all.ask(&slack, &running, MENTIONS).await;
            all.rss_at_end = all.rss_at_end.max(running.rss_mb());
            running.stop();
        }
        all.took.sort_unstable();
        let many = all.took.len();
        let at = |share: usize| all.took.get(many * share / 100).copied().unwrap_or_default();
        tell(&format!(
            "latency ({manifest:?} manifest): mention to post with {name}: p50 {:.1} ms, p99 {:.1} ms, {:.1} ms of CPU each, over {many}; \
             {:.1} ms of CPU for a message that nobody answers; RSS {} MB at the start, {} MB after {MENTIONS}",
            at(50).as_secs_f64() * 1000.0,
            at(99).as_secs_f64() * 1000.0,
            share(all.cpu, many),
            share(all.stored, many),
            all.rss_at_start,
            all.rss_at_end,
        ));
    }
}

async fn thousand() {
    let (slack, ..) = workspace().await;
    let home = Home::new(&slack, None);
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    let before = running.rss_mb();
    Answered::default().ask(&slack, &running, 1000).await;
    tell(&format!("thousand: RSS {before} MB before, {} MB after 1,000 replies", running.rss_mb()));
    running.stop();
}

/// Mentions that were answered.
#[derive(Default)]
pub(crate) struct Answered {
    /// From each mention to its post.
    pub(crate) took: Vec<SignedDuration>,
    /// Processor time that the program spent on them, and on as many messages that nobody answers.
    cpu: Duration,
    stored: Duration,
    /// What the program held in memory, in MB: the most of all rounds.
    rss_at_start: u64,
    rss_at_end: u64,
}

impl Answered {
    /// So many mentions, one after the other, each in a thread of its own.
    pub(crate) async fn ask(&mut self, slack: &FakeSlack, running: &Running, mentions: usize) {
        let mut asking = None;
        for n in 0..mentions {
            if n % IN_ONE_CHANNEL == 0 {
                asking = Some(asker(slack, n));
                tokio::time::sleep(SETTLED).await;
            }
            let Some((channel, user)) = &asking else { continue };
            let before = running.cpu();
            let root = slack.say(channel, user, &format!("question {n}"));
            slack.wait_until(|seen| seen.unacknowledged == 0).await;
            tokio::time::sleep(SETTLED).await;
            let stored = running.cpu();
            let posts = slack.posts().len();
            let asked = slack.now();
            slack.reply(channel, root, user, &format!("<@{}> {n}?", slack.bot_user_id()));
            slack.wait_until(|seen| seen.posts.len() > posts).await;
            let posted = slack.posts().last().map_or(asked, |post: &SeenPost| post.at);
            tokio::time::sleep(SETTLED).await;
            self.took.push(posted.duration_since(asked));
            self.stored += stored.saturating_sub(before);
            self.cpu += running.cpu().saturating_sub(stored);
        }
    }
}

/// A channel in which somebody asks.
fn asker(slack: &FakeSlack, n: usize) -> (ChannelId, UserId) {
    let user = slack.user(UserSpec::person(&format!("asker-{n}")));
    (slack.channel(ChannelSpec::public(&format!("questions-{n}")).members(&[&user])), user)
}

async fn build(export: &str) {
    let provider = echoing(LATENCY).await;
    let slack = FakeSlack::start().await;
    let home = Home::new(&slack, Some(&provider));
    home.run(&["import", "slack", export]);
    let began = Instant::now();
    home.run(&["memory", "build"]);
    let took = began.elapsed().as_secs_f64();
    let calls = provider.calls().len();
    let ideal = f64::from(u32::try_from(calls).unwrap_or(u32::MAX)) * LATENCY.as_secs_f64() / 4.0;
    let chain = home.longest_chain();
    tell(&format!(
        "build: {calls} calls of {} ms, {} at once at most: {took:.1} s; calls × latency / 4 = {ideal:.1} s; the \
         longest channel's chain is {chain} calls, {:.1} s",
        LATENCY.as_millis(),
        provider.most_concurrent(),
        f64::from(chain) * LATENCY.as_secs_f64()
    ));
}
