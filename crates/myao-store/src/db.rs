//! Everything that knows that there are two databases: their connections and transactions, how a write is carried out,
//! and what the processes on one database share.

#[macro_use]
pub(crate) mod run;
#[macro_use]
pub(crate) mod many_rows;
pub(crate) mod address;
pub(crate) mod claims;
pub(crate) mod connection_limit;
pub(crate) mod error;
mod followed_server;
pub(crate) mod limits;
pub(crate) mod link;
mod opened_file;
pub(crate) mod owner;
pub(crate) mod pools;
mod query;
pub(crate) mod read_file;
pub(crate) mod retry;
pub(crate) mod server;
pub(crate) mod shared_time;
pub(crate) mod target;
mod timeline;
pub(crate) mod values;
pub(crate) mod waking;

pub(crate) use opened_file::OpenedFile;
pub(crate) use pools::{BUSY_TIMEOUT, Db, Tx, sqlite_options};
pub(crate) use query::query_as;
pub(crate) use server::{ConnectedAnew, DbServer, IsPooled, ServerTx};
pub(crate) use timeline::{ServerTimeline, WritingHost, host_to_follow};
