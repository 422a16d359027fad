//! The program as a person runs it: a folder with a configuration and a database, and commands in it.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder to work in.
pub(crate) struct Desk {
    folder: TempDir,
}

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }
}

impl Desk {
    /// A folder with a configuration in Japanese time.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = "memory:\n  database_path: ./memory.db\nlocale:\n  timezone: Asia/Tokyo\n";
        std::fs::write(folder.path().join("config.yaml"), config).expect("written");
        Self { folder }
    }

    /// The same, with an export imported and its memory built.
    pub(crate) fn remembering(export: &Path) -> Self {
        let desk = Self::new();
        let path = export.to_str().expect("a path in UTF-8");
        for command in [&["import", "slack", path][..], &["memory", "build", "--now"]] {
            let ended = desk.run(command);
            assert_eq!(ended.code, Some(0), "{command:?}: {}", ended.err);
        }
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, "", &[])
    }

    /// Runs a command that reads `input` and lives in an environment with `variables`.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str, variables: &[(&str, &str)]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_myao"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("EDITOR").env_remove("VISUAL").env("USER", "alice");
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("started");
        // A command that reads nothing may be gone before it is written to.
        drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("it ended");
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Runs a command that must succeed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}{}", ended.out, ended.err);
        ended.out
    }
}
