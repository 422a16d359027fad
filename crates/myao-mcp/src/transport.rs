//! How an agent reaches a server, and as whom.
