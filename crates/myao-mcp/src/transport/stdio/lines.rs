//! Messages as lines: what the protocol's library reads and writes.

use std::{io, sync::Arc};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::{Mutex, mpsc::Receiver},
};

/// Where lines are written, whole and one after the other.
pub(super) struct Outbox<W>(Arc<Mutex<W>>);

impl<W> Clone for Outbox<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Outbox<W> {
    pub(super) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes a message.
    pub(super) async fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut output = self.0.lock().await;
        output.write_all(&line).await?;
        output.flush().await
    }

    /// Says what is wrong with a message.
    pub(super) async fn refuse(&self, error: ErrorData, id: Option<RequestId>) -> io::Result<()> {
        self.write(&ServerJsonRpcMessage::error(error, id)).await
    }
}

/// What the library is given to read and write by.
pub(super) struct LineTransport<W> {
    outbox: Outbox<W>,
    messages: Receiver<ClientJsonRpcMessage>,
}

impl<W> LineTransport<W> {
    pub(super) fn new(outbox: Outbox<W>, messages: Receiver<ClientJsonRpcMessage>) -> Self {
        Self { outbox, messages }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for LineTransport<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outbox = self.outbox.clone();
        async move { outbox.write(&message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        Ok(())
    }
}
