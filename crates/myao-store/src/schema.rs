//! The form of a database: creating and opening one, bringing it to this program's form, finding what in it is not
//! ours, taking over the predecessor's, and the copies made before.

pub(crate) mod adopt;
pub(crate) mod backup;
mod contents;
mod file_mark;
mod foreign;
pub(crate) mod migrations;
mod open;
mod pooler;
mod reading;
mod server;

pub(crate) use server::AT_WORK;
