//! What was said is found again (specification §5, ADR 42): as it stands, by whom it may be seen, and what fits best
//! first.

mod apart;
mod around;
mod askers_own;
mod building;
mod changes;
mod damage;
mod floor;
mod house_words;
mod meaning;
mod named;
mod put_right;
mod queries;
mod ranking;
mod sight;
mod sources;
mod telling;
mod to_show;
mod typed;
mod slow_tests {
    mod plans;
    mod random;
}

use myao_core::{
    chat::{Event, Message, MessageTs, Visibility},
    recall::RecallFilter,
};
use myao_store::{RecallRequest, Store, Target};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::support::{World, at, ts};

/// What is asked for, of everything.
pub(crate) fn request(words: &str) -> RecallRequest {
    RecallRequest {
        words: words.to_owned(),
        filter: RecallFilter::default(),
        most: 50,
        with_memories: true,
        now: ts(100_000),
        meaning: None,
        named_in: None,
    }
}

/// The texts that are found, best first.
pub(crate) async fn asked(store: &Store, visibility: &Visibility, request: &RecallRequest) -> Vec<String> {
    let found = store.recall().search(visibility, request).await.expect("asked");
    found.into_iter().map(|recalled| recalled.text.words()).collect()
}

pub(crate) async fn found(store: &Store, words: &str) -> Vec<String> {
    asked(store, &Visibility::Owner, &request(words)).await
}

async fn tell(store: &Store, messages: Vec<Message>) {
    store
        .intake()
        .apply(messages.into_iter().map(Event::Message).collect(), at(1000))
        .await
        .expect("applied");
}

fn edited(message: Message, second: i64) -> Message {
    Message { edited_at: Some(ts(second)), ..message }
}

/// So many microseconds after a second.
pub(crate) fn micros(second: i64, micros: i64) -> MessageTs {
    MessageTs::from_micros(ts(second).as_micros() + micros)
}

/// Indexes everything that is not indexed yet.
pub(crate) async fn index(store: &Store) {
    while !store.recall().index_some().await.expect("indexed").is_complete {}
}

/// The terms that the sample counts, each with how many of its rows hold it.
async fn sampled(world: &World) -> Vec<(String, i64)> {
    let counts = "SELECT term, sampled FROM recall_samples ORDER BY term";
    let mut counts: Vec<(String, i64)> = match &world.target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            sqlx::query_as(counts).fetch_all(&mut connection).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            sqlx::query_as(counts).fetch_all(&mut connection).await.expect("read")
        }
    };
    counts.sort();
    counts
}

/// Runs statements beside the store.
pub(crate) async fn run(world: &World, statements: &str) {
    let statements = AssertSqlSafe(statements.to_owned());
    match &world.target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            connection.execute(statements).await.expect("done");
            connection.close().await.expect("closed");
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            connection.execute(statements).await.expect("done");
            connection.close().await.expect("closed");
        }
    }
}

/// Everything that the index holds: address and term.
pub(crate) async fn rows(world: &World) -> Vec<(i64, String)> {
    match &world.target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            let table =
                "CREATE VIRTUAL TABLE temp.recall_terms USING fts5vocab('main', 'recall', 'instance')";
            connection.execute(table).await.expect("made");
            let rows = sqlx::query_as("SELECT doc, term FROM temp.recall_terms ORDER BY doc, term");
            rows.fetch_all(&mut connection).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            let rows = sqlx::query_as(
                "SELECT r.id, t.lexeme COLLATE \"C\" AS term FROM recall r, unnest(r.terms) AS t ORDER BY r.id, term",
            );
            rows.fetch_all(&mut connection).await.expect("read")
        }
    }
}

/// What the index holds once it is made anew.
pub(crate) async fn rebuilt(world: &World) -> Vec<(i64, String)> {
    run(world, "DELETE FROM settings WHERE key = 'recall'").await;
    index(&world.store).await;
    rows(world).await
}
