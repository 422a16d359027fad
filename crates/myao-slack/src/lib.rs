//! The only crate that knows Slack: for now, what a message says and how a workspace export is read.
//!
//! Everything leaves this crate as [`myao_core::chat::Event`]s; nothing here knows a database.
//!
//! Read in this order:
//! 1. [`text`]: Slack's markup, turned into the core's notation.
//! 2. [`message`]: one message object of Slack's JSON, wherever it came from, turned into a [`Reading`].
//! 3. [`export`]: a workspace export, folder or zip, read day file by day file.
//!
//! [`Reading`]: message::Reading

pub mod api;
pub mod directory;
pub mod event;
pub mod export;
pub mod history;
mod json;
pub mod message;
pub mod mrkdwn;
pub mod person;
pub mod post;
pub mod socket;
pub mod text;
