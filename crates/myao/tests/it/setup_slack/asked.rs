//! `myao setup slack` as somebody at a terminal meets it.

use super::{mode, read, workspace};
use crate::{
    binary::{Home, MYAO},
    typist::Typist,
};

fn type_at(home: &Home, more: &str, language: &str) -> Typist {
    let mut command = home.command(&[]);
    command.env("LANG", language).env("TZ", "Europe/London");
    Typist::start(&command, &format!("{MYAO} setup slack {more}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_page_to_the_check_and_once_more() {
    let slack = workspace().await;
    let home = Home::new();
    home.write(".env", "# mine\nOTHER='a b'\n");
    let (bot, app) = (slack.bot_token().to_owned(), slack.app_token().to_owned());
    let api = format!("--slack-api {}", slack.api_base_url());
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, &api, "en_GB.UTF-8");
        typist.sees(".env gets the tokens");
        typist.sees("config.yaml is made");
        // The line begins with the address and holds nothing else.
        typist.sees("\r\n\r\nhttps://api.slack.com/apps?new_app=1&manifest_json=%7B%22display_information");
        typist.sees("%7D%7D\r\n\r\n");
        typist.sees("Bot User OAuth Token (xoxb-…)");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", "xoxp-of-a-person");
        typist.sees("OAuth & Permissions");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", "xoxe.xoxp-of-a-rotation");
        typist.sees("token rotation");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", "xapp-wrong-one");
        typist.sees("WRONG slack.app_token");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", &app);
        typist.answers_unseen("Bot token (xoxb-…)", &format!("SLACK_BOT_TOKEN={bot}"));
        typist.sees("ok    slack.bot_token: myao in Fake");
        typist.sees("Written: config.yaml");
        typist.sees("ok    slack (channels): in 1");
        typist.sees("/invite @myao");
        typist.ends()
    });
    assert_eq!(code, Some(0), "{screen}");
    let env = read(&home.path(".env"));
    assert_eq!(env, format!("# mine\nOTHER='a b'\nSLACK_APP_TOKEN={app}\nSLACK_BOT_TOKEN={bot}\n"));
    assert_eq!(mode(&home.path(".env")), 0o600);
    shows_none(&screen, &[&bot, &app, "of-a-person", "of-a-rotation", "wrong-one"]);

    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "en_GB.UTF-8");
        typist.sees("config.yaml stays as it is");
        typist.sees("paste it on https://api.slack.com/apps, your app, App Manifest");
        typist.answers("Put other tokens in their place?", "y");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", &app);
        typist.answers_unseen("Bot token (xoxb-…)", "");
        typist.sees("ok    slack (channels): in 1");
        typist.ends()
    });
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("new_app"), "there is an app: {screen}");
    assert_eq!(
        read(&home.path(".env")),
        format!("# mine\nOTHER='a b'\nSLACK_BOT_TOKEN={bot}\nSLACK_APP_TOKEN={app}\n")
    );
    shows_none(&screen, &[&bot, &app]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_japanese_one_token_now_and_the_other_later() {
    let slack = workspace().await;
    let home = Home::with_config(&format!(
        "locale: {{language: ja}}\nslack:\n  api_base_url: '{}'\n",
        slack.api_base_url()
    ));
    let before = read(&home.path("config.yaml"));
    let (bot, app) = (slack.bot_token().to_owned(), slack.app_token().to_owned());
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "C");
        typist.sees("config.yaml に、トークンを読む行を足します");
        typist.answers_unseen("トークン（xoxb-… か xapp-…）", &bot);
        typist.answers_unseen("アプリレベルトークン（xapp-…）", "");
        typist.sees("まだ足りません：SLACK_APP_TOKEN");
        typist.ends()
    });
    assert_eq!(code, Some(1), "{screen}");
    assert_eq!(read(&home.path("config.yaml")), before, "no command would start");
    assert_eq!(read(&home.path(".env")), format!("SLACK_BOT_TOKEN={bot}\n"));
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "C");
        typist.sees("SLACK_BOT_TOKEN はもう設定されています");
        typist.sees("アプリはもうあります：https://api.slack.com/apps");
        typist.answers_unseen("アプリレベルトークン（xapp-…）", &app);
        typist.sees("書きました：config.yaml");
        typist.sees("次にすること");
        typist.ends()
    });
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("new_app"), "no second app: {screen}");
    assert!(read(&home.path("config.yaml")).contains("app_token: ${SLACK_APP_TOKEN}"), "{screen}");
    shows_none(&screen, &[&bot, &app]);
}

#[test]
fn ctrl_c_leaves_everything_as_it_is() {
    let home = Home::new();
    let mut typist = type_at(&home, "", "en_GB.UTF-8");
    typist.interrupts("Token (xoxb-… or xapp-…)");
    let (code, screen) = typist.ends();
    assert_ne!(code, Some(0), "{screen}");
    assert!(std::fs::read_dir(home.path("")).expect("read").next().is_none());
}

fn shows_none(screen: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!screen.contains(secret), "a token is shown: {screen}");
    }
}

/// Making an app takes minutes, in which somebody may well edit the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_into_the_file_meanwhile_stays() {
    let slack = workspace().await;
    let before = format!("locale: {{language: en}}\nslack:\n  api_base_url: '{}'\n", slack.api_base_url());
    let home = Home::with_config(&before);
    let (bot, app) = (slack.bot_token().to_owned(), slack.app_token().to_owned());
    let (code, screen) = tokio::task::block_in_place(|| {
        let mut typist = type_at(&home, "", "en_GB.UTF-8");
        typist.answers_unseen("Token (xoxb-… or xapp-…)", &bot);
        typist.sees("App-level token");
        home.write("config.yaml", format!("{before}response:\n  reactions: true # mine\n"));
        typist.answers_unseen("(xapp-…)", &app);
        typist.sees("Written: config.yaml");
        typist.ends()
    });
    let written = read(&home.path("config.yaml"));
    assert!(written.contains("reactions: true # mine"), "{written}\n{code:?} {screen}");
    assert!(written.contains("bot_token: ${SLACK_BOT_TOKEN}"), "{written}");
}
