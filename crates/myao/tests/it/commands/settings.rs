//! Configuration, help, and what goes to stderr.

use serde_json::Value;

use crate::{binary::Home, exports::sample};

#[test]
fn the_configuration_is_where_it_is_said_to_be() {
    let home = Home::new();
    let ran = home.done(&["memory", "build"]);
    assert!(ran.err.contains("note: no ./config.yaml yet: Japanese, times of UTC, "), "{ran:?}");
    assert!(!ran.out.contains("note:"), "notes are no results");
    assert!(home.database().is_file());

    let home = Home::new();
    home.write("etc/mine.yaml", "memory: {database_path: elsewhere/mine.db}");
    let ran = home.done(&["--config", "etc/mine.yaml", "memory", "build"]);
    assert!(!ran.err.contains("no ./config.yaml"), "{ran:?}");
    assert!(home.path("elsewhere/mine.db").is_file() && !home.database().exists());
    home.done(&["status", "--config", "etc/mine.yaml"]);
    home.run(&["--config", "nowhere.yaml", "status"]).ends(2, "nowhere.yaml: there is no such file");
}

#[test]
fn the_help_teaches() {
    let home = Home::new();
    let help = home.done(&["--help"]);
    insta::assert_snapshot!(help.out, @r"
    A friend in a chat workspace that remembers, and whose memory people can trust

    Usage: myao [OPTIONS] <COMMAND>

    Commands:
      demo         See it work: a sample workspace is imported and remembered before your eyes
      init         Set it up: asks what it has to know, tries it, and writes config.yaml
      setup        Set up Slack alone: makes the app's manifest, takes its two tokens, tries them
      run          Join Slack: remember what is said there and answer who asks. Ends with Ctrl-C
      check        Try everything a run needs, and say what is wrong and what to do about it
      import       Take an archive in
      memory       Build and look at memories
      memo         Keep notes that replies see, and some for yourself
      prompt       Show the exact prompt a reply in a place would be made from
      recall       Find what was said, and what is remembered
      brief        Show what somebody missed: what was decided, what changed and what was asked of them
      loops        Show what people promised, what waits for an answer, and which dates are to come
      forget       Forget for good: a message, a person, a channel, a time, words
      decisions    Show when it spoke up unasked, when it kept quiet, and why; try other settings
      cost         Show what models were asked and what that cost, by model, role, channel, day or
                   purpose
      policy       Show what holds in a place, what it may cost and when it speaks there, and which line
                   of the configuration says so
      status       Show what is archived, what is remembered, and what it cost
      web          Look at all of it in a browser
      mcp          Give other agents the memory, on standard input and output (MCP)
      token        Make, list and revoke the tokens by which other agents ask
      backup       Make a backup beside a run: one file, opened and verified before it gets its name
      locale       Show in which language and time zone memories are written, or change it
      db           Move an installation to another database
      health       Ask the run how it is: exit code 0 when it hears Slack and answers. For health checks
      doctor       Gather a report for a bug: versions, counts, states; no secret, no name, nothing that
                   was said
      completions  Print what a shell needs to complete commands, options, channels and people
      man          Print the manual page, or write all of them into a folder
      help         Print this message or the help of the given subcommand(s)

    Options:
          --config <PATH>  The configuration [default: ./config.yaml; without one, built-in defaults]
      -h, --help           Print help
      -V, --version        Print version

    Begin with `myao demo`, then `myao init`. With an export of a workspace of your own:
      myao import slack export.zip
      myao memory build
      myao memory show '#general'
      myao prompt '#general'
      myao web
    To join Slack: `myao setup slack`, then `myao run`.

    Exit codes: 0 done; 1 done, but something was skipped or failed (it says what); 2 wrong arguments,
    configuration or input file; 3 the database cannot be used.
    ");
}

#[test]
fn every_command_has_help() {
    let home = Home::new();
    assert_eq!(home.run(&[]).code, Some(2), "without a command the help is an error's");
    let commands = [
        "demo",
        "run",
        "check",
        "import slack",
        "memory build",
        "memory log",
        "memory show",
        "prompt",
        "decisions",
        "decisions replay",
        "cost",
        "status",
        "init",
        "locale",
        "completions",
        "man",
        "db copy",
        "mcp",
        "token add",
        "token list",
        "token revoke",
    ];
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let text = home.done(&args).out;
        assert!(
            text.contains(&format!("Usage: myao {command}")) && text.contains("--config <PATH>"),
            "{text}"
        );
    }
    assert!(!home.database().exists(), "asking for help makes nothing");
}

/// A paragraph is one line, so that it fills whatever width there is; an example fits where nothing is wide.
#[test]
fn help_fills_the_lines_of_a_narrow_terminal() {
    const COLUMNS: usize = 80;
    let home = Home::new();
    for command in [
        "",
        "demo",
        "init",
        "locale",
        "forget",
        "web",
        "recall",
        "prompt",
        "decisions",
        "memory try",
        "memo add",
        "db copy",
        "mcp",
        "token add",
    ] {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = |columns: usize| {
            let output = home.command(&args).env("COLUMNS", columns.to_string()).output().expect("it starts");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let narrow = help(COLUMNS);
        let lines: Vec<&str> = narrow.lines().collect();
        for pair in lines.windows(2) {
            let [line, next] = pair else { continue };
            let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let room = COLUMNS.saturating_sub(line.chars().count() + 1);
            let word = next.split(' ').next().unwrap_or_default();
            assert!(
                !(is_text(line) && is_text(next)) || word.chars().count() > room,
                "{command}: {line}\n{next}"
            );
        }
        let examples = |help: &str| {
            let is_example = |line: &&str| line.starts_with("  myao ") || line.starts_with("  ssh ");
            help.lines().filter(is_example).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(examples(&narrow), examples(&help(100)), "{command}");
    }
}

#[test]
fn what_a_command_needs_is_named() {
    let home = Home::new();
    for (command, instead) in [("show", "--workspace"), ("log", "--workspace"), ("rebuild", "--all")] {
        home.run(&["memory", command]).ends(2, &format!("<CHANNEL|{instead}>"));
    }
    let help = home.done(&["memo", "add", "--help"]).out;
    assert!(!help.contains("replace those it had") && !help.contains("takes it away"), "{help}");
}

#[test]
fn no_escape_codes_where_no_terminal_is() {
    let home = Home::with_config("logging: {level: TRACE, loggers: {sqlx: DEBUG}}");
    let ran = home.done(&["import", "slack", sample("ja").to_str().expect("UTF-8")]);
    assert!(ran.err.contains("sqlx::query"), "there is a log to look at");
    for args in
        [&["memory", "build"][..], &["status"], &["prompt", "web"], &["memory", "log", "web"], &["--help"]]
    {
        let ran = home.done(args);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args:?}");
    }
    let ran = home.run(&["statsu"]);
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
}

#[test]
fn the_log_has_the_form_it_is_given() {
    // A statement that takes long on a busy machine is a warning.
    for (format, is_it) in [
        (
            "full",
            (|line: &str| {
                let has = |level: &str| line.contains(&format!("{level} sqlx::query: "));
                (has("DEBUG") || has("WARN")) && line.starts_with("20")
            }) as fn(&str) -> bool,
        ),
        ("compact", |line| {
            let has = |level: &str| line.trim_start().starts_with(level);
            (has("DEBUG ") || has("WARN ")) && !line.contains("sqlx::query:")
        }),
        ("json", |line| serde_json::from_str::<Value>(line).is_ok_and(|v| v["target"] == "sqlx::query")),
    ] {
        let home = Home::with_config(&format!("logging: {{format: {format}, loggers: {{sqlx: DEBUG}}}}"));
        let err = home.done(&["memory", "build"]).err;
        let lines: Vec<&str> = err.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert!(lines.len() > 3 && lines.iter().all(|line| is_it(line)), "{format}: {err}");
    }
}
