//! Which of the servers of an address is followed (ADR 94).

use async_recursion::async_recursion as boxed;

use super::{pools::Db, server::FollowedServer};
use crate::Store;

impl Store {
    /// Looks which of the servers has the newest timeline, and follows it from now on. Where none is reached, nothing
    /// changes.
    #[boxed]
    pub async fn follow_newest_server(&self) {
        if let Db::Postgres(server) = &*self.db {
            server.follow_newest().await;
        }
    }

    /// The server that is followed; `None` for a file.
    pub fn followed_server(&self) -> Option<FollowedServer> {
        match &*self.db {
            Db::Postgres(server) | Db::PostgresToRead(server) => Some(server.describe_followed()),
            Db::Sqlite { .. } | Db::SqliteToRead { .. } => None,
        }
    }
}
