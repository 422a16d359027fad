//! Accepts connections to our HTTP servers. Anybody who reaches a port may open connections and send nothing, so only
//! few are open at a time: file descriptors have to be left for the database and for Slack.

pub mod tries;

use std::{collections::VecDeque, net::SocketAddr};

use jiff::SignedDuration;
use myao_core::{chat::instant_after, ports::Clock};
use tokio::{
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};
use tokio_util::sync::CancellationToken;

/// The wait after a failed `accept`, say for want of descriptors.
const ACCEPT_AGAIN: SignedDuration = SignedDuration::from_secs(1);

/// Accepts connections and runs what `serve` makes of each, until `stop` is cancelled; what is under way then is dropped.
///
/// When `most` are open, the oldest is closed. If the new one were closed, a client that holds the others could keep
/// everybody else out. `what` names the server in the log.
pub async fn accept_until_stopped<Served>(
    listener: TcpListener,
    most: usize,
    what: &str,
    clock: &dyn Clock,
    stop: CancellationToken,
    serve: impl Fn(TcpStream, SocketAddr) -> Served,
) where
    Served: Future<Output = ()> + Send + 'static,
{
    let mut connections = JoinSet::new();
    let mut oldest_first: VecDeque<AbortHandle> = VecDeque::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "{what} cannot accept a connection");
                stop.run_until_cancelled(clock.sleep_until(instant_after(clock.now(), ACCEPT_AGAIN))).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        oldest_first.retain(|connection| !connection.is_finished());
        while connections.len() >= most {
            if let Some(oldest) = oldest_first.pop_front() {
                oldest.abort();
            }
            connections.join_next().await;
        }
        oldest_first.push_back(connections.spawn(serve(stream, peer)));
    }
}
