//! What else an archive holds: chapters and memories; and how much room all of it takes.

use myao_core::memory::{FoldMark, MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory};
use myao_store::{StepDraft, Store, Target};
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use crate::talk::{Talk, channel_id};

/// A chapter for every 25 messages of a channel.
const CHAPTERS: [&str; 2] = [
    "DELETE FROM chapters",
    "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold, conversation_idle_seconds)
     SELECT channel_id, n / 25 + 1, lag(ts, 1, 0) OVER (PARTITION BY channel_id ORDER BY ts), ts, 'count', 25, 7200
     FROM (SELECT channel_id, ts, row_number() OVER (PARTITION BY channel_id ORDER BY ts) AS n FROM messages) AS m
     WHERE n % 25 = 0",
];
/// Channels with a long-term memory.
const REMEMBERED: usize = 300;

/// Cuts chapters, and writes long-term memories.
pub(crate) async fn remember(store: &Store, target: &Target, talk: &mut Talk) {
    let until = talk.now() + jiff::SignedDuration::from_hours(1);
    let claim = store.claim("bench", talk.now(), until).await.expect("asked").expect("free");
    for n in 0..REMEMBERED {
        let lines: Vec<String> = (0..30).map(|_| format!("- {}", talk.sentence(10))).collect();
        let scope = MemoryScope::Channel;
        let id = ScopeId::channel(&channel_id(n));
        let draft = create_memory(scope, id, MemoryType::LongTerm, lines.join("\n"), 1, None);
        let origin = Origin { kind: StepKind::Edit, actor: "bench".to_owned(), reason: String::new() };
        let step = StepDraft {
            memory: draft.expect("valid"),
            version: 1,
            origin,
            parent: None,
            hard: Vec::new(),
            soft: Vec::new(),
            range: None,
            read_revision: 0,
            mark: FoldMark::default(),
            calls: Vec::new(),
        };
        store.memory().save_steps(&claim, vec![step], talk.now()).await.expect("saved");
    }
    store.release(&claim).await.expect("given back");
    cut(target).await;
}

/// How many messages there are.
pub(crate) async fn messages(target: &Target) -> u32 {
    let sql = "SELECT count(*) FROM messages";
    let (count,): (i64,) = match target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            sqlx::query_as(sql).fetch_one(&mut connection).await.expect("counted")
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            sqlx::query_as(sql).fetch_one(&mut connection).await.expect("counted")
        }
    };
    u32::try_from(count).expect("a size")
}

/// Cuts chapters, and has PostgreSQL look at its tables, as it does by itself.
pub(crate) async fn cut(target: &Target) {
    match target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            for statement in CHAPTERS {
                sqlx::query(statement).execute(&mut connection).await.expect("cut");
            }
            connection.close().await.expect("closed");
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            for statement in CHAPTERS.into_iter().chain(["VACUUM ANALYZE"]) {
                sqlx::query(statement).execute(&mut connection).await.expect("cut");
            }
            connection.close().await.expect("closed");
        }
    }
}

/// Lines on the room that messages and index take.
pub(crate) async fn sizes(target: &Target, messages: u32) -> Vec<String> {
    let tables: Vec<(String, i64)> = match target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            let sizes = sqlx::query_as(
                "SELECT s.tbl_name || CASE WHEN s.type = 'table' THEN '' ELSE ' (indexes)' END AS part, sum(d.pgsize)
                 FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY part",
            );
            sizes.fetch_all(&mut connection).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            let sizes = sqlx::query_as(
                "SELECT relname::text, pg_table_size(oid) FROM pg_class WHERE relkind = 'r'
                 UNION ALL SELECT relname::text || ' (indexes)', pg_indexes_size(oid) FROM pg_class WHERE relkind = 'r'",
            );
            sizes.fetch_all(&mut connection).await.expect("read")
        }
    };
    let of = |wanted: &dyn Fn(&str) -> bool| {
        let bytes = tables.iter().filter(|(name, _)| wanted(name)).map(|(_, bytes)| *bytes).sum::<i64>();
        bytes / i64::from(messages)
    };
    let line = |name: &str, bytes: i64| format!("  {name}: {bytes} bytes a message");
    vec![
        line("messages, the table", of(&|name| name == "messages")),
        line("messages, with their indexes", of(&|name| name == "messages" || name == "messages (indexes)")),
        line("index", of(&|name| name.starts_with("recall") && !name.starts_with("recall_samples"))),
        line("its samples", of(&|name| name.starts_with("recall_samples"))),
    ]
}
