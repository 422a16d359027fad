//! `myao init`: by options alone, and asked at a terminal, with a fake Slack and fake providers.

mod asked;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use myao_testkit::{
    llm::{FakeProvider, KEY, Reply},
    slack::{ChannelSpec, FakeSlack},
};

use crate::binary::{Home, MYAO, Ran};

fn run_with(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = home.command(args);
    command.envs(variables.iter().copied());
    let output = tokio::task::block_in_place(|| command.output()).expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_terminal_nothing_is_asked_and_the_machine_says_where_it_is() {
    let home = Home::new();
    let ran = run_with(&home, &["init"], &[("LANG", "ja_JP.UTF-8"), ("TZ", "Asia/Tokyo")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    insta::assert_snapshot!(read(&home.path("config.yaml")), @r"
    # `myao init` が書きました。書いていない項目は既定値です。全項目は config.yaml.example に。

    # プロンプトと記憶の言語、表示される時刻のタイムゾーン。`myao locale` で確かめられます。
    locale:
      language: ja
      timezone: Asia/Tokyo
    ");
    assert!(ran.out.contains("次にすること") && ran.out.contains("myao import slack export.zip"), "{ran:?}");
    assert!(!home.path(".env").exists(), "there is no secret to keep");
    let again = run_with(&home, &["init"], &[]);
    again.ends(2, "config.yaml is there already; --overwrite writes it anew");

    let old = read(&home.path("config.yaml"));
    let args = ["init", "--overwrite", "--yes", "--language", "en", "--timezone", "Europe/London"];
    let args = [&args[..], &["--name", "Mo \"the\" ${HOME}", "--persona", "Kind.\nBrief."]].concat();
    assert_eq!(run_with(&home, &args, &[]).code, Some(0));
    assert_eq!(read(&home.path("config.yaml.before")), old, "nothing is lost");
    let new = read(&home.path("config.yaml"));
    assert!(new.contains(r#"name: "Mo \"the\" $${HOME}""#), "{new}");
    let check = run_with(&home, &["check"], &[]);
    assert!(check.out.contains("configuration: English, times of Europe/London"), "{check:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_and_variables_set_up_slack_and_a_model() {
    let slack = FakeSlack::setup().start().await;
    slack.channel(ChannelSpec::public("general"));
    let provider = FakeProvider::echoing(0, std::time::Duration::ZERO).await;
    let home = Home::new();
    let tokens = [
        ("SLACK_BOT_TOKEN", slack.bot_token()),
        ("SLACK_APP_TOKEN", slack.app_token()),
        ("OPENAI_API_KEY", KEY),
    ];
    let base = format!("{}/v1", provider.url());
    let address = slack.api_base_url();
    let args = ["init", "--slack", "--slack-api", &address, "--model", "openai/gpt-4o-mini"];
    let args = [&args[..], &["--api-base", &base, "--language", "en", "--daily-tokens", "500000"]].concat();
    let ran = run_with(&home, &args, &tokens);
    // The check that follows finds that this provider uses no tools.
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for said in
        ["ok    slack.app_token: opens connections", "ok    slack.bot_token: myao in Fake", "0.10 USD a day"]
    {
        assert!(ran.out.contains(said), "`{said}` is not in {ran:?}");
    }
    let file = read(&home.path("config.yaml"));
    for line in
        ["  bot_token: ${SLACK_BOT_TOKEN}", "    model_id: \"openai/gpt-4o-mini\"", "  daily_tokens: 500000"]
    {
        assert!(file.contains(line), "`{line}` is not in {file}");
    }
    assert!(!home.path(".env").exists(), "what the environment has stays there");
    shows_no_secret(&format!("{}{}{file}", ran.out, ran.err), &tokens);

    // Later commands say where what is missing belongs.
    run_with(&home, &["status"], &[])
        .ends(2, "`SLACK_BOT_TOKEN` is not set, neither in the environment nor in `.env`");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_asked_about_goes_on_to_hold() {
    let home = Home::new();
    let old = "# ours\nlocale: {language: ja}\n\n# never\nprivacy:\n  never_remember: {users: [U1]}\nagents:\n  \
               memory: {model_id: builtin}\n# here\nmemory: {database_path: ./mine/real.db}\n";
    home.write("config.yaml", old);
    let ran = run_with(&home, &["init", "--yes", "--overwrite", "--language", "en"], &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let new = read(&home.path("config.yaml"));
    let kept = "\n# never\nprivacy:\n  never_remember: {users: [U1]}\n# here\nmemory: {database_path: ./mine/real.db}\n";
    assert!(new.ends_with(kept) && !new.contains("agents:"), "{new}");
    assert!(home.path("mine/real.db").exists() && !home.path("data").exists(), "the check used its database");

    // What it would keep cannot be known.
    for faulty in ["memory: {database_path: ${NOBODY_SET_THIS}}\n", "memory: [\n", "{memory: {}}\n"] {
        home.write("config.yaml", faulty);
        run_with(&home, &["init", "--yes", "--overwrite"], &[])
            .ends(2, "is written anew only where it can be read");
        assert_eq!(read(&home.path("config.yaml")), faulty);
    }
}

fn shows_no_secret(text: &str, secrets: &[(&str, &str)]) {
    for (name, secret) in secrets {
        assert!(!text.contains(secret), "{name} is shown: {text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_work_is_not_written() {
    let slack = FakeSlack::setup().start().await;
    let home = Home::new();
    let address = slack.api_base_url();
    let swapped = [("SLACK_BOT_TOKEN", slack.app_token()), ("SLACK_APP_TOKEN", slack.app_token())];
    let ran = run_with(&home, &["init", "--slack", "--slack-api", &address], &swapped);
    ran.ends(2, "SLACK_BOT_TOKEN: slack.bot_token: does not begin with xoxb-");
    shows_no_secret(&format!("{}{}", ran.out, ran.err), &swapped);

    let provider =
        FakeProvider::answering([Reply::error(401, "invalid_api_key", "The key is not valid.")]).await;
    let base = format!("{}/v1", provider.url());
    let args = ["init", "--model", "openai/gpt-4o-mini", "--api-base", &base];
    let ran = run_with(&home, &args, &[("OPENAI_API_KEY", KEY)]);
    ran.ends(2, "openai/gpt-4o-mini does not answer; nothing was written");
    assert_eq!(
        provider.take_complaints().len(),
        1,
        "a server of this machine is not sent the provider's key"
    );
    run_with(&home, &["init", "--model", "anthropic/claude-sonnet-4-5"], &[])
        .ends(2, "set ANTHROPIC_API_KEY in the environment or in .env");
    run_with(&home, &["init", "--model", "nobody/x"], &[]).ends(2, "nobody");
    run_with(&home, &["init", "--name", "", "--no-check"], &[]).ends(2, "persona.name: missing");
    run_with(&home, &["init", "--timezone", "Mars/Olympus"], &[]).ends(2, "a zone of the tz database");
    let alone = ["init", "--slack", "--slack-api", "http://127.0.0.1:9/api/"];
    run_with(&home, &alone, &[]).ends(2, "SLACK_APP_TOKEN is not set");
    let tokens = [("SLACK_BOT_TOKEN", slack.bot_token()), ("SLACK_APP_TOKEN", slack.app_token())];
    run_with(&home, &alone, &tokens).ends(2, "nothing was written. --no-check takes it untried");
    assert!(!home.path("config.yaml").exists() && !home.path(".env").exists());
    assert!(!home.path("data").exists(), "a model that is tried leaves no database");
    let untried = run_with(&home, &[&alone[..], &["--no-check"]].concat(), &tokens);
    assert_eq!(untried.code, Some(0), "nobody is asked: {untried:?}");
    fs::remove_file(home.path("config.yaml")).expect("removed");

    let args = ["init", "--no-check", "--model", "ollama/nobody-has-this"];
    assert_eq!(run_with(&home, &args, &[]).code, Some(0), "untried, as it was asked for");
}

/// The keys of a catalogue, each with the names of its arguments.
fn keys_of(text: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut keys = BTreeMap::new();
    let mut current = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((key, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
            current = key;
        }
        let arguments = line.split("{ $").skip(1).filter_map(|rest| rest.split(' ').next());
        keys.entry(current).or_insert_with(BTreeSet::new).extend(arguments);
    }
    keys.remove("");
    keys
}

#[test]
fn both_languages_say_the_same_things() {
    let english = keys_of(include_str!("../../messages/en/init.ftl"));
    let japanese = keys_of(include_str!("../../messages/ja/init.ftl"));
    assert_eq!(english, japanese);
    let code = ["init.rs", "init/choices.rs", "init/models.rs", "init/questions.rs", "init/tokens.rs"]
        .map(|file| read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli").join(file)))
        .concat();
    for key in english.keys() {
        assert!(code.contains(&format!("\"{key}\"")), "nothing asks for {key}");
    }
}
