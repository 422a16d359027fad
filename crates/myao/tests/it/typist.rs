//! Somebody at a terminal: the real program in a pseudo-terminal, which waits to be asked before it types.
//!
//! The pseudo-terminal is made by `script` (util-linux), since making one takes what `unsafe_code = "forbid"` forbids.

use std::{
    io::{Read as _, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// How long a question may take to come.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often it is looked whether a terminal shows what is typed.
const LOOKS: u32 = 10_000;

/// A program that runs in a terminal.
pub(crate) struct Typist {
    child: Child,
    keys: ChildStdin,
    shown: Receiver<Vec<u8>>,
    /// Everything that was shown.
    screen: Vec<u8>,
    /// How much of it was read.
    read: usize,
}

impl Typist {
    /// Starts a command line of a shell in a terminal; `command` says where, and in which environment.
    pub(crate) fn start(command: &Command, line: &str) -> Self {
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &format!("tty; {line}"), "/dev/null"]).env_clear();
        if let Some(folder) = command.get_current_dir() {
            script.current_dir(folder);
        }
        script.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        script.env("TERM", "dumb").env("PATH", "/usr/bin:/bin");
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = script.spawn().expect("`script` of util-linux is there");
        let mut output = child.stdout.take().expect("a pipe");
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = output.read(&mut buffer) {
                if length == 0 || sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = child.stdin.take().expect("a pipe");
        Self { child, keys, shown, screen: Vec::new(), read: 0 }
    }

    /// Waits until this is shown, behind what was waited for before.
    pub(crate) fn sees(&mut self, words: &str) {
        loop {
            let new = String::from_utf8_lossy(&self.screen[self.read..]).into_owned();
            if let Some(place) = new.find(words) {
                self.read += place + words.len();
                return;
            }
            match self.shown.recv_timeout(PATIENCE) {
                Ok(more) => self.screen.extend(more),
                Err(over) => panic!("`{words}` is not shown ({over}): {new}"),
            }
        }
    }

    /// Waits for a question and answers it.
    pub(crate) fn answers(&mut self, question: &str, answer: &str) {
        self.sees(question);
        self.keys.write_all(format!("{answer}\r").as_bytes()).expect("typed");
        self.keys.flush().expect("typed");
    }

    /// Waits for a question and answers it once the terminal shows no letter that is typed.
    pub(crate) fn answers_unseen(&mut self, question: &str, answer: &str) {
        self.sees(question);
        let first = String::from_utf8_lossy(&self.screen).lines().next().map(str::to_owned);
        let terminal = first.expect("the terminal's name").trim().to_owned();
        for _ in 0..LOOKS {
            let state = Command::new("stty").args(["-F", &terminal, "-a"]).output().expect("stty is there");
            if String::from_utf8_lossy(&state.stdout).contains(" -echo ") {
                self.keys.write_all(format!("{answer}\r").as_bytes()).expect("typed");
                self.keys.flush().expect("typed");
                return;
            }
        }
        panic!("{terminal} shows what is typed");
    }

    /// Waits for a question and presses Ctrl-C.
    pub(crate) fn interrupts(&mut self, question: &str) {
        self.sees(question);
        self.keys.write_all(b"\x03").expect("typed");
        self.keys.flush().expect("typed");
    }

    /// Waits for the end: the exit code, and everything that was shown.
    pub(crate) fn ends(mut self) -> (Option<i32>, String) {
        while let Ok(more) = self.shown.recv_timeout(PATIENCE) {
            self.screen.extend(more);
        }
        let code = self.child.wait().expect("it ended").code();
        (code, String::from_utf8_lossy(&self.screen).into_owned())
    }
}
