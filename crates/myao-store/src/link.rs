//! How safe the way to a database server is, as its address says.

use sqlx::postgres::PgSslMode;

use crate::Target;

/// The way to a database server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseLink {
    /// Its name or address.
    pub host: String,
    /// Who could listen, or answer in its place.
    pub safety: LinkSafety,
}

/// PostgreSQL's `sslmode`, by what it keeps away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSafety {
    /// `disable`, and `allow`, which our driver takes for it: nothing is encrypted.
    Plain,
    /// `prefer`, the default: not encrypted if the server, or whoever speaks for it, refuses.
    PlainAtLast,
    /// `require`: encrypted, towards whoever answers.
    Unverified,
    /// `verify-ca`: the certificate is of a known authority, for whatever name.
    AnyName,
    /// `verify-full`: the certificate is this server's.
    Verified,
}

impl Target {
    /// The way to the server, with what the driver adds from its environment (`PGSSLMODE`); `None` for a file, for a
    /// socket of this machine, and for what is no address.
    pub fn link(&self) -> Option<DatabaseLink> {
        let Self::Postgres(url) = self else { return None };
        let options = crate::open::hosts(url)?.into_iter().next()?;
        let host = options.get_host();
        // Without a host in the address, the folder of a socket may be its default.
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
