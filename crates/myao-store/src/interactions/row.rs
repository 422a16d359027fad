//! How a request is stored.

use myao_core::chat::{InteractionRequest, RefusedInteraction};

/// A request as columns.
pub(super) struct StoredRequest<'a> {
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    pub(super) words: &'a str,
}

/// The columns of a request.
pub(super) fn stored_request(request: &InteractionRequest) -> StoredRequest<'_> {
    match request {
        InteractionRequest::Command { name, text } => StoredRequest { kind: "command", name, words: text },
        InteractionRequest::Button { action, value } => {
            StoredRequest { kind: "button", name: action, words: value }
        }
        InteractionRequest::Refused { why } => {
            let kind = match why {
                RefusedInteraction::Foreign => "foreign",
                RefusedInteraction::Unknown => "unknown",
            };
            StoredRequest { kind, name: "", words: "" }
        }
    }
}

/// The request of some columns.
pub(super) fn request_of_row(kind: &str, name: String, words: String) -> InteractionRequest {
    match kind {
        "command" => InteractionRequest::Command { name, text: words },
        "button" => InteractionRequest::Button { action: name, value: words },
        "foreign" => InteractionRequest::Refused { why: RefusedInteraction::Foreign },
        // Also of a kind that a newer program noted.
        _ => InteractionRequest::Refused { why: RefusedInteraction::Unknown },
    }
}
