//! Keeps one socket open, and replaces it before it ends.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::instant_after;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    SocketContext, SocketError, SocketReport,
    link::{self, NoLink, SocketLink},
    pump::{self, SupervisorRequest},
};

/// The first and the longest pause between attempts to connect; jitter makes each up to twice as long.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// After a socket that lived at least this long the next one is opened without a pause.
const GOOD_LIFE: SignedDuration = SignedDuration::from_secs(30);

/// Keeps a socket open until an error is fatal, or nobody takes the reports.
pub(super) async fn keep_one_open(shared: SocketContext) {
    let opener = SocketOpener { shared: shared.clone(), pauses: pauses_between_attempts() };
    let mut supervisor = Supervisor { opener, pumps: JoinSet::new(), opened: 0, shared };
    if let Err(LinkEnd::Fatal(error)) = supervisor.keep_open().await {
        supervisor.shared.report(SocketReport::Fatal(error)).await;
    }
}

/// Why the supervisor ends.
enum LinkEnd {
    Fatal(SocketError),
    NobodyListens,
}

struct Supervisor {
    shared: SocketContext,
    opener: SocketOpener,
    /// The tasks that read sockets: the current one, and replaced ones until they end.
    pumps: JoinSet<()>,
    opened: u64,
}

/// The socket that is in use.
struct CurrentSocket {
    opened: Timestamp,
    /// Its requests; closed when it has ended.
    turns: mpsc::Receiver<SupervisorRequest>,
    /// Set once it has been replaced.
    replaced: watch::Sender<bool>,
}

impl Supervisor {
    async fn keep_open(&mut self) -> Result<(), LinkEnd> {
        let link = self.opener.open().await?;
        let mut present = self.take_up(link, true).await?;
        loop {
            let (link, gap) = match present.turns.recv().await {
                Some(SupervisorRequest::Disabled) => return Err(LinkEnd::Fatal(SocketError::Disabled)),
                Some(SupervisorRequest::Replace) => self.replace(&mut present).await?,
                None => {
                    self.shared.lost().await?;
                    (self.opener.open_after(present.opened).await?, true)
                }
            };
            // It may be gone already, which is fine.
            present.replaced.send_replace(true);
            present = self.take_up(link, gap).await?;
        }
    }

    /// Opens the next socket while the old one is still read, and returns whether the old one ended before that.
    async fn replace(&mut self, old: &mut CurrentSocket) -> Result<(SocketLink, bool), LinkEnd> {
        let opening = self.opener.open_after(old.opened);
        tokio::pin!(opening);
        let mut gap = false;
        loop {
            tokio::select! {
                link = &mut opening => return Ok((link?, gap)),
                turn = old.turns.recv(), if !gap => match turn {
                    Some(SupervisorRequest::Replace) => {}
                    Some(SupervisorRequest::Disabled) => return Err(LinkEnd::Fatal(SocketError::Disabled)),
                    None => {
                        gap = true;
                        self.shared.lost().await?;
                    }
                },
            }
        }
    }

    /// Starts to read a socket, after reporting it if none was open before (`tell`).
    async fn take_up(&mut self, link: SocketLink, tell: bool) -> Result<CurrentSocket, LinkEnd> {
        if tell && !self.shared.report(SocketReport::Connected { sockets: link.sockets }).await {
            return Err(LinkEnd::NobodyListens);
        }
        self.opened += 1;
        let opened = link.opened;
        let (turn, turns) = mpsc::channel(pump::MOST_TURNS);
        let (replaced, is_replaced) = watch::channel(false);
        self.pumps.spawn(pump::pump_until_end(self.shared.clone(), self.opened, link, turn, is_replaced));
        // Drops the tasks that have ended.
        while self.pumps.try_join_next().is_some() {}
        Ok(CurrentSocket { opened, turns, replaced })
    }
}

/// Opens sockets, with a backoff between attempts.
struct SocketOpener {
    shared: SocketContext,
    pauses: ExponentialBackoff,
}

impl SocketOpener {
    /// Opens the socket after one that was opened at `before`: at once if that lived for [`GOOD_LIFE`], else after a
    /// pause, so that a server that ends every socket at once is not flooded.
    async fn open_after(&mut self, before: Timestamp) -> Result<SocketLink, LinkEnd> {
        if self.shared.steady().duration_since(before) >= GOOD_LIFE {
            self.pauses = pauses_between_attempts();
        } else {
            self.pause(None).await;
        }
        self.open().await
    }

    async fn open(&mut self) -> Result<SocketLink, LinkEnd> {
        loop {
            let (reason, seconds) = match link::open_link_in_time(&self.shared).await {
                Ok(link) => return Ok(link),
                Err(NoLink::Fatal(error)) => return Err(LinkEnd::Fatal(error)),
                Err(NoLink::Again { reason, seconds }) => (reason, seconds),
            };
            tracing::warn!(%reason, "no connection to Slack; trying again");
            if !self.shared.report(SocketReport::Trouble { reason }).await {
                return Err(LinkEnd::NobodyListens);
            }
            self.pause(seconds).await;
        }
    }

    async fn pause(&mut self, at_least: Option<u64>) {
        let pause = self.pauses.next().unwrap_or(PAUSES.1);
        let pause = pause.max(Duration::from_secs(at_least.unwrap_or_default()));
        self.shared.client.clock().sleep_until(instant_after(self.shared.now(), pause)).await;
    }
}

impl SocketContext {
    async fn lost(&self) -> Result<(), LinkEnd> {
        let since = self.pulse.last_heard().unwrap_or_else(|| self.now());
        if self.report(SocketReport::Lost { since }).await { Ok(()) } else { Err(LinkEnd::NobodyListens) }
    }
}

fn pauses_between_attempts() -> ExponentialBackoff {
    let (first, longest) = PAUSES;
    ExponentialBuilder::new()
        .with_min_delay(first)
        .with_max_delay(longest)
        .without_max_times()
        .with_jitter()
        .build()
}
