//! What a server may do to a transaction, and what becomes of it (ADR 63): everything is written once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use myao_core::chat::{ChannelKind, MessageTs, Visibility};
use myao_store::{Range, StepDraft, StepOutcome, Store, StoreError, Target};
use myao_testkit::{
    ConnectionCut, DatabaseProxy, ReplicatedServer, SecuredServer, fresh_database, waiting::yield_until,
};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::{sync::Mutex, task::JoinHandle, time::Instant};

use crate::support::{at, channel, claim, general, said, short, step, ts};

pub(super) async fn open(url: String) -> Store {
    Store::open(&Target::Postgres(url)).await.expect("opened")
}

pub(super) async fn attempts(store: &Store) -> u64 {
    let setbacks = store.memory().list_open_setbacks().await.expect("read");
    setbacks.iter().find(|setback| setback.subject == "one").map_or(0, |setback| setback.attempts)
}

pub(super) async fn stored(store: &Store) -> Vec<MessageTs> {
    let range = Range { channel: general(), from: MessageTs::MIN, to: MessageTs::MAX };
    let (_, messages) = store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read");
    messages.into_iter().map(|message| message.ts).collect()
}

/// Something that is counted twice if it is written twice, cut off before each of its statements in turn.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_is_cut_off_before_its_commit_is_made_again() {
    let proxy = DatabaseProxy::before(&fresh_database().await).await;
    let store = open(proxy.url().to_owned()).await;
    store.memory().set_back("one", "because", at(0)).await.expect("written");
    let mut written = 1;
    for statement in 1.. {
        proxy.plan(ConnectionCut::Before(statement));
        match store.memory().set_back("one", "because", at(0)).await {
            Ok(()) => written += 1,
            // The commit itself never arrived. Whether one of these numbers meets it depends on what the connection has
            // prepared already.
            Err(StoreError::UnknownCommit(_)) => {}
            Err(error) => panic!("cut before statement {statement}: {error}"),
        }
        let is_over = proxy.calm();
        assert_eq!(attempts(&store).await, written, "cut before statement {statement}");
        if is_over {
            assert!(statement > 3, "nothing was cut off");
            break;
        }
    }
}

/// The server carries the commit out, and the connection ends before it can say so: nobody writes it again, and whoever
/// looks finds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_is_lost_is_not_made_again() {
    let proxy = DatabaseProxy::before(&fresh_database().await).await;
    let store = open(proxy.url().to_owned()).await;
    for written in 1..=5 {
        proxy.plan(ConnectionCut::Answer(1));
        let told = store.memory().set_back("one", "because", at(0)).await.expect_err("nobody knows");
        assert!(matches!(told, StoreError::UnknownCommit(_)), "{told}");
        assert!(!proxy.calm(), "the commit was let through");
        assert_eq!(attempts(&store).await, written);
    }
}

/// A server on which every transaction is serializable takes those back that met (40001).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_serializable_server_takes_back_is_written_in_the_end() {
    let url = fresh_database().await;
    let mut administrator = PgConnection::connect(&url).await.expect("connected");
    let name: String = sqlx::query_scalar("SELECT current_database()::text")
        .fetch_one(&mut administrator)
        .await
        .expect("named");
    let stricter = format!("ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'");
    sqlx::raw_sql(AssertSqlSafe(stricter)).execute(&mut administrator).await.expect("set");
    let store = open(url).await;
    let each = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.memory().set_back("one", "because", at(0)).await })
    });
    for written in each.collect::<Vec<_>>() {
        written.await.expect("ended").expect("written");
    }
    assert_eq!(attempts(&store).await, 8);
}

/// Two transactions that wait for each other: the server takes ours back (40P01).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_deadlock_takes_back_is_written_in_the_end() {
    let url = fresh_database().await;
    let store = open(url.clone()).await;
    let channels = || vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)];
    store.intake().apply(channels(), at(0)).await.expect("applied");
    let mut other = PgConnection::connect(&url).await.expect("connected");
    // Who waits longest looks first: the other one never does.
    let locks = "SET deadlock_timeout = '1h'; BEGIN; UPDATE channels SET name = 'x' WHERE id = 'C2'";
    sqlx::raw_sql(locks).execute(&mut other).await.expect("locked");
    let writes = store.clone();
    let renamed = vec![channel("C1", ChannelKind::Private), channel("C2", ChannelKind::Public)];
    let written = tokio::spawn(async move { writes.intake().apply(renamed, at(1)).await });
    wait_for_lock(&mut other, || written.is_finished()).await;
    let crosses = "UPDATE channels SET name = 'x' WHERE id = 'C1'; COMMIT";
    sqlx::raw_sql(crosses).execute(&mut other).await.expect("ours was taken back");
    written.await.expect("ended").expect("written in the end");
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    sqlx::raw_sql("SELECT pg_stat_force_next_flush()").execute(&mut other).await.expect("flushed");
    let met: i64 = sqlx::query_scalar(deadlocks).fetch_one(&mut other).await.expect("counted");
    assert!(met > 0, "there was none");
    let row = store.archive().channel(&general()).await.expect("read").expect("a channel");
    assert_eq!(row.kind, ChannelKind::Private);
}

/// A deletion is being committed elsewhere while a memory of the deleted words is: the memory waits, and is not written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_waits_for_a_deletion_that_is_under_way() {
    let url = fresh_database().await;
    let store = open(url.clone()).await;
    store
        .intake()
        .apply(vec![channel("C1", ChannelKind::Public), said(1, "a secret")], at(1))
        .await
        .expect("applied");
    let held = claim(&store, "channel:C1").await;
    let range = Range { channel: general(), from: MessageTs::MIN, to: ts(5) };
    let (revision, _) = store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read");
    let range = Some(range);
    let draft = StepDraft { range, read_revision: revision, ..step(short("a secret"), 1, None) };
    let mut other = PgConnection::connect(&url).await.expect("connected");
    let deletes = "BEGIN; UPDATE channels SET revision = revision + 1 WHERE id = 'C1';
        UPDATE messages SET deleted = 1, text = '', revision = (SELECT revision FROM channels WHERE id = 'C1')";
    sqlx::raw_sql(deletes).execute(&mut other).await.expect("under way");
    let writes = store.clone();
    let written = tokio::spawn(async move { writes.memory().save_steps(&held, vec![draft], at(2)).await });
    wait_for_lock(&mut other, || written.is_finished()).await;
    sqlx::raw_sql("COMMIT").execute(&mut other).await.expect("deleted");
    assert_eq!(written.await.expect("ended").expect("asked"), [StepOutcome::Moved]);
}

/// A chapter is being cut elsewhere while a message arrives that was said within it: the message waits, and then the
/// chapter is to be written anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_waits_for_a_chapter_comes_late_to_it() {
    let url = fresh_database().await;
    let store = open(url.clone()).await;
    store
        .intake()
        .apply(vec![channel("C1", ChannelKind::Public), said(1, "hello")], at(1))
        .await
        .expect("applied");
    let mut other = PgConnection::connect(&url).await.expect("connected");
    let from = ts(0).as_micros();
    let to = ts(9).as_micros();
    let cuts = format!(
        "BEGIN; UPDATE channels SET revision = revision, memory_from = {from} WHERE id = 'C1';
        INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold, conversation_idle_seconds)
        VALUES ('C1', 1, {from}, {to}, 'idle', 1, 1)"
    );
    sqlx::raw_sql(AssertSqlSafe(cuts)).execute(&mut other).await.expect("under way");
    let again = store.clone();
    let arriving = tokio::spawn(async move { again.intake().apply(vec![said(5, "late")], at(2)).await });
    wait_for_lock(&mut other, || arriving.is_finished()).await;
    sqlx::raw_sql("COMMIT").execute(&mut other).await.expect("cut");
    arriving.await.expect("ended").expect("applied");
    let late: i64 = sqlx::query_scalar("SELECT count(*) FROM chapters WHERE late_revision > 0")
        .fetch_one(&mut other)
        .await
        .expect("counted");
    assert_eq!(late, 1);
}

/// Waits until a transaction waits for another, or `is_over`.
async fn wait_for_lock(connection: &mut PgConnection, is_over: impl Fn() -> bool) {
    // Within a transaction the server would tell again what it told first.
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    let is_waiting = async || {
        sqlx::raw_sql("SELECT pg_stat_clear_snapshot()").execute(&mut *connection).await.expect("forgotten");
        is_over()
            || sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *connection).await.expect("counted") > 0
    };
    yield_until("a transaction to wait for another", is_waiting).await;
}

/// A role that may only use a schema of its own, over a connection whose certificate is looked at.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_with_a_schema_of_its_own_works_over_a_verified_connection() {
    let server = tokio::task::spawn_blocking(SecuredServer::start).await.expect("started");
    let authority = server.authority();
    let verified = format!("sslmode=verify-full&sslrootcert={authority}");
    let unknown = Store::open(&Target::Postgres(server.url("localhost", "sslmode=verify-full"))).await;
    let other_name = Store::open(&Target::Postgres(server.url("127.0.0.1", &verified))).await;
    let plain = Store::open(&Target::Postgres(server.url("localhost", "sslmode=disable"))).await;
    for refused in [unknown, other_name, plain] {
        let told = refused.expect_err("refused");
        assert!(matches!(told, StoreError::Unreachable { .. }), "{told}");
        assert!(!told.to_string().contains("password"), "{told}");
    }
    let url = server.url("localhost", &verified);
    let store = open(url.clone()).await;
    store
        .intake()
        .apply(vec![channel("C1", ChannelKind::Public), said(1, "hello")], at(1))
        .await
        .expect("applied");
    assert!(store.listen_for_hints().await.expect("asked").is_some(), "hints arrive");
    assert_eq!(stored(&store).await.len(), 1);
    store.close().await;
    let store = open(url.clone()).await;
    assert_eq!(stored(&store).await.len(), 1, "found again");
    let mut other = PgConnection::connect(&url).await.expect("connected");
    let elsewhere = "SELECT count(*) FROM pg_tables WHERE tableowner = 'myao' AND schemaname <> 'myao'";
    let elsewhere: i64 = sqlx::query_scalar(elsewhere).fetch_one(&mut other).await.expect("counted");
    assert_eq!(elsewhere, 0);
}

/// What four writers were told is stored, until they are told to stop.
struct Writers {
    acknowledged: Arc<Mutex<Vec<(i64, Instant)>>>,
    stop: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Writers {
    fn start(store: &Store) -> Self {
        const WRITERS: i64 = 4;
        let acknowledged: Arc<Mutex<Vec<(i64, Instant)>>> = Arc::default();
        let stop = Arc::new(AtomicBool::new(false));
        let tasks = (0..WRITERS).map(|writer| {
            let store = store.clone();
            let acknowledged = Arc::clone(&acknowledged);
            let stop = Arc::clone(&stop);
            tokio::spawn(async move {
                let mut second = writer;
                while !stop.load(Ordering::Relaxed) {
                    // As Slack does: what was not acknowledged is delivered again.
                    while store.intake().apply(vec![said(second, "hello")], at(second)).await.is_err() {}
                    acknowledged.lock().await.push((second, Instant::now()));
                    second += WRITERS;
                }
            })
        });
        let tasks = tasks.collect();
        Self { acknowledged, stop, tasks }
    }

    /// Waits until so many more were stored.
    async fn store_more(&self, many: usize) {
        let before = self.acknowledged.lock().await.len();
        let is_stored = async || self.acknowledged.lock().await.len() >= before + many;
        yield_until("more messages to be stored", is_stored).await;
    }

    async fn stop(self) -> Vec<(i64, Instant)> {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.expect("went on by itself");
        }
        self.acknowledged.lock().await.clone()
    }
}

/// The primary is killed while messages are acknowledged, and its synchronous replica takes its place; then that one is
/// restarted.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_acknowledged_is_lost_when_another_server_takes_over() {
    let servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
    let store = open(servers.url()).await;
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    let writers = Writers::start(&store);
    writers.store_more(40).await;
    let killed = Instant::now();
    let servers = with(servers, |servers| {
        servers.kill_primary();
        servers.promote();
    });
    let servers = servers.await;
    let promoted = Instant::now();
    writers.store_more(40).await;
    let servers = with(servers, ReplicatedServer::restart).await;
    writers.store_more(40).await;
    let acknowledged = writers.stop().await;
    let rows = stored(&store).await;
    let first_after = acknowledged.iter().map(|(_, at)| *at).filter(|at| *at > promoted).min().expect("some");
    println!(
        "{} acknowledged, {} stored; {:?} from the kill to the promotion, {:?} until the next was stored",
        acknowledged.len(),
        rows.len(),
        promoted - killed,
        first_after - killed
    );
    assert_eq!(rows.len(), acknowledged.len(), "one was lost or doubled");
    // A machine that is busy with other tests takes longer than the few seconds of a quiet one.
    assert!(first_after - promoted < Duration::from_secs(45));
    drop(servers);
}

/// A primary that was replaced comes back while the other one serves, and takes writes: nobody follows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_was_replaced_is_not_followed_when_it_comes_back() {
    let servers = tokio::task::spawn_blocking(ReplicatedServer::start).await.expect("started");
    let before = open(servers.url()).await;
    before.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    // One that knows the old one only.
    let alone = open(servers.each()[0].clone()).await;
    assert_eq!(before.followed_server().expect("a server").timeline, Some(1));
    let servers = with(servers, |servers| {
        servers.kill_primary();
        servers.promote();
        servers.revive_primary();
    })
    .await;
    before.intake().apply(vec![said(1, "by one that ran before")], at(1)).await.expect("applied");
    let after = open(servers.url()).await;
    after.intake().apply(vec![said(2, "by one that was started after")], at(2)).await.expect("applied");
    for store in [&before, &after] {
        let followed = store.followed_server().expect("a server");
        assert_eq!((followed.timeline, followed.port), (Some(2), port(&servers.each()[1])), "{followed:?}");
        assert_eq!(stored(store).await.len(), 2, "both write to the same one");
    }
    // It was connected to the old one all the time, and cannot know of the other.
    alone.follow_newest_server().await;
    assert_eq!(alone.followed_server().expect("a server").timeline, Some(1));
    assert_eq!(stored(&alone).await.len(), 0);
    alone.close().await;
    // The new one is gone for a while: nothing is written to the old one, however long it is tried.
    let servers = with(servers, ReplicatedServer::stop_promoted).await;
    before.follow_newest_server().await;
    assert_eq!(before.followed_server().expect("a server").timeline, Some(2));
    let refused = before.intake().apply(vec![said(3, "nowhere")], at(3)).await;
    assert!(refused.is_err(), "{refused:?}");
    let old = open(servers.each()[0].clone()).await;
    assert_eq!(stored(&old).await.len(), 0);
    drop(servers);
}

fn port(url: &str) -> u16 {
    let port = url.rsplit(':').next().and_then(|rest| rest.split('/').next());
    port.and_then(|port| port.parse().ok()).expect("an address with a port")
}

/// Does something with the servers that takes its time.
async fn with(
    mut servers: ReplicatedServer,
    what: impl FnOnce(&mut ReplicatedServer) + Send + 'static,
) -> ReplicatedServer {
    let done = tokio::task::spawn_blocking(move || {
        what(&mut servers);
        servers
    });
    done.await.expect("done")
}
