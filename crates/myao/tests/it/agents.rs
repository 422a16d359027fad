//! What other agents are given: the tokens, and the memory on standard input and output, by the program itself.

mod stdio;
mod tokens;

use serde_json::{Value, json};

use crate::binary::Home;

/// The newest revision of the protocol.
pub(crate) const MODERN: &str = "2026-07-28";
/// One of the older era.
pub(crate) const OLDER: &str = "2025-11-25";

/// Makes a token, and returns its secret.
pub(crate) fn add_token(home: &Home, args: &[&str]) -> String {
    let ran = home.done(&[&["token", "add"], args].concat());
    let secret = ran.out.trim().to_owned();
    assert!(secret.starts_with("myao_") && secret.len() == 48, "{ran:?}");
    secret
}

/// A request of the newest revision.
pub(crate) fn modern(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The texts of what a search found.
pub(crate) fn found(answer: &Value) -> String {
    assert!(answer["result"]["structuredContent"]["items"].is_array(), "{answer}");
    answer["result"]["structuredContent"]["items"].to_string()
}
