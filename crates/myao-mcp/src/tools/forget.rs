//! `memory_forget`: removes things by their ids, with what was made from them; unless it is told to, it only says what
//! would go.

use myao_companion::forgetting::{carry_out, clean_up_after};
use myao_core::{
    chat::{ChannelId, MessageTs},
    forget::ForgetScope,
};
use myao_store::ForgetPreview;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{correct::may_change_memo, get::whole_item};
use crate::{
    access::MemoryAccess, caller::AgentCaller, failure::ToolFailure, item_id::ItemId, items::shorten,
};

/// The most ids of one call.
pub(crate) const MOST_IDS: usize = 20;
/// The most characters of a text that is shown.
const MOST_CHARS: usize = 200;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForgetToolArgs {
    /// Ids of messages and memos from other tools' results, at most 20.
    #[schemars(length(min = 1, max = 20))]
    pub(crate) ids: Vec<String>,
    /// Whether it is only told what would go. That is so unless you say `false`.
    #[serde(default = "yes")]
    pub(crate) dry_run: bool,
}

fn yes() -> bool {
    true
}

/// What goes, or would go.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ForgetAnswer {
    /// Whether nothing was changed, and the result says what would go.
    pub(crate) dry_run: bool,
    /// What is forgotten now, or would be.
    pub(crate) forgotten: Vec<ForgottenItem>,
    /// Ids under which nothing was found: nothing was forgotten for them.
    pub(crate) not_found: Vec<String>,
    /// Things that are there and cannot be forgotten in this way.
    pub(crate) refused: Vec<RefusedItem>,
    pub(crate) note: String,
}

/// A thing that goes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ForgottenItem {
    pub(crate) id: String,
    /// Its words; empty once it is forgotten.
    pub(crate) text: String,
    /// How many texts that were made from it go with it: memories, notes, answers. They are written anew without it.
    pub(crate) texts: u64,
}

/// A thing that stays.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RefusedItem {
    pub(crate) id: String,
    pub(crate) why: String,
}

/// What may become of one id.
enum ForgetFate {
    Goes(ForgottenItem),
    NotFound,
    Refused(String),
}

pub(crate) async fn forget(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: ForgetToolArgs,
) -> Result<ForgetAnswer, ToolFailure> {
    caller.must_write()?;
    if args.ids.is_empty() || args.ids.len() > MOST_IDS {
        return Err(ToolFailure::told(format!("give 1 to {MOST_IDS} ids")));
    }
    let ids = args.ids.iter().map(|id| id.parse::<ItemId>());
    let ids: Vec<ItemId> =
        ids.collect::<Result<_, _>>().map_err(|error| ToolFailure::told(error.to_string()))?;
    let mut answer = ForgetAnswer {
        dry_run: args.dry_run,
        forgotten: Vec::new(),
        not_found: Vec::new(),
        refused: Vec::new(),
        note: String::new(),
    };
    for id in ids {
        let shown = id.to_string();
        match forget_one(access, caller, &id, args.dry_run).await? {
            ForgetFate::Goes(item) => answer.forgotten.push(item),
            ForgetFate::NotFound => answer.not_found.push(shown),
            ForgetFate::Refused(why) => answer.refused.push(RefusedItem { id: shown, why }),
        }
    }
    if caller.is_owner() && !args.dry_run && !answer.forgotten.is_empty() {
        clean_behind(access);
    }
    answer.note = match (args.dry_run, answer.forgotten.is_empty()) {
        (_, true) => "nothing was forgotten".to_owned(),
        (true, false) => access.phrase("mcp-would-forget").to_owned(),
        (false, false) => access.phrase("mcp-forgotten").to_owned(),
    };
    Ok(answer)
}

async fn forget_one(
    access: &MemoryAccess,
    caller: &AgentCaller,
    id: &ItemId,
    dry_run: bool,
) -> Result<ForgetFate, ToolFailure> {
    let Some(whole) = whole_item(access, caller, id).await? else { return Ok(ForgetFate::NotFound) };
    let texts = match id {
        ItemId::Message { channel, ts } if caller.owns(channel) || caller.is_owner() => {
            forget_message(access, caller, channel, *ts, dry_run).await?
        }
        ItemId::Message { .. } => return Ok(ForgetFate::Refused(access.phrase("mcp-not-yours").to_owned())),
        ItemId::Memo(memo) => match forget_memo(access, caller, memo, dry_run).await? {
            Some(texts) => texts,
            None => return Ok(ForgetFate::Refused(access.phrase("mcp-not-yours").to_owned())),
        },
        ItemId::Line { .. } | ItemId::Chapter { .. } | ItemId::LongTerm { .. } | ItemId::Workspace => {
            return Ok(ForgetFate::Refused(access.phrase("mcp-forget-sources").to_owned()));
        }
    };
    let text = if dry_run { shorten(&whole.item.text, MOST_CHARS) } else { String::new() };
    Ok(ForgetFate::Goes(ForgottenItem { id: id.to_string(), text, texts }))
}

/// Forgets a message: of the agent's own conversations by deleting it, of the chat for good. Returns how many texts go.
async fn forget_message(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: &ChannelId,
    ts: MessageTs,
    dry_run: bool,
) -> Result<u64, ToolFailure> {
    let scope = ForgetScope::message(channel.clone(), ts);
    let preview = access.store().forget().preview(&scope).await?;
    let texts = texts_of(&preview);
    if dry_run {
        return Ok(texts);
    }
    if caller.owns(channel) {
        access.conversations(&caller.token).delete(channel, ts).await?;
        return Ok(texts);
    }
    for work in access.store().forget().begin(&scope, &caller.actor(), access.now()).await? {
        carry_out(access.store(), access.clock(), work, |_| {}).await?;
    }
    Ok(texts)
}

fn texts_of(preview: &ForgetPreview) -> u64 {
    let texts = preview.texts.values().map(|keys| u64::try_from(keys.len()).unwrap_or(u64::MAX));
    texts.sum::<u64>().saturating_add(u64::try_from(preview.answers.len()).unwrap_or(u64::MAX))
}

/// Cleans recordings and the database's files in the background. If that is interrupted, the next run finishes it.
fn clean_behind(access: &MemoryAccess) {
    let access = access.clone();
    tokio::spawn(async move {
        if let Err(error) = clean_up_after(access.config(), access.store(), access.clock()).await {
            tracing::error!(%error, "files may still hold forgotten words; `myao forget --resume` goes on");
        }
    });
}

/// Removes a memo that the caller may remove; `None` if it may not.
async fn forget_memo(
    access: &MemoryAccess,
    caller: &AgentCaller,
    id: &str,
    dry_run: bool,
) -> Result<Option<u64>, ToolFailure> {
    let memos = access.store().memos();
    let Some(memo) = memos.find_by_id(&caller.visibility, id).await? else { return Ok(None) };
    if !may_change_memo(caller, &memo) {
        return Ok(None);
    }
    if !dry_run {
        memos.remove(&caller.hand_on(&memo), &memo.memo.name, access.now()).await?;
    }
    Ok(Some(0))
}
