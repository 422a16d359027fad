//! The real program, run as a person or a script runs it: in a folder of its own, without our environment.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub(crate) const MYAO: &str = env!("CARGO_BIN_EXE_myao");
/// Nothing here takes more than seconds; a command that hangs fails its test.
const PATIENCE: Duration = Duration::from_mins(2);

/// A folder somebody works in.
pub(crate) struct Home {
    folder: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    /// Without a configuration: the defaults hold.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// With this `config.yaml`.
    pub(crate) fn with_config(yaml: &str) -> Self {
        let home = Self::new();
        home.write("config.yaml", yaml);
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file's folder")).expect("made");
        fs::write(&path, content).expect("written");
        path
    }

    /// Where the defaults put the database.
    pub(crate) fn database(&self) -> PathBuf {
        self.path("data/memory.db")
    }

    /// For what [`Home::run`] cannot do: pipes, signals, other users. The terminal is Japanese, on a machine in UTC.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(MYAO);
        command.args(args).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("LANG", "ja_JP.UTF-8").env("TZ", "UTC");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = assert_cmd::Command::from_std(self.command(args));
        let output = command.timeout(PATIENCE).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs a command that must do all it was asked to.
    pub(crate) fn done(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        ran
    }

    /// The same for a command that prints JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.done(&[args, &["--json"]].concat()).json()
    }

    pub(crate) fn import(&self, export: &Path) -> Value {
        self.json(&["import", "slack", export.to_str().expect("UTF-8")])
    }

    /// Every message is accounted for, channel by channel and in all (specification §10 `status`); the whole status.
    pub(crate) fn adds_up(&self) -> Value {
        let status = self.json(&["status"]);
        let all = std::iter::once(&status).chain(status["channels"].as_array().expect("channels"));
        for row in all {
            let parts = ["covered", "pending", "before_start", "uncovered"].map(|key| number(row, key));
            assert_eq!(number(row, "messages"), parts.iter().sum::<u64>(), "{row}");
            assert_eq!(number(row, "uncovered"), 0, "{row}");
        }
        status
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It ended with this code, and says this on stderr.
    pub(crate) fn ends(&self, code: i32, words: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.err.contains(words), "`{words}` is not in: {self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
    }
}

/// The number under `key`.
pub(crate) fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is no number in {value}"))
}
