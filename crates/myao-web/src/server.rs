//! The HTTP server of the pages: there are few connections at a time, and a header has to come soon.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use myao_companion::connections::accept;
use myao_core::ports::Clock;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// The most connections at a time: a browser opens six.
const MOST_CONNECTIONS: usize = 64;
/// The longest wait for a request's header, also between two requests of one connection.
const HEADER_WITHIN: Duration = Duration::from_mins(1);
/// The longest request header, in bytes.
const HEADER_BYTES: usize = 32 << 10;

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
    let one = |stream, peer| answer(stream, pages.clone().layer(Extension(Peer(peer))));
    accept(listener, MOST_CONNECTIONS, "the web server of the pages", &*clock, stop, one).await;
}

/// Serves the requests of one connection.
async fn answer(stream: TcpStream, pages: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_WITHIN).max_buf_size(HEADER_BYTES);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(pages)).await {
        tracing::debug!(%error, "a connection to the pages ended");
    }
}
