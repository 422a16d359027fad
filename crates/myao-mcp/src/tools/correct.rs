//! `memory_correct`: replaces what is wrong, by its id. What was made from the old words follows, and the journal keeps who
//! changed it.

use myao_companion::by_hand::HandError;
use myao_core::{
    context::MemoChange,
    memory::{MemoryType, text_with_statement},
};
use myao_store::{ByHand, ByHandError, JournalEntry, MemoMaker, MemoryKey, StoredMemo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get::whole_item;
use crate::{access::MemoryAccess, caller::AgentCaller, failure::ToolFailure, item_id::ItemId};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorrectToolArgs {
    /// What is wrong: an id from another tool's result.
    pub(crate) id: String,
    /// What it is to say instead, whole.
    pub(crate) text: String,
    /// Why, in a few words: it stands in the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// What was changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct CorrectAnswer {
    /// The id under which the correction stands.
    pub(crate) id: String,
    /// What stood there before.
    pub(crate) previous: String,
    /// What follows from it.
    pub(crate) note: String,
}

impl From<HandError> for ToolFailure {
    fn from(error: HandError) -> Self {
        match error {
            HandError::Store(error) | HandError::Refused(ByHandError::Store(error)) => Self::Store(error),
            told @ (HandError::TooLong { .. } | HandError::Busy | HandError::Refused(_)) => {
                Self::told(told.to_string())
            }
        }
    }
}

pub(crate) async fn correct(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: CorrectToolArgs,
) -> Result<CorrectAnswer, ToolFailure> {
    caller.must_write()?;
    let id: ItemId =
        args.id.parse().map_err(|error: crate::item_id::NoItemId| ToolFailure::told(error.to_string()))?;
    match &id {
        ItemId::Message { channel, ts } if caller.owns(channel) => {
            let previous = access.conversations(&caller.token).correct(channel, *ts, &args.text).await?;
            let note = access.phrase("mcp-corrected-message").to_owned();
            Ok(CorrectAnswer { id: id.to_string(), previous, note })
        }
        ItemId::Message { .. } => Err(match whole_item(access, caller, &id).await? {
            Some(_) => ToolFailure::told(access.phrase("mcp-no-words-of-people").to_owned()),
            None => nothing_there(&id),
        }),
        ItemId::Memo(memo) => correct_memo(access, caller, memo, &args).await,
        ItemId::Line { step, nth } => {
            let entry = access.store().memory().find_journal_entry(&caller.visibility, *step).await?;
            let entry = entry.ok_or_else(|| nothing_there(&id))?;
            must_change_memories(access, caller, &entry.key)?;
            correct_line(access, caller, &entry, *nth, &args).await
        }
        ItemId::Chapter { channel, version } => {
            let key = MemoryKey {
                memory_type: MemoryType::ShortTerm,
                version: *version,
                ..MemoryKey::long_term(channel)
            };
            correct_whole(access, caller, key, &id, &args).await
        }
        ItemId::LongTerm { channel } => {
            correct_whole(access, caller, MemoryKey::long_term(channel), &id, &args).await
        }
        ItemId::Workspace => correct_whole(access, caller, MemoryKey::workspace(), &id, &args).await,
    }
}

/// What an agent is told of an id under which it sees nothing.
pub(crate) fn nothing_there(id: &ItemId) -> ToolFailure {
    ToolFailure::told(format!("nothing is found under `{id}`: it is gone, or this token does not see it"))
}

/// Memories of the chat are corrected by the owner, those of an agent's own conversations by the agent.
fn must_change_memories(
    access: &MemoryAccess,
    caller: &AgentCaller,
    key: &MemoryKey,
) -> Result<(), ToolFailure> {
    let is_own = key.channel().is_some_and(|channel| caller.owns(&channel));
    if caller.is_owner() || is_own {
        return Ok(());
    }
    Err(ToolFailure::told(access.phrase("mcp-not-yours").to_owned()))
}

/// Replaces one statement of a memory.
async fn correct_line(
    access: &MemoryAccess,
    caller: &AgentCaller,
    entry: &JournalEntry,
    nth: usize,
    args: &CorrectToolArgs,
) -> Result<CorrectAnswer, ToolFailure> {
    if !entry.is_current {
        return Err(ToolFailure::told(
            "the memory was written anew since: search again for the line as it stands now",
        ));
    }
    let text = entry.content.as_deref().unwrap_or_default();
    let id = ItemId::Line { step: entry.step, nth };
    let corrected = text_with_statement(text, nth, &args.text).ok_or_else(|| nothing_there(&id))?;
    let by = by_hand(caller, args);
    let step = access.hand().edit_memory(entry.key.clone(), entry.step, &corrected.text, by).await?;
    Ok(CorrectAnswer {
        id: ItemId::Line { step, nth }.to_string(),
        previous: corrected.previous,
        note: access.phrase("mcp-corrected-memory").to_owned(),
    })
}

/// Replaces a whole memory.
async fn correct_whole(
    access: &MemoryAccess,
    caller: &AgentCaller,
    key: MemoryKey,
    id: &ItemId,
    args: &CorrectToolArgs,
) -> Result<CorrectAnswer, ToolFailure> {
    let window = access.store().memory().journal_window_around(&caller.visibility, &key, None, 2).await?;
    let current = window.entries.into_iter().find(|entry| entry.is_current);
    let current = current.ok_or_else(|| nothing_there(id))?;
    must_change_memories(access, caller, &key)?;
    access.hand().edit_memory(key, current.step, &args.text, by_hand(caller, args)).await?;
    Ok(CorrectAnswer {
        id: id.to_string(),
        previous: current.content.unwrap_or_default(),
        note: access.phrase("mcp-corrected-memory").to_owned(),
    })
}

fn by_hand(caller: &AgentCaller, args: &CorrectToolArgs) -> ByHand {
    ByHand { actor: caller.actor(), user: None, reason: args.reason.clone().unwrap_or_default() }
}

async fn correct_memo(
    access: &MemoryAccess,
    caller: &AgentCaller,
    id: &str,
    args: &CorrectToolArgs,
) -> Result<CorrectAnswer, ToolFailure> {
    let item = ItemId::Memo(id.to_owned());
    let memos = access.store().memos();
    let found = memos.find_by_id(&caller.visibility, id).await?;
    let memo = found.ok_or_else(|| nothing_there(&item))?;
    if !may_change_memo(caller, &memo) {
        return Err(ToolFailure::told(access.phrase("mcp-not-yours").to_owned()));
    }
    let change = MemoChange::default().content(&args.text);
    let change = change.map_err(|error| ToolFailure::told(error.to_string()))?;
    memos.edit(&caller.hand_on(&memo), &memo.memo.name, &change, access.now()).await?;
    Ok(CorrectAnswer {
        id: item.to_string(),
        previous: memo.memo.content,
        note: access.phrase("mcp-corrected-memo").to_owned(),
    })
}

/// Whether the caller may change or remove a memo: the owner any, others those that they made.
pub(crate) fn may_change_memo(caller: &AgentCaller, memo: &StoredMemo) -> bool {
    caller.is_owner() || memo.maker == MemoMaker::Person(caller.actor())
}
