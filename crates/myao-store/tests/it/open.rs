//! Opening: what is no database of ours is told apart, and nothing is written into it (specification §11).

use std::fs;

use myao_core::chat::Visibility;
use myao_store::{Store, StoreError, Target};
use myao_testkit::FreshDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};

fn open_error(error: Result<Store, StoreError>) -> String {
    error.expect_err("it must not open").to_string()
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let words = "これはデータベースではありません。".repeat(200);
    fs::write(&path, &words).expect("written");
    let error = open_error(Store::open(&Target::Sqlite(path.clone())).await);
    assert!(error.contains("memory.db is not an SQLite database"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("read"), words);
}

#[tokio::test]
async fn a_database_of_another_program_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
    sqlx::query("CREATE TABLE recipes (name TEXT)").execute(&pool).await.expect("made");
    pool.close().await;
    let error = open_error(Store::open(&Target::Sqlite(path)).await);
    assert!(error.contains("another program") && error.contains("`recipes`"), "{error}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "x").expect("written");
    let error = open_error(Store::open(&Target::Sqlite(file.join("memory.db"))).await);
    assert!(error.contains("file"), "{error}");
}

#[tokio::test]
async fn an_address_with_a_password_is_not_repeated() {
    let url = "postgres://someone:hunter2@127.0.0.1:1/none".to_owned();
    let error = open_error(Store::open(&Target::Postgres(url)).await);
    assert!(!error.contains("hunter2"), "{error}");
    let error = open_error(Store::open(&Target::Postgres("nonsense hunter2".to_owned())).await);
    assert!(!error.contains("hunter2"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_on_the_machine_can_read_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let world = crate::support::sqlite().await;
    let Target::Sqlite(path) = &world.target else { panic!("SQLite") };
    assert_eq!(fs::metadata(path).expect("there").permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn opened_again_it_holds_what_it_held() {
    let world = crate::support::sqlite().await;
    world
        .store
        .intake()
        .apply(vec![crate::support::said(1, "kept")], crate::support::at(0))
        .await
        .expect("applied");
    world.store.close().await;
    let again = Store::open(&world.target).await.expect("opened again");
    let row = again
        .archive()
        .message(&Visibility::Owner, &crate::support::general(), crate::support::ts(1))
        .await
        .expect("read");
    assert_eq!(row.map(|m| m.text), Some("kept".to_owned()));
}

#[tokio::test]
async fn a_server_that_refuses_us_is_named_with_its_reason() {
    let url = myao_testkit::fresh_database().await;
    let name = url.split('/').find_map(|part| part.split('?').next().filter(|name| name.starts_with('t')));
    let name = name.expect("a database's name");
    let other = url.replacen(&format!("/{name}"), "/no_such_database", 1);
    let error = open_error(Store::open(&Target::Postgres(other)).await);
    assert!(error.contains("no_such_database") && error.contains("does not exist"), "{error}");
    assert!(error.contains("the PostgreSQL server at "), "{error}");
}

/// Everything beside the database, by name.
fn beside(target: &Target) -> std::collections::BTreeSet<String> {
    let Target::Sqlite(path) = target else { panic!("SQLite") };
    let names = fs::read_dir(path.parent().expect("a folder")).expect("listed").flatten();
    names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// However a process ends that only reads: killed, it has no chance to tidy up.
#[tokio::test]
async fn what_only_reads_leaves_no_mark() {
    let world = crate::support::sqlite().await;
    world.store.archive().channels(&Visibility::Owner).await.expect("read");
    let reader = Store::open(&world.target).await.expect("opened");
    reader.memory().coverage_by_channel().await.expect("read");
    let is_mark = |name: &String| name.contains("-owner-");
    assert_eq!(beside(&world.target).into_iter().filter(is_mark).collect::<Vec<_>>(), [""; 0]);
    let claim = crate::support::claim(&reader, "channel:C1").await;
    assert_eq!(beside(&world.target).into_iter().filter(is_mark).count(), 1, "who holds something shows it");
    reader.release(&claim).await.expect("released");
    reader.close().await;
    assert_eq!(beside(&world.target).into_iter().filter(is_mark).count(), 0);
}

/// `.cargo/config.toml` hands the flag on (ADR 67): without it nearly every statement of a reply is planned at each call.
#[tokio::test]
async fn sqlite_plans_each_statement_once() {
    let pool = sqlx::SqlitePool::connect("sqlite::memory:").await.expect("opened");
    let asked = sqlx::query_scalar("SELECT sqlite_compileoption_used('ENABLE_QPSG')");
    let has_flag: i64 = asked.fetch_one(&pool).await.expect("read");
    assert_eq!(has_flag, 1);
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    /// SQLite keeps files beside one that is in use. One that is refused is not in use.
    #[tokio::test]
    async fn nothing_is_left_beside_a_damaged_file() {
        const PAGE: usize = 4096;
        let world = crate::support::sqlite().await;
        let Target::Sqlite(path) = &world.target else { panic!("SQLite") };
        world.store.close().await;
        let whole = fs::read(path).expect("read");
        let mut refused = 0;
        for page in 1..whole.len() / PAGE {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("memory.db");
            let mut damaged = whole.clone();
            damaged.iter_mut().skip(page * PAGE).take(PAGE).for_each(|byte| *byte = 0xA5);
            fs::write(&path, &damaged).expect("written");
            match Store::open(&Target::Sqlite(path.clone())).await {
                Ok(store) => store.close().await,
                Err(error) => {
                    refused += 1;
                    let there: Vec<_> = fs::read_dir(folder.path()).expect("listed").flatten().collect();
                    assert_eq!(there.len(), 1, "page {page}: {error}: {there:?}");
                    assert!(
                        fs::read(&path).expect("read") == damaged,
                        "page {page}: {error}: it was written"
                    );
                }
            }
        }
        assert!(refused > 1, "{refused} of {} pages matter", whole.len() / PAGE);
    }

    /// Whoever runs it has to know which server did not answer, and why, while they still look at the terminal.
    #[tokio::test]
    async fn an_unreachable_server_is_named_within_ten_seconds() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let silent = listener.local_addr().expect("an address").port();
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let refused = free.local_addr().expect("an address").port();
        drop(free);
        for (port, why) in [(refused, "refused"), (silent, "no answer within 8 s")] {
            let begun = std::time::Instant::now();
            let url = format!("postgres://someone:hunter2@127.0.0.1:{port}/none");
            let error = open_error(Store::open(&Target::Postgres(url)).await);
            // A machine that is busy with other tests tells it later.
            assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
            assert!(error.contains(&format!("127.0.0.1:{port}")) && error.contains(why), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
        let error = open_error(
            Store::open(&Target::Postgres("postgres://a@nowhere.invalid:5433/b".to_owned())).await,
        );
        assert!(error.contains("nowhere.invalid:5433"), "{error}");
    }

    /// How many connections are wanted is nothing that one could guess.
    #[tokio::test]
    async fn a_server_without_free_connections_says_how_many_are_wanted() {
        let database = FreshDatabase::create().await;
        let mut administrator = PgConnection::connect(database.url()).await.expect("open");
        let role = "CREATE ROLE crowded LOGIN CONNECTION LIMIT 0";
        administrator.execute(role).await.expect("made");
        let url = database.url().replacen("postgres@", "crowded@", 1);
        let error = open_error(Store::open(&Target::Postgres(url)).await);
        assert!(error.contains("max_connections") && error.contains("up to 10"), "{error}");
    }
}
