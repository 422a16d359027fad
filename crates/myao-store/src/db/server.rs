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
    Connection as _, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr, Transaction,
    postgres::{PgArguments, PgConnectOptions, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};
use tokio::time::Instant;

use super::retry::{self, PATIENCE};
use crate::StoreError;

/// How a writing transaction begins. A replica refuses it at once. The compiler (jit) is off, since no statement of
/// ours runs long enough to be worth it: compiling takes 20 ms and more for a search of five. Our transactions only
/// ever wait for the server, so if one stands idle, its process was stopped or its machine is gone, and others wait for
/// its locks.
const BEGIN: &str =
    "BEGIN READ WRITE; SET LOCAL jit = off; SET LOCAL idle_in_transaction_session_timeout = '10s'";
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

/// A database on a server.
#[derive(Clone, Debug)]
pub(crate) struct DbServer(Arc<Connections>);

#[derive(Debug)]
struct Connections {
    pool: PgPool,
    hosts: Vec<PgConnectOptions>,
    /// The number of the host to which new connections go.
    current: Mutex<usize>,
    is_pooled: IsPooled,
}

impl DbServer {
    /// `hosts` are those of one database, in the order of its address; the pool connects to number `current` of them.
    pub(crate) fn new(
        pool: PgPool,
        hosts: Vec<PgConnectOptions>,
        current: usize,
        is_pooled: IsPooled,
    ) -> Self {
        Self(Arc::new(Connections { pool, hosts, current: Mutex::new(current), is_pooled }))
    }

    /// Its connections.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Whether a pooler may stand between, which gives each transaction another connection.
    pub(crate) fn is_pooled(&self) -> bool {
        self.0.is_pooled.load(Ordering::Relaxed)
    }

    /// Begins a transaction that writes.
    pub(crate) async fn begin(&self) -> Result<ServerTx, StoreError> {
        self.begin_with(BEGIN).await
    }

    /// Begins a transaction that reads one state.
    pub(crate) async fn snapshot(&self) -> Result<ServerTx, StoreError> {
        self.begin_with(BEGIN_TO_READ).await
    }

    /// Begins a transaction, and tries again on a lost connection: nothing was done yet, so another connection is as
    /// good.
    async fn begin_with(&self, begin: &'static str) -> Result<ServerTx, StoreError> {
        let (since, mut is_first) = (Instant::now(), true);
        loop {
            match self.0.pool.begin_with(begin).await {
                // Read after the connection is there: it may be the one by which a pooler is noticed.
                Ok(transaction) => return Ok(ServerTx { transaction, is_pooled: self.is_pooled() }),
                Err(error)
                    if (retry::is_lost(&error) || is_a_replicas(&error))
                        && (is_first || since.elapsed() < PATIENCE) =>
                {
                    is_first = false;
                    tracing::warn!(%error, "the connection to the database is lost; looking for the server");
                    self.find_host().await;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Directs new connections to the first host that takes writes, and closes those to another host. Changes nothing
    /// if no host takes writes.
    async fn find_host(&self) {
        let [_, _, ..] = self.0.hosts[..] else { return };
        let Ok(found) = first_to_write(&self.0.hosts).await else { return };
        let before = {
            let mut current = self.0.current.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *current, found)
        };
        if before == found {
            return;
        }
        let Some(host) = self.0.hosts.get(found) else { return };
        self.0.pool.set_connect_options(host.clone());
        while let Some(old) = self.0.pool.try_acquire() {
            // It leads to a server that no longer takes writes, if to any.
            drop(old.detach().close_hard().await);
        }
    }
}

/// Whether a replica refused a writing transaction with this error.
fn is_a_replicas(error: &Error) -> bool {
    error.as_database_error().is_some_and(|told| told.code().is_some_and(|code| code == NOT_ON_A_REPLICA))
}

/// The number of the first of these hosts that takes writes; the error of the last if none does.
pub(crate) async fn first_to_write(hosts: &[PgConnectOptions]) -> Result<usize, Error> {
    let mut last = Error::PoolClosed;
    for (number, host) in hosts.iter().enumerate() {
        match takes_writes(host).await {
            Ok(true) => return Ok(number),
            Ok(false) => last = Error::Protocol("the server takes no writes: it is a replica".to_owned()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn takes_writes(host: &PgConnectOptions) -> Result<bool, Error> {
    let asked = async {
        let mut connection = PgConnection::connect_with(host).await?;
        let row = sqlx::raw_sql("SHOW transaction_read_only").fetch_one(&mut connection).await?;
        drop(connection.close().await);
        Ok(sqlx::Row::try_get::<String, _>(&row, 0)? == "off")
    };
    let too_late = |_| Err(Error::PoolTimedOut);
    tokio::time::timeout(crate::open::POSTGRES_PATIENCE, asked).await.unwrap_or_else(too_late)
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
