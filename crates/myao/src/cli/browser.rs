//! Opens a page in the browser of whoever sits at this machine.

use std::process::{Command, Stdio};

/// Opens the browser, if possible. Whoever calls prints the address in any case.
pub(super) fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = quiet {
        tracing::debug!(%error, opener, "no browser could be opened");
    }
}
