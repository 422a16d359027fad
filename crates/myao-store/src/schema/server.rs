//! Opens a database on a server.
//!
//! An address may name several hosts, as libpq's may: the first that takes writes is used, also later, when that is
//! another one (ADR 63). The driver knows only one host, so each host gets an address of its own here.

use std::{sync::atomic::Ordering, time::Duration};

use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{
    foreign,
    migrations::{self, in_form},
    pooler::SessionMark,
};
use crate::{
    StoreError,
    db::{
        ConnectedAnew, Db, DbServer, IsPooled, ServerTimeline, WritingHost,
        address::{host_and_port, hosts_of_url},
        connection_limit::MOST_CONNECTIONS,
        host_to_follow,
    },
};

/// The name of our writing connections on a server, unless the address gives another.
pub(crate) const AT_WORK: &str = "myao";

/// The name of our reading connections.
const READING: &str = "myao (reading)";

/// How long a server may take to let us in before it is reported as unreachable.
const POSTGRES_PATIENCE: Duration = Duration::from_secs(8);

/// How long to wait for a new connection if another host may take its place.
const ONE_OF_SEVERAL: Duration = Duration::from_secs(3);

/// The SQLSTATE with which a server says that it has no connection left, be it for us, our role or our database.
const TOO_MANY: &str = "53300";

/// The parameter that tells the driver to keep no statements: then no statement gets a name either.
const NO_NAMES: &str = "statement-cache-capacity=0";

/// Opens the database for writing, and brings it to this program's form.
pub(super) async fn open_for_writing(url: &str) -> Result<Db, StoreError> {
    let server = connect_by_url(url, AT_WORK).await?;
    let ready = async {
        foreign::check_postgres(&server).await?;
        migrations::migrate_server(&server).await
    };
    match ready.await {
        Ok(()) => Ok(Db::Postgres(server)),
        Err(error) => {
            server.pool().close().await;
            Err(error)
        }
    }
}

/// Opens the database for reading only.
pub(super) async fn open_to_read(url: &str) -> Result<Db, StoreError> {
    let server = connect_by_url(url, READING).await?;
    let checked = async {
        foreign::check_postgres(&server).await?;
        let mut tx = server.snapshot().await?;
        let form = migrations::form_on_server(&mut tx).await?;
        let name: String = sqlx::query_scalar("SELECT current_database()::text").fetch_one(&mut tx).await?;
        in_form(&format!("database {name}"), form, migrations::newest_on_server())
    };
    match checked.await {
        Ok(()) => Ok(Db::PostgresToRead(server)),
        Err(error) => {
            server.pool().close().await;
            Err(error)
        }
    }
}

async fn connect_by_url(url: &str, name: &str) -> Result<DbServer, StoreError> {
    let mut hosts = hosts_of_url(url).filter(|hosts| !hosts.is_empty()).ok_or(StoreError::NoAddress)?;
    for host in &mut hosts {
        *host = with_application_name(host.clone(), name);
    }
    let mut followed = match &hosts[..] {
        [_] => WritingHost { number: 0, timeline: None },
        several => host_to_follow(several, None).await.map_err(|error| unreachable_error(several, &error))?,
    };
    let first = hosts.get(followed.number).ok_or(StoreError::NoAddress)?;
    let mark = SessionMark::new();
    let is_pooled = IsPooled::new((url.contains(NO_NAMES) || finds_pooler(&mark, first).await?).into());
    let patience = if hosts.len() > 1 { ONE_OF_SEVERAL } else { POSTGRES_PATIENCE };
    let mut pool = PgPoolOptions::new().max_connections(MOST_CONNECTIONS).acquire_timeout(patience);
    if !is_pooled.load(Ordering::Relaxed) {
        hosts = hosts.iter().map(|host| mark.on(host)).collect();
    }
    let is_connected_anew = ConnectedAnew::default();
    pool = mark.ask_each(pool, &is_pooled, &is_connected_anew);
    let first = hosts.get(followed.number).cloned().ok_or(StoreError::NoAddress)?;
    let pool: PgPool = pool.connect_with(first).await?;
    if followed.timeline.is_none() {
        followed.timeline = ServerTimeline::of(&mut *pool.acquire().await?).await;
    }
    Ok(DbServer::new(pool, hosts, followed, (is_pooled, is_connected_anew)))
}

/// Sets the name that tells administrators, and `myao db copy`, who we are, unless the address has one, and removes
/// what poolers do not know.
fn with_application_name(options: PgConnectOptions, name: &str) -> PgConnectOptions {
    // We do not need it: nothing that we read has a fraction.
    let options = options.extra_float_digits(None);
    if options.get_application_name().is_some() { options } else { options.application_name(name) }
}

/// Connects, also to find the cause of a failure: a pool tries until its patience ends, and then only says that it
/// ended. Returns whether a pooler stands between.
async fn finds_pooler(mark: &SessionMark, options: &PgConnectOptions) -> Result<bool, StoreError> {
    let patience = tokio::time::timeout(POSTGRES_PATIENCE, mark.finds_pooler(options));
    let found = patience.await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
    found.map_err(|error| unreachable_error(std::slice::from_ref(options), &error))
}

fn unreachable_error(hosts: &[PgConnectOptions], error: &sqlx::Error) -> StoreError {
    let server = hosts.iter().map(host_and_port).collect::<Vec<_>>().join(", ");
    if let Some(told) = error.as_database_error().filter(|told| told.code().as_deref() == Some(TOO_MANY)) {
        let told = told.message().to_owned();
        return StoreError::NoConnectionLeft { server, told, wanted: MOST_CONNECTIONS };
    }
    let why = if let sqlx::Error::Io(error) = error {
        error.to_string()
    } else if matches!(error, sqlx::Error::PoolTimedOut) {
        format!("no answer within {} s", POSTGRES_PATIENCE.as_secs())
    } else {
        // For example which password was wrong, or which database is missing.
        error.as_database_error().map_or_else(|| error.to_string(), |told| told.message().to_owned())
    };
    StoreError::Unreachable { server, why }
}
