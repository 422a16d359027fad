//! The HTTP server of the pages. Whoever reaches the port may open connections and send nothing: there are few at a time, a
//! header has to come soon, and the oldest idle one makes room for a new one.

use std::{collections::VecDeque, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use jiff::SignedDuration;
use myao_core::{chat::later, ports::Clock};
use tokio::{
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};
use tokio_util::sync::CancellationToken;

/// The most connections at a time: a browser opens six.
const MOST_CONNECTIONS: usize = 64;
/// The longest wait for a request's header, also between two requests of one connection.
const HEADER_WITHIN: Duration = Duration::from_mins(1);
/// The longest request header, in bytes.
const HEADER_BYTES: usize = 32 << 10;
/// The wait after a failed `accept`, say for want of descriptors.
const ACCEPT_AGAIN: SignedDuration = SignedDuration::from_secs(1);

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// An address on which pages cannot be served.
#[derive(Debug, thiserror::Error)]
#[error("the pages cannot be served on {address} (web.listen): {source}")]
pub struct ListenError {
    /// Where.
    pub address: SocketAddr,
    /// Why not.
    #[source]
    pub source: io::Error,
}

/// Binds the address, so that a run that cannot have it fails before it begins.
///
/// # Errors
/// When another program has the port, it needs rights that we do not have, or the address is not this machine's.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}

/// Serves `pages` until `stop` is cancelled.
pub async fn serve(listener: TcpListener, pages: Router, clock: Arc<dyn Clock>, stop: CancellationToken) {
    let mut connections = JoinSet::new();
    let mut oldest_first: VecDeque<AbortHandle> = VecDeque::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "the pages cannot accept a connection");
                stop.run_until_cancelled(clock.sleep_until(later(clock.now(), ACCEPT_AGAIN))).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        oldest_first.retain(|connection| !connection.is_finished());
        while connections.len() >= MOST_CONNECTIONS {
            if let Some(oldest) = oldest_first.pop_front() {
                oldest.abort();
            }
            connections.join_next().await;
        }
        let pages = pages.clone().layer(Extension(Peer(peer)));
        oldest_first.push_back(connections.spawn(answer(stream, pages)));
    }
}

/// Serves the requests of one connection.
async fn answer(stream: TcpStream, pages: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_WITHIN).max_buf_size(HEADER_BYTES);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(pages)).await {
        tracing::debug!(%error, "a connection to the pages ended");
    }
}
