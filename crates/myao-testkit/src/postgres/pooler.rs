//! `PgBouncer` in transaction mode before the tests' PostgreSQL: each transaction gets another connection of a few.

use super::{Guard, free_port};

/// Starts and ends it; see there for what it is given.
const POOLER: &str = include_str!("pooler.sh");
const MISSING: &str = "PgBouncer is needed for this test and did not start: scripts/test installs it, or install the \
     package pgbouncer";

/// A pooler. It ends with this value, and with the test's process.
#[derive(Debug)]
pub struct Pooler {
    port: u16,
    _guard: Guard,
}

impl Pooler {
    /// Stands before a database of [`fresh_database`](crate::fresh_database), and all others of its server.
    ///
    /// # Panics
    /// When it is not installed or does not start.
    pub fn before(url: &str) -> Self {
        Self::start(url, "")
    }

    /// The same, and it accepts whatever options a client names, and forgets them.
    ///
    /// # Panics
    /// When it is not installed or does not start.
    pub fn ignoring_options(url: &str) -> Self {
        Self::start(url, "options")
    }

    fn start(url: &str, ignored: &str) -> Self {
        let folder = url.split_once("?host=").and_then(|(_, folder)| folder.split('&').next());
        let folder = folder.unwrap_or_else(|| panic!("no socket in {url}"));
        let port = free_port();
        let (guard, _) =
            Guard::start(POOLER, &[folder.to_owned(), port.to_string(), ignored.to_owned()], MISSING);
        Self { port, _guard: guard }
    }

    /// The address by which the database `url` is reached through it.
    pub fn url(&self, url: &str) -> String {
        let name = url.split('?').next().and_then(|rest| rest.rsplit('/').next()).unwrap_or_default();
        format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }
}
