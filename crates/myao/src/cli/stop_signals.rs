//! The signals that end what a command goes on with until then, and the one that has it read its configuration again.

use std::io::{self, IsTerminal as _};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// The signals that stop the program: SIGINT (Ctrl-C) and SIGTERM (from a service manager).
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    /// Where SIGHUP is handled in another way, what tells that the terminal is gone from which the command was started.
    terminal: Option<Signal>,
}

/// SIGHUP, by which service managers say that the configuration is to be read again.
pub(super) struct HangUps(Signal);

impl HangUps {
    /// Handles the signal from now on: it does not end the process any more.
    pub(super) fn new() -> Result<Self, Failure> {
        listen_to(SignalKind::hangup()).map(Self)
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
        let interrupt = listen_to(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: listen_to(SignalKind::terminate())?, terminal: None })
    }

    /// The same beside [`HangUps`], which keep SIGHUP from ending the process: a terminal that is closed sends it too, and
    /// a command that was started from one ends with it.
    pub(super) fn beside_hang_ups() -> Result<Self, Failure> {
        let terminal = io::stderr().is_terminal().then(|| listen_to(SignalKind::hangup())).transpose()?;
        Ok(Self { terminal, ..Self::new()? })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = wait_for_lost_terminal(&mut self.terminal) => {}
        }
    }
}

fn listen_to(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::usage(format!("signals: {error}")))
}

/// Waits for a hang-up after which stderr is no terminal any more.
async fn wait_for_lost_terminal(hang_ups: &mut Option<Signal>) {
    let Some(hang_ups) = hang_ups else { return std::future::pending().await };
    while hang_ups.recv().await.is_some() {
        if !io::stderr().is_terminal() {
            return;
        }
    }
    std::future::pending::<()>().await;
}
