//! A pooler between a store and its server (ADR 63): it is noticed, and nothing is written twice or by another's statement.

use std::sync::{Arc, Mutex};

use myao_core::chat::ChannelKind;
use myao_testkit::{DatabaseProxy, Pooler, fresh_database};
use sqlx::{Connection as _, PgConnection, Row as _, postgres::PgConnectOptions};
use tokio::net::{TcpListener, TcpStream};

use crate::{
    slow_tests::server::{attempts, open, stored},
    support::{at, channel, claim, said, short, step},
};

/// Each transaction gets another connection of four, while thirty are wanted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_may_stand_between() {
    let direct = fresh_database().await;
    let pooler = Pooler::before(&direct);
    let store = open(pooler.url(&direct)).await;
    assert!(store.listen_for_hints().await.expect("asked").is_none(), "no hint arrives there");
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    let other = open(pooler.url(&direct)).await;
    let each = (0..30).map(|second| {
        let store = if second % 2 == 0 { store.clone() } else { other.clone() };
        tokio::spawn(async move {
            store.intake().apply(vec![said(second, "hello there")], at(second)).await.expect("applied");
            store.memory().set_back("one", "because", at(0)).await.expect("written");
            stored(&store).await
        })
    });
    for read in each.collect::<Vec<_>>() {
        assert!(!read.await.expect("ended").is_empty());
    }
    assert_eq!(stored(&store).await.len(), 30);
    assert_eq!(attempts(&store).await, 30);
    let held = claim(&store, "channel:C1").await;
    assert!(other.claim("channel:C1", at(1), at(61)).await.expect("asked").is_none());
    store
        .memory()
        .save_steps(&held, vec![step(short("they greeted"), 1, None)], at(1))
        .await
        .expect("committed");
    other.close().await;
    store.close().await;
}

/// A connection that names no setting that a pooler would refuse.
async fn behind_pooler(url: &str) -> PgConnection {
    let options: PgConnectOptions = url.parse().expect("an address");
    PgConnection::connect_with(&options.extra_float_digits(None)).await.expect("connected")
}

/// Others take the pooler's four connections and give them back all the time, so two of ours may look like two, twice.
/// No statement has a name then: it would run as whatever another process gave that name on the same connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_is_noticed_however_busy_it_is() {
    let direct = fresh_database().await;
    let pooler = Pooler::before(&direct);
    let url = pooler.url(&direct);
    open(url.clone()).await.close().await;
    let others = (0..6).map(|_| {
        let url = url.clone();
        tokio::spawn(async move {
            let mut connection = behind_pooler(&url).await;
            loop {
                let work = sqlx::raw_sql("SELECT count(*) FROM generate_series(1, 5000)");
                work.execute(&mut connection).await.expect("run");
            }
        })
    });
    let others = others.collect::<Vec<_>>();
    for _ in 0..20 {
        let store = open(url.clone()).await;
        assert_eq!(stored(&store).await, []);
        store.close().await;
    }
    for other in others {
        assert!(!other.is_finished(), "it was at work all the time");
        other.abort();
    }
    no_statement_has_a_name(&url).await;
}

/// A pooler that accepts every setting comes between while the database is open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_may_come_between_later() {
    let direct = fresh_database().await;
    let proxy = DatabaseProxy::before(&direct).await;
    let pooler = Pooler::ignoring_options(&direct);
    let behind = pooler.url(&direct);
    let leads_to = Arc::new(Mutex::new(address(proxy.url())));
    let way = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = proxy.url().replace(&address(proxy.url()), &way.local_addr().expect("a port").to_string());
    let led = Arc::clone(&leads_to);
    let serving = tokio::spawn(async move {
        while let Ok((mut client, _)) = way.accept().await {
            let address = led.lock().expect("whole").clone();
            let mut server = TcpStream::connect(address).await.expect("connected");
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
        }
    });
    let store = open(url).await;
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    *leads_to.lock().expect("whole") = address(&behind);
    let mut one = PgConnection::connect(&direct).await.expect("connected");
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE pid <> pg_backend_pid() AND datname = current_database()";
    sqlx::raw_sql(end).execute(&mut one).await.expect("ended");
    let each = (0..20).map(|second| {
        let store = store.clone();
        tokio::spawn(async move {
            store.intake().apply(vec![said(second, "hello")], at(second)).await.expect("applied")
        })
    });
    for applied in each.collect::<Vec<_>>() {
        applied.await.expect("ended");
    }
    assert_eq!(stored(&store).await.len(), 20);
    no_statement_has_a_name(&behind).await;
    serving.abort();
}

/// Host and port of an address.
fn address(url: &str) -> String {
    let after_user = url.split('@').nth(1).expect("a user");
    after_user.split('/').next().expect("a host").to_owned()
}

/// Looks at the pooler's four connections, all held at once.
async fn no_statement_has_a_name(url: &str) {
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut connection = behind_pooler(url).await;
        sqlx::raw_sql("BEGIN").execute(&mut connection).await.expect("begun");
        let named = sqlx::raw_sql("SELECT count(*) FROM pg_prepared_statements");
        let named = named.fetch_one(&mut connection).await.expect("counted");
        assert_eq!(named.try_get_unchecked::<String, _>(0).expect("a number"), "0");
        held.push(connection);
    }
}
