//! Opens a database on a server.
//!
//! An address may name several hosts, as libpq's may: the first that takes writes is used, also later, when that is
//! another one (ADR 63). The driver knows only one host, so each host gets an address of its own here.

use std::{str::FromStr as _, sync::atomic::Ordering, time::Duration};

use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{pooler::SessionMark, reading::in_form};
use crate::{
    StoreError,
    db::{ConnectedAnew, Db, DbServer, IsPooled, ServerTimeline, WritingHost, host_to_follow},
    foreign, migrations,
};

const POSTGRES_CONNECTIONS: u32 = 10;
/// The name of our writing connections on a server, unless the address gives another.
pub(crate) const AT_WORK: &str = "myao";
/// The name of our reading connections.
const READING: &str = "myao (reading)";
/// How long a server may take to let us in before it is reported as unreachable.
const POSTGRES_PATIENCE: Duration = Duration::from_secs(8);
/// How long to wait for a new connection if another host may take its place.
const ONE_OF_SEVERAL: Duration = Duration::from_secs(3);
/// The parameter that tells the driver to keep no statements: then no statement gets a name either.
const NO_NAMES: &str = "statement-cache-capacity=0";
/// The parameter of an address with several hosts that chooses one of them. We always use the one that takes writes.
const SESSION: &str = "target_session_attrs";

/// The hosts of an address, each as an address of its own; `None` if it is no address. It may hold a password, so no
/// error repeats it, nor what the parser says about it.
pub(crate) fn hosts(url: &str) -> Option<Vec<PgConnectOptions>> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end)?;
    let (user, list) = match authority.rsplit_once('@') {
        Some((user, list)) => (format!("{user}@"), list),
        None => (String::new(), authority),
    };
    // The driver would report a parameter that it does not know.
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let known: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with(SESSION)).collect();
    let query = if known.is_empty() { String::new() } else { format!("?{}", known.join("&")) };
    let one = |host: &str| PgConnectOptions::from_str(&format!("{scheme}://{user}{host}{path}{query}")).ok();
    list.split(',').map(one).collect()
}

/// The name of an address in messages, without user name and password.
pub(crate) fn shown(url: &str) -> String {
    match hosts(url).as_deref() {
        Some([first, ..]) => {
            let name = first.get_database().unwrap_or("the server's default");
            format!("the database {name} at {}", place(first))
        }
        Some([]) | None => "what is no PostgreSQL address".to_owned(),
    }
}

/// Host and port, or the folder of a socket.
fn place(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => format!("{} (port {})", folder.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

/// Opens the database for writing, and brings it to this program's form.
pub(super) async fn open(url: &str) -> Result<Db, StoreError> {
    let server = connect(url, AT_WORK).await?;
    let ready = async {
        foreign::check_postgres(&server).await?;
        migrations::postgres(&server).await
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
    let server = connect(url, READING).await?;
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

async fn connect(url: &str, name: &str) -> Result<DbServer, StoreError> {
    let mut hosts = hosts(url).filter(|hosts| !hosts.is_empty()).ok_or(StoreError::NoAddress)?;
    for host in &mut hosts {
        *host = prepared(host.clone(), name);
    }
    let mut followed = match &hosts[..] {
        [_] => WritingHost { number: 0, timeline: None },
        several => host_to_follow(several, None).await.map_err(|error| unreachable(several, &error))?,
    };
    let first = hosts.get(followed.number).ok_or(StoreError::NoAddress)?;
    let mark = SessionMark::new();
    let is_pooled = IsPooled::new((url.contains(NO_NAMES) || finds_pooler(&mark, first).await?).into());
    let patience = if hosts.len() > 1 { ONE_OF_SEVERAL } else { POSTGRES_PATIENCE };
    let mut pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(patience);
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
fn prepared(options: PgConnectOptions, name: &str) -> PgConnectOptions {
    // We do not need it: nothing that we read has a fraction.
    let options = options.extra_float_digits(None);
    if options.get_application_name().is_some() { options } else { options.application_name(name) }
}

/// Connects, also to find the cause of a failure: a pool tries until its patience ends, and then only says that it
/// ended. Returns whether a pooler stands between.
async fn finds_pooler(mark: &SessionMark, options: &PgConnectOptions) -> Result<bool, StoreError> {
    let patience = tokio::time::timeout(POSTGRES_PATIENCE, mark.finds_pooler(options));
    let found = patience.await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
    found.map_err(|error| unreachable(std::slice::from_ref(options), &error))
}

fn unreachable(hosts: &[PgConnectOptions], error: &sqlx::Error) -> StoreError {
    let why = if let sqlx::Error::Io(error) = error {
        error.to_string()
    } else if matches!(error, sqlx::Error::PoolTimedOut) {
        format!("no answer within {} s", POSTGRES_PATIENCE.as_secs())
    } else {
        // For example which password was wrong, or which database is missing.
        error.as_database_error().map_or_else(|| error.to_string(), |told| told.message().to_owned())
    };
    let server = hosts.iter().map(place).collect::<Vec<_>>().join(", ");
    StoreError::Unreachable { server, why }
}
