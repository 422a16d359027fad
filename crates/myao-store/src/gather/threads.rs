//! Reads the memories of a channel's threads.

use myao_core::{
    chat::MessageTs,
    memory::{Completeness, StepId, horizon_of_channel},
};

use super::request::GatherRequest;
use crate::{
    StoreError,
    archive::ChannelRow,
    db::{Tx, query_as},
};

/// The most thread memories that are read, those last spoken in: more than a prompt holds.
const MOST_THREADS: i64 = 100;

/// Memories of the channel's threads that were spoken in lately, with their journal entries. The time is counted back from the end of the archive,
/// since an imported archive ends some time ago.
pub(super) async fn read_active_threads(
    tx: &mut Tx,
    request: &GatherRequest,
    channel: &ChannelRow,
) -> Result<Vec<(MessageTs, String, StepId)>, StoreError> {
    let heard =
        Completeness { member: channel.member, gap_from: channel.gap_from, until: channel.heard_until };
    let since = horizon_of_channel(heard, request.now).plus_seconds(request.threads_seconds.saturating_neg());
    let id = &channel.channel.id;
    let rows: Vec<(String, String, i64)> = on!(tx, c => query_as(
        "SELECT scope_id, content, step_id FROM memories
         WHERE scope = 'thread' AND channel_id = $1 AND source_latest_message_ts >= $2 AND content <> ''
         ORDER BY source_latest_message_ts DESC LIMIT $3")
        .bind(id.as_str()).bind(since.as_micros()).bind(MOST_THREADS).fetch_all(c).await)?;
    let prefix = format!("{id}:");
    let thread = |(id, content, step): (String, String, i64)| {
        Some((id.strip_prefix(&prefix)?.parse().ok()?, content, StepId(step)))
    };
    let mut threads: Vec<(MessageTs, String, StepId)> = rows.into_iter().filter_map(thread).collect();
    threads.sort_by_key(|(root, ..)| *root);
    Ok(threads)
}
