//! A PostgreSQL server of the default settings, which a test stops and starts again.

use super::{Guard, MISSING, folder_of_programs};
use crate::reserve_port;

/// The script that starts and ends the server; the script itself describes its arguments.
const RESTARTABLE: &str = include_str!("restartable.sh");

/// The server. It ends when this value is dropped, or with the test process.
#[derive(Debug)]
pub struct RestartableServer {
    port: u16,
    guard: Guard,
}

impl RestartableServer {
    /// Starts the server, with these variables in its environment besides those of the test.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start.
    pub fn start(environment: &[(String, String)]) -> Self {
        let port = reserve_port();
        let arguments = [folder_of_programs(), port.to_string()];
        let (guard, _) = Guard::start_with(RESTARTABLE, &arguments, environment, MISSING);
        Self { port, guard }
    }

    /// The address of its database.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// Stops it, whoever is connected.
    ///
    /// # Panics
    /// When it does not stop.
    pub fn stop(&mut self) {
        self.guard.tell("stop");
    }

    /// Starts it after it was stopped.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        self.guard.tell("start");
    }
}
