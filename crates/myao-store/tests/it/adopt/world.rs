//! A database as the predecessor leaves it, written row by row.

use std::path::PathBuf;

use jiff::Timestamp;
use myao_core::chat::{ChannelId, Message, MessageTs, Visibility};
use myao_store::{Adopter, Adoption, Range, Store, StoreError, Target};
use sqlx::{
    AssertSqlSafe, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};
use tempfile::TempDir;

use crate::{gather, statements::ran};

/// The tables of the newest version.
pub(crate) const SCHEMA: &str = "
    CREATE TABLE messages (id INTEGER NOT NULL, message_id VARCHAR NOT NULL, channel_id VARCHAR NOT NULL,
        user_id VARCHAR NOT NULL, user_name VARCHAR NOT NULL, user_is_bot BOOLEAN NOT NULL,
        text VARCHAR NOT NULL, timestamp DATETIME NOT NULL, thread_ts VARCHAR, mentions VARCHAR NOT NULL,
        created_at DATETIME NOT NULL, PRIMARY KEY (id),
        CONSTRAINT uq_message_channel UNIQUE (message_id, channel_id));
    CREATE INDEX ix_messages_channel_id ON messages (channel_id);
    CREATE TABLE users (id INTEGER NOT NULL, user_id VARCHAR NOT NULL, name VARCHAR NOT NULL,
        is_bot BOOLEAN NOT NULL, updated_at DATETIME NOT NULL, PRIMARY KEY (id));
    CREATE UNIQUE INDEX ix_users_user_id ON users (user_id);
    CREATE TABLE channels (id INTEGER NOT NULL, channel_id VARCHAR NOT NULL, name VARCHAR NOT NULL,
        updated_at DATETIME NOT NULL, PRIMARY KEY (id));
    CREATE TABLE judgment_caches (id INTEGER NOT NULL, channel_id VARCHAR NOT NULL, thread_ts VARCHAR,
        should_respond BOOLEAN NOT NULL, confidence FLOAT NOT NULL, reason VARCHAR NOT NULL,
        latest_message_ts VARCHAR NOT NULL, next_check_at DATETIME NOT NULL, created_at DATETIME NOT NULL,
        updated_at DATETIME NOT NULL, PRIMARY KEY (id));
    CREATE TABLE memories (id INTEGER NOT NULL, scope VARCHAR NOT NULL, scope_id VARCHAR NOT NULL,
        memory_type VARCHAR NOT NULL, content VARCHAR NOT NULL, created_at DATETIME NOT NULL,
        updated_at DATETIME NOT NULL, source_message_count INTEGER NOT NULL,
        source_latest_message_ts VARCHAR, PRIMARY KEY (id),
        CONSTRAINT uq_scope_type UNIQUE (scope, scope_id, memory_type));
    CREATE TABLE memos (id VARCHAR NOT NULL, name VARCHAR NOT NULL, content VARCHAR NOT NULL,
        priority INTEGER NOT NULL, tags JSON NOT NULL, detail VARCHAR, created_at DATETIME NOT NULL,
        updated_at DATETIME NOT NULL, PRIMARY KEY (id));
    CREATE UNIQUE INDEX ix_memos_name ON memos (name);";

/// The instant it is taken over.
pub(crate) fn now() -> Timestamp {
    "2026-12-01T00:00:00Z".parse().expect("a time")
}

/// Stands for the platform's reading of its markup.
pub(crate) fn adopter() -> Adopter {
    Adopter { normalise: |text| text.replace("&lt;", "<").replace("|general>", ">"), now: now() }
}

pub(crate) struct Old {
    pub(crate) path: PathBuf,
    pub(crate) pool: SqlitePool,
    pub(crate) folder: TempDir,
}

/// What it became.
pub(crate) struct Adopted {
    pub(crate) store: Store,
    pub(crate) adoption: Adoption,
    pub(crate) path: PathBuf,
    pub(crate) _folder: TempDir,
}

impl Old {
    pub(crate) async fn new() -> Self {
        Self::with(SCHEMA, SqliteJournalMode::Delete).await
    }

    pub(crate) async fn with(schema: &str, mode: SqliteJournalMode) -> Self {
        ran::note(gather::count_statement);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let pool = connect(&path, mode).await;
        let old = Self { path, pool, folder };
        old.run(schema).await;
        old
    }

    pub(crate) async fn run(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&self.pool).await.expect(sql);
    }

    /// A message; `at` is a moment of 2026-11-21, as `10:00:00.000100`.
    pub(crate) async fn message(&self, id: &str, user: &str, at: &str, text: &str, thread: Option<&str>) {
        self.insert(["C1", id, user, at, text], thread).await;
    }

    /// The same at top level of another channel.
    pub(crate) async fn message_in(&self, channel: &str, id: &str, user: &str, at: &str, text: &str) {
        self.insert([channel, id, user, at, text], None).await;
    }

    async fn insert(&self, [channel, id, user, at, text]: [&str; 5], thread: Option<&str>) {
        let when = if at.len() > 16 { at.to_owned() } else { format!("2026-11-21 {at}") };
        sqlx::query(
            "INSERT INTO messages (message_id, channel_id, user_id, user_name, user_is_bot, text, timestamp,
                    thread_ts, mentions, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '[]', $7)",
        )
        .bind(id)
        .bind(channel)
        .bind(user)
        .bind(format!("name of {user}"))
        .bind(user == BOT)
        .bind(text)
        .bind(when)
        .bind(thread)
        .execute(&self.pool)
        .await
        .expect("a message");
    }

    pub(crate) async fn memory(
        &self,
        scope: &str,
        id: &str,
        kind: &str,
        content: &str,
        latest: Option<&str>,
    ) {
        sqlx::query(
            "INSERT INTO memories (scope, scope_id, memory_type, content, created_at, updated_at,
                    source_message_count, source_latest_message_ts)
             VALUES ($1, $2, $3, $4, '2026-11-21 11:00:00', '2026-11-21 12:00:00.000001', 5, $5)",
        )
        .bind(scope)
        .bind(id)
        .bind(kind)
        .bind(content)
        .bind(latest)
        .execute(&self.pool)
        .await
        .expect("a memory");
    }

    pub(crate) async fn open(&self) -> Result<Store, StoreError> {
        self.pool.close().await;
        Store::open_or_adopt(&Target::Sqlite(self.path.clone()), adopter()).await
    }

    pub(crate) async fn adopt(self) -> Adopted {
        let store = self.open().await.expect("taken over");
        let adoption = store.adoption().expect("it says what it took over").clone();
        Adopted { store, adoption, path: self.path, _folder: self.folder }
    }
}

/// The predecessor's own id on the platform.
pub(crate) const BOT: &str = "UBOT";

pub(crate) async fn connect(path: &std::path::Path, mode: SqliteJournalMode) -> SqlitePool {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).journal_mode(mode);
    SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("opened")
}

/// A moment of 2026-11-21, as a message's time stamp.
pub(crate) fn on_the_day(at: &str) -> MessageTs {
    MessageTs::from_timestamp(format!("2026-11-21T{at}Z").parse().expect("a time"))
}

impl Adopted {
    /// The talk of a channel, oldest first.
    pub(crate) async fn talk(&self, channel: &str) -> Vec<Message> {
        let range = Range { channel: ChannelId::new(channel), from: MessageTs::MIN, to: MessageTs::MAX };
        self.store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read").1
    }

    /// Every row of a query, as text, on a connection beside the store.
    pub(crate) async fn rows(&self, sql: &str) -> Vec<String> {
        rows(&self.path, sql).await
    }
}

/// Statements on a connection of their own.
pub(crate) async fn run(path: &std::path::Path, sql: &str) {
    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.expect("opened");
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&pool).await.expect("run");
    pool.close().await;
}

/// Every row of a query of one column, as text.
pub(crate) async fn rows(path: &std::path::Path, sql: &str) -> Vec<String> {
    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.expect("opened");
    let rows: Vec<Option<String>> =
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_all(&pool).await.expect(sql);
    pool.close().await;
    rows.into_iter().map(|row| row.unwrap_or_else(|| "NULL".to_owned())).collect()
}
