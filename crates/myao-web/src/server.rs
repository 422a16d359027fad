//! The HTTP server of the pages. It takes few connections at a time, and does not wait long for the header of a
//! request.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use myao_companion::connections::accept_until_stopped;
use myao_core::ports::Clock;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// The most connections at a time; a browser opens six, and other agents may keep some dozens open.
const MOST_CONNECTIONS: usize = 256;
/// How long a connection may take to send the header of a request; this also bounds the pause between two requests.
const HEADER_WITHIN: Duration = Duration::from_mins(1);
/// The longest request header, in bytes.
const HEADER_BYTES: usize = 32 << 10;

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Says why pages cannot be served on an address.
#[derive(Debug, thiserror::Error)]
#[error("the pages cannot be served on {address} (web.listen): {source}")]
pub struct ListenError {
    /// The address.
    pub address: SocketAddr,
    /// The error of the system.
    #[source]
    pub source: io::Error,
}

/// Binds the address. This is done early, so that a run that cannot have the address fails before it begins.
///
/// # Errors
/// When another program has the port, it needs rights that we do not have, or the address is not this machine's.
pub async fn bind_address(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}

/// Serves `pages` until `stop` is cancelled.
pub async fn serve_pages(
    listener: TcpListener,
    pages: Router,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let one = |stream, peer| answer_connection(stream, pages.clone().layer(Extension(Peer(peer))));
    accept_until_stopped(listener, MOST_CONNECTIONS, "the web server of the pages", &*clock, stop, one).await;
}

/// Serves the requests of one connection.
async fn answer_connection(stream: TcpStream, pages: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_WITHIN).max_buf_size(HEADER_BYTES);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(pages)).await {
        tracing::debug!(%error, "a connection to the pages ended");
    }
}
