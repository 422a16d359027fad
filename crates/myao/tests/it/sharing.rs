//! Several processes on one PostgreSQL database share the work of one (specification §7).

#![cfg(test)]

mod building;
mod live;
mod throughput;

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection};

use crate::binary::Home;

/// Nothing here takes longer, on a slow machine that does much else.
const PATIENCE: Duration = Duration::from_mins(4);

/// A folder whose configuration names a database, on a server unless a test compares.
pub(crate) struct Shared {
    pub(crate) home: Home,
    /// Where the program finds it: a line of its configuration.
    memory: String,
    /// By which a test looks into it: the first that lets it in.
    direct: Vec<String>,
}

impl Shared {
    /// With more configuration.
    async fn new(more: &str) -> Self {
        let url = myao_testkit::fresh_database().await;
        Self::by(&url.clone(), vec![url], more)
    }

    /// The program gets there by another way than the test.
    fn by(url: &str, direct: Vec<String>, more: &str) -> Self {
        Self::with(format!("memory: {{database_url: '{url}'}}\n"), direct, more)
    }

    /// In a file, which one process at a time works on.
    fn in_a_file() -> Self {
        Self::with("memory: {database_path: ./memory.db}\n".to_owned(), Vec::new(), "")
    }

    fn with(memory: String, direct: Vec<String>, more: &str) -> Self {
        let home = Home::with_config(&format!("{memory}{more}"));
        Self { home, memory, direct }
    }

    async fn connect(&self) -> PgConnection {
        for url in &self.direct {
            if let Ok(connection) = PgConnection::connect(url).await {
                return connection;
            }
        }
        panic!("no way to the database")
    }

    /// A number that a statement tells.
    async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&mut self.connect().await).await.expect("a number")
    }
}

/// A process of the program's; killed when nobody needs it any more.
pub(crate) struct Worker(Child);

impl Worker {
    fn start(mut command: Command) -> Self {
        Self(command.stdout(Stdio::null()).spawn().expect("it starts"))
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.0.id().to_string()]).status().expect("kill");
        assert!(sent.success(), "{signal}");
    }

    /// As `kill -9` does.
    fn kill(mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }

    /// Waits for its end; the exit code.
    async fn ended(mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(end) = self.0.try_wait().expect("waited") {
                return end.code();
            }
            assert!(began.elapsed() < PATIENCE, "it does not end");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
