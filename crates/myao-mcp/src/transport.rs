//! How an agent reaches a server, and as whom.
//!
//! [`http`]: POST, GET and DELETE at one path. [`stdio`]: lines on standard input and output. Both carry any server
//! there is (`rmcp::ServerHandler`) and put an `AgentToken` beside each request, where [`token_of`] finds it. `envelope`:
//! what is looked at in a message before it is anybody's. `identify`: who shows which token. `work`: how much is done at
//! a time.

mod envelope;
pub mod http;
mod identify;
pub mod stdio;
mod unknown;
mod work;

pub(crate) use work::wait;

pub use self::{
    identify::{CannotTell, Identified, Identify, identify_with, token_of},
    unknown::refuse_unknown_request,
};
