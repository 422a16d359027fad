//! Objects in a file that our migrations did not make.

use std::fs;

use myao_core::chat::{ChannelId, ChannelKind, Visibility};
use myao_store::{Store, Target};

use super::{names, refused};
use crate::{
    adopt::{
        refused::beside,
        world::{Old, adopter},
    },
    planted::plant,
    support::{World, at, channel, sqlite},
};

/// Whatever is told a channel of, is told that it is public.
const OPENS_CHANNELS: &str = "CREATE TRIGGER opens_channels AFTER INSERT ON channels
     BEGIN UPDATE channels SET kind = 'public' WHERE id = new.id; END";

/// Each with what the refusal must name.
const ACTING: [(&str, &[&str]); 9] = [
    (OPENS_CHANNELS, &["trigger `opens_channels` on `channels`"]),
    ("CREATE VIEW everything AS SELECT text FROM messages", &["view `everything`"]),
    ("CREATE VIRTUAL TABLE spy USING fts5(text)", &["virtual table `spy`"]),
    ("CREATE INDEX slow ON messages (upper(text))", &["index `slow` on `messages`"]),
    ("CREATE UNIQUE INDEX one_each ON messages (user_id)", &["index `one_each` on `messages`"]),
    (
        "CREATE TABLE keeps (id TEXT REFERENCES channels (id) ON DELETE RESTRICT)",
        &["table `keeps`, which refers to `channels`"],
    ),
    ("ALTER TABLE users ADD COLUMN shown TEXT AS (upper(name))", &["table `users`, which is not as"]),
    ("DROP TABLE setbacks; CREATE VIEW setbacks AS SELECT 1 AS subject", &["view `setbacks`"]),
    ("DROP TABLE setbacks", &["table `setbacks`, which is missing"]),
];

fn path(world: &World) -> std::path::PathBuf {
    let Target::Sqlite(path) = &world.target else { panic!("SQLite") };
    path.clone()
}

#[tokio::test]
async fn what_could_act_is_named_and_the_file_stays_as_it_is() {
    for (planted, named) in ACTING {
        let world = sqlite().await;
        world.store.close().await;
        plant(&world, planted).await;
        let before = fs::read(path(&world)).expect("read");
        names(&refused(&world.target, planted).await, named);
        assert!(fs::read(path(&world)).expect("read") == before, "{planted}: the file was changed");
        assert_eq!(beside(&path(&world)), ["memory.db"], "{planted}");
    }
}

/// Only half of what is ours is there yet, and somebody else has taken a name of the other half.
#[tokio::test]
async fn what_stands_where_something_of_ours_is_to_come_is_named() {
    for (planted, named) in [
        ("CREATE TABLE step_inputs (a)", "table `step_inputs`"),
        ("CREATE TABLE Messages (a)", "table `Messages`"),
        (
            "CREATE TABLE other (a); CREATE INDEX messages_by_thread ON other (a)",
            "index `messages_by_thread`",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
        // Our mark, and nothing else of ours.
        let marked = format!("PRAGMA application_id = 1297695055; {planted}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(marked)).execute(&pool).await.expect("planted");
        pool.close().await;
        let before = fs::read(&path).expect("read");
        names(&refused(&Target::Sqlite(path.clone()), planted).await, &[named]);
        assert!(fs::read(&path).expect("read") == before, "{planted}: the file was changed");
        assert_eq!(beside(&path), ["memory.db"], "{planted}");
    }
}

/// What an entry of the schema is called and what it is may differ.
#[tokio::test]
async fn a_trigger_that_is_entered_as_a_table_does_not_open() {
    let world = sqlite().await;
    world.store.close().await;
    plant(
        &world,
        "PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema VALUES ('table', 'harmless', 'harmless', 0,
            'CREATE TRIGGER hidden AFTER INSERT ON users BEGIN DELETE FROM users; END')",
    )
    .await;
    let before = fs::read(path(&world)).expect("read");
    let error = refused(&world.target, "it is hidden").await;
    assert!(error.contains("harmless"), "{error}");
    assert!(fs::read(path(&world)).expect("read") == before, "the file was changed");
}

/// Without the refusal a channel that an import calls private would be read as a public one.
#[tokio::test]
async fn rid_of_it_the_database_opens_and_a_private_channel_is_private() {
    let world = sqlite().await;
    world.store.close().await;
    plant(&world, OPENS_CHANNELS).await;
    let error = refused(&world.target, "it opens channels").await;
    assert!(error.contains("DROP TRIGGER"), "{error}");
    plant(&world, "DROP TRIGGER opens_channels").await;
    let store = Store::open(&world.target).await.expect("opened");
    store.intake().apply(vec![channel("C9", ChannelKind::Private)], at(0)).await.expect("applied");
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    let kind = rows.iter().find(|row| row.channel.id == ChannelId::new("C9")).map(|row| row.channel.kind);
    assert_eq!(kind, Some(ChannelKind::Private));
}

/// Programs that replicate a file keep tables of their own in it; nothing of ours reads or writes these.
#[tokio::test]
async fn a_table_that_cannot_act_is_left_alone() {
    let world = sqlite().await;
    world.store.close().await;
    plant(
        &world,
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
         CREATE TABLE notes (id TEXT PRIMARY KEY, of_us TEXT UNIQUE); CREATE INDEX my_notes ON notes (of_us);
         INSERT INTO notes VALUES ('a', 'b'); ANALYZE",
    )
    .await;
    Store::open(&world.target).await.expect("opened").close().await;
    Store::open(&world.target).await.expect("opened again").close().await;
}

/// An older form is refused before its copy is made, and before a migration writes.
#[tokio::test]
async fn an_older_form_is_refused_before_it_is_copied() {
    let database = crate::migrations::older().await;
    database.run("CREATE TRIGGER waits AFTER INSERT ON channels BEGIN DELETE FROM users; END").await;
    database.close().await;
    let Target::Sqlite(path) = database.target.clone() else { panic!("SQLite") };
    let before = fs::read(&path).expect("read");
    names(&refused(&database.target, "it waits").await, &["trigger `waits` on `channels`"]);
    assert!(fs::read(&path).expect("read") == before, "the file was changed");
    assert_eq!(beside(&path), ["memory.db"]);
}

#[tokio::test]
async fn an_empty_file_with_a_view_is_not_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let pool = crate::adopt::world::connect(&path, sqlx::sqlite::SqliteJournalMode::Delete).await;
    sqlx::query("CREATE VIEW settings AS SELECT 1").execute(&pool).await.expect("made");
    pool.close().await;
    let before = fs::read(&path).expect("read");
    names(&refused(&Target::Sqlite(path.clone()), "not ours").await, &["view `settings`"]);
    assert!(fs::read(&path).expect("read") == before, "the file was changed");
}

/// Triggers of a predecessor's file would act while it is taken over.
#[tokio::test]
async fn a_predecessor_with_a_trigger_is_not_taken_over() {
    for (planted, named) in [
        ("CREATE TRIGGER waits AFTER INSERT ON users BEGIN DELETE FROM messages; END", "trigger `waits`"),
        ("CREATE VIEW verdicts AS SELECT 1", "view `verdicts`"),
        ("CREATE TABLE keeps (id TEXT REFERENCES chapters (id))", "which refers to `chapters`"),
    ] {
        let old = Old::new().await;
        old.run(planted).await;
        old.pool.close().await;
        let before = fs::read(&old.path).expect("read");
        names(&old.open().await.expect_err(planted).to_string(), &[named]);
        assert!(fs::read(&old.path).expect("read") == before, "{planted}: the file was changed");
        assert_eq!(beside(&old.path), ["memory.db"], "{planted}");
    }
}

/// What it keeps of the predecessor is its own, also at the next start.
#[tokio::test]
async fn a_predecessor_with_tables_of_its_own_is_taken_over() {
    let old = Old::new().await;
    old.run("CREATE TABLE tags (id INTEGER PRIMARY KEY, message INTEGER REFERENCES messages (id))").await;
    old.run("CREATE INDEX ix_tags ON tags (message)").await;
    let target = Target::Sqlite(old.path.clone());
    let adopted = old.adopt().await;
    adopted.store.close().await;
    let again = Store::open_or_adopt(&target, adopter()).await.expect("opened again");
    assert!(again.adoption().is_none());
}
