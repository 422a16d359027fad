//! How a request is stored.

use std::collections::BTreeMap;

use myao_core::chat::{InteractionRequest, InteractionView, RefusedInteraction};

/// A request as columns.
pub(super) struct StoredRequest<'a> {
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    pub(super) words: String,
}

/// What stands in a form, as it is stored.
type FormWords = (String, BTreeMap<String, String>);

/// The columns of a request.
///
/// # Errors
/// None in practice: what stands in a form is text.
pub(super) fn stored_request(request: &InteractionRequest) -> Result<StoredRequest<'_>, serde_json::Error> {
    let of = |kind, name, words: &str| StoredRequest { kind, name, words: words.to_owned() };
    Ok(match request {
        InteractionRequest::Command { name, text } => of("command", name, text),
        InteractionRequest::Button { action, value } => of("button", action, value),
        InteractionRequest::Vote { ts, vote } => of("vote", "", &format!("{} {ts}", vote.as_str())),
        InteractionRequest::Shortcut { name, ts } => of("shortcut", name, &ts.to_string()),
        InteractionRequest::Submission { name, note, values } => {
            of("submission", name, &serde_json::to_string(&(note, values))?)
        }
        InteractionRequest::HomeOpened => of("home", "", ""),
        InteractionRequest::Refused { why } => {
            let kind = match why {
                RefusedInteraction::Foreign => "foreign",
                RefusedInteraction::Unknown => "unknown",
            };
            of(kind, "", "")
        }
    })
}

const UNKNOWN: InteractionRequest = InteractionRequest::Refused { why: RefusedInteraction::Unknown };

/// The request of some columns.
pub(super) fn request_of_row(kind: &str, name: String, words: String) -> InteractionRequest {
    match kind {
        "command" => InteractionRequest::Command { name, text: words },
        "button" => InteractionRequest::Button { action: name, value: words },
        "vote" => vote_of_words(&words).unwrap_or(UNKNOWN),
        "shortcut" => words.parse().map_or(UNKNOWN, |ts| InteractionRequest::Shortcut { name, ts }),
        "submission" => serde_json::from_str(&words).map_or(UNKNOWN, |(note, values): FormWords| {
            InteractionRequest::Submission { name, note, values }
        }),
        "home" => InteractionRequest::HomeOpened,
        "foreign" => InteractionRequest::Refused { why: RefusedInteraction::Foreign },
        // Also of a kind that a newer program noted.
        _ => UNKNOWN,
    }
}

fn vote_of_words(words: &str) -> Option<InteractionRequest> {
    let (vote, ts) = words.split_once(' ')?;
    Some(InteractionRequest::Vote { ts: ts.parse().ok()?, vote: vote.parse().ok()? })
}

/// What of ours it was done in, as a column; the platform's names have no blanks.
pub(super) fn stored_view(view: &InteractionView) -> String {
    format!("{} {}", view.id, view.hash)
}

/// The same of a column.
pub(super) fn view_of_column(column: &str) -> Option<InteractionView> {
    let (id, hash) = column.split_once(' ')?;
    Some(InteractionView { id: id.to_owned(), hash: hash.to_owned() })
}
