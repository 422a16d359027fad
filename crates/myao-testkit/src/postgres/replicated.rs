//! A PostgreSQL server with a synchronous replica that takes its place when a test says so.

use super::{Guard, MISSING, free_port, programs};

/// Starts and ends both; see there for what it is given.
const REPLICATED: &str = include_str!("replicated.sh");

/// The two servers. They end with this value, and with the test's process.
#[derive(Debug)]
pub struct ReplicatedServer {
    ports: [u16; 2],
    guard: Guard,
}

impl ReplicatedServer {
    /// Starts both: about three seconds.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start.
    pub fn start() -> Self {
        let ports = [free_port(), free_port()];
        let [one, other] = ports.map(|port| port.to_string());
        let (guard, _) = Guard::start(REPLICATED, &[programs(), one, other], MISSING);
        Self { ports, guard }
    }

    /// An address that names both, the first being the primary at the start.
    pub fn url(&self) -> String {
        let [one, other] = self.ports;
        format!(
            "postgres://postgres@127.0.0.1:{one},127.0.0.1:{other}/postgres?sslmode=disable&target_session_attrs=read-write"
        )
    }

    /// The address of each of them, the first being the primary at the start.
    pub fn each(&self) -> [String; 2] {
        self.ports.map(|port| format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable"))
    }

    /// Kills the primary, as `kill -9` does.
    pub fn kill_primary(&mut self) {
        self.guard.tell("kill");
    }

    /// Has the replica take its place.
    pub fn promote(&mut self) {
        self.guard.tell("promote");
    }

    /// Restarts the promoted one: every connection to it ends.
    pub fn restart(&mut self) {
        self.guard.tell("restart");
    }
}
