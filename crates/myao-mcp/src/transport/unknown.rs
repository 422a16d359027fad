//! What is answered to requests that the protocol's library does not understand.

use rmcp::{
    ErrorData,
    model::{CustomRequest, ErrorCode},
};

/// The protocol's own methods. The library takes one whose parameters it does not understand for a method of somebody
/// else's, and would say that there is none of that name.
const KNOWN: [&str; 14] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// The error for a request that came to `on_custom_request` of a server that has no methods of its own: its parameters
/// are wrong (-32602), or there is no such method (-32601).
pub fn refuse_unknown_request(request: &CustomRequest) -> ErrorData {
    let method = request.method.as_str();
    if KNOWN.contains(&method) || method == "subscriptions/listen" {
        return ErrorData::invalid_params(format!("the parameters of {method} are missing or wrong"), None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method:?}"), None)
}
