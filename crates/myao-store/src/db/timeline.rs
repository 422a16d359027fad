//! Tells which of several servers is the database's, where more than one takes writes (ADR 94): a primary that was
//! replaced may come back and not know it. Each promotion begins a new timeline of the same system; the newest one is
//! followed, and nothing is written on an older one.

use std::time::Duration;

use futures::future::join_all;
use sqlx::{Connection as _, Error, PgConnection, Row as _, postgres::PgConnectOptions};

/// How long one host of several may take to answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);

/// Asks for the system and its timeline. `pg_control_checkpoint` would tell of a promotion only after a checkpoint.
const ASK: &str = "SELECT (SELECT cast(system_identifier AS TEXT) FROM pg_control_system()) AS system,
        substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline";

/// The SQLSTATE of a division by zero, with which [`ServerTimeline::guard_statement`] fails.
const DIVISION_BY_ZERO: &str = "22012";

/// A timeline of a database system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerTimeline {
    /// The system's identifier: the same on a primary and its replicas.
    system: String,
    /// The timeline's number in eight hexadecimal digits, which compare as it does.
    number: String,
}

impl ServerTimeline {
    /// The timeline of the server at the other end; `None` where it does not tell: a replica, or a server of another make.
    pub(crate) async fn of(connection: &mut PgConnection) -> Option<Self> {
        let row = sqlx::raw_sql(ASK).fetch_one(connection).await.ok()?;
        let system: String = row.try_get("system").ok()?;
        let number: String = row.try_get("timeline").ok()?;
        let is_number = number.len() == 8 && number.chars().all(|digit| digit.is_ascii_hexdigit());
        is_number.then_some(Self { system, number })
    }

    /// A statement that fails on a server with an older timeline than this one.
    pub(crate) fn guard_statement(&self) -> String {
        let Self { number, .. } = self;
        format!(
            "SELECT 1 / CASE WHEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) >= '{number}' THEN 1 ELSE 0 END"
        )
    }

    /// Whether a transaction may be begun there after this one was followed.
    pub(crate) fn may_follow(&self, followed: &Self) -> bool {
        self.system == followed.system && self.number >= followed.number
    }

    /// Its number, as people count: from 1.
    pub(crate) fn number(&self) -> u32 {
        u32::from_str_radix(&self.number, 16).unwrap_or_default()
    }
}

/// Whether a transaction was not begun because the server is on an older timeline than the one that is followed.
pub(crate) fn is_older(error: &Error) -> bool {
    error.as_database_error().is_some_and(|told| told.code().is_some_and(|code| code == DIVISION_BY_ZERO))
}

/// A host that takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WritingHost {
    /// Its number among the hosts of the address.
    pub(crate) number: usize,
    pub(crate) timeline: Option<ServerTimeline>,
}

/// Of these hosts, the one to be followed: it takes writes, and of those that do it has the newest timeline, which is not
/// older than the one that is `followed` already. The first of several that are alike.
///
/// # Errors
/// That of the last host if none takes writes.
pub(crate) async fn host_to_follow(
    hosts: &[PgConnectOptions],
    followed: Option<&ServerTimeline>,
) -> Result<WritingHost, Error> {
    let mut last = Error::PoolClosed;
    let mut best: Option<WritingHost> = None;
    for (number, asked) in join_all(hosts.iter().map(timeline_of_host)).await.into_iter().enumerate() {
        let timeline = match asked {
            Ok(timeline) => timeline,
            Err(error) => {
                last = error;
                continue;
            }
        };
        let may_be = match (followed, &timeline) {
            (Some(followed), Some(there)) => there.may_follow(followed),
            (Some(_), None) => false,
            (None, _) => true,
        };
        if !may_be {
            last = Error::Protocol(
                "the server was replaced: its timeline is older than the one we followed".to_owned(),
            );
            continue;
        }
        let newer = |best: &WritingHost| match (&timeline, &best.timeline) {
            (Some(this), Some(that)) => this.system == that.system && this.number > that.number,
            (Some(_), None) | (None, _) => false,
        };
        if best.as_ref().is_none_or(newer) {
            best = Some(WritingHost { number, timeline });
        }
    }
    best.ok_or(last)
}

/// The timeline of a host that takes writes, if it tells.
async fn timeline_of_host(host: &PgConnectOptions) -> Result<Option<ServerTimeline>, Error> {
    let asked = async {
        let mut connection = PgConnection::connect_with(host).await?;
        let row = sqlx::raw_sql("SHOW transaction_read_only").fetch_one(&mut connection).await?;
        if row.try_get::<String, _>(0)? != "off" {
            return Err(Error::Protocol("the server takes no writes: it is a replica".to_owned()));
        }
        let timeline = ServerTimeline::of(&mut connection).await;
        drop(connection.close().await);
        Ok(timeline)
    };
    tokio::time::timeout(ANSWERS_WITHIN, asked).await.unwrap_or(Err(Error::PoolTimedOut))
}
