//! TCP connections that can be cut, and a listener that can refuse new ones.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::{extract::connect_info::Connected, serve::IncomingStream};
use futures::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// A connection that can be cut.
#[derive(Clone, Default)]
pub(super) struct CuttableConnection(Arc<Wire>);

#[derive(Default)]
struct Wire {
    cut: AtomicBool,
    reader: AtomicWaker,
}

impl CuttableConnection {
    /// Ends reading and writing from now on. The other side sees the connection close.
    pub(super) fn cut(&self) {
        self.0.cut.store(true, Ordering::Release);
        self.0.reader.wake();
    }

    fn check(&self) -> io::Result<()> {
        if self.0.cut.load(Ordering::Acquire) { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(()) }
    }
}

/// Accepts connections. While it is shut, it closes each new one at once.
pub(super) struct Door {
    listener: TcpListener,
    shut: Arc<AtomicBool>,
}

impl Door {
    /// Listens on loopback, at a port that the system chooses.
    pub(super) async fn open(shut: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(("127.0.0.1", 0)).await?, shut })
    }

    pub(super) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl axum::serve::Listener for Door {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        loop {
            let (tcp, address) = axum::serve::Listener::accept(&mut self.listener).await;
            if self.shut.load(Ordering::Acquire) {
                continue;
            }
            // Frames are small, and waiting to fill packets would only slow the tests.
            if tcp.set_nodelay(true).is_ok() {
                return (Stream { tcp, line: CuttableConnection::default() }, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.address()
    }
}

impl Connected<IncomingStream<'_, Door>> for CuttableConnection {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        stream.io().line.clone()
    }
}

/// A TCP stream on a [`CuttableConnection`].
pub(super) struct Stream {
    tcp: TcpStream,
    line: CuttableConnection,
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.line.0.reader.register(cx.waker());
        self.line.check()?;
        Pin::new(&mut self.tcp).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.line.check()?;
        Pin::new(&mut self.tcp).poll_write(cx, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.line.check()?;
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
