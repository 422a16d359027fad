//! Fakes for tests. This crate is only ever a dev-dependency.
//!
//! The fakes check what they are given. A request that no model would accept, a call that was not scripted, or a
//! missing PostgreSQL server fails the test and is never skipped. Only fakes of somebody else's server read the real
//! time.
//!
//! Read in this order:
//! 1. [`clock`]: time that moves only when a test says so.
//! 2. [`model`]: a model that answers by script, records its requests and can be held between request and answer.
//! 3. [`llm`]: a model provider's server, which answers by script in each provider's dialect.
//! 4. [`embeddings`]: a server of embeddings; the test says which words mean the same.
//! 5. [`postgres`]: an empty database on a server that lives as long as the test process.
//! 6. [`ports`]: ports for servers that want to be told theirs before they start.
//! 7. [`slack`]: a Slack workspace on loopback that holds its client to Slack's rules.
//! 8. [`facts`]: facts that are planted into talk to measure what memory keeps.
//! 9. [`files`]: the files that hold given words.
//! 10. [`chat`]: a platform that takes everything at once.
//! 11. [`collector`]: a collector of traces.
//! 12. [`waiting`]: waits that end, and tell what they waited for.
//! 13. [`whose_words`]: talk in which people quote and forward others, to measure whose words memory makes of it.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]
#![expect(clippy::panic, reason = "a fake that finds something wrong fails the test it serves")]

pub mod chat;
pub mod clock;
pub mod collector;
pub mod embeddings;
pub mod facts;
pub mod files;
pub mod llm;
pub mod model;
pub mod ports;
pub mod postgres;
pub mod slack;
pub mod waiting;
pub mod whose_words;

pub use chat::InstantChat;
pub use clock::HandClock;
pub use collector::{CollectedSpan, CollectedTraces, CollectorMood, FakeCollector};
pub use embeddings::{EmbeddingMood, FakeEmbeddings};
pub use files::{files_with, holds_words};
pub use llm::FakeProvider;
pub use model::{ScriptedAnswer, ScriptedModel};
pub use ports::reserve_port;
pub use postgres::{
    FreshDatabase, fresh_database,
    pooler::Pooler,
    proxy::{ConnectionCut, DatabaseProxy},
    replicated::ReplicatedServer,
    restartable::RestartableServer,
    secured::SecuredServer,
};
pub use slack::FakeSlack;
