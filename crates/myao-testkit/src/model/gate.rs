//! Holds calls between request and answer.

use tokio::sync::watch;

/// A gate that calls pass in the order in which they came.
pub(super) struct Gate {
    /// How many calls came.
    asked: watch::Sender<usize>,
    /// The number of the last call that may pass; the first call is 1.
    passes: watch::Sender<usize>,
}

impl Gate {
    pub(super) fn open() -> Self {
        Self { asked: watch::Sender::new(0), passes: watch::Sender::new(usize::MAX) }
    }

    /// Closes the gate for later calls. Calls that are already held stay held.
    pub(super) fn hold(&self) {
        let asked = *self.asked.borrow();
        self.passes.send_modify(|passes| *passes = asked.min(*passes));
    }

    pub(super) fn release_one(&self) {
        self.passes.send_modify(|passes| *passes = passes.saturating_add(1));
    }

    pub(super) fn release(&self) {
        self.passes.send_replace(usize::MAX);
    }

    /// Notes that the call with this number has come.
    pub(super) fn enter(&self, call: usize) {
        self.asked.send_modify(|asked| *asked = call.max(*asked));
    }

    /// Waits until the call of this number may pass.
    pub(super) async fn pass(&self, call: usize) {
        await_value(&self.passes, |passes| call <= *passes).await;
    }

    pub(super) async fn asked(&self, calls: usize) {
        await_value(&self.asked, |asked| *asked >= calls).await;
    }
}

async fn await_value(sender: &watch::Sender<usize>, reached: impl FnMut(&usize) -> bool) {
    // The sender is borrowed for the whole wait, so the channel cannot close under it.
    drop(sender.subscribe().wait_for(reached).await);
}
