//! The program of the town: a process that is started, ended, killed and asked.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::Duration,
};

use myao_testkit::{FakeProvider, FakeSlack, llm::KEY, reserve_port};
use tempfile::TempDir;

use super::{
    faked_time::TownClock,
    model::{ANSWERS, REMEMBERS},
};

/// How long the program waits for a model, on the town's clock.
pub(crate) const MODEL_TIMEOUT_SECONDS: u64 = 30;
/// How long a process may take to end when it is told to, on the machine's clock, and how often that is looked at.
const ENDS_WITHIN: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Where the program works, and what it lives by.
pub(crate) struct ProgramHome {
    folder: TempDir,
    /// The program that is started from now on.
    pub(crate) program: PathBuf,
    environment: Vec<(String, String)>,
}

impl ProgramHome {
    /// An empty folder, where a program lives by a clock.
    pub(crate) fn new(program: &Path, clock: &TownClock) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { folder, program: program.to_owned(), environment: clock.environment() }
    }

    /// Configures it for a Slack, a provider and a database (a key with its value).
    pub(crate) fn configure(&self, slack: &FakeSlack, provider: &FakeProvider, database: &str) {
        let agent = |model: &str| {
            let base = format!("{}/v1", provider.url());
            let client = format!("{{api_key: {KEY}, api_base: '{base}', timeout: {MODEL_TIMEOUT_SECONDS}}}");
            format!("{{model_id: openai/{model}, client_args: {client}}}")
        };
        let config = format!(
            "slack: {{bot_token: {}, app_token: {}, api_base_url: '{}'}}\nmemory: {{{database}}}\n\
             locale: {{language: en}}\nhealth_check: {{port: {}}}\nlogging: {{level: WARNING}}\n\
             agents: {{response: {}, memory: {}}}\n",
            slack.bot_token(),
            slack.app_token(),
            slack.api_base_url(),
            reserve_port(),
            agent(ANSWERS),
            agent(REMEMBERS),
        );
        fs::write(self.path("config.yaml"), config).expect("written");
    }

    /// A file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.envs(self.environment.iter().cloned());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        tokio::task::block_in_place(|| self.command(args).output()).expect("it starts")
    }

    /// Starts `myao run`. What it says goes to the end of a file.
    pub(crate) fn start(&self) -> RunningProgram {
        let log = File::options().create(true).append(true).open(self.path("log")).expect("a file");
        let mut command = self.command(&["run"]);
        command.stdout(log.try_clone().expect("a file")).stderr(log);
        RunningProgram(command.spawn().expect("it starts"))
    }

    /// The end of what it said.
    pub(crate) fn last_words(&self, lines: usize) -> String {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let all: Vec<&str> = log.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}

/// `myao run`. Killed where it is not ended.
pub(crate) struct RunningProgram(Child);

impl RunningProgram {
    /// How it ended, if it did.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().expect("asked")
    }

    /// What it holds in memory, in bytes.
    pub(crate) fn rss(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|size| size.parse::<u64>().ok()).unwrap_or_default() * 1024
    }

    /// Its open sockets, and its other open files.
    pub(crate) fn open_files(&self) -> (u64, u64) {
        let mut open = (0, 0);
        for entry in fs::read_dir(format!("/proc/{}/fd", self.0.id())).into_iter().flatten().flatten() {
            let is_socket = fs::read_link(entry.path())
                .is_ok_and(|target| target.to_string_lossy().starts_with("socket:"));
            if is_socket {
                open.0 += 1;
            } else {
                open.1 += 1;
            }
        }
        open
    }

    /// Time that it has spent on processors.
    pub(crate) fn cpu(&self) -> Duration {
        let threads = fs::read_dir(format!("/proc/{}/task", self.0.id())).into_iter().flatten();
        let of_one = |thread: std::io::Result<fs::DirEntry>| {
            // A thread may end in between.
            let told = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            told.split_whitespace().next()?.parse().map(Duration::from_nanos).ok()
        };
        threads.filter_map(of_one).sum()
    }

    /// As `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }

    /// Ends it as a service manager does.
    pub(crate) async fn stop(mut self) -> ExitStatus {
        Command::new("kill").arg(self.0.id().to_string()).status().expect("kill");
        let ending = async {
            loop {
                if let Some(status) = self.ended() {
                    return status;
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        let ended = tokio::time::timeout(ENDS_WITHIN, ending).await;
        ended.unwrap_or_else(|_| panic!("it does not end within {ENDS_WITHIN:?}"))
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
