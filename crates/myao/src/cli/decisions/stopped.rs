//! Answers that somebody stopped while they were written, as `myao decisions` shows them.

use myao_core::chat::{UserId, Visibility};
use myao_store::LedgerQuery;
use serde_json::{Value, json};

use super::{Excerpts, Failure, JournalFormatter, output, place_as_text};
use crate::app::App;

/// Prints the answers that people asked for and somebody stopped, oldest first.
pub(super) async fn print_stopped(
    query: &LedgerQuery,
    formatter: &JournalFormatter,
    excerpts: &Excerpts<'_>,
) -> Result<(), Failure> {
    let stopped = excerpts.app.store.replies().list_stopped(&Visibility::Owner, query).await?;
    if stopped.is_empty() {
        return Ok(());
    }
    output::print_line("");
    output::print_line("answers that were stopped while they were written:");
    let mut table = output::bare_table(&["when", "where", "to", "then"]);
    for reply in stopped.iter().rev() {
        let asked = match reply.asked_at {
            Some(asked_at) => excerpts.of(&reply.place, asked_at).await?,
            None => String::new(),
        };
        table.add_row([
            formatter.when(reply.at),
            output::with_visible_controls(&place_as_text(&reply.place, formatter)),
            asked,
            output::with_visible_controls(&by_whom(reply.by.as_ref(), formatter)),
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
    let stopped = app.store.replies().list_stopped(&Visibility::Owner, query).await?;
    let as_json = |reply: &myao_store::StoppedReply| {
        json!({
            "id": reply.id.0,
            "at": reply.at,
            "channel": formatter.channel(&reply.place.channel),
            "channel_id": reply.place.channel.as_str(),
            "thread_ts": reply.place.thread,
            "asked_ts": reply.asked_at,
            "stopped_by": reply.by.as_ref().map(|user| formatter.person(user)),
        })
    };
    Ok(stopped.iter().rev().map(as_json).collect())
}

/// Who stopped a reply, as `stopped by Ann`.
pub(super) fn by_whom(user: Option<&UserId>, formatter: &JournalFormatter) -> String {
    user.map_or_else(|| "stopped".to_owned(), |user| format!("stopped by {}", formatter.person(user)))
}
