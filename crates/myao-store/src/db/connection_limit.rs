//! How many connections a process takes of a server.

/// The most of them.
pub(crate) const MOST_CONNECTIONS: u32 = 10;
