//! Memory for other agents, by the Model Context Protocol: what they may ask, and how they reach us (ADR 118).
//!
//! Read in this order:
//! 1. [`transport`]: how an agent reaches a server, over HTTP or on standard input, and as whom. It knows no memories:
//!    it carries any server there is.

pub mod transport;
