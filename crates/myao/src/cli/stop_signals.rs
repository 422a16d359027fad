//! The signals that end what a command goes on with until then, and the one that has it read its configuration again.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// The signals that stop the program: SIGINT (Ctrl-C) and SIGTERM (from a service manager).
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

/// SIGHUP, by which service managers say that the configuration is to be read again.
pub(super) struct HangUps(Signal);

impl HangUps {
    /// Handles the signal from now on: it does not end the process any more.
    pub(super) fn new() -> Result<Self, Failure> {
        signal(SignalKind::hangup()).map(Self).map_err(|error| Failure::usage(format!("signals: {error}")))
    }

    /// Waits until the next one. Several that come meanwhile count as one.
    pub(super) async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

impl StopSignals {
    /// Handles both signals from now on: neither ends the process by itself any more.
    pub(super) fn new() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| Failure::usage(format!("signals: {error}")));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
