//! A fake world for tests. Only ever a dev-dependency.
//!
//! What is here asserts: a request no model would accept, a call nobody scripted or a missing PostgreSQL
//! fails the test that met it, loudly, and is never skipped over. Only what stands for somebody else's server
//! reads the real time.
//!
//! Read in this order:
//! 1. [`clock`]: time that moves only when a test says so.
//! 2. [`model`]: a model that answers by script, remembers what it was asked and can be stopped half-way.
//! 3. [`llm`]: a model provider's server, which answers by script in each provider's dialect.
//! 4. [`postgres`]: an empty database on a server that lives as long as the test process.
//! 5. [`slack`]: a Slack workspace on loopback that holds its client to Slack's rules.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]
#![expect(clippy::panic, reason = "a fake that finds something wrong fails the test it serves")]

pub mod clock;
pub mod llm;
pub mod model;
pub mod postgres;
pub mod slack;

pub use clock::HandClock;
pub use llm::FakeProvider;
pub use model::{ScriptedAnswer, ScriptedModel};
pub use postgres::fresh_database;
pub use slack::FakeSlack;
