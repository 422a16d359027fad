//! The HTTP server of the health page: a connection carries one request and lives for a bounded time, and there are few of
//! them (`connections`).

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use jiff::SignedDuration;
use myao_core::{chat::instant_after, ports::Clock};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::PortError;
use crate::connections::accept_until_stopped;

/// The most connections at a time. Probes need one or two; some systems allow a process 256 file descriptors, of which
/// we use about 40.
const MOST_CONNECTIONS: usize = 32;
/// The longest time from the connection to the last byte of the answer. Probes wait for a few seconds themselves.
const CONNECTION_WITHIN: SignedDuration = SignedDuration::from_secs(10);
/// The longest request header, in bytes; a probe's has about 200.
const HEADER_BYTES: usize = 16 << 10;
/// Connections that the system queues until we accept them.
const BACKLOG: i32 = 128;

/// Binds the port, so that a run that cannot have it fails before it begins. Without `host` that is on every address,
/// IPv4 and, if there is any, IPv6: probes come from outside a container. Port 0 is any free port.
///
/// # Errors
/// When another program has the port, it needs rights that we do not have, or the address is not this machine's.
pub fn bind_port(host: Option<IpAddr>, port: u16) -> Result<TcpListener, PortError> {
    let failed = |source| PortError { host, port, source };
    let Some(host) = host else {
        let every = SocketAddr::from((Ipv6Addr::UNSPECIFIED, port));
        return match listen_on_address(every) {
            Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
                // A machine without IPv6.
                listen_on_address(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))).map_err(failed)
            }
            listener => listener.map_err(failed),
        };
    };
    listen_on_address(SocketAddr::from((host, port))).map_err(failed)
}

/// Uses `socket2` to set one option: `::` accepts IPv4 as well, whatever the system's default is.
fn listen_on_address(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(false)?;
    }
    // So that a restart does not wait for connections that have ended.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket.into())
}

/// Serves `pages` until `stop` is cancelled.
///
/// The oldest connection, which makes room for a new one, is one that sends nothing: an answer takes a second at most. An
/// orchestrator that could not reach us would kill us.
pub(super) async fn serve_pages(
    listener: TcpListener,
    pages: Router,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let pages = TowerToHyperService::new(pages);
    let one = |stream, _| {
        let clock = Arc::clone(&clock);
        let pages = pages.clone();
        async move {
            tokio::select! {
                () = answer_one_request(stream, pages) => {}
                () = clock.sleep_until(instant_after(clock.now(), CONNECTION_WITHIN)) => {}
            }
        }
    };
    accept_until_stopped(listener, MOST_CONNECTIONS, "the health page", &*clock, stop, one).await;
}

/// Serves one request.
async fn answer_one_request(stream: TcpStream, pages: TowerToHyperService<Router>) {
    let mut http = http1::Builder::new();
    http.keep_alive(false).max_buf_size(HEADER_BYTES);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), pages).await {
        tracing::debug!(%error, "a connection to the health page failed");
    }
}
