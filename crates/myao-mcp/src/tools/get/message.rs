//! Messages and memos, whole.

use myao_core::chat::{ChannelId, Mentions, Message, MessageTs};
use myao_store::{MemoMaker, RecalledText};

use super::WholeItem;
use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::ToolFailure,
    item_id::ItemId,
    items::{ItemKind, MemoryItem, mentions_of_found},
};

/// The most messages of a thread, or behind a memo, that are shown.
const MOST_BESIDE: usize = 10;

/// A message with the others of its thread; `None` if it is gone or not seen.
pub(super) async fn whole_message(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<WholeItem>, ToolFailure> {
    let Some(message) = standing_message(access, caller, channel, ts).await? else { return Ok(None) };
    let store = access.store();
    let root = message.thread_ts.unwrap_or(message.ts);
    let (_, thread) =
        store.memory().talk_of_thread(&caller.visibility, channel, root, MessageTs::MAX).await?;
    let thread = store.hearing().without_opted_out(thread).await?;
    let beside: Vec<RecalledText> = thread
        .into_iter()
        .filter(|other| other.ts != ts)
        .take(MOST_BESIDE)
        .map(RecalledText::Message)
        .collect();
    let own = RecalledText::Message(message.clone());
    let mentions = mentions_of_found(beside.iter().chain([&own]));
    let writer = access.writer(&caller.visibility, &mentions).await?;
    let edited = message.edited_at.map(|at| format!(", edited {}", writer.moment(at))).unwrap_or_default();
    let why = format!(
        "said by {} in {} at {}{edited}",
        writer.person(&message.user),
        writer.place(channel),
        writer.moment(ts)
    );
    let put_right = store.recall().days_put_right(&caller.visibility, &[&message]).await?;
    let replaced_on = put_right.into_iter().flatten().next().map(|day| day.to_string());
    Ok(Some(WholeItem {
        item: MemoryItem { replaced_on, ..writer.message(&message) },
        why,
        replaced_by: None,
        sources: beside.iter().map(|text| writer.found(text)).collect(),
        history: Vec::new(),
    }))
}

/// A message that is talk and may be shown; `None` if there is none.
pub(crate) async fn standing_message(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<Message>, ToolFailure> {
    let store = access.store();
    let message = store.archive().message(&caller.visibility, channel, ts).await?;
    let message = message.filter(Message::is_talk);
    Ok(store.hearing().without_opted_out(message.into_iter().collect()).await?.pop())
}

/// A memo with the messages it was made from; `None` if it is gone or not seen.
pub(super) async fn whole_memo(
    access: &MemoryAccess,
    caller: &AgentCaller,
    id: &str,
) -> Result<Option<WholeItem>, ToolFailure> {
    let store = access.store();
    let Some(memo) = store.memos().find_by_id(&caller.visibility, id).await? else { return Ok(None) };
    let behind = store.memos().messages_behind(&caller.visibility, &memo.id).await?;
    let behind = store.hearing().without_opted_out(behind).await?;
    let behind: Vec<RecalledText> = behind.into_iter().take(MOST_BESIDE).map(RecalledText::Message).collect();
    let mut mentions = mentions_of_found(&behind);
    mentions.channels.extend(memo.channel().cloned());
    let writer = access.writer(&caller.visibility, &mentions).await?;
    let place = memo.channel().map_or_else(|| memo.audience.as_str().to_owned(), |c| writer.place(c));
    let maker = match &memo.maker {
        MemoMaker::Person(name) => name.clone(),
        MemoMaker::Reply => "a reply, for whoever asked".to_owned(),
    };
    let detail = memo.memo.detail.as_ref().map(|detail| format!("\n{detail}")).unwrap_or_default();
    let changed = memo.changed_by.as_ref().map(|by| format!(", changed by {by}")).unwrap_or_default();
    let item = MemoryItem {
        id: ItemId::Memo(id.to_owned()).to_string(),
        kind: ItemKind::Memo,
        text: format!("{}: {}{detail}", memo.memo.name, memo.memo.content),
        place,
        said_by: None,
        said_at: Some(writer.moment(MessageTs::from_timestamp(memo.updated_at))),
        permalink: None,
        replaced_on: None,
    };
    let sources = behind.iter().map(|text| writer.found(text)).collect();
    Ok(Some(WholeItem {
        item,
        why: format!("a memo written by {maker}{changed}"),
        replaced_by: None,
        sources,
        history: Vec::new(),
    }))
}

/// Whom and what a memory's text mentions, and its place.
pub(super) fn mentions_of_memory(channel: Option<&ChannelId>, text: &str) -> Mentions {
    let mut mentions = Mentions::default();
    mentions.channels.extend(channel.cloned());
    mentions.add_memory(text);
    mentions
}
