//! Decides which writes are tried again: a transaction that the server rolled back to let another through, or whose
//! connection was lost before its commit (ADR 63). Nothing of it was stored, so another try has the same result.

use std::{borrow::Cow, time::Duration};

use tokio::time::Instant;

use crate::StoreError;

/// How long to wait for an unreachable server. A failover takes from a few seconds to half a minute. There is always a
/// second try, since a machine that was suspended finds this time used up when it wakes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How often a transaction that loses against others is tried before its error is reported.
const MOST_TRIES: u32 = 20;

/// The pause before the second try; it doubles from try to try, up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(5);

const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// SQLSTATE: serialization failure, deadlock detected.
const ROLLED_BACK: [&str; 2] = ["40001", "40P01"];

/// SQLSTATE: the server ends the connection, is starting, or has become a replica, which takes no writes.
const LOST: [&str; 5] = ["57P01", "57P02", "57P03", "57P05", "25006"];

/// SQLSTATE: the statement's outcome is unknown.
const UNKNOWN: &str = "40003";

/// The prefix of the SQLSTATEs of failed connections.
const CONNECTION: &str = "08";

/// How often a write was tried, and since when.
#[derive(Debug)]
pub(crate) struct WriteAttempts {
    made: u32,
    since: Instant,
}

impl WriteAttempts {
    pub(crate) fn new() -> Self {
        Self { made: 0, since: Instant::now() }
    }

    /// Whether to try again after this error. Pauses before it returns `true`.
    pub(crate) async fn may_try_again(&mut self, error: &StoreError) -> bool {
        self.made += 1;
        let (StoreError::Database { source, .. } | StoreError::NoFreeConnection { source }) = error else {
            return false;
        };
        let goes_on = (was_rolled_back(source) && self.made < MOST_TRIES)
            || (is_lost(source) && (self.made == 1 || self.since.elapsed() < PATIENCE));
        if goes_on {
            tracing::warn!(%error, tries = self.made, "a write failed and is tried again");
            let doubled = FIRST_PAUSE.saturating_mul(1 << self.made.min(10));
            tokio::time::sleep(doubled.min(LONGEST_PAUSE)).await;
        }
        goes_on
    }
}

/// Whether the server rolled the transaction back because of another one.
fn was_rolled_back(error: &sqlx::Error) -> bool {
    error_code(error).is_some_and(|code| ROLLED_BACK.contains(&code.as_str()))
}

/// Whether the connection to a server was lost, or none could be made.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::BeginFailed)
        || error_code(error).is_some_and(|code| LOST.contains(&code.as_str()) || code.starts_with(CONNECTION))
}

/// Whether a commit that ended with this error may have been carried out nevertheless.
pub(crate) fn is_unknown(error: &sqlx::Error) -> bool {
    is_lost(error) || error_code(error).is_some_and(|code| code == UNKNOWN)
}

/// The SQLSTATE of a server's error; `None` for SQLite, whose codes are other numbers.
fn error_code(error: &sqlx::Error) -> Option<String> {
    let told = error.as_database_error()?;
    told.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()?;
    told.code().map(Cow::into_owned)
}
