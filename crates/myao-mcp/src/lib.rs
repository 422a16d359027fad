//! Memory for other agents, by the Model Context Protocol: what they may ask, and how they reach us (ADR 118).
//!
//! Read in this order:
//! 1. [`transport`]: how an agent reaches a server, over HTTP or on standard input, and as whom. It knows no memories:
//!    it carries any server there is.
//! 2. `server`: what the protocol asks for, and who answers it.
//! 3. `caller`: who asks, and what they see at this moment. `access`: what all answers are made from.
//! 4. `tools`, `resources`, `prompts`, `subscriptions`: the answers. What they are made of is in `items` (how things are
//!    shown), `item_id` and `cursor` (how they are named), `resolve` (whom and what names mean), `failure`.

mod access;
mod caller;
mod cursor;
mod failure;
mod item_id;
mod items;
mod prompts;
mod resolve;
mod resources;
mod server;
mod subscriptions;
mod tools;
pub mod transport;
mod turns;

pub use access::MemoryServerParts;
pub use items::MessageLink;
pub use server::MemoryServer;
