//! The fake Slack, met as a client meets it: over HTTP and WebSocket.

mod block_limits;
mod client;
mod commands;
mod conversations;
mod delivery;
mod events;
mod faults;
mod history;
mod interactivity;
mod limits;
mod methods;
mod rules;
mod sessions;
mod streams;
mod views;

use myao_core::chat::{ChannelId, UserId};
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, UserSpec},
};

use client::{Client, Socket};

/// A workspace with a channel, somebody in it, and a client.
async fn workspace() -> (FakeSlack, ChannelId, UserId, Client) {
    furnished(FakeSlack::start().await)
}

fn furnished(slack: FakeSlack) -> (FakeSlack, ChannelId, UserId, Client) {
    let channel = slack.channel(ChannelSpec::public("general"));
    let alice = slack.user(UserSpec::person("alice"));
    let client = Client::of(&slack);
    (slack, channel, alice, client)
}
