//! `myao check` about Slack, by the program itself, in a fake workspace.

use myao_slack::manifest;
use myao_store::{Store, Target};
use myao_testkit::slack::{ChannelSpec, FakeSlack, InjectedFault, SlackSetup};

use crate::binary::{Home, Ran};

fn home(base_url: &str, bot: &str, app: &str) -> Home {
    home_with(base_url, bot, app, "")
}

fn home_with(base_url: &str, bot: &str, app: &str, more: &str) -> Home {
    Home::with_config(&format!(
        "slack: {{bot_token: '{bot}', app_token: '{app}', api_base_url: '{base_url}'}}\n\
         memory: {{database_path: memory.db}}\n{more}\n"
    ))
}

/// Checks beside the fake Slack, which needs the runtime meanwhile. No token is ever shown.
fn check(home: &Home, more: &[&str]) -> Ran {
    let ran = tokio::task::block_in_place(|| home.run(&[&["check"], more].concat()));
    let all = format!("{}{}", ran.out, ran.err);
    assert!(!all.contains("loopback") && !all.contains("0123456789"), "a token is shown: {all}");
    ran
}

fn here(slack: &FakeSlack) -> Home {
    home(&slack.api_base_url(), slack.bot_token(), slack.app_token())
}

/// The same with more in its configuration.
fn here_with(slack: &FakeSlack, more: &str) -> Home {
    home_with(&slack.api_base_url(), slack.bot_token(), slack.app_token(), more)
}

fn says(ran: &Ran, words: &[&str]) {
    for said in words {
        assert!(ran.out.contains(said), "`{said}` is not in {ran:?}");
    }
}

async fn start(setup: SlackSetup) -> FakeSlack {
    let slack = setup.start().await;
    slack.channel(ChannelSpec::public("general"));
    slack.channel(ChannelSpec::private("plans"));
    slack
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_as_it_should_be_is_fine() {
    let slack = start(FakeSlack::setup()).await;
    let ran = check(&here(&slack), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    says(
        &ran,
        &[
            "ok    slack.app_token: opens connections",
            "ok    slack.bot_token: myao in Fake (T0FAKETEAM)",
            "ok    slack (scopes): all 11 that are needed",
            "will belong to T0FAKETEAM",
            "slack (channels): in 2",
            "ok    slack (events): Slack tells nobody which events an app hears",
            "`myao setup slack --print`",
            "An older manifest lacks `features.slash_commands` and `settings.interactivity` (there since 2026-11-28; without it there is no `/myao`",
        ],
    );
    assert!(!ran.out.contains("missing") && !ran.out.contains("note  slack"), "{ran:?}");
    assert!(!ran.out.contains("assistant:write"), "{ran:?}");
    assert!(slack.posts().is_empty(), "nothing is posted");
    slack.finish();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_missing_scope_is_named_with_what_it_is_for() {
    for scope in manifest::BOT_SCOPES {
        let slack = start(FakeSlack::setup().without_scope(scope.name)).await;
        let findings = check(&here(&slack), &["--json"]).json();
        let named = findings.as_array().expect("findings").iter().any(|finding| {
            let text = finding["text"].as_str().expect("words");
            finding["fine"] == false
                && text == format!("`{}` is missing: {}", scope.name, scope.without)
                && finding["advice"].as_str().expect("words").contains("install the app again")
        });
        assert!(named, "{}: {findings}", scope.name);
    }
}

/// A model that sees, where nobody answers: that it is wrong too is another matter.
const VISION: &str = "agents: {response: {model_id: ollama/x, vision: true, \
                      client_args: {api_base: 'http://127.0.0.1:9'}}}";

/// What is switched on, the scope that it needs, and that nobody is asked for it otherwise.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_switched_on_needs_its_scope() {
    for (key, scope) in
        [("response: {reactions: true}", manifest::REACTIONS_SCOPE), (VISION, manifest::FILES_SCOPE)]
    {
        let slack = start(FakeSlack::setup().without_scope(scope.name)).await;
        assert_eq!(check(&here(&slack), &[]).code, Some(0), "{key} is off");
        let ran = check(&here_with(&slack, key), &[]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        says(&ran, &[&format!("WRONG slack (scopes): `{}` is missing: {}", scope.name, scope.without)]);
        let slack = start(FakeSlack::setup()).await;
        says(&check(&here_with(&slack, key), &[]), &["ok    slack (scopes): all 12"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_nice_to_have_is_a_note() {
    let slack = start(FakeSlack::setup().without_scope(manifest::AGENT_SCOPE.name)).await;
    let ran = check(&here(&slack), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let note = "note  slack (scopes): `assistant:write` is missing, which is optional: the app is no agent";
    says(&ran, &["ok    slack (scopes): all 11 that are needed", note]);
    let ran = check(&here_with_slack(&slack, "agent_view: false"), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("assistant:write"), "nobody wants it: {ran:?}");
}

/// An app made from an older manifest is fine as it is; what it lacks is said, unless it is not wanted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_of_an_older_manifest_works_on() {
    let slack = start(FakeSlack::setup().without_scope(manifest::COMMANDS_SCOPE.name)).await;
    let ran = check(&here(&slack), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let note = "note  slack (scopes): `commands` is missing, which is optional: there is no `/myao`";
    says(&ran, &["ok    slack (scopes): all 11 that are needed", note, "`myao setup slack --print`"]);
    let home = here_with_slack(&slack, "commands: false");
    let ran = check(&home, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("commands"), "nobody wants it: {ran:?}");
}

/// With one more key of `slack`.
fn here_with_slack(slack: &FakeSlack, more: &str) -> Home {
    let (url, bot, app) = (slack.api_base_url(), slack.bot_token(), slack.app_token());
    Home::with_config(&format!(
        "slack: {{bot_token: '{bot}', app_token: '{app}', api_base_url: '{url}', {more}}}\n\
         memory: {{database_path: memory.db}}\n"
    ))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_in_no_channel_is_told_to_be_invited() {
    let slack = FakeSlack::start().await;
    let ran = check(&here(&slack), &[]);
    ran.ends(1, "1 thing is wrong");
    says(&ran, &["WRONG slack (channels): in none", "/invite @myao"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_tokens_are_told_apart() {
    let slack = start(FakeSlack::setup()).await;
    let url = slack.api_base_url();
    let ran = check(&home(&url, "xoxb-0123456789", slack.app_token()), &[]);
    ran.ends(1, "1 thing is wrong");
    says(&ran, &["ok    slack.app_token", "WRONG slack.bot_token", "invalid_auth", "copy the token again"]);
    let ran = check(&home(&url, slack.bot_token(), "xapp-0123456789"), &[]);
    ran.ends(1, "1 thing is wrong");
    says(&ran, &["WRONG slack.app_token", "invalid_auth", "ok    slack.bot_token"]);
    slack.fail_next("auth.test", InjectedFault::Refused("account_inactive".to_owned()));
    says(&check(&here(&slack), &[]), &["account_inactive", "install the app in the workspace again"]);
    slack.fail_next("apps.connections.open", InjectedFault::Refused("missing_scope".to_owned()));
    says(&check(&here(&slack), &[]), &["WRONG slack.app_token", "`connections:write`"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_another_workspace_is_found_before_a_run() {
    let slack = start(FakeSlack::setup()).await;
    let home = here(&slack);
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a database");
    store.archive().bind_to_team("T1OTHER").await.expect("bound");
    store.close().await;
    let ran = check(&home, &[]);
    ran.ends(1, "1 thing is wrong");
    says(&ran, &["belongs to the workspace T1OTHER, and the token to T0FAKETEAM"]);
}

#[test]
fn tokens_that_cannot_work_are_told_without_asking_slack() {
    let nowhere = "http://127.0.0.1:9/api/";
    for (bot, app, said, advice) in [
        ("xoxp-0123456789", "xapp-0123456789", "slack.bot_token: does not begin with xoxb-", "no other kind"),
        ("xoxe.xoxb-0123456789", "xapp-0123456789", "slack.bot_token: a token that expires", "rotation off"),
        ("xoxb-0123456789", "0123456789", "slack.app_token: does not begin with xapp-", "no other kind"),
    ] {
        let ran = home(nowhere, bot, app).run(&["check"]);
        ran.ends(1, "1 thing is wrong");
        says(&ran, &[said, advice]);
        assert!(!format!("{ran:?}").contains("0123456789"), "{ran:?}");
    }
    let ran = home(nowhere, "xoxb-0123456789", "xapp-0123456789").run(&["check"]);
    ran.ends(1, "1 thing is wrong");
    says(&ran, &["did not reach Slack", "does this machine reach Slack"]);
}

#[test]
fn without_slack_a_check_is_fine_and_half_of_it_is_not() {
    let ran = Home::with_config("memory: {database_path: memory.db}\n").run(&["check"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    says(&ran, &["ok    slack: not configured: `myao run` needs it"]);
    for (token, missing) in
        [("bot_token: xoxb-0123456789", "app_token"), ("app_token: xapp-0123456789", "bot_token")]
    {
        let config = format!("slack: {{{token}}}\nmemory: {{database_path: memory.db}}\n");
        let ran = Home::with_config(&config).run(&["check"]);
        ran.ends(1, "1 thing is wrong");
        says(&ran, &[&format!("WRONG slack.{missing}: not configured, but the other token is")]);
        assert!(!format!("{ran:?}").contains("0123456789"), "{ran:?}");
    }
}
