//! The size of the prompts that the memory model is given.

use std::sync::atomic::{AtomicUsize, Ordering};

/// `prompt.max_tokens`, or half of it once the model has refused that as too long: some models take less than their
/// owner believes, and a chapter can always be summarised in smaller parts.
#[derive(Debug)]
pub(crate) struct CallBudget {
    configured: usize,
    tokens: AtomicUsize,
}

impl CallBudget {
    pub(super) fn new(tokens: usize) -> Self {
        Self { configured: tokens, tokens: AtomicUsize::new(tokens) }
    }

    /// Tokens that a request may hold.
    pub(super) fn tokens(&self) -> usize {
        self.tokens.load(Ordering::Relaxed)
    }

    /// Halves the budget, after a request of at most `tried` tokens was too long. False when `tried` already was half.
    pub(super) fn shrink(&self, tried: usize) -> bool {
        if tried < self.configured {
            return false;
        }
        let half = self.configured / 2;
        if self.tokens.swap(half, Ordering::Relaxed) != half {
            tracing::warn!(
                tokens = half,
                "the memory model takes less than prompt.max_tokens: its prompts are half as long from now on"
            );
        }
        true
    }
}
