//! How much one call of the memory model may be given.

use std::sync::atomic::{AtomicUsize, Ordering};

/// `prompt.max_tokens`, or half of it once the model has said that this is too long: some take less than their
/// owner believes, and a chapter can always be given in smaller parts.
#[derive(Debug)]
pub(crate) struct CallBudget {
    configured: usize,
    tokens: AtomicUsize,
}

impl CallBudget {
    pub(super) fn new(tokens: usize) -> Self {
        Self { configured: tokens, tokens: AtomicUsize::new(tokens) }
    }

    /// Tokens a request may hold.
    pub(super) fn tokens(&self) -> usize {
        self.tokens.load(Ordering::Relaxed)
    }

    /// Makes do with half, after a request within `tried` tokens was too long. False when it already was half.
    pub(super) fn shrink(&self, tried: usize) -> bool {
        if tried < self.configured {
            return false;
        }
        let half = self.configured / 2;
        if self.tokens.swap(half, Ordering::Relaxed) != half {
            tracing::warn!(
                tokens = half,
                "the memory model takes less than prompt.max_tokens at once: it is given half from here on"
            );
        }
        true
    }
}
