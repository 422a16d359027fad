//! A PostgreSQL server as a careful administrator sets it up: encrypted connections only, with a certificate for the name
//! `localhost` by an authority of its own; and a role with a password and a schema of its own, and nothing else.

use super::{Guard, MISSING, free_port, programs};

/// Starts and ends it; see there for what it is given.
const SECURED: &str = include_str!("secured.sh");

/// The server. It ends with this value, and with the test's process.
#[derive(Debug)]
pub struct SecuredServer {
    port: u16,
    folder: String,
    _guard: Guard,
}

impl SecuredServer {
    /// Starts it: about two seconds.
    ///
    /// # Panics
    /// When PostgreSQL or OpenSSL is not installed or does not start.
    pub fn start() -> Self {
        let port = free_port();
        let (guard, folder) = Guard::start(SECURED, &[programs(), port.to_string()], MISSING);
        Self { port, folder, _guard: guard }
    }

    /// The address of its database by a name of the host. `query` says how safe the way is.
    pub fn url(&self, host: &str, query: &str) -> String {
        format!("postgres://myao:a%20password@{host}:{}/myao?{query}", self.port)
    }

    /// The file with the authority that signed its certificate.
    pub fn authority(&self) -> String {
        format!("{}/authority.pem", self.folder)
    }
}
