//! Tells whether a pooler stands between us and a server, which may give each transaction another connection (ADR 63).
//!
//! A connection of its own at the server has the settings that we began it with. A pooler refuses a setting that it does
//! not know, or forgets it. So each of our connections begins with one of a value that nobody else knows, and is asked
//! for it before it is used. Whoever only compared which of the server's processes answers would be misled where others
//! use the pooler at the same time.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
    sync::{Arc, atomic::Ordering},
};

use sqlx::{
    Connection as _, Error, PgConnection, Row as _,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::db::{ConnectedAnew, IsPooled};

const SETTING: &str = "myao.session";

/// The classes of errors (the first two characters of an SQLSTATE) that are not about a setting: who may come in, which
/// database there is, too many connections, and a server that starts or stops.
const OF_OTHER_CAUSES: [&str; 4] = ["28", "3D", "53", "57"];

/// The mark that our connections begin with.
#[derive(Clone, Debug)]
pub(super) struct SessionMark(String);

impl SessionMark {
    pub(super) fn new() -> Self {
        Self(format!("{:016x}", RandomState::new().build_hasher().finish()))
    }

    /// The same address, for connections that begin with the mark.
    pub(super) fn on(&self, options: &PgConnectOptions) -> PgConnectOptions {
        options.clone().options([(SETTING, &self.0)])
    }

    /// Connects, and tells whether a pooler stands between.
    pub(super) async fn finds_pooler(&self, options: &PgConnectOptions) -> Result<bool, Error> {
        let (connection, is_pooled) = match PgConnection::connect_with(&self.on(options)).await {
            Ok(mut connection) => {
                let is_pooled = !self.is_on(&mut connection).await?;
                (connection, is_pooled)
            }
            Err(error) if may_be_about_setting(&error) => (PgConnection::connect_with(options).await?, true),
            Err(error) => return Err(error),
        };
        drop(connection.close().await);
        Ok(is_pooled)
    }

    /// Asks each new connection of a pool for the mark: the address may lead to a pooler later. Notes that there is one.
    pub(super) fn ask_each(
        self,
        pool: PgPoolOptions,
        is_pooled: &IsPooled,
        is_connected_anew: &ConnectedAnew,
    ) -> PgPoolOptions {
        let is_pooled = Arc::clone(is_pooled);
        let is_connected_anew = Arc::clone(is_connected_anew);
        pool.after_connect(move |connection, _| {
            is_connected_anew.store(true, Ordering::Relaxed);
            let mark = self.clone();
            let is_pooled = Arc::clone(&is_pooled);
            Box::pin(async move {
                if !is_pooled.load(Ordering::Relaxed) && !mark.is_on(connection).await? {
                    is_pooled.store(true, Ordering::Relaxed);
                }
                Ok(())
            })
        })
    }

    async fn is_on(&self, connection: &mut PgConnection) -> Result<bool, Error> {
        let asked = sqlx::raw_sql("SELECT current_setting('myao.session', true)");
        let found: Option<String> = asked.fetch_one(connection).await?.try_get_unchecked(0)?;
        Ok(found.as_ref() == Some(&self.0))
    }
}

fn may_be_about_setting(error: &Error) -> bool {
    error.as_database_error().is_some_and(|told| {
        told.code().is_none_or(|code| !OF_OTHER_CAUSES.iter().any(|class| code.starts_with(class)))
    })
}
