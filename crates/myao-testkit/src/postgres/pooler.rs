//! `PgBouncer` in transaction mode in front of the tests' PostgreSQL: each transaction may get another one of a few
//! connections.

use super::Guard;
use crate::reserve_port;

/// The script that starts and ends the pooler; the script itself describes its arguments.
const POOLER: &str = include_str!("pooler.sh");
const MISSING: &str = "PgBouncer is needed for this test and did not start: scripts/test installs it, or install the \
     package pgbouncer";

/// A pooler. It ends when this value is dropped, or with the test process.
#[derive(Debug)]
pub struct Pooler {
    port: u16,
    _guard: Guard,
}

impl Pooler {
    /// Puts a pooler in front of a database of [`fresh_database`](crate::fresh_database), and of all others on its
    /// server.
    ///
    /// # Panics
    /// When it is not installed or does not start.
    pub fn before(url: &str) -> Self {
        Self::start(url, "")
    }

    /// Does the same with a pooler that accepts any options a client names, and ignores them.
    ///
    /// # Panics
    /// When it is not installed or does not start.
    pub fn ignoring_options(url: &str) -> Self {
        Self::start(url, "options")
    }

    /// Puts a pooler in front of a server of this machine that listens on a port.
    ///
    /// # Panics
    /// When it is not installed or does not start.
    pub fn before_port(server: u16) -> Self {
        let port = reserve_port();
        let address = "127.0.0.1".to_owned();
        let (guard, _) =
            Guard::start(POOLER, &[address, port.to_string(), String::new(), server.to_string()], MISSING);
        Self { port, _guard: guard }
    }

    fn start(url: &str, ignored: &str) -> Self {
        let folder = url.split_once("?host=").and_then(|(_, folder)| folder.split('&').next());
        let folder = folder.unwrap_or_else(|| panic!("no socket in {url}"));
        let port = reserve_port();
        let (guard, _) =
            Guard::start(POOLER, &[folder.to_owned(), port.to_string(), ignored.to_owned()], MISSING);
        Self { port, _guard: guard }
    }

    /// The address by which the database `url` is reached through the pooler.
    pub fn url(&self, url: &str) -> String {
        let name = url.split('?').next().and_then(|rest| rest.rsplit('/').next()).unwrap_or_default();
        format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }
}
