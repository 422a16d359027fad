//! The text frames of a socket.

use serde_json::json;

use super::super::identity;

/// An event in its envelope. It is built as text, so that the payload is serialised only once, however often it is
/// sent.
pub(super) fn events_api(envelope: &str, payload: &str, attempt: u8, reason: &str) -> String {
    format!(
        r#"{{"envelope_id":"{envelope}","payload":{payload},"type":"events_api","accepts_response_payload":false,"retry_attempt":{attempt},"retry_reason":"{reason}"}}"#
    )
}

/// The first frame of a socket: how many sockets there are, and about how long this one lives.
pub(in crate::slack) fn hello_frame(connections: usize, life_seconds: u64) -> String {
    let told = json!({"type": "hello", "num_connections": connections,
        "debug_info": {"host": "applink-fake-1", "build_number": 1,
            "approximate_connection_time": life_seconds},
        "connection_info": {"app_id": identity::APP}});
    told.to_string()
}

/// The frame before a socket ends.
pub(in crate::slack) fn disconnect_frame(reason: &str) -> String {
    json!({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-fake-1"}}).to_string()
}
