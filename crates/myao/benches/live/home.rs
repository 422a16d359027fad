//! A folder with a configuration, and the program in it.

use std::{
    env,
    ffi::OsString,
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use myao_testkit::{
    FakeSlack,
    llm::{FakeProvider, KEY},
    reserve_port,
};
use tempfile::TempDir;

/// The program under test, where no other one is named.
const MYAO: &str = env!("CARGO_BIN_EXE_myao");

/// A program is at rest that has used so little of a processor for so long: what it does after its start is over.
const RESTS_FOR: Duration = Duration::from_secs(3);
const USED_AT_REST: Duration = Duration::from_millis(60);
const RESTS_WITHIN: Duration = Duration::from_mins(10);

/// Names another program to be measured in its place, for example an earlier version of it.
const OTHER_PROGRAM: &str = "MYAO_PROGRAM";

/// The program under test.
fn program() -> OsString {
    env::var_os(OTHER_PROGRAM).unwrap_or_else(|| MYAO.into())
}

/// Where a program works.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    /// Configured for this Slack, every role done by `provider`, or builtin.
    pub(crate) fn new(slack: &FakeSlack, provider: Option<&FakeProvider>) -> Self {
        Self::with_more(slack, provider, "")
    }

    /// The same with more lines of configuration.
    pub(crate) fn with_more(slack: &FakeSlack, provider: Option<&FakeProvider>, more: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = provider.map(|provider| {
            let agent = format!(
                "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}",
                provider.url()
            );
            format!("agents: {{response: {agent}, judgment: {agent}, memory: {agent}}}\n")
        });
        let config = format!(
            "slack: {{bot_token: {}, app_token: {}, api_base_url: '{}'}}\n\
             memory: {{database_path: memory.db}}\nlocale: {{language: en}}\nhealth_check: {{port: {}}}\n\
             logging: {{level: WARNING}}\n{}{more}",
            slack.bot_token(),
            slack.app_token(),
            slack.api_base_url(),
            reserve_port(),
            agents.unwrap_or_default()
        );
        fs::write(folder.path().join("config.yaml"), config).expect("written");
        Self { folder }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(args).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command
    }

    /// Runs a command to its end; what it prints is given back.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let output = tokio::task::block_in_place(|| self.command(args).output()).expect("it starts");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A file in it, or itself for `""`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Messages in the archive.
    pub(crate) fn messages(&self) -> u64 {
        let status: serde_json::Value = serde_json::from_str(&self.run(&["status", "--json"])).expect("JSON");
        status["messages"].as_u64().expect("a number") + status["notices"].as_u64().expect("a number")
    }

    /// Calls of the channel that needed most.
    pub(crate) fn longest_chain(&self) -> u32 {
        let cost = self.run(&["cost", "--by", "channel", "--json"]);
        let cost: serde_json::Value = serde_json::from_str(&cost).expect("JSON");
        let calls = cost["groups"].as_array().expect("groups").iter().filter_map(|g| g["calls"].as_u64());
        u32::try_from(calls.max().unwrap_or(0)).expect("few")
    }
}

/// `myao run` in a home.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn start(home: &Home) -> Self {
        Self(home.command(&["run"]).spawn().expect("it starts"))
    }

    /// What it holds in memory, in MB.
    pub(crate) fn rss_mb(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a size");
        let kilobytes: u64 = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
        kilobytes / 1024
    }

    /// Time that its threads have spent on processors.
    pub(crate) fn cpu(&self) -> Duration {
        let threads = fs::read_dir(format!("/proc/{}/task", self.0.id())).expect("it runs");
        let of_one = |thread: std::io::Result<fs::DirEntry>| {
            // A thread may end in between.
            let told = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            told.split_whitespace().next()?.parse().map(Duration::from_nanos).ok()
        };
        threads.filter_map(of_one).sum()
    }

    /// Returns how long it takes until it is at rest: after its start an old archive is counted and looked through in the
    /// background, beside which everything takes longer.
    pub(crate) async fn come_to_rest(&self) -> Duration {
        let began = Instant::now();
        loop {
            let before = self.cpu();
            tokio::time::sleep(RESTS_FOR).await;
            if self.cpu().saturating_sub(before) <= USED_AT_REST {
                return began.elapsed();
            }
            assert!(began.elapsed() < RESTS_WITHIN, "it does not come to rest");
        }
    }

    /// Ends it as a service manager does. One that is not ended is killed.
    pub(crate) fn stop(mut self) {
        Command::new("kill").arg(self.0.id().to_string()).status().expect("kill");
        tokio::task::block_in_place(|| self.0.wait()).expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
    }
}

pub(crate) async fn echoing(latency: Duration) -> FakeProvider {
    FakeProvider::echoing(0, latency).await
}
