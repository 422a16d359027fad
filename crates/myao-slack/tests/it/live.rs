//! A client of ours in a fake workspace.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::{chat::ChannelId, ports::Clock};
use myao_slack::{
    api::{Client, ClientSettings, DEFAULT_TIMEOUT, SlackToken},
    directory::{BotIdentity, Directory},
    socket::{Delivery, Socket, SocketReport, SocketSettings},
};
use myao_testkit::{
    HandClock,
    slack::{ChannelSpec, FakeSlack, SlackSetup},
};
use tokio::time::timeout;

/// The longest a test waits in real time.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A fake Slack and the clock that it and its client go by.
pub(crate) struct Live {
    pub(crate) slack: FakeSlack,
    pub(crate) clock: HandClock,
}

pub(crate) fn clock() -> HandClock {
    HandClock::at("2026-01-05T00:00:00Z".parse::<Timestamp>().unwrap())
}

impl Live {
    pub(crate) async fn start() -> Self {
        Self::with(|setup| setup).await
    }

    pub(crate) async fn with(setup: impl FnOnce(SlackSetup) -> SlackSetup) -> Self {
        let clock = clock();
        let slack = setup(FakeSlack::setup().with_clock(clock.clone())).start().await;
        Self { slack, clock }
    }

    pub(crate) fn bot(&self) -> Client {
        client(&self.slack.api_base_url(), self.slack.bot_token(), &self.clock)
    }

    pub(crate) fn app(&self) -> Client {
        client(&self.slack.api_base_url(), self.slack.app_token(), &self.clock)
    }

    pub(crate) async fn directory(&self) -> Directory {
        Directory::open(self.bot()).await.unwrap()
    }

    pub(crate) fn own(&self) -> BotIdentity {
        BotIdentity {
            team: self.slack.team_id().to_owned(),
            team_name: String::new(),
            team_url: String::new(),
            user: self.slack.bot_user_id(),
            bot: Some(myao_core::chat::UserId::new(self.slack.bot_id())),
            name: String::new(),
        }
    }

    pub(crate) fn general(&self) -> ChannelId {
        self.slack.channel(ChannelSpec::public("general"))
    }

    /// A socket that is connected.
    pub(crate) async fn socket(&self) -> Socket {
        let mut socket = Socket::open(self.app(), SocketSettings::default(), self.own());
        assert!(matches!(report(&mut socket).await, SocketReport::Connected { .. }));
        socket
    }

    /// Waits until somebody sleeps for `least` to `most` seconds from now, and lets that time pass.
    pub(crate) async fn pass(&self, least: i64, most: i64) {
        let least = SignedDuration::from_secs(least);
        let most = SignedDuration::from_secs(most);
        let due = timeout(PATIENCE, async {
            loop {
                let now = self.clock.now();
                let due = self.clock.next_wake().map(|wake| wake.duration_since(now));
                match due {
                    Some(due) if due >= least && due <= most => break due,
                    _ => tokio::task::yield_now().await,
                }
            }
        });
        let Ok(due) = due.await else {
            let wake = self.clock.next_wake().map(|wake| wake.duration_since(self.clock.now()));
            panic!("nobody sleeps for {least:?} to {most:?}, but for {wake:?}")
        };
        self.clock.advance(due);
    }
}

pub(crate) fn client(base_url: &str, token: &str, clock: &HandClock) -> Client {
    // Another test may have been the first.
    drop(rustls::crypto::ring::default_provider().install_default());
    let settings = ClientSettings {
        shared_pace: None,
        base_url: base_url.to_owned(),
        token: SlackToken::new(token),
        timeout: DEFAULT_TIMEOUT,
    };
    Client::new(settings, reqwest::Client::new(), Arc::new(clock.clone()))
}

pub(crate) async fn report(socket: &mut Socket) -> SocketReport {
    timeout(PATIENCE, socket.next()).await.unwrap().unwrap()
}

pub(crate) async fn delivery(socket: &mut Socket) -> Delivery {
    let report = report(socket).await;
    let SocketReport::Delivery(delivery) = report else { panic!("{report:?}") };
    delivery
}
