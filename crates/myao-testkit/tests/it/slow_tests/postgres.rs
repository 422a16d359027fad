use std::{
    env::current_exe,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use myao_testkit::{FreshDatabase, RestartableServer, fresh_database};
use sqlx::{Connection, Executor, PgConnection, Row};

/// How long a killed process's server may take to be gone: a hundredfold of what it takes.
const MOST_WAITS: u32 = 200;
const WAIT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn each_database_is_empty_and_apart() {
    let (one, two) = tokio::join!(fresh_database(), fresh_database());
    assert_ne!(one, two);
    let mut first = PgConnection::connect(&one).await.unwrap();
    let mut second = PgConnection::connect(&two).await.unwrap();
    first.execute("CREATE TABLE word (text TEXT)").await.unwrap();
    first.execute("INSERT INTO word VALUES ('京都')").await.unwrap();
    second.execute("CREATE TABLE word (text TEXT)").await.unwrap();
    let count = "SELECT count(*) FROM word";
    assert_eq!(first.fetch_one(count).await.unwrap().get::<i64, _>(0), 1);
    assert_eq!(second.fetch_one(count).await.unwrap().get::<i64, _>(0), 0);
    let version: String = first.fetch_one("SHOW server_encoding").await.unwrap().get(0);
    assert_eq!(version, "UTF8");
}

#[tokio::test]
async fn what_a_test_has_ended_with_takes_no_room() {
    let ended = FreshDatabase::create().await;
    let still_open = PgConnection::connect(ended.url()).await.unwrap();
    let url = ended.url().to_owned();
    drop(ended);
    let next = FreshDatabase::create().await;
    assert!(PgConnection::connect(&url).await.is_err());
    PgConnection::connect(next.url()).await.unwrap().close().await.unwrap();
    drop(still_open);
}

/// Started by the next test in a process of its own, which that test kills.
#[tokio::test]
#[ignore = "runs until it is killed"]
async fn holds_a_server_until_it_is_killed() {
    println!("\nholding {}", fresh_database().await);
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn the_server_dies_with_a_killed_process() {
    let mut holder = Command::new(current_exe().unwrap())
        .args([
            "--exact",
            "slow_tests::postgres::holds_a_server_until_it_is_killed",
            "--ignored",
            "--nocapture",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(holder.stdout.take().unwrap());
    let mut lines = stdout.lines().map_while(Result::ok);
    let url = lines.find_map(|line| line.strip_prefix("holding ").map(str::to_owned)).unwrap();
    let folder = url.split(['=', '&']).nth(1).unwrap().to_owned();
    PgConnection::connect(&url).await.unwrap().close().await.unwrap();
    assert!(Path::new(&folder).is_dir());

    holder.kill().unwrap();
    holder.wait().unwrap();
    for _ in 0..MOST_WAITS {
        if !Path::new(&folder).exists() {
            assert!(PgConnection::connect(&url).await.is_err());
            return;
        }
        tokio::time::sleep(WAIT).await;
    }
    panic!("{folder} is still there");
}

#[tokio::test]
async fn a_server_that_was_stopped_starts_with_what_it_held() {
    let mut server = RestartableServer::start(&[]);
    let mut connection = PgConnection::connect(&server.url()).await.unwrap();
    connection.execute("CREATE TABLE word (text TEXT)").await.unwrap();
    connection.execute("INSERT INTO word VALUES ('京都')").await.unwrap();
    server.stop();
    assert!(PgConnection::connect(&server.url()).await.is_err());
    server.start_again();
    let mut connection = PgConnection::connect(&server.url()).await.unwrap();
    let count = "SELECT count(*) FROM word";
    assert_eq!(connection.fetch_one(count).await.unwrap().get::<i64, _>(0), 1);
}
