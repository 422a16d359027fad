//! How many replies are being worked on right now, so that work for others can let them pass.

use std::sync::Arc;

use tokio::sync::watch;

/// Counts the replies that this process is working on: reading, ranking, composing and writing. One that waits for a
/// model, the chat or a web page does not count meanwhile.
#[derive(Clone, Debug)]
pub struct RepliesAtWork(Arc<watch::Sender<usize>>);

impl Default for RepliesAtWork {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl RepliesAtWork {
    /// Counts a reply until the result is dropped.
    #[must_use]
    pub fn enter(&self) -> ReplyAtWork {
        self.0.send_modify(|count| *count += 1);
        ReplyAtWork(self.clone())
    }

    /// Waits for what takes none of this machine's time. The reply that waits, which was counted, does not count
    /// meanwhile. What is waited for must not wait so itself: the reply would be taken out twice.
    pub(crate) async fn away<T>(&self, waiting: impl Future<Output = T>) -> T {
        self.leave();
        let _back = Back(self);
        waiting.await
    }

    /// Returns once no reply is worked on.
    pub async fn wait_for_none(&self) {
        let mut count = self.0.subscribe();
        // It fails if the sender is gone, which this is.
        drop(count.wait_for(|count| *count == 0).await);
    }

    fn leave(&self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// A reply that counts as worked on.
#[derive(Debug)]
pub struct ReplyAtWork(RepliesAtWork);

impl Drop for ReplyAtWork {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Counts a reply again, also where its waiting was given up.
struct Back<'a>(&'a RepliesAtWork);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count += 1);
    }
}
