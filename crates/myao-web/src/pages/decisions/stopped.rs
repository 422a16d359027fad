//! Answers that somebody stopped while they were written, on the page of decisions.

use maud::{Markup, html};
use myao_core::chat::UserId;
use myao_store::{LedgerQuery, StoppedReply};

use super::{excerpt_of_message, place_link};
use crate::{answer::PageError, visit::Visit};

/// An answer that was stopped, and the beginning of what it was to answer.
pub(super) struct StoppedAnswer {
    reply: StoppedReply,
    asked: Option<String>,
}

/// The answers that people asked for and somebody stopped, newest first, of places that the visitor sees.
pub(super) async fn stopped_in_view(
    visit: &Visit,
    query: &LedgerQuery,
) -> Result<Vec<StoppedAnswer>, PageError> {
    let replies = visit.site.store.replies().list_stopped(&visit.view.visibility, query).await?;
    let mut stopped = Vec::with_capacity(replies.len());
    for reply in replies {
        let asked = match reply.asked_at {
            Some(asked_at) => Some(excerpt_of_message(visit, &reply.place, asked_at).await?),
            None => None,
        };
        stopped.push(StoppedAnswer { reply, asked });
    }
    Ok(stopped)
}

/// The list, under its heading; nothing where there is none.
pub(super) fn list_of_stopped(visit: &Visit, stopped: &[StoppedAnswer]) -> Markup {
    html! {
        @if !stopped.is_empty() {
            section.stack aria-labelledby="stopped" {
                h2 id="stopped" { (visit.say("decisions-answers-that-were-stopped")) }
                ol.lines.ledger {
                    @for StoppedAnswer { reply, asked } in stopped {
                        li tabindex="-1" data-item {
                            span.m { (visit.times().instant(reply.at)) }
                            div {
                                p.quiet dir="auto" {
                                    (place_link(visit, &reply.place))
                                    @if let Some(asked) = asked { " · “" (asked) "”" }
                                }
                                p dir="auto" { (by_whom(visit, reply.by.as_ref())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Who stopped a reply.
pub(super) fn by_whom(visit: &Visit, user: Option<&UserId>) -> String {
    match user {
        Some(user) => visit.say_with("decisions-stopped-by", &[("name", visit.view.names.user(user).into())]),
        None => visit.say("decisions-stopped").to_owned(),
    }
}
