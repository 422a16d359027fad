//! Lines on standard input and output, for both eras of the protocol: one message on each line.
//!
//! `inbox` reads lines and answers what is no message; `lines` carries messages between them and the protocol's own
//! library. A client may try the newer era first and then begin the older one, or send what belongs to neither: nothing
//! that it sends first ends the process.

mod inbox;
mod lines;

use std::{sync::Arc, time::Duration};

use myao_core::{chat::AgentToken, ports::Clock};
use rmcp::{ServerHandler, ServiceExt as _, service::ServerInitializeError, transport::stdio_pipes};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use self::{
    inbox::Inbox,
    lines::{LineTransport, Outbox},
};
use super::identify::{Identified, Identify};

/// How many messages that were read may wait for the library.
const READ_AHEAD: usize = 16;

/// How lines are served.
#[derive(Clone)]
pub struct StdioSettings {
    /// Who asks.
    pub agent: StdioAgent,
    /// The time, for looking a token up again.
    pub clock: Arc<dyn Clock>,
    /// Ends it.
    pub stop: CancellationToken,
    /// The longest line, in bytes.
    pub line_bytes: usize,
    /// How many requests are worked on at a time. What comes meanwhile is not read.
    pub at_work: usize,
    /// How often a token is looked up again while nobody asks.
    pub look_again: Duration,
}

/// Who asks on standard input.
#[derive(Clone)]
pub enum StdioAgent {
    /// Always the same, as where no token was given.
    Fixed(AgentToken),
    /// Whoever's this secret is now.
    Shown {
        /// The secret.
        secret: String,
        /// Tells whose it is.
        identify: Identify,
    },
}

/// Why lines are served no longer, where that is not because the input ended, or because we were stopped.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The token was revoked, or never was one.
    #[error("the token is not valid (any more)")]
    Revoked,
    /// The output cannot be written, or the library gave up.
    #[error("the conversation ended: {0}")]
    Broken(String),
}

impl StdioSettings {
    /// Usual limits.
    pub fn new(agent: StdioAgent, clock: Arc<dyn Clock>, stop: CancellationToken) -> Self {
        let look_again = Duration::from_secs(3);
        Self { agent, clock, stop, line_bytes: 4 << 20, at_work: 4, look_again }
    }
}

impl StdioAgent {
    async fn now(&self) -> Identified {
        match self {
            Self::Fixed(token) => Ok(Some(token.clone())),
            Self::Shown { secret, identify } => identify(secret.clone()).await,
        }
    }
}

/// Serves standard input and output until the input ends, `stop` is cancelled or the token is revoked. Nothing else may
/// be written to standard output meanwhile.
///
/// Where standard input is no pipe, a read of it cannot be broken off: a program that is stopped has to leave by
/// `std::process::exit`.
///
/// # Errors
/// [`StdioError`].
pub async fn serve_stdio<H: ServerHandler>(settings: StdioSettings, handler: H) -> Result<(), StdioError> {
    let (input, output) = stdio_pipes();
    serve_lines(settings, handler, input, output).await
}

/// The same on any two streams.
///
/// # Errors
/// [`StdioError`].
pub async fn serve_lines<H: ServerHandler>(
    settings: StdioSettings,
    handler: H,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), StdioError> {
    // Before a line is read: a token that is nobody's is refused, and one that is shown was used, whatever comes.
    if let Ok(None) = settings.agent.now().await {
        return Err(StdioError::Revoked);
    }
    let stop = settings.stop.child_token();
    let outbox = Outbox::new(output);
    let (to_library, messages) = tokio::sync::mpsc::channel(READ_AHEAD);
    let versions = ServerHandler::supported_protocol_versions(&handler).into_owned();
    let inbox = Inbox::new(settings.clone(), versions, outbox.clone(), to_library, stop.clone());
    let reading = tokio::spawn(inbox.read(input));
    let serving = serve_library(handler, LineTransport::new(outbox, messages), stop.clone());
    let ended = tokio::select! {
        ended = serving => ended,
        () = revoked(&settings) => Err(StdioError::Revoked),
    };
    stop.cancel();
    reading.abort();
    ended
}

async fn serve_library<H: ServerHandler>(
    handler: H,
    lines: LineTransport<impl AsyncWrite + Send + Unpin + 'static>,
    stop: CancellationToken,
) -> Result<(), StdioError> {
    let serving = match handler.serve_with_ct(lines, stop).await {
        Ok(serving) => serving,
        // The input ended, or we were stopped, before anything began.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(StdioError::Broken(error.to_string())),
    };
    match serving.waiting().await {
        Ok(_reason) => Ok(()),
        Err(error) => Err(StdioError::Broken(error.to_string())),
    }
}

/// Returns once the token is nobody's any more.
async fn revoked(settings: &StdioSettings) {
    if matches!(settings.agent, StdioAgent::Fixed(_)) {
        return std::future::pending().await;
    }
    loop {
        let Ok(until) = settings.clock.steady().saturating_add(settings.look_again) else { return };
        settings.clock.sleep_until_steady(until).await;
        if let Ok(None) = settings.agent.now().await {
            return;
        }
    }
}
