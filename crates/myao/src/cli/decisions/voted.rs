//! What people think of what myao said, as `myao decisions` shows it.

use myao_core::chat::Visibility;
use myao_store::{LedgerQuery, VoteCount, VotedReply};
use serde_json::{Value, json};

use super::{Excerpts, Failure, JournalFormatter, output, place_as_text};
use crate::app::App;

/// Prints the replies on which people voted, those that were voted on last below.
pub(super) async fn print_voted(
    query: &LedgerQuery,
    formatter: &JournalFormatter,
    excerpts: &Excerpts<'_>,
) -> Result<(), Failure> {
    let voted = excerpts.app.store.replies().list_voted(&Visibility::Owner, query).await?;
    if voted.is_empty() {
        return Ok(());
    }
    output::print_line("");
    output::print_line("what people think of what was said:");
    let mut table = output::bare_table(&["when", "where", "said", "because", "people"]);
    for reply in voted.iter().rev() {
        table.add_row([
            formatter.when(reply.at),
            output::with_visible_controls(&place_as_text(&reply.place, formatter)),
            excerpts.of(&reply.place, reply.posted_ts).await?,
            reply.cause.as_str().to_owned(),
            votes_as_text(reply.votes),
        ]);
    }
    output::say_table(&table);
    Ok(())
}

/// The same as JSON.
pub(super) async fn list_as_json(
    app: &App,
    query: &LedgerQuery,
    formatter: &JournalFormatter,
) -> Result<Vec<Value>, Failure> {
    let voted = app.store.replies().list_voted(&Visibility::Owner, query).await?;
    let as_json = |reply: &VotedReply| {
        json!({
            "id": reply.id.0,
            "at": reply.at,
            "channel": formatter.channel(&reply.place.channel),
            "channel_id": reply.place.channel.as_str(),
            "thread_ts": reply.place.thread,
            "posted_ts": reply.posted_ts,
            "cause": reply.cause.as_str(),
            "good": reply.votes.good,
            "bad": reply.votes.bad,
        })
    };
    Ok(voted.iter().rev().map(as_json).collect())
}

/// What people think, as `liked by 2, disliked by 1`; empty where nobody said anything.
pub(super) fn votes_as_text(votes: VoteCount) -> String {
    let said = [(votes.good, "liked by"), (votes.bad, "disliked by")];
    let said = said.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what} {count}"));
    said.collect::<Vec<_>>().join(", ")
}
