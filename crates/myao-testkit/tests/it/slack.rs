//! The fake Slack, met as a client meets it: over HTTP and WebSocket.

mod client;
mod events;

pub(crate) use client::{Client, Socket};
