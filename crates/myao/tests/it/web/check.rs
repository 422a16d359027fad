//! `myao check` about the web.
