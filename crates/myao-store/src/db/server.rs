//! Manages the connections to a PostgreSQL server, and its transactions (ADR 63).
//!
//! Nothing here depends on a session: no prepared statement outlives its transaction if a pooler may stand between, no
//! setting ever outlives it, and no advisory lock is taken.

use std::{
    future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures::{FutureExt as _, future::BoxFuture, stream::BoxStream};
use sqlx::{
    AssertSqlSafe, Connection as _, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr,
    Transaction,
    postgres::{PgArguments, PgConnectOptions, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};
use tokio::time::Instant;

use super::{
    retry::{self, PATIENCE},
    timeline::{self, ServerTimeline, WritingHost, host_to_follow},
};
use crate::StoreError;

/// How a writing transaction begins. A replica refuses it at once. The compiler (jit) is off, since no statement of
/// ours runs long enough to be worth it: compiling takes 20 ms and more for a search of five. Our transactions only
/// ever wait for the server, so if one stands idle, its process was stopped or its machine is gone, and others wait for
/// its locks.
const BEGIN: &str =
    "BEGIN READ WRITE; SET LOCAL jit = off; SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// What stands before [`BEGIN`] and the guard of the timeline: a transaction that has read something cannot be made one
/// that writes.
const TO_WRITE: &str = "SET TRANSACTION READ WRITE";

/// How a transaction that reads one state begins.
const BEGIN_TO_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
     SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// The SQLSTATE with which a replica refuses `BEGIN READ WRITE`.
const NOT_ON_A_REPLICA: &str = "0A000";

/// The pause between two attempts to find the host that takes writes.
const PAUSE: Duration = Duration::from_millis(200);

/// Whether a pooler may stand between, which gives each transaction another connection. Statements have no names then.
/// Any new connection may find it out.
pub(crate) type IsPooled = Arc<AtomicBool>;

/// Set by each connection that is made. The one before it may have ended because its server was replaced.
pub(crate) type ConnectedAnew = Arc<AtomicBool>;

/// A database on a server.
#[derive(Clone, Debug)]
pub(crate) struct DbServer(Arc<Connections>);

#[derive(Debug)]
struct Connections {
    pool: PgPool,
    hosts: Vec<PgConnectOptions>,
    /// The host to which new connections go, and the newest timeline that we have followed.
    followed: Mutex<WritingHost>,
    is_pooled: IsPooled,
    /// Whether a connection was made since it was last looked which host is to be followed.
    is_connected_anew: ConnectedAnew,
}

impl DbServer {
    /// `hosts` are those of one database, in the order of its address; the pool connects to the one that is `followed`.
    pub(crate) fn new(
        pool: PgPool,
        hosts: Vec<PgConnectOptions>,
        followed: WritingHost,
        (is_pooled, is_connected_anew): (IsPooled, ConnectedAnew),
    ) -> Self {
        let followed = Mutex::new(followed);
        Self(Arc::new(Connections { pool, hosts, followed, is_pooled, is_connected_anew }))
    }

    /// Its connections.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Whether a pooler may stand between, which gives each transaction another connection.
    pub(crate) fn is_pooled(&self) -> bool {
        self.0.is_pooled.load(Ordering::Relaxed)
    }

    /// Begins a transaction that writes, on no older timeline than the one that is followed.
    pub(crate) async fn begin(&self) -> Result<ServerTx, StoreError> {
        let guarded = || match self.followed_host().timeline {
            Some(timeline) => format!("{TO_WRITE}; {}; {BEGIN}", timeline.guard_statement()),
            None => BEGIN.to_owned(),
        };
        self.begin_with(guarded).await
    }

    /// Begins a transaction that reads one state.
    pub(crate) async fn snapshot(&self) -> Result<ServerTx, StoreError> {
        self.begin_with(|| BEGIN_TO_READ.to_owned()).await
    }

    /// The host that is followed, and its timeline.
    pub(crate) fn followed_host(&self) -> WritingHost {
        self.0.followed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins a transaction, and tries again on a lost connection: nothing was done yet, so another connection is as
    /// good.
    async fn begin_with(&self, begin: impl Fn() -> String) -> Result<ServerTx, StoreError> {
        let since = Instant::now();
        let mut is_first = true;
        let mut has_looked = false;
        loop {
            // The text is ours, with eight hexadecimal digits in it.
            match self.0.pool.begin_with(AssertSqlSafe(begin())).await {
                Ok(transaction) if !has_looked && self.is_to_be_looked_at() => {
                    has_looked = true;
                    drop(transaction);
                    self.follow_newest().await;
                }
                // Read after the connection is there: it may be the one by which a pooler is noticed.
                Ok(transaction) => return Ok(ServerTx { transaction, is_pooled: self.is_pooled() }),
                Err(error)
                    if (retry::is_lost(&error) || is_a_replicas(&error) || timeline::is_older(&error))
                        && (is_first || since.elapsed() < PATIENCE) =>
                {
                    is_first = false;
                    tracing::warn!(%error, "the connection to the database is lost; looking for the server");
                    if timeline::is_older(&error) {
                        self.close_idle().await;
                    }
                    self.follow_newest().await;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) if timeline::is_older(&error) => {
                    let why = "only a database server was reached that another one has replaced";
                    return Err(Error::Protocol(why.to_owned()).into());
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Whether another host may have to be followed, since a connection was made.
    fn is_to_be_looked_at(&self) -> bool {
        self.0.hosts.len() > 1 && self.0.is_connected_anew.swap(false, Ordering::Relaxed)
    }

    /// The host that is followed, for people.
    pub(crate) fn describe_followed(&self) -> FollowedServer {
        let followed = self.followed_host();
        let host = self.0.hosts.get(followed.number);
        FollowedServer {
            host: host.map_or_else(String::new, |host| {
                host.get_socket()
                    .map_or_else(|| host.get_host().to_owned(), |folder| folder.display().to_string())
            }),
            port: host.map_or(0, PgConnectOptions::get_port),
            timeline: followed.timeline.as_ref().map(ServerTimeline::number),
        }
    }

    /// Directs new connections to the host that takes writes and has the newest timeline, and closes those to another
    /// host. Changes nothing if no host takes writes, or only one that was replaced.
    pub(crate) async fn follow_newest(&self) {
        let before = self.followed_host();
        let found = match &self.0.hosts[..] {
            // There is no other one; a promoted server may have taken its address.
            [_] => self
                .timeline_there()
                .await
                .map(|timeline| WritingHost { number: 0, timeline: Some(timeline) }),
            several => host_to_follow(several, before.timeline.as_ref()).await.ok(),
        };
        let is_older = |found: &WritingHost| match (&before.timeline, &found.timeline) {
            (Some(before), Some(found)) => !found.may_follow(before),
            (Some(_), None) => true,
            (None, _) => false,
        };
        let Some(found) = found.filter(|found| !is_older(found)) else { return };
        *self.0.followed.lock().unwrap_or_else(PoisonError::into_inner) = found.clone();
        if before == found {
            return;
        }
        let FollowedServer { host, port, timeline } = self.describe_followed();
        tracing::warn!(host, port, timeline, "another database server, or timeline, is followed");
        if before.number != found.number
            && let Some(host) = self.0.hosts.get(found.number)
        {
            self.0.pool.set_connect_options(host.clone());
            self.close_idle().await;
        }
    }

    /// The timeline of the server that a connection of the pool leads to.
    async fn timeline_there(&self) -> Option<ServerTimeline> {
        ServerTimeline::of(&mut *self.0.pool.acquire().await.ok()?).await
    }

    /// Closes the connections that nobody uses: they lead to a server that no longer takes writes, if to any. Those in use
    /// are found out when they begin the next transaction.
    async fn close_idle(&self) {
        while let Some(old) = self.0.pool.try_acquire() {
            drop(old.detach().close_hard().await);
        }
    }
}

/// Whether a replica refused a writing transaction with this error.
fn is_a_replicas(error: &Error) -> bool {
    error.as_database_error().is_some_and(|told| told.code().is_some_and(|code| code == NOT_ON_A_REPLICA))
}

/// A transaction on a server, which runs statements.
#[derive(Debug)]
pub(crate) struct ServerTx {
    transaction: Transaction<'static, Postgres>,
    is_pooled: bool,
}

impl ServerTx {
    /// The connection itself, for statements that bind no values.
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }

    /// Commits. If no answer arrives, the commit may or may not have been carried out, and is not tried again. Work is
    /// derived from rows, and these show the next process what was done.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        self.transaction.commit().await.map_err(|error| {
            if retry::is_unknown(&error) {
                StoreError::UnknownCommit(error.to_string())
            } else {
                error.into()
            }
        })
    }
}

/// A statement without a name, which the server forgets with the next one. A name would only be known to one connection
/// of a pooler, but used, or given again, on another.
struct UnnamedStatement<E>(E);

impl<'q, E: Execute<'q, Postgres>> Execute<'q, Postgres> for UnnamedStatement<E> {
    fn sql(self) -> SqlStr {
        self.0.sql()
    }

    fn statement(&self) -> Option<&PgStatement> {
        self.0.statement()
    }

    fn take_arguments(&mut self) -> Result<Option<PgArguments>, sqlx::error::BoxDynError> {
        self.0.take_arguments()
    }

    fn persistent(&self) -> bool {
        false
    }
}

type Outcome = Result<Either<PgQueryResult, PgRow>, Error>;

impl<'c> Executor<'c> for &'c mut ServerTx {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Outcome>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let connection: &'c mut PgConnection = &mut self.transaction;
        if self.is_pooled {
            connection.fetch_many(UnnamedStatement(query))
        } else {
            connection.fetch_many(query)
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let connection: &'c mut PgConnection = &mut self.transaction;
        if self.is_pooled {
            connection.fetch_optional(UnnamedStatement(query))
        } else {
            connection.fetch_optional(query)
        }
    }

    fn prepare_with<'e>(self, _: SqlStr, _: &'e [PgTypeInfo]) -> BoxFuture<'e, Result<PgStatement, Error>>
    where
        'c: 'e,
    {
        // A prepared statement would have a name.
        future::ready(Err(Error::Protocol("nothing is prepared by itself".to_owned()))).boxed()
    }
}

/// A database server that is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedServer {
    /// Its name or address, or the folder of its socket.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Its timeline, from 1; `None` if it does not tell.
    pub timeline: Option<u32>,
}
