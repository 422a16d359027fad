//! Runs servers that end with the test process. A small shell script, the guard, starts a server and then reads from a
//! pipe that this process keeps open. However the process ends, even by `SIGKILL`, the kernel closes the pipe. Then the
//! guard stops the server and removes its files, so nothing is left to clean up by hand.

use std::{
    fs,
    io::{BufRead as _, BufReader, Lines, Read as _, Write as _},
    os::unix::{fs::MetadataExt as _, process::CommandExt as _},
    process::{Child, ChildStdout, Command, Stdio},
};

/// The word that a guard prints once its server accepts connections. What it has to tell about the server follows on
/// the same line.
const READY: &str = "ready";
/// The word that a guard prints when it has done what it was told.
const DONE: &str = "done";

/// A running guard.
#[derive(Debug)]
pub(super) struct Guard {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Guard {
    /// Runs a script with these arguments until its server is ready. Returns what the script tells about the server.
    ///
    /// # Panics
    /// When the server does not get ready. The message holds `missing`, which says what may be missing, and what the
    /// script complained about.
    pub(super) fn start(script: &str, arguments: &[String], missing: &str) -> (Self, String) {
        Self::start_with(script, arguments, &[], missing)
    }

    /// The same with more variables in the script's environment.
    ///
    /// # Panics
    /// When the server does not get ready.
    pub(super) fn start_with(
        script: &str,
        arguments: &[String],
        environment: &[(String, String)],
        missing: &str,
    ) -> (Self, String) {
        let mut command = shell_as_postgres(script);
        command.envs(environment.iter().cloned());
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{missing}: {e}"));
        let stdout = child.stdout.take().unwrap_or_else(|| panic!("{missing}"));
        let mut guard = Self { child, said: BufReader::new(stdout).lines() };
        let line = guard.hear();
        let Some(told) = line.strip_prefix(READY) else { guard.fail(missing) };
        let told = told.trim().to_owned();
        (guard, told)
    }

    /// Tells the guard to do something, and waits until it is done.
    ///
    /// # Panics
    /// When it fails.
    pub(super) fn tell(&mut self, word: &str) {
        let told = self.child.stdin.as_mut().map(|stdin| writeln!(stdin, "{word}"));
        let is_told = told.is_some_and(|told| told.is_ok());
        if !is_told || self.hear() != DONE {
            self.fail(word);
        }
    }

    fn hear(&mut self) -> String {
        self.said.next().and_then(Result::ok).unwrap_or_default()
    }

    fn fail(&mut self, what: &str) -> ! {
        let mut said = String::new();
        drop(self.child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said)));
        panic!("{what}\n{said}")
    }
}

/// A shell that runs a script. For root it is run as `postgres`, since the server refuses to run as root.
fn shell_as_postgres(script: &str) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let mut command = if is_root {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--", "sh"]);
        command
    } else {
        Command::new("sh")
    };
    // A signal to the process group of the tests must not end the guard before its work is done.
    command.args(["-c", script, "guard"]).current_dir("/").process_group(0);
    command
}
