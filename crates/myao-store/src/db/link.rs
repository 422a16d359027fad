//! Tells from a database server's address how safe the way to it is.

use sqlx::postgres::PgSslMode;

use super::{address, target::Target};

/// The way to a database server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseLink {
    /// The server's name or address.
    pub host: String,
    /// Who could listen, or answer in the server's place.
    pub safety: LinkSafety,
}

/// PostgreSQL's `sslmode`, by what it protects from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSafety {
    /// `disable`, and `allow`, which our driver treats the same: nothing is encrypted.
    Plain,
    /// `prefer`, the default: not encrypted if the server, or somebody who answers in its place, refuses encryption.
    PlainAtLast,
    /// `require`: encrypted, but whoever answers is accepted.
    Unverified,
    /// `verify-ca`: the certificate is by a known authority, for any name.
    AnyName,
    /// `verify-full`: the certificate is this server's.
    Verified,
}

impl Target {
    /// The way to the server, with what the driver adds from its environment (`PGSSLMODE`). `None` for a file, for a
    /// socket of this machine, and for what is no address.
    pub fn link(&self) -> Option<DatabaseLink> {
        let Self::Postgres(url) = self else { return None };
        let options = address::hosts_of_url(url)?.into_iter().next()?;
        let host = options.get_host();
        // If the address has no host, the driver's default may be the folder of a socket.
        if options.get_socket().is_some() || host.starts_with('/') {
            return None;
        }
        let safety = match options.get_ssl_mode() {
            PgSslMode::Disable | PgSslMode::Allow => LinkSafety::Plain,
            PgSslMode::Prefer => LinkSafety::PlainAtLast,
            PgSslMode::Require => LinkSafety::Unverified,
            PgSslMode::VerifyCa => LinkSafety::AnyName,
            PgSslMode::VerifyFull => LinkSafety::Verified,
        };
        Some(DatabaseLink { host: host.to_owned(), safety })
    }
}
