//! `myao setup slack`: what it prints, what it takes from standard input, and what it writes where.

mod asked;
mod files;

use std::{fs, io::Write as _, os::unix::fs::PermissionsExt as _, path::Path, process::Stdio};

use myao_testkit::slack::{ChannelSpec, FakeSlack};
use serde_json::{Value, json};

use crate::binary::{Home, Ran};

/// The manifest of the usual configuration.
const USUAL: &str = include_str!("../../../../slack-manifest.yaml");

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

/// Runs `myao setup slack` with a text on standard input, in an English terminal.
fn setup(home: &Home, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Ran {
    let mut command = home.command(&[&["setup", "slack"], args].concat());
    command.env("LANG", "en_GB.UTF-8").env("TZ", "Europe/London").envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // A command that reads nothing may be gone before it is written to.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    let output = tokio::task::block_in_place(|| child.wait_with_output()).expect("it ended");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    for word in input.split_whitespace().filter(|word| word.len() > 5) {
        let token = word.rsplit('=').next().unwrap_or(word).trim_matches('\'');
        assert!(!format!("{}{}", ran.out, ran.err).contains(token), "a token is shown: {ran:?}");
    }
    ran
}

async fn workspace() -> FakeSlack {
    let slack = FakeSlack::setup().start().await;
    slack.channel(ChannelSpec::public("general"));
    slack
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_manifest_in_the_repository_is_that_of_the_usual_configuration() {
    let ran = setup(&Home::new(), &["--print"], "", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(
        ran.out, USUAL,
        "`LANG=en myao setup slack --print > slack-manifest.yaml`, in a folder without a config.yaml"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_follows_what_is_switched_on_and_the_language() {
    let manifest =
        |config: &str| -> Value { setup(&Home::with_config(config), &["--print", "--json"], "", &[]).json() };
    let scopes = |manifest: &Value| manifest["oauth_config"]["scopes"]["bot"].to_string();
    let usual = manifest("locale: {language: en}");
    assert_eq!(usual["features"]["slash_commands"][0]["command"], "/myao");
    assert_eq!(usual["settings"]["interactivity"], json!({"is_enabled": true}));
    assert!(scopes(&usual).contains("commands") && !scopes(&usual).contains("reactions:write"), "{usual}");
    assert!(
        scopes(&usual).contains("reactions:read") && usual.to_string().contains("reaction_removed"),
        "{usual}"
    );
    let other = manifest(
        "locale: {language: ja}\npersona: {name: Mo, system_prompt: Kind.}\nslack: {commands: false, home: false}\n\
         response: {reactions: true, feedback: never}\nagents: {response: {model_id: ollama/x, vision: true}}",
    );
    assert_eq!(other["features"].get("slash_commands"), None);
    assert_eq!(other["settings"].get("interactivity"), None);
    assert!(scopes(&other).contains("reactions:write") && scopes(&other).contains("files:read"), "{other}");
    assert!(
        !scopes(&other).contains("reactions:read") && !other.to_string().contains("reaction_"),
        "{other}"
    );
    assert_eq!(other["display_information"], json!({"name": "Mo", "description": "覚えている友だち。"}));
    // The Home tab has buttons, whether or not there are commands.
    let home = manifest("slack: {commands: false}");
    assert_eq!(home["features"].get("slash_commands"), None);
    assert_eq!(home["settings"]["interactivity"], json!({"is_enabled": true}));
    assert_eq!(home["features"]["app_home"]["home_tab_enabled"], true);
    assert_eq!(other["features"]["app_home"]["home_tab_enabled"], false);
    // Tokens that are not set yet are no hindrance.
    manifest("slack: {bot_token: '${SLACK_BOT_TOKEN}', app_token: '${SLACK_APP_TOKEN}'}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_link_is_one_line_and_holds_the_manifest() {
    let home =
        Home::with_config("locale: {language: en}\nslack: {api_base_url: 'https://slack-gov.com/api/'}\n");
    let ran = setup(&home, &["--link"], "", &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let link = ran.out.strip_suffix('\n').expect("a line");
    assert!(link.starts_with("https://api.slack-gov.com/apps?new_app=1&manifest_json=%7B%22"), "{link}");
    assert!(!link.contains(char::is_whitespace), "{link}");
    // Browsers and servers take some thousand characters.
    assert!(link.len() < 4_000, "{}", link.len());
    assert!(!home.database().exists() && !home.path(".env").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_terminal_it_says_which_options_there_are() {
    let home = Home::new();
    setup(&home, &[], "", &[]).ends(2, "`--stdin` reads the two tokens from standard input");
    let ran = home.run(&["setup", "slack"]);
    ran.ends(2, "尋ねるための端末がありません");
    home.run(&["setup", "slack", "--json"]).ends(2, "--print");
    let help = home.done(&["setup", "slack", "--help"]).out;
    for taught in ["--print", "--link", "--stdin", "xoxb-", "connections:write", "Examples:"] {
        assert!(help.contains(taught), "{taught}: {help}");
    }
    assert!(fs::read_dir(home.path("")).expect("a folder").next().is_none(), "nothing is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_needs_nothing_but_two_tokens() {
    let slack = workspace().await;
    let home = Home::new();
    let address = slack.api_base_url();
    let tokens = format!("SLACK_APP_TOKEN='{}'\n  {}\n", slack.app_token(), slack.bot_token());
    let ran = setup(&home, &["--stdin", "--slack-api", &address], &tokens, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in [
        "ok    slack.app_token: opens connections",
        "ok    slack.bot_token: myao in Fake",
        "Written: .env, with SLACK_APP_TOKEN, SLACK_BOT_TOKEN (only you can read it)",
        "Written: config.yaml",
        "Checking it, as `myao check` does:",
        "ok    slack (scopes): all 11",
        "/invite @myao",
        "myao run",
    ] {
        assert!(ran.out.contains(said), "`{said}` is not in {ran:?}");
    }
    assert_eq!(mode(&home.path(".env")), 0o600);
    insta::assert_snapshot!(read(&home.path("config.yaml")).replace(&address, "ADDRESS"), @r#"
    # Written by `myao setup slack`. What is left out has its default; config.yaml.example lists every key.

    # Of prompts, memories and all times that are shown. `myao locale` shows what holds.
    locale:
      language: en
      timezone: Europe/London

    # The tokens are in .env beside this file, or in the environment.
    slack:
      bot_token: ${SLACK_BOT_TOKEN}
      app_token: ${SLACK_APP_TOKEN}
      api_base_url: "ADDRESS"
    "#);

    // Once more, with a new bot token alone: the other one is set already.
    let before = read(&home.path("config.yaml"));
    let ran = setup(&home, &["--stdin"], slack.bot_token(), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("Written: config.yaml"), "{ran:?}");
    assert_eq!(read(&home.path("config.yaml")), before);
    let env = format!("SLACK_APP_TOKEN={}\nSLACK_BOT_TOKEN={}\n", slack.app_token(), slack.bot_token());
    assert_eq!(read(&home.path(".env")), env);
    setup(&home, &["--stdin", "--slack-api", &address], slack.bot_token(), &[])
        .ends(2, "say slack.api_base_url there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_is_told_and_not_written() {
    let slack = workspace().await;
    let home = Home::new();
    let address = slack.api_base_url();
    let (bot, app) = (slack.bot_token(), slack.app_token());
    for (given, said) in [
        (format!("{app}\nxoxp-1234567"), "a person's token (xoxp-…)"),
        (format!("{app}\nxoxe.xoxb-1234567"), "Slack's token rotation"),
        (format!("{app}\nsomething"), "That is none of the two"),
        (app.to_owned(), "SLACK_BOT_TOKEN is missing: no token on standard input begins with xoxb-"),
        (String::new(), "SLACK_BOT_TOKEN is missing"),
        (format!("xapp-1234567 {bot}"), "SLACK_APP_TOKEN: slack.app_token"),
    ] {
        let ran = setup(&home, &["--stdin", "--slack-api", &address], &given, &[]);
        ran.ends(2, said);
        assert!(ran.err.to_lowercase().contains("nothing was written"), "{ran:?}");
    }
    // What the environment says wins over .env, so that another one there would be without effect.
    let both = format!("{bot} {app}");
    let args = ["--stdin", "--slack-api", &address];
    setup(&home, &args, &both, &[("SLACK_BOT_TOKEN", "xoxb-of-old")]).ends(2, "wins over .env");
    assert!(fs::read_dir(home.path("")).expect("a folder").next().is_none(), "nothing is written");
    // Nobody is asked.
    let ran = setup(&home, &["--stdin", "--no-check"], "xoxb-1234567 xapp-1234567", &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!home.database().exists() && home.path(".env").exists());
}
