//! How PostgreSQL goes about a search: by an index for each thing that is looked up, however many there are. Left to itself
//! it reads a whole table where some hundred are. SQLite is looked at where it would read all memories for each step.

use myao_store::Target;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _, SqliteConnection};

use crate::{
    statements::postgres_statements,
    support::{postgres, sqlite},
};

/// As many as a search reads texts of.
const MANY: i64 = 300;

/// 8,000 messages in 40 channels, some in threads of four, and chapters. Of an index 60,000 rows: in one of fewer or of
/// narrower ones, it is quicker to read all.
const TALK: [&str; 5] = [
    "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until, number)
     SELECT 'C' || c, 'c' || c, 'c' || c, 'public', 0, 0, 1, 0, c FROM generate_series(CAST(1 AS bigint), 40) AS c",
    "INSERT INTO messages (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
     SELECT 'C' || (1 + n % 40), n * 1000000, n / 160 * 160000000, 'U1', 'talk', 'word' || n, '[]', 0, 0, n
     FROM generate_series(CAST(1 AS bigint), 8000) AS n",
    "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold, conversation_idle_seconds)
     SELECT 'C' || (1 + n % 40), n, n * 1000000, (n + 1000) * 1000000, 'count', 25, 7200
     FROM generate_series(CAST(1 AS bigint), 1200) AS n",
    "INSERT INTO recall (id, terms) SELECT n, array_to_tsvector(array['all', 'w' || n, 'v' || n % 400]
         || (SELECT array_agg('common' || k) FROM generate_series(1, 25) AS k))
     FROM generate_series(CAST(1 AS bigint), 60000) AS n",
    "ANALYZE",
];

/// The statement of `file` that holds `part`.
fn statement(file: &str, part: &str) -> String {
    let all = postgres_statements();
    let found: Vec<&String> =
        all.iter().filter(|(of, sql)| of == file && sql.contains(part)).map(|(_, sql)| sql).collect();
    let [sql] = found[..] else { panic!("{} statements of {file} hold {part}", found.len()) };
    sql.clone()
}

/// The plan of a statement of `file` that holds `part`, for many things that are looked up at once.
async fn plan(connection: &mut PgConnection, file: &str, part: &str) -> String {
    let sql = statement(file, part);
    let explained = AssertSqlSafe(format!("EXPLAIN {sql}"));
    let channels: Vec<String> = (0..MANY).map(|n| format!("C{}", 1 + n % 40)).collect();
    let times: Vec<i64> = (0..MANY).map(|n| n * 7_000_000).collect();
    let query = sqlx::query(explained);
    let query = match file {
        "recall/postings.rs" => {
            let wanted: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
            let query = query.bind(wanted).bind(vec![0_i64; 30]).bind(vec![i64::MAX; 30]).bind(4_001_i64);
            if sql.contains("$5") { query.bind(20_000_i64) } else { query }
        }
        "recall/texts.rs" => {
            let ends: Vec<i64> = times.iter().map(|from| from + 250).collect();
            query.bind(channels).bind(times).bind(ends)
        }
        _ => query.bind(channels).bind(times).bind(i64::MAX).bind(20_000_i64),
    };
    let rows = query.fetch_all(connection).await.expect("explained");
    rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_thing_is_looked_up_by_an_index() {
    let world = postgres().await;
    let Target::Postgres(url) = &world.target else { panic!("another database") };
    let mut connection = PgConnection::connect(url).await.expect("open");
    for sql in TALK {
        connection.execute(sql).await.expect("filled");
    }
    for (file, part, index) in [
        ("recall/texts.rs", "FROM messages t", "messages_"),
        ("recall/units.rs", "FROM messages t", "messages_by_thread"),
        ("recall/postings.rs", "LIMIT $5) AS h\n                     WHERE h.id", "recall_by_term"),
        ("recall/postings.rs", "LIMIT $5) AS h\n                     WHERE h.terms", "recall_pkey"),
        ("recall/postings.rs", "LIMIT $4) AS h", "recall_by_term"),
    ] {
        let plan = plan(&mut connection, file, part).await;
        assert!(plan.contains(index), "{file}, {part}:\n{plan}");
        for table in ["messages", "recall"] {
            assert!(!plan.contains(&format!("Seq Scan on {table}")), "{file}, {part}:\n{plan}");
        }
        // The addresses of all rows are not read beside those with the term.
        assert!(!plan.contains("BitmapAnd"), "{file}, {part}:\n{plan}");
    }
}

/// So many pages a lookup may read of an index in which nothing is found. All that waits to be sorted in is read by each.
const MOST_PAGES: i64 = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_new_waits_in_a_short_list() {
    let world = postgres().await;
    let Target::Postgres(url) = &world.target else { panic!("another database") };
    let mut connection = PgConnection::connect(url).await.expect("open");
    let mut most = 0;
    for nth in 0..60_i64 {
        let rows = sqlx::query(
            "INSERT INTO recall (id, terms) SELECT n, (SELECT array_to_tsvector(array_agg('w' || (n * k) % 7919))
                 FROM generate_series(1, 25) AS k)
             FROM generate_series($1 * 50, $1 * 50 + 49) AS n",
        );
        rows.bind(nth).execute(&mut connection).await.expect("filled");
        let explained = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
            SELECT id FROM recall WHERE terms @@ cast('nobody' AS tsquery)";
        connection.execute("SET enable_seqscan = off").await.expect("set");
        let plan: serde_json::Value =
            sqlx::query_scalar(explained).fetch_one(&mut connection).await.expect("explained");
        let plan = &plan[0]["Plan"];
        let pages =
            ["Shared Hit Blocks", "Shared Read Blocks"].map(|of| plan[of].as_i64().expect("a number"));
        most = most.max(pages.iter().sum());
    }
    assert!(most <= MOST_PAGES, "{most} pages");
    assert!(most > 1, "nothing waited: {most} pages");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memories_are_indexed_in_the_order_of_their_steps() {
    let world = sqlite().await;
    let Target::Sqlite(path) = &world.target else { panic!("another database") };
    let mut connection =
        SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("open");
    // One text for both databases.
    let sql = statement("recall/build.rs", "FROM memories");
    let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).bind(0_i64).bind(50_i64);
    let rows = explained.fetch_all(&mut connection).await.expect("explained");
    let plan = rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n");
    assert!(plan.contains("memories_by_step") && !plan.contains("TEMP B-TREE"), "{plan}");
}
