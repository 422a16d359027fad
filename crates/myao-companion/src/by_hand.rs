//! Changes memories for a person, under the claim that this takes (specification §2.2).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::SignedDuration;
use myao_core::{
    chat::{Mentions, Visibility, instant_after},
    memory::StepId,
    ports::Clock,
    text::estimate_tokens,
};
use myao_store::{ByHand, ByHandError, Claim, MemoryKey, Store, StoreError};

/// How long the claim on the memory lasts: only one short transaction is done under it.
const HELD_FOR: SignedDuration = SignedDuration::from_secs(30);
/// The longest memory, in multiples of its target length: a longer one would leave later merges no room
/// (specification §2.2).
const MOST_TARGETS: usize = 2;

/// Why a memory was not changed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum HandError {
    /// The text would leave later merges no room.
    #[error(
        "the text has about {tokens} tokens; at most {most} fit, twice memory.long_term_summary_max_tokens"
    )]
    TooLong {
        /// The tokens that it has, about.
        tokens: usize,
        /// The most tokens that fit.
        most: usize,
    },
    /// Another process works on it.
    #[error("another process is working on it; try again in a moment")]
    Busy,
    /// The memory cannot be changed in this way.
    #[error(transparent)]
    Refused(#[from] ByHandError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Changes memories for a person.
#[derive(Clone, Copy)]
pub struct HandWriter<'a> {
    /// The database.
    pub store: &'a Store,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// `memory.long_term_summary_max_tokens`.
    pub target_tokens: u32,
}

impl HandWriter<'_> {
    /// Takes a memory back to the text of one of its earlier entries.
    ///
    /// # Errors
    /// See [`HandError`].
    #[boxed]
    pub async fn revert_memory(&self, key: &MemoryKey, to: StepId, by: ByHand) -> Result<StepId, HandError> {
        let claim = self.claim_memory(key).await?;
        let done = self.store.memory().revert(&claim, to, by, self.clock.now()).await;
        self.store.release(&claim).await?;
        Ok(done?)
    }

    /// Gives a memory a person's own text; `seen` is the entry that they started from. A line that they gave back as it was
    /// shown to them, with names, is the line that stands there: nothing of it was changed.
    ///
    /// # Errors
    /// See [`HandError`].
    #[boxed]
    pub async fn edit_memory(
        &self,
        key: MemoryKey,
        seen: StepId,
        text: &str,
        by: ByHand,
    ) -> Result<StepId, HandError> {
        let text = self.with_standing_lines(seen, text).await?;
        let target = usize::try_from(self.target_tokens).unwrap_or(usize::MAX);
        let tokens = estimate_tokens(&text);
        let most = target.saturating_mul(MOST_TARGETS);
        if tokens > most {
            return Err(HandError::TooLong { tokens, most });
        }
        let claim = self.claim_memory(&key).await?;
        let done = self.store.memory().edit(&claim, (key, seen), &text, by, self.clock.now()).await;
        self.store.release(&claim).await?;
        Ok(done?)
    }

    /// The text with the lines of an entry in place of those that are as the entry's are shown: texts hold references to
    /// channels, which are shown as names.
    async fn with_standing_lines(&self, seen: StepId, text: &str) -> Result<String, StoreError> {
        let standing = self.store.memory().find_journal_entry(&Visibility::Owner, seen).await?;
        let standing = standing.and_then(|entry| entry.content).unwrap_or_default();
        let mut mentions = Mentions::default();
        mentions.add_memory(&standing);
        let names = self.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?;
        let shown: BTreeMap<String, &str> = standing.lines().map(|line| (names.show(line), line)).collect();
        let lines = text.lines().map(|line| shown.get(line).copied().unwrap_or(line));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Claims a memory, so that nobody else writes it meanwhile.
    async fn claim_memory(&self, key: &MemoryKey) -> Result<Claim, HandError> {
        let now = self.clock.now();
        let claim = self.store.claim(&key.subject(), now, instant_after(now, HELD_FOR)).await?;
        claim.ok_or(HandError::Busy)
    }
}
