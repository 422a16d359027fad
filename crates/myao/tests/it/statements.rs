//! `myao prompt` asks the database as often in a workspace of 500 channels as in one of one (specification §3): counted
//! from outside, in the log of the driver. PostgreSQL's twin is in the store's tests.

use std::fmt::Write as _;

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId},
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
};
use myao_store::{Store, Target};

use crate::scenario::write_memory;
use crate::{
    binary::{Home, number},
    reads,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_750_000_000 + second).expect("a time")
}

/// Channels `c0` to `c<count - 1>`, each with talk, a long-term memory and versions of the short-term one.
async fn fill(store: &Store, count: usize) {
    for n in 0..count {
        let id = ChannelId::new(format!("C{n}"));
        let channel =
            Channel { id: id.clone(), name: format!("c{n}"), kind: ChannelKind::Public, external: false };
        let message = |second| Message {
            channel: id.clone(),
            ts: MessageTs::from_timestamp(at(second)),
            thread_ts: None,
            user: UserId::new("U1"),
            kind: MessageKind::Talk,
            text: format!("hello from {n}"),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        let events = [Event::Channel(channel)].into_iter().chain((0..3).map(|s| Event::Message(message(s))));
        store.intake().apply(events.collect(), at(10)).await.expect("applied");
        let origin =
            || Origin { kind: StepKind::Edit, actor: "test".into(), reason: "a full workspace".into() };
        let draft = |memory_type, text: String| {
            let ts = Some(MessageTs::from_timestamp(at(2)));
            create_memory(MemoryScope::Channel, ScopeId::channel(&id), memory_type, text, 3, ts)
                .expect("valid")
        };
        let long_term = draft(MemoryType::LongTerm, format!("long-term memory of {n}"));
        write_memory(store, long_term, origin(), at(20)).await;
        for version in 1..=2 {
            let short_term = draft(MemoryType::ShortTerm, format!("version {version} of {n}"));
            write_memory(store, short_term, origin(), at(30)).await;
        }
    }
}

/// Statements that the driver logs while the prompt is made and printed; but for those that a connection sets
/// itself up with, for whether the pool opens one more is a matter of microseconds.
fn statements(home: &Home) -> usize {
    let ran = home.done(&["prompt", "#c0"]);
    let counts = |line: &&str| line.contains("sqlx::query") && !line.contains("PRAGMA");
    ran.err.lines().filter(counts).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_statements_for_500_channels_as_for_two() {
    let mut counts = String::new();
    // Of one channel alone nothing else is read.
    for channels in [2, 500] {
        let home = Home::with_config("logging: {loggers: {sqlx: DEBUG}}\nmemory: {database_path: memory.db}");
        let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
        fill(&store, channels).await;
        store.close().await;
        let counted = statements(&home);
        assert!(counted > 10, "the log shows {counted} statements");
        writeln!(counts, "{counted}").expect("a string");
        let prompt = home.json(&["prompt", "#c0"]);
        assert!(number(&prompt, "tokens") <= 8000);
        let items = ["shown", "left_out"].map(|key| prompt[key].as_array().expect("a list").len());
        // A channel takes 64 tokens at least: more of them are not read, and of as many as that only the long-term memory
        // and the newest version are.
        let most = 2 * (8000 / 64 + 1);
        assert!((channels.min(250)..=most).contains(&items.iter().sum()), "{items:?} of {channels} channels");
    }
    let counts: Vec<&str> = counts.lines().collect();
    assert_eq!(counts[0], counts[1]);
}

/// To know that nothing foreign is in a file, its schema is compared with one that our migrations make: that takes longer
/// than most commands, so it is only done where the schema's digest is not the one that is known.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_that_is_known_is_not_compared() {
    let home = Home::with_config(
        "logging: {loggers: {sqlx: DEBUG, myao_store: DEBUG}}\nmemory: {database_path: memory.db}",
    );
    Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database").close().await;
    let told = home.done(&["memo", "list"]).err;
    let compared = told.lines().find(|line| line.contains("the schema is compared object by object"));
    assert_eq!(
        compared, None,
        "this is the digest to write down in crates/myao-store/src/schema/foreign/sqlite.rs"
    );
    assert!(!told.contains("CREATE TABLE memory_steps"), "{told}");
    assert!(told.contains("sqlx::query"), "{told}");
}

/// With 500 channels most memories have no room: what is told of it stays a screenful, `--json` has it all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_left_out_of_many_channels_is_told_in_short() {
    let home = Home::with_config("memory: {database_path: memory.db}\nprompt: {max_tokens: 1500}");
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
    fill(&store, 100).await;
    store.close().await;
    let json = home.json(&["prompt", "c0"]);
    let left_out = json["left_out"].as_array().expect("a list").len();
    assert!(left_out > 40, "{left_out}");
    let told = home.done(&["prompt", "c0"]).err;
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("left out: ")).collect();
    assert_eq!(lines.len(), 21, "{told}");
    assert!(lines[20].starts_with(&format!("left out: {} more memories (", left_out - 20)), "{told}");
    assert!(lines[0].contains("memory") && lines[0].contains(" of #c"), "{told}");
}

/// However large the archive is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_reads_nothing_from_end_to_end() {
    let home = Home::with_config("logging: {loggers: {sqlx: DEBUG}}\nmemory: {database_path: memory.db}");
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
    fill(&store, 3).await;
    store.close().await;
    let statements = reads::statements(&home.done(&["prompt", "#c0"]).err);
    assert!(statements.iter().any(|sql| sql.contains("talk_before")), "{statements:#?}");
    let found = reads::read_from_end_to_end(&home.path("memory.db"), &statements).await;
    assert!(found.is_empty(), "{found:#?}");
}

/// However many channels it takes in, a few at a time: they are read once, and once more to find that nothing is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_workspaces_memory_reads_its_channels_twice() {
    let home = Home::with_config(
        "logging: {loggers: {sqlx: DEBUG}}\nmemory: {database_path: memory.db}\nprompt: {max_tokens: 1500}",
    );
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
    fill(&store, 100).await;
    store.close().await;
    let built = home.done(&["memory", "build", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&built.out).expect("JSON");
    assert!(number(&report, "workspace_updates") > 2, "{report}");
    let reads = |line: &&str| line.contains("sqlx::query") && line.contains("held (id, scope_id)");
    assert_eq!(built.err.lines().filter(reads).count(), 2);
}
