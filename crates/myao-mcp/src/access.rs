//! What all answers are made from: the database, the clock, the configuration, and how things are shown.

use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};
use myao_companion::{ask::Asker, by_hand::HandWriter, conversations::Conversations, live::RepliesAtWork};
use myao_config::Config;
use myao_core::{
    chat::{AgentToken, Mentions, Visibility},
    ports::Clock,
    text::{Language, phrase},
};
use myao_store::{QuestionVector, Store, StoreError};
use tokio::sync::{Mutex, MutexGuard};

use crate::{
    items::{ItemStyle, ItemWriter, MessageLink},
    turns::{SearchTurn, SearchTurns},
};

/// What a [`MemoryServer`](crate::MemoryServer) is built from.
pub struct MemoryServerParts {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Turns questions into vectors, if a model of embeddings is configured.
    pub asker: Option<Asker>,
    /// How the chat addresses its messages.
    pub link: MessageLink,
    /// The replies of this process: searches let them pass.
    pub replies: RepliesAtWork,
}

/// What all answers are made from.
#[derive(Clone)]
pub(crate) struct MemoryAccess {
    parts: Arc<MemoryServerParts>,
    /// Held while something is stored in a conversation, so that what one process stores keeps its order.
    storing: Arc<Mutex<()>>,
    searches: Arc<SearchTurns>,
}

impl MemoryAccess {
    pub(crate) fn new(parts: MemoryServerParts) -> Self {
        let searches = Arc::new(SearchTurns::new(parts.replies.clone()));
        Self { parts: Arc::new(parts), storing: Arc::default(), searches }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.parts.store
    }

    pub(crate) fn config(&self) -> &Config {
        &self.parts.config
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.parts.clock
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.parts.config.locale.timezone
    }

    pub(crate) fn language(&self) -> Language {
        self.parts.config.locale.language
    }

    /// A text for agents, in the language of the configuration.
    pub(crate) fn phrase(&self, key: &'static str) -> &'static str {
        phrase(self.language(), key)
    }

    pub(crate) fn hand(&self) -> HandWriter<'_> {
        HandWriter {
            store: self.store(),
            clock: self.clock(),
            target_tokens: self.parts.config.memory.long_term_summary_max_tokens,
        }
    }

    pub(crate) fn conversations<'a>(&'a self, agent: &'a AgentToken) -> Conversations<'a> {
        Conversations { store: self.store(), clock: self.clock(), agent }
    }

    /// The turn of a search: it is held while the search goes on.
    pub(crate) async fn turn_to_search(&self) -> SearchTurn<'_> {
        self.searches.take(self.clock()).await
    }

    pub(crate) async fn one_at_a_time(&self) -> MutexGuard<'_, ()> {
        self.storing.lock().await
    }

    pub(crate) async fn meaning_of(&self, words: &str) -> Option<QuestionVector> {
        match &self.parts.asker {
            Some(asker) => asker.meaning_of(words).await,
            None => None,
        }
    }

    pub(crate) async fn writer(
        &self,
        visibility: &Visibility,
        mentions: &Mentions,
    ) -> Result<ItemWriter, StoreError> {
        ItemWriter::new(self.store(), visibility, mentions, self.style()).await
    }

    /// How items are written.
    pub(crate) fn style(&self) -> ItemStyle<'_> {
        ItemStyle { zone: self.zone(), language: self.language(), link: self.parts.link }
    }
}
