//! The only crate that knows Slack: its Web API and Socket Mode, its events, its text, its exports.
//!
//! What happened leaves this crate as [`myao_core::chat::Event`]s, replies come in through
//! [`myao_core::ports::Chat`]; nothing here knows a database. All waiting uses the caller's clock.
//!
//! Read in this order:
//! 1. [`text`]: Slack's markup, turned into the core's notation. [`mrkdwn`]: Markdown, turned into Slack's.
//! 2. [`message`]: one message object of Slack's JSON, wherever it came from, turned into a [`Reading`].
//! 3. [`export`]: a workspace export, folder or zip, read day file by day file.
//! 4. [`api`]: calls of the Web API, their rate limits and their errors.
//! 5. [`socket`]: events as they are delivered, acknowledged once the caller has stored them; [`event`]: reads
//!    each delivery.
//! 6. [`directory`]: the people ([`person`]: one of them) and the channels; [`history`]: earlier
//!    messages.
//! 7. [`post`]: replies, posted and found again; `reaction`: replies that are one emoji; `status`: that one is being
//!    written; `stream`: what of it is written; `files`: the images people share; [`interaction`]: commands, buttons,
//!    shortcuts and forms, which a [`private_answer`], a [`modal`] or the [`home`] tab answers; `permalink`: addresses of
//!    messages. [`manifest`]: the events and scopes that the app needs.
//!
//! [`Reading`]: message::Reading

pub mod api;
pub mod directory;
pub mod event;
pub mod export;
mod feedback;
mod files;
pub mod history;
pub mod home;
pub mod interaction;
mod json;
pub mod manifest;
pub mod message;
pub mod modal;
pub mod mrkdwn;
mod permalink;
pub mod person;
pub mod post;
pub mod private_answer;
mod reaction;
pub mod socket;
mod status;
mod stream;
pub mod suggestion;
pub mod text;

pub use permalink::{message_at_permalink, permalink_of_message};
