//! What a configuration that is there gets, line by line.

use super::{mode, read, setup};
use crate::binary::Home;

const TOKENS: &str = "xoxb-1234567 xapp-1234567";

/// The file as it is afterwards, and what `.env` holds.
fn after(home: &Home) -> (String, String) {
    let ran = setup(home, &["--stdin", "--no-check"], TOKENS, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The configuration can be read.
    home.run(&["locale"]).ends(3, "there is no database yet");
    (read(&home.path("config.yaml")), read(&home.path(".env")))
}

const ENV: &str = "SLACK_BOT_TOKEN=xoxb-1234567\nSLACK_APP_TOKEN=xapp-1234567\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lines_that_name_the_tokens_are_added_where_they_belong() {
    let lines = "  bot_token: ${SLACK_BOT_TOKEN}\n  app_token: ${SLACK_APP_TOKEN}\n";
    let comment = "# The tokens are in .env beside this file, or in the environment.\n";
    for (before, then) in [
        // Without the section.
        ("locale: {language: en}", format!("locale: {{language: en}}\n\n{comment}slack:\n{lines}")),
        // With other keys.
        (
            "slack: # ours\n  backfill_days: 7\nlocale: {language: en}\n",
            format!("slack: # ours\n{lines}  backfill_days: 7\nlocale: {{language: en}}\n"),
        ),
        // Indented otherwise.
        (
            "slack:\n    backfill_days: 7\nlocale: {language: en}\n",
            "slack:\n    bot_token: ${SLACK_BOT_TOKEN}\n    app_token: ${SLACK_APP_TOKEN}\n    backfill_days: 7\n\
             locale: {language: en}\n"
                .to_owned(),
        ),
        // As `myao init` leaves it where a token is left out.
        (
            "locale: {language: en}\nslack:\n# bot_token: ${SLACK_BOT_TOKEN}  # xoxb-…\n  app_token: ${SLACK_APP_TOKEN}\n",
            "locale: {language: en}\nslack:\n  bot_token: ${SLACK_BOT_TOKEN}  # xoxb-…\n  app_token: ${SLACK_APP_TOKEN}\n"
                .to_owned(),
        ),
    ] {
        let home = Home::with_config(before);
        assert_eq!(after(&home), (then, ENV.to_owned()), "{before}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_gets_its_lines_switched_on() {
    let example = include_str!("../../../../../config.yaml.example");
    let home = Home::with_config(example);
    let (file, _) = after(&home);
    let changed: Vec<&str> =
        file.lines().zip(example.lines()).filter(|(new, old)| new != old).map(|(new, _)| new).collect();
    let expected = [
        "  bot_token: ${SLACK_BOT_TOKEN}         # xoxb-…",
        "  app_token: ${SLACK_APP_TOKEN}         # xapp-…",
    ];
    assert_eq!(changed, expected);
    assert_eq!(file.lines().count(), example.lines().count());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_ones_own_are_kept_and_so_is_everything_else() {
    let own = "locale: {language: en}\nslack: {bot_token: '${OUR_BOT}', app_token: \"${OUR_APP}\"}\n";
    let home = Home::with_config(own);
    home.write(".env", "# mine\nOUR_BOT=xapp-in-the-wrong-place\nOTHER='a b'\n");
    std::fs::set_permissions(home.path(".env"), std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .expect("set");
    let (file, env) = after(&home);
    assert_eq!(file, own);
    assert_eq!(env, "# mine\nOTHER='a b'\nOUR_BOT=xoxb-1234567\nOUR_APP=xapp-1234567\n");
    assert_eq!(mode(&home.path(".env")), 0o600);

    // A file that others cannot read stays so.
    let home = Home::with_config("locale: {language: en}\n");
    std::fs::set_permissions(home.path("config.yaml"), std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("set");
    after(&home);
    assert_eq!(mode(&home.path("config.yaml")), 0o600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_changed_line_by_line_is_left_to_its_owner() {
    for held in [
        "locale: {language: en}\nslack: {backfill_days: 7}\n",
        "locale: {language: en}\nslack: {bot_token: xoxb-7654321, app_token: xapp-7654321}\n",
        "locale: {language: en}\nslack:\n  bot_token: xoxb-7654321\n",
    ] {
        let home = Home::with_config(held);
        let ran = setup(&home, &["--stdin", "--no-check"], TOKENS, &[]);
        ran.ends(2, "app_token: ${SLACK_APP_TOKEN}");
        assert!(!ran.err.contains("7654321") && !home.path(".env").exists(), "{ran:?}");
        assert_eq!(read(&home.path("config.yaml")), held);
        assert_eq!(setup(&home, &["--print"], "", &[]).code, Some(0), "its manifest can be had");
    }
    let faulty = Home::with_config("slak: {}\n");
    setup(&faulty, &["--print"], "", &[]).ends(2, "unknown key");
}
