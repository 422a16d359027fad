//! What others can reach of an installation, as `myao check` and the log tell it: a port, a connection in the
//! clear, a file with a loose mode.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use myao::exposure;
use myao_config::Config;
use myao_store::{Store, Target};

use crate::binary::{Home, Ran};

fn checked(config: &str) -> Ran {
    Home::with_config(&format!("memory: {{database_path: memory.db}}\n{config}\n")).run(&["check", "--quick"])
}

fn says(ran: &Ran, words: &[&str]) {
    for said in words {
        assert!(ran.out.contains(said), "`{said}` is not in {ran:?}");
    }
}

#[test]
fn the_health_port_is_told_with_who_reaches_it() {
    for (config, said) in [
        ("", "note  health_check: http://0.0.0.0:8080/live and /ready, reachable from other machines"),
        ("health_check: {host: 192.0.2.7, port: 9}", "note  health_check: http://192.0.2.7:9/live"),
        ("health_check: {host: '::'}", "note  health_check: http://[::]:8080/live"),
        (
            "health_check: {host: 127.0.0.1}",
            "ok    health_check: http://127.0.0.1:8080/live and /ready, reach",
        ),
        ("health_check: {host: '::1'}", "ok    health_check: http://[::1]:8080/live and /ready, reachable"),
    ] {
        let ran = checked(config);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        says(&ran, &[said]);
        assert_eq!(ran.out.contains("health_check.host: 127.0.0.1"), said.starts_with("note"), "{ran:?}");
    }
    checked("health_check: {host: somewhere}")
        .ends(2, "health_check.host: expected an address of this machine");
}

#[test]
fn an_address_in_the_clear_is_named_with_what_goes_there() {
    let ran = checked(
        "agents: {response: {model_id: openai/x, client_args: {api_key: k, api_base: 'http://models.invalid/v1'}},\n\
         \x20 memory: {model_id: openai/x, client_args: {api_base: 'http://ollama.internal:1/v1'}},\n\
         \x20 judgment: {model_id: openai/x, client_args: {api_base: 'http://[::1]:9/v1'}}}\n\
         tools: {web_fetch: {api_endpoint: 'http://fetch.invalid/'},\n\
         \x20 web_search: {provider: searxng, api_base: 'http://127.0.0.1:9/'}}",
    );
    says(
        &ran,
        &[
            "note  agents.response.client_args.api_base: plain http to models.invalid: prompts, answers and the key",
            "write https://",
            "note  agents.memory.client_args.api_base: plain http to ollama.internal, on a private network",
            "note  tools.web_fetch.api_endpoint: plain http to fetch.invalid",
        ],
    );
    for silent in ["agents.judgment.client_args.api_base: plain", "tools.web_search.api_base: plain"] {
        assert!(!ran.out.contains(silent), "{ran:?}");
    }
}

/// What is said of a database at this address.
fn of_database(url: &str) -> Option<String> {
    let text = format!("memory: {{database_url: '{url}'}}\n");
    let config = Config::load_from(&text, Path::new("config.yaml"), |_| None).expect("valid").config;
    let told = exposure::exposed_connections(&config).into_iter().next()?;
    assert_eq!(told.subject, "memory.database_url");
    assert!(told.mend.contains("sslmode=verify-full") && !told.what.contains("secret"), "{told:?}");
    Some(told.what)
}

#[test]
fn a_database_that_others_could_listen_to_is_named_with_its_sslmode() {
    for (url, said) in [
        (
            "postgres://me:secret@db.example.com/myao",
            "db.example.com, with sslmode=prefer, the default: not encr",
        ),
        ("postgres://me:secret@db.example.com/myao?sslmode=disable", "nothing is encrypted"),
        ("postgres://me:secret@db.example.com/myao?sslmode=allow", "nothing is encrypted"),
        ("postgres://me:secret@db.example.com/myao?sslmode=require", "whoever answers need not prove"),
        (
            "postgres://me:secret@db.example.com/myao?sslmode=verify-ca",
            "the certificate's name is not looked at",
        ),
        ("postgres://me:secret@10.1.2.3/myao", "10.1.2.3, on a private network, with sslmode=prefer"),
        ("postgres://me:secret@[fd00::7]/myao", ", on a private network, with sslmode=prefer"),
        ("postgres://me:secret@postgres:5432/myao", "postgres, on a private network"),
        ("postgres://me:secret@localhost/myao?hostaddr=203.0.114.9", "203.0.114.9, with sslmode"),
    ] {
        let told = of_database(url).unwrap_or_else(|| panic!("{url}: nothing"));
        assert!(told.contains(said), "{url}: {told}");
    }
    for silent in [
        "postgres://me:secret@db.example.com/myao?sslmode=verify-full",
        "postgres://me:secret@localhost/myao",
        "postgres://me:secret@127.0.0.1/myao?sslmode=disable",
        "postgres://me:secret@[::1]/myao",
        "postgres://me:secret@db/myao?host=/var/run/postgresql",
    ] {
        assert_eq!(of_database(silent), None, "{silent}");
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

/// An installation as somebody made it by hand: everything as a umask of 022 leaves it.
async fn loose() -> Home {
    let home = Home::with_config(
        "slack: {bot_token: '${BOT}', app_token: xapp-1, api_base_url: 'http://127.0.0.1:9/api/'}\n\
         memory: {database_path: data/memory.db}\nlogging: {debug_llm_messages: true}\n",
    );
    home.write(".env", "BOT=xoxb-1\n");
    home.write("data/llm-messages.jsonl", "");
    Store::open(&Target::Sqlite(home.database())).await.expect("a database").close().await;
    home.write("data/memory.db.v1-backup", "");
    for (name, mode) in [
        ("", 0o755),
        ("config.yaml", 0o644),
        (".env", 0o644),
        ("data", 0o777),
        ("data/memory.db", 0o644),
        ("data/memory.db.v1-backup", 0o604),
        ("data/llm-messages.jsonl", 0o646),
    ] {
        set_mode(&home.path(name), mode);
    }
    home
}

const LOOSE: [&str; 6] = [
    "./config.yaml (mode 0644): chmod 600 ./config.yaml",
    "./.env (mode 0644): chmod 600 ./.env",
    "data (mode 0777): chmod o-w data",
    "data/memory.db (mode 0644): chmod 600 data/memory.db",
    "data/memory.db.v1-backup (mode 0604): chmod 600 data/memory.db.v1-backup",
    "data/llm-messages.jsonl (mode 0646): chmod 600 data/llm-messages.jsonl",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_others_can_read_are_told_by_check_and_at_the_start() {
    let home = loose().await;
    let ran = tokio::task::block_in_place(|| home.run(&["check", "--quick"]));
    // A port that somebody else has ends the start.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    let config = fs::read_to_string(home.path("config.yaml")).expect("read");
    home.write("config.yaml", format!("{config}health_check: {{port: {port}}}\n"));
    let run = tokio::task::block_in_place(|| home.run(&["run"]));
    for said in LOOSE {
        assert!(ran.out.replace("\n      ", ": ").contains(said), "`{said}` is not in {ran:?}");
        assert!(run.err.contains(said), "`{said}` is not in {run:?}");
    }
    run.ends(2, "WARN");
}

/// Whom a folder above keeps out does not read what lies below, and a group is of the owner's choice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_nobody_else_reaches_are_no_matter() {
    let home = loose().await;
    set_mode(&home.path(""), 0o750);
    let ran = tokio::task::block_in_place(|| home.run(&["check", "--quick"]));
    assert!(!ran.out.contains("chmod"), "{ran:?}");
    let home = loose().await;
    for name in
        ["config.yaml", ".env", "data/memory.db", "data/memory.db.v1-backup", "data/llm-messages.jsonl"]
    {
        set_mode(&home.path(name), 0o660);
    }
    set_mode(&home.path("data"), 0o2775);
    let ran = tokio::task::block_in_place(|| home.run(&["check", "--quick"]));
    assert!(!ran.out.contains("chmod"), "{ran:?}");
}

/// A file without secrets may be read by anybody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_whose_secrets_are_elsewhere_may_be_read() {
    let home = loose().await;
    let config = fs::read_to_string(home.path("config.yaml")).expect("read").replace("xapp-1", "'${APP}'");
    home.write(".env", "BOT=xoxb-1\nAPP=xapp-1\n");
    home.write("config.yaml", config);
    let ran = tokio::task::block_in_place(|| home.run(&["check", "--quick"]));
    assert!(!ran.out.contains("chmod 600 ./config.yaml") && ran.out.contains("chmod 600 ./.env"), "{ran:?}");
    assert!(Config::load(Some(&home.path("config.yaml"))).is_ok());
}

/// What we make is nobody else's to read, its folder included.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_we_make_is_private() {
    let home = Home::with_config("memory: {database_path: deep/data/memory.db}\n");
    set_mode(&home.path(""), 0o755);
    let ran = tokio::task::block_in_place(|| home.run(&["check", "--quick"]));
    assert!(!ran.out.contains("chmod"), "{ran:?}");
    for (name, mode) in [("deep", 0o700), ("deep/data", 0o700), ("deep/data/memory.db", 0o600)] {
        let found = fs::metadata(home.path(name)).expect("there").permissions().mode() & 0o777;
        assert_eq!(found, mode, "{name}: {found:o}");
    }
}
