//! Live processes on one workspace: each with a socket of its own, killed and started as it comes.

mod catching_up;
mod cuts;
mod flood;
mod servers;
mod takeover;

use std::{
    fs,
    time::{Duration, Instant},
};

use myao::clock::SystemClock;
use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_testkit::{
    FakeSlack, reserve_port,
    slack::{ChannelSpec, Rule, SlackSetup, UserSpec},
};
use serde_json::Value;

use super::{PATIENCE, Shared, Worker};

/// A workspace, and a database that any number of processes share.
pub(super) struct Town {
    pub(super) slack: FakeSlack,
    pub(super) alice: UserId,
    pub(super) channels: Vec<ChannelId>,
    pub(super) shared: Shared,
    /// More configuration of each process.
    more: String,
}

impl Town {
    pub(super) async fn new(channels: usize, more: &str) -> Self {
        Self::on(|setup| setup, channels, more).await
    }

    /// On a database that is there already.
    pub(super) async fn with(shared: Shared, channels: usize) -> Self {
        Self { shared, ..Self::new(channels, "").await }
    }

    pub(super) async fn on(
        setup: impl FnOnce(SlackSetup) -> SlackSetup,
        channels: usize,
        more: &str,
    ) -> Self {
        let slack = setup(FakeSlack::setup().with_clock(SystemClock).with_redelivery()).start().await;
        // A process that is stopped, or waits for a slow machine, is late.
        slack.tolerate(Rule::AcknowledgeInTime);
        let alice = slack.user(UserSpec::person("alice"));
        let channels = (0..channels)
            .map(|n| slack.channel(ChannelSpec::public(&format!("room-{n}")).members(&[&alice])))
            .collect();
        Self { slack, alice, channels, shared: Shared::new("").await, more: more.to_owned() }
    }

    /// Starts a process under a name; it may not be connected yet.
    pub(super) fn begin(&self, name: &str) -> Worker {
        let port = reserve_port();
        let config = format!(
            "slack: {{bot_token: {}, app_token: {}, api_base_url: '{}'}}\nlocale: {{language: en}}\n\
             {}health_check: {{port: {port}}}\n{}",
            self.slack.bot_token(),
            self.slack.app_token(),
            self.slack.api_base_url(),
            self.shared.memory,
            self.more
        );
        let file = format!("{name}.yaml");
        self.shared.home.write(&file, config);
        let mut command = self.shared.home.command(&["run", "--config", &file]);
        let log = fs::OpenOptions::new().create(true).append(true).open(self.shared.home.path(name));
        command.stderr(log.expect("a file"));
        Worker::start(command)
    }

    /// Starts a process and waits until it is connected.
    pub(super) async fn start(&self, name: &str) -> Worker {
        let before = self.slack.seen().connected;
        let worker = self.begin(name);
        self.eventually("it is connected", async || self.slack.seen().connected > before).await;
        worker
    }

    /// A mention in a thread of its own.
    pub(super) fn mention(&self, channel: &ChannelId, text: &str) -> MessageTs {
        self.ask(channel, &self.alice, text)
    }

    /// The same by somebody else.
    pub(super) fn ask(&self, channel: &ChannelId, asker: &UserId, text: &str) -> MessageTs {
        let root = self.slack.say(channel, asker, "a question");
        let text = format!("<@{}> {text}", self.slack.bot_user_id());
        self.slack.reply(channel, root, asker, &text);
        root
    }

    /// How often a thread was answered.
    pub(super) fn answers(&self, root: MessageTs) -> usize {
        self.slack.posts().iter().filter(|post| post.thread_ts == Some(root)).count()
    }

    pub(super) async fn eventually(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let began = Instant::now();
        while !holds().await {
            assert!(began.elapsed() < PATIENCE, "never: {what}\n{}", self.logs());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(super) fn status(&self) -> Value {
        tokio::task::block_in_place(|| self.shared.home.json(&["status"]))
    }

    /// What the processes complained of.
    pub(super) fn logs(&self) -> String {
        let files = fs::read_dir(self.shared.home.path(".")).expect("listed").flatten();
        let logs = files.filter(|file| file.path().extension().is_none() && file.path().is_file());
        let read = |file: fs::DirEntry| fs::read_to_string(file.path()).unwrap_or_default();
        let mut all = String::new();
        for log in logs {
            let name = log.file_name();
            let text = read(log);
            let from = text.len().saturating_sub(3_000);
            let end = text.get(from..).unwrap_or(&text);
            all.extend(["--- ", &name.to_string_lossy(), "\n", end, "\n"]);
        }
        all
    }
}
