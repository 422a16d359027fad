//! `myao demo` in a real browser: what a person sees there, clicks and types (Debian's Chromium, by its `DevTools` protocol).
//!
//! Every test ends by looking whether the console complained and whether anything was asked for that is not the program's
//! own. `MYAO_TEST_WITHOUT=browser` leaves these tests out on a machine without Chromium; else they fail there.
//!
//! Read in this order: `chromium` and `tab` drive the browser; `story`, `steps`, `following`, `secrecy`, `looks`,
//! `searching` and `barriers` are tests.

mod barriers;
mod chromium;
mod following;
mod looks;
mod searching;
mod secrecy;
mod steps;
mod story;
mod tab;

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Stdio},
};

use myao_testkit::llm::KEY;
use tab::{Eyes, Tab};

use crate::binary::Home;

/// The real program with its sample, served on a port of its own; killed when the test is over.
pub(super) struct Demo {
    program: Child,
    /// Where its pages are, without a slash at the end.
    pub(super) pages: String,
    /// What it says in the terminal after its address.
    said: Box<dyn Iterator<Item = String> + Send>,
    _home: Home,
}

impl Demo {
    pub(super) async fn start(more: &[&str]) -> Self {
        let args: Vec<String> = ["demo", "--listen"].iter().chain(more).map(|&arg| arg.to_owned()).collect();
        let start = move || {
            let home = Home::new();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut command = home.command(&args);
            command.env("OPENAI_API_KEY", KEY).stdout(Stdio::piped());
            let mut program = command.spawn().expect("it starts");
            let said = BufReader::new(program.stdout.take().expect("a pipe")).lines();
            let mut said = said.map_while(Result::ok).map(|line| line.trim().to_owned());
            let address = said.find(|line| line.starts_with("http://127.0.0.1:")).expect("an address");
            let pages = address.trim_end_matches("/talk").to_owned();
            Self { program, pages, said: Box::new(said), _home: home }
        };
        tokio::task::spawn_blocking(start).await.expect("started")
    }

    /// Reads on in the terminal up to a line that contains these words, and returns it.
    pub(super) fn until_it_says(&mut self, words: &str) -> String {
        let line = self.said.by_ref().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("it ended without saying: {words}"))
    }

    /// Somebody's tab; `None` where these tests are left out.
    async fn tab(&self, eyes: Eyes) -> Option<Tab> {
        Tab::open(&self.pages, eyes).await
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It may have ended already.
        self.program.kill().ok();
        self.program.wait().ok();
    }
}
