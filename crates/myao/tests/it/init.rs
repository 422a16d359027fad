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
    # `myao init` が書きました。書いていない項目は既定値です。全項目は config.yaml.ja.example に。

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

/// A database on a server is tried before anything is written; its password stands in no file but `.env`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_on_a_server() {
    let home = Home::new();
    let url = myao_testkit::fresh_database().await;
    let init = |url: &str, more: &[&str], variables: &[(&str, &str)]| {
        let args = [&["init", "--yes", "--language", "en", "--database-url", url], more].concat();
        run_with(&home, &args, variables)
    };
    init("mysql://myao@host/myao", &[], &[]).ends(2, "expected an address as in postgres://");
    for seen in [
        "postgres://myao:hunter2-of-ours@localhost/myao",
        "postgres://localhost/myao?password=hunter2-of-ours",
    ] {
        init(seen, &["--no-check"], &[]).ends(2, "other people on this machine can see");
    }
    let nobody_there = init("postgres://myao@127.0.0.1:9/myao?sslmode=disable", &[], &[]);
    assert_eq!(nobody_there.code, Some(3), "{nobody_there:?}");
    assert!(!home.path("config.yaml").exists());

    let password = [("MYAO_DATABASE_PASSWORD", "hunter2-of-ours")];
    let untried = init("postgres://myao@127.0.0.1:9/myao", &["--no-check"], &password);
    assert_eq!(untried.code, Some(0), "{untried:?}");
    shows_no_secret(&format!("{}{}", untried.out, untried.err), &password);
    let file = read(&home.path("config.yaml"));
    assert!(
        file.contains(r#"database_url: "postgres://myao:${MYAO_DATABASE_PASSWORD}@127.0.0.1:9/myao""#),
        "{file}"
    );
    fs::remove_file(home.path("config.yaml")).expect("removed");

    let (without, password) = without_password(&url);
    let variables: Vec<(&str, &str)> =
        password.iter().map(|password| ("MYAO_DATABASE_PASSWORD", password.as_str())).collect();
    let done = init(&without, &[], &variables);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(!home.path("data").exists(), "the check used the server's database");
    // What the file says of the database goes on to hold.
    let again = run_with(&home, &["init", "--yes", "--overwrite", "--language", "en"], &variables);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(read(&home.path("config.yaml")).contains("database_url:"));
    init(&without, &["--overwrite"], &variables).ends(2, "says where its database is");
}

/// An address without its password, and that.
fn without_password(url: &str) -> (String, Option<String>) {
    let (scheme, rest) = url.split_once("://").expect("an address");
    let Some((user, rest)) = rest.split_once('@') else { return (url.to_owned(), None) };
    let (user, password) =
        user.split_once(':').map_or((user, None), |(user, word)| (user, Some(word.to_owned())));
    (format!("{scheme}://{user}@{rest}"), password)
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
    run_with(&home, &alone, &[]).ends(2, "SLACK_BOT_TOKEN is not set");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_option_without_effect_is_refused() {
    let home = Home::new();
    let cases: [(&[&str], &str); 5] = [
        (&["--slack-api", "http://127.0.0.1:9/api/"], "--slack-api would be without effect"),
        (&["--archive", "--slack-api", "http://127.0.0.1:9/api/"], "--slack-api would be without effect"),
        (&["--daily-tokens", "500000"], "--daily-tokens would be without effect"),
        (&["--model", "builtin", "--daily-tokens", "500000"], "--daily-tokens would be without effect"),
        (
            &["--model", "builtin", "--api-base", "http://127.0.0.1:9/v1"],
            "--api-base would be without effect",
        ),
    ];
    for (args, why) in cases {
        run_with(&home, &[&["init", "--yes", "--language", "en"], args].concat(), &[]).ends(2, why);
    }
    let japanese = ["init", "--yes", "--language", "ja", "--daily-tokens", "500000"];
    run_with(&home, &japanese, &[]).ends(2, "--daily-tokens は効きません");
    assert!(!home.path("config.yaml").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_zone_with_rules_of_its_own_is_not_taken_for_utc_silently() {
    let home = Home::new();
    let zone = [("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")];
    for (language, words) in [("en", "has no name in the tz database"), ("ja", "tz データベースに名前がない")]
    {
        let ran =
            run_with(&home, &["init", "--yes", "--overwrite", "--no-check", "--language", language], &zone);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains(words) && ran.out.contains("CET-1CEST,M3.5.0,M10.5.0/3"), "{ran:?}");
        assert!(read(&home.path("config.yaml")).contains("timezone: UTC"));
    }
}

/// The commands that come next find the file that was written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_next_names_the_file() {
    let home = Home::new();
    let next = |config: &[&str]| {
        let args = [&["init", "--yes", "--no-check", "--language", "en"], config].concat();
        let ran = run_with(&home, &args, &[]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    assert!(next(&[]).contains("  myao memory build"));
    assert!(next(&["--config", "other.yaml"]).contains("  myao --config other.yaml memory build"));
    assert!(next(&["--config", "my own.yaml"]).contains("  myao --config 'my own.yaml' memory build"));
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
    let english = keys_of(concat!(
        include_str!("../../messages/en/init.ftl"),
        "\n",
        include_str!("../../messages/en/setup.ftl")
    ));
    let japanese = keys_of(concat!(
        include_str!("../../messages/ja/init.ftl"),
        "\n",
        include_str!("../../messages/ja/setup.ftl")
    ));
    assert_eq!(english, japanese);
    let code = [
        "init.rs",
        "init/choices.rs",
        "init/database.rs",
        "init/models.rs",
        "check/slack/token_kind.rs",
        "setup/afterwards.rs",
        "setup/app_manifest.rs",
        "setup/config_file.rs",
        "setup/questions.rs",
        "setup/slack.rs",
        "setup/tokens.rs",
    ]
    .map(|file| read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli").join(file)))
    .concat();
    for key in english.keys() {
        assert!(code.contains(&format!("\"{key}\"")), "nothing asks for {key}");
    }
}
