//! Shows that an answer is being written. Nothing waits for these calls.

use std::sync::Arc;

use myao_core::{chat::Place, ports::Chat};
use tokio::sync::oneshot;

/// Shows the indicator until it is dropped.
pub(super) struct Typing(#[expect(dead_code, reason = "its end is the signal")] oneshot::Sender<()>);

impl Typing {
    /// Shows the indicator in a place. Its task makes two calls, each with the timeout of the platform's client.
    pub(super) fn show(chat: &Arc<dyn Chat>, place: &Place) -> Self {
        let (until, over) = oneshot::channel::<()>();
        let chat = Arc::clone(chat);
        let place = place.clone();
        tokio::spawn(async move {
            chat.show_typing(&place, true).await;
            // It ends with an error when the sender is dropped, which is the signal.
            drop(over.await);
            chat.show_typing(&place, false).await;
        });
        Self(until)
    }
}
