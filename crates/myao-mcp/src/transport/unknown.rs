//! What is answered to requests that the protocol's library does not understand.

use rmcp::{
    ErrorData, RoleServer,
    model::{CustomRequest, ErrorCode},
    service::RequestContext,
};

/// The protocol's own methods. The library takes one whose parameters it does not understand for a method of somebody
/// else's, and would say that there is none of that name.
const IN_BOTH_ERAS: [&str; 8] = [
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];
/// Those that only the older era has.
const OLDER: [&str; 5] =
    ["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];
/// Those that only the newer era has.
const NEWER: [&str; 2] = ["server/discover", "subscriptions/listen"];

/// The error for a request that came to `on_custom_request` of a server that has no methods of its own: its parameters
/// are wrong (-32602), or there is no such method in its era (-32601).
pub fn refuse_unknown_request(request: &CustomRequest, context: &RequestContext<RoleServer>) -> ErrorData {
    let method = request.method.as_str();
    let is_newer = context.protocol_version().is_some_and(|version| !version.has_initialize());
    let of_era: &[&str] = if is_newer { &NEWER } else { &OLDER };
    if IN_BOTH_ERAS.contains(&method) || of_era.contains(&method) {
        return ErrorData::invalid_params(format!("the parameters of {method} are missing or wrong"), None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method:?}"), None)
}
