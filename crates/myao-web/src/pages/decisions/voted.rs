//! What people think of what myao said, on the page of decisions.

use maud::{Markup, html};
use myao_store::{LedgerQuery, VoteCount, VotedReply};

use super::{excerpt_of_message, place_link};
use crate::{answer::PageError, visit::Visit};

/// A reply on which people voted, and the beginning of what it says.
pub(super) struct VotedAnswer {
    reply: VotedReply,
    said: String,
}

/// The replies on which people voted, those that were voted on last first, of places that the visitor sees.
pub(super) async fn voted_in_view(visit: &Visit, query: &LedgerQuery) -> Result<Vec<VotedAnswer>, PageError> {
    let replies = visit.site.store.replies().list_voted(&visit.view.visibility, query).await?;
    let mut voted = Vec::with_capacity(replies.len());
    for reply in replies {
        let said = excerpt_of_message(visit, &reply.place, reply.posted_ts).await?;
        voted.push(VotedAnswer { reply, said });
    }
    Ok(voted)
}

/// The list, under its heading; nothing where there is none.
pub(super) fn list_of_voted(visit: &Visit, voted: &[VotedAnswer]) -> Markup {
    html! {
        @if !voted.is_empty() {
            section.stack aria-labelledby="voted" {
                h2 id="voted" { (visit.say("decisions-what-people-think")) }
                ol.lines.ledger {
                    @for VotedAnswer { reply, said } in voted {
                        li tabindex="-1" data-item {
                            span.m { (visit.times().instant(reply.at)) }
                            div {
                                p.quiet dir="auto" { (place_link(visit, &reply.place)) " · “" (said) "”" }
                                p.num { (votes_in_words(visit, reply.votes).join(" · ")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How many people found something good, and how many did not.
pub(super) fn votes_in_words(visit: &Visit, votes: VoteCount) -> Vec<String> {
    let said = [(votes.good, "decisions-liked-by"), (votes.bad, "decisions-disliked-by")];
    let said = said.into_iter().filter(|(count, _)| *count > 0);
    said.map(|(count, key)| visit.say_with(key, &[("number", count.into())])).collect()
}
