//! Shows that an answer is on its way. Nothing waits for it.

use std::sync::Arc;

use myao_core::{context::Place, ports::Chat};
use tokio::sync::oneshot;

/// Shown until it is dropped.
pub(super) struct Typing(#[expect(dead_code, reason = "its end is the signal")] oneshot::Sender<()>);

impl Typing {
    /// Shows it in a place. The task beside it makes two calls, each of which the platform's client bounds.
    pub(super) fn show(chat: &Arc<dyn Chat>, place: &Place) -> Self {
        let (until, over) = oneshot::channel::<()>();
        let (chat, place) = (Arc::clone(chat), place.clone());
        tokio::spawn(async move {
            chat.show_typing(&place, true).await;
            // An error: the sender is gone, which is the signal.
            drop(over.await);
            chat.show_typing(&place, false).await;
        });
        Self(until)
    }
}
