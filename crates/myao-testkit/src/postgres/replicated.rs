//! A PostgreSQL server with a synchronous replica, which takes over when a test says so.

use super::{Guard, MISSING, folder_of_programs};
use crate::reserve_port;

/// The script that starts and ends both servers; the script itself describes its arguments.
const REPLICATED: &str = include_str!("replicated.sh");

/// The two servers. They end when this value is dropped, or with the test process.
#[derive(Debug)]
pub struct ReplicatedServer {
    ports: [u16; 2],
    guard: Guard,
}

impl ReplicatedServer {
    /// Starts both servers, which takes about three seconds.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start.
    pub fn start() -> Self {
        let ports = [reserve_port(), reserve_port()];
        let [one, other] = ports.map(|port| port.to_string());
        let (guard, _) = Guard::start(REPLICATED, &[folder_of_programs(), one, other], MISSING);
        Self { ports, guard }
    }

    /// An address that names both servers. The first one is the primary at the start.
    pub fn url(&self) -> String {
        let [one, other] = self.ports;
        format!(
            "postgres://postgres@127.0.0.1:{one},127.0.0.1:{other}/postgres?sslmode=disable&target_session_attrs=read-write"
        )
    }

    /// The address of each server. The first one is the primary at the start.
    pub fn each(&self) -> [String; 2] {
        self.ports.map(|port| format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable"))
    }

    /// The port of the first server.
    pub fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Kills the primary, as `kill -9` does.
    pub fn kill_primary(&mut self) {
        self.guard.tell("kill");
    }

    /// Starts the primary again that was killed: it does not know that another one has taken its place.
    pub fn revive_primary(&mut self) {
        self.guard.tell("revive");
    }

    /// Stops the promoted server.
    pub fn stop_promoted(&mut self) {
        self.guard.tell("stop");
    }

    /// Makes the replica the primary.
    pub fn promote(&mut self) {
        self.guard.tell("promote");
    }

    /// Restarts the promoted server, which ends every connection to it.
    pub fn restart(&mut self) {
        self.guard.tell("restart");
    }
}
