//! `myao init` as somebody at a terminal meets it.

use std::time::Duration;

use myao_testkit::{
    llm::FakeProvider,
    slack::{ChannelSpec, FakeSlack},
};

use super::{MYAO, mode, read, shows_no_secret};
use crate::{binary::Home, typist::Typist};

fn type_at(home: &Home, more: &str, language: &str) -> Typist {
    let mut command = home.command(&[]);
    command.env("LANG", language).env("TZ", "Europe/London");
    Typist::start(&command, &format!("{MYAO} init {more}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_first_question_to_what_comes_next() {
    let slack = FakeSlack::setup().start().await;
    slack.channel(ChannelSpec::public("general"));
    let provider = FakeProvider::echoing(0, Duration::ZERO).await.without_key();
    let home = Home::new();
    home.write(".env", "# mine\nOTHER='a b'\nSLACK_BOT_TOKEN=xoxb-of-last-year\n");
    let bot = slack.bot_token().to_owned();
    let app = slack.app_token().to_owned();
    let more = format!("--slack-api {} --local-server {}", slack.api_base_url(), provider.url());
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, &more, "en_GB.UTF-8");
        typist.sees("Language / 言語");
        typist.answers("[1]", "3");
        typist.answers("from 1 to 2", "1");
        typist.answers("Time zone", "Mars");
        typist.sees("No such zone");
        typist.answers("Time zone", "");
        typist.answers("called?", "Mo");
        typist.answers("Who is it", "Kind and brief.");
        typist.answers("in Slack, as an app", "２");
        typist.sees("SLACK_BOT_TOKEN is set already");
        typist.sees("WRONG slack.bot_token");
        typist.sees("new_app=1&manifest_json=%7B%22display_information%22%3A%7B%22name%22%3A%22Mo%22");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", &app);
        typist.sees("opens connections");
        typist.answers_unseen("Bot token", "xoxp-of-a-person");
        typist.sees("That is a person's token");
        typist.answers_unseen("Bot token", &bot);
        typist.sees("ok    slack.bot_token: myao in Fake");
        typist.sees("on this machine");
        typist.answers("none: builtin", "1");
        typist.sees("It runs on this machine, so there is no budget.");
        typist.sees("What comes next:");
        typist.sees("/invite @Mo");
        typist.ends()
    });
    // The check that follows finds that this provider uses no tools.
    assert_eq!(code, Some(1), "{screen}");
    let env = read(&home.path(".env"));
    assert_eq!(env, format!("# mine\nOTHER='a b'\nSLACK_APP_TOKEN={app}\nSLACK_BOT_TOKEN={bot}\n"));
    assert_eq!(mode(&home.path(".env")), 0o600);
    let file = read(&home.path("config.yaml"));
    assert!(file.contains("name: \"Mo\"") && file.contains("app_token: ${SLACK_APP_TOKEN}"), "{file}");
    assert!(file.contains("api_base: ") && !file.contains("budget:"), "{file}");
    let secrets = [
        ("bot", bot.as_str()),
        ("app", app.as_str()),
        ("old", "xoxb-of-last-year"),
        ("other", "of-a-person"),
    ];
    shows_no_secret(&format!("{screen}{file}"), &secrets);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_japanese_reader_is_asked_in_japanese_and_may_leave_everything_out() {
    let home = Home::new();
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "ja_JP.UTF-8");
        typist.answers("[2]", "");
        typist.answers("タイムゾーン", "Asia/Tokyo");
        typist.answers("名前は", "");
        typist.answers("人柄", "");
        typist.answers("どこで暮らしますか", "2");
        typist.sees("アプリをつくる Slack のページです");
        typist.answers_unseen("トークン（xoxb-… か xapp-…）", "");
        typist.sees("SLACK_BOT_TOKEN は空のままにし");
        typist.answers("使わない", "");
        typist.sees("次にすること");
        typist.sees("myao setup slack");
        typist.sees("SLACK_BOT_TOKEN, SLACK_APP_TOKEN を設定");
        typist.ends()
    });
    assert_eq!(code, Some(0), "{screen}");
    let file = read(&home.path("config.yaml"));
    assert!(file.contains("# bot_token: ${SLACK_BOT_TOKEN}"), "{file}");
    let status = home.done(&["status"]);
    assert!(status.out.contains("the archive is empty"), "{status:?}");

    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "ja_JP.UTF-8");
        typist.answers("[2]", "");
        typist.answers("config.yaml はもうあります", "n");
        typist.ends()
    });
    assert_eq!((code, read(&home.path("config.yaml"))), (Some(2), file), "{screen}");
}

#[test]
fn ctrl_c_leaves_everything_as_it_is() {
    let home = Home::new();
    let mut typist = type_at(&home, "--language en", "C");
    typist.interrupts("Time zone");
    let (code, screen) = typist.ends();
    assert_ne!(code, Some(0), "{screen}");
    let mut typist = type_at(&home, "--language en --timezone UTC --name Mo --persona Kind. --slack", "C");
    typist.interrupts("Token (xoxb-… or xapp-…)");
    let (code, screen) = typist.ends();
    assert_ne!(code, Some(0), "{screen}");
    let left: Vec<_> = std::fs::read_dir(home.path("")).expect("read").collect();
    assert!(left.is_empty(), "{left:?}");
}
