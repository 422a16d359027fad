//! Sends many messages, as fast as they are acknowledged.

use std::time::{Duration, Instant};

use myao_core::chat::{ChannelId, MessageTs, UserId};
use tokio::time::timeout;

use super::{FakeSlack, PATIENCE, acts::speak};

/// The most messages that are sent before acknowledgements are counted again.
const MOST_AT_ONCE: usize = 100;

/// The result of a flood.
#[derive(Clone, Debug)]
pub struct Flood {
    /// The messages, in order.
    pub said: Vec<MessageTs>,
    /// How long it took until the last one was acknowledged.
    pub took: Duration,
}

impl FakeSlack {
    /// Has `user` say `count` messages, as fast as they are acknowledged; at most `window` of them wait at any time.
    /// Returns when none waits any more. The texts are `flood 1`, `flood 2`, …
    ///
    /// # Panics
    /// When nothing is acknowledged for two minutes.
    pub async fn flood(&self, channel: &ChannelId, user: &UserId, count: usize, window: usize) -> Flood {
        let started = Instant::now();
        let mut said = Vec::with_capacity(count);
        loop {
            let waiting = self.shared.act(|state| {
                let room = window.saturating_sub(state.delivery.unacknowledged());
                for _ in 0..room.min(MOST_AT_ONCE).min(count - said.len()) {
                    let text = format!("flood {}", said.len() + 1);
                    said.push(speak(state, channel, user, &text, |_| {}));
                }
                state.delivery.unacknowledged()
            });
            if said.len() == count && waiting == 0 {
                return Flood { said, took: started.elapsed() };
            }
            if waiting < window && said.len() < count {
                // Lets the sockets write what they have.
                tokio::task::yield_now().await;
                continue;
            }
            let progress = self.wait_for(|seen| seen.unacknowledged != waiting);
            let dry = timeout(PATIENCE, progress).await.is_err();
            assert!(!dry, "a flood of {count} ran dry after {} messages.\n{}", said.len(), self.dump());
        }
    }
}
