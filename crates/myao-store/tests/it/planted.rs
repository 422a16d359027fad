//! Rows written past the store, as no command of ours does: faults planted for `verify`.

use myao_store::Target;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::support::World;

/// Runs statements on the bare database, its foreign keys unguarded.
pub(crate) async fn plant(world: &World, statements: &str) {
    let statements = AssertSqlSafe(statements.to_owned());
    match &world.target {
        Target::Sqlite(path) => {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).foreign_keys(false);
            let mut bare = SqliteConnection::connect_with(&options).await.expect("a connection");
            bare.execute(statements).await.expect("planted");
            bare.close().await.expect("closed");
        }
        Target::Postgres(url) => {
            let mut bare = PgConnection::connect(url).await.expect("a connection");
            bare.execute("SET session_replication_role = replica").await.expect("a superuser");
            bare.execute(statements).await.expect("planted");
            bare.close().await.expect("closed");
        }
    }
}
