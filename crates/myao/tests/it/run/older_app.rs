//! A run with an app whose manifest is older than the program, or lacks something: it works, and says so once.

use std::{fs, process::Stdio};

use myao::clock::SystemClock;
use myao_testkit::slack::{ChannelSpec, FakeSlack, UserSpec};

use super::{Running, config};
use crate::binary::Home;

/// What a run says on stderr until it has answered somebody, with an app without these scopes.
async fn said_by_a_run(without: &[&'static str]) -> String {
    let setup = FakeSlack::setup().with_clock(SystemClock);
    let setup = without.iter().fold(setup, |setup, scope| setup.without_scope(scope));
    let slack = setup.start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let general = slack.channel(ChannelSpec::public("general").members(&[&alice]));
    let home = Home::with_config(&config(&slack, slack.bot_token()));
    let log = fs::File::create(home.path("log")).expect("a file");
    let mut command = home.command(&["run"]);
    let running = Running(command.stderr(Stdio::from(log)).spawn().expect("it starts"));
    slack.wait_until(|seen| seen.connected > 0).await;
    slack.say(&general, &alice, &format!("<@{}> are you there?", slack.bot_user_id()));
    slack.wait_until(|seen| !seen.posts.is_empty()).await;
    assert_eq!(running.stop(), Some(0));
    fs::read_to_string(home.path("log")).expect("a log")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_its_token_lacks_is_one_line_of_the_log() {
    const BEGINS: &str = "the app in Slack lacks";
    let log = said_by_a_run(&["commands", "mpim:read"]).await;
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(BEGINS)).collect();
    assert_eq!(lines.len(), 1, "{log}");
    for said in [
        "WARN",
        "the scope `commands` (optional): there is no `/myao`",
        "the scope `mpim:read`: it does not know group messages",
        "`myao setup slack --print`",
    ] {
        assert!(lines[0].contains(said), "`{said}` is not in {lines:?}");
    }
    let log = said_by_a_run(&["commands"]).await;
    let line = log.lines().find(|line| line.contains(BEGINS)).expect("a line");
    assert!(line.contains("INFO"), "what is optional is no warning: {line}");
    assert!(!said_by_a_run(&[]).await.contains(BEGINS), "there is nothing to say");
}
