//! Names a database: a file, or a server.

use std::path::PathBuf;

use super::address;

/// Which database to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `memory.database_path`: one SQLite file, created if missing.
    Sqlite(PathBuf),
    /// `memory.database_url`: a PostgreSQL server's database.
    Postgres(String),
}

impl Target {
    /// The name for messages, without the user name and password.
    pub fn public_name(&self) -> String {
        match self {
            Self::Sqlite(path) => path.display().to_string(),
            Self::Postgres(url) => address::address_for_people(url),
        }
    }
}
