//! `/myao status`: how things are in the channel where somebody asks.

use myao_core::memory::{MemoryScope, MemoryType, ScopeId};
use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::{MemoryKey, StoreError};
use serde_json::json;

use super::context::{CommandAsker, Commands};

pub(super) async fn answer(with: &Commands<'_>, asker: &CommandAsker) -> Result<PrivateAnswer, StoreError> {
    let Some(channel) = &asker.channel else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-only-in-a-channel")));
    };
    let row = with.store.archive().channel_row(&channel.id).await?;
    let Some(row) = row.filter(|row| row.member) else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-status-not-here")));
    };
    let mut lines = vec![AnswerLine::of(with.phrase(if row.gap_from.is_some() {
        "command-status-catching-up"
    } else {
        "command-status-hears"
    }))];
    let scope = ScopeId::channel(&channel.id);
    let memory = with.store.memory();
    let latest =
        memory.find_latest(&asker.visibility, MemoryScope::Channel, &scope, MemoryType::ShortTerm).await?;
    lines.push(AnswerLine::of(match latest.and_then(|memory| memory.source_latest_message_ts()) {
        None => with.phrase("command-status-no-chapter").to_owned(),
        Some(until) => {
            with.phrase_with("command-status-chapters", &json!({ "when": with.when(until.to_timestamp()) }))
        }
    }));
    let key = MemoryKey::long_term(&channel.id);
    let head = memory.head(&asker.visibility, key.scope, &key.scope_id, key.memory_type).await?;
    let told = if head.is_some() { "command-status-long-term" } else { "command-status-no-long-term" };
    lines.push(AnswerLine::of(with.phrase(told)));
    let hushed = with.store.replies().hushed_channels(with.clock.now()).await?;
    if let Some(until) = hushed.get(&channel.id) {
        lines.push(AnswerLine::of(
            with.phrase_with("command-status-hushed", &json!({ "when": with.when(*until) })),
        ));
    }
    Ok(PrivateAnswer::of_lines(lines))
}
