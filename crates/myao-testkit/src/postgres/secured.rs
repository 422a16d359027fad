//! A PostgreSQL server as a careful administrator sets it up. It takes only encrypted connections, and has a
//! certificate for the name `localhost` from an authority of its own. Its role has a password and its own schema, and
//! no other rights.

use super::{Guard, MISSING, folder_of_programs};
use crate::reserve_port;

/// The script that starts and ends the server; the script itself describes its arguments.
const SECURED: &str = include_str!("secured.sh");

/// The server. It ends when this value is dropped, or with the test process.
#[derive(Debug)]
pub struct SecuredServer {
    port: u16,
    folder: String,
    _guard: Guard,
}

impl SecuredServer {
    /// Starts the server, which takes about two seconds.
    ///
    /// # Panics
    /// When PostgreSQL or OpenSSL is not installed or does not start.
    pub fn start() -> Self {
        let port = reserve_port();
        let (guard, folder) = Guard::start(SECURED, &[folder_of_programs(), port.to_string()], MISSING);
        Self { port, folder, _guard: guard }
    }

    /// The address of its database under a name of the host. `query` says how safe the connection is.
    pub fn url(&self, host: &str, query: &str) -> String {
        format!("postgres://myao:a%20password@{host}:{}/myao?{query}", self.port)
    }

    /// The file with the authority that signed its certificate.
    pub fn authority(&self) -> String {
        format!("{}/authority.pem", self.folder)
    }
}
