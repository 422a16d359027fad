//! `memory_remember`: keeps a note, what is said in a conversation, or a memo of a place.

use jiff::Timestamp;
use myao_companion::conversations::{ConversationError, ConversationTurn, NOTES, StoredTurn, TurnState};
use myao_core::context::MemoDraft;
use myao_store::{MemoAudience, MemoError, MemoHand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    access::MemoryAccess, caller::AgentCaller, failure::ToolFailure, item_id::ItemId, resolve::place_of_name,
};

/// What to remember: either `text`, or `turns` of a conversation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RememberToolArgs {
    /// One thing to remember, as a sentence that stands by itself: at most 8,000 characters, 500 for a memo of a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// What is said in a conversation, in order: at most 100 at a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) turns: Vec<TurnArgs>,
    /// The conversation, by a name of your own: it gets a memory of its own, with chapters and a long-term memory.
    /// Without it, and without `place`, it is a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) conversation: Option<String>,
    /// A place of the chat for which `text` is kept as a memo that everybody there sees. The token must name the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// The name of that memo: at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
}

/// Something that is said in a conversation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnArgs {
    /// Who says it, by name; left out for yourself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) speaker: Option<String>,
    /// The words.
    pub(crate) text: String,
    /// When it was said, in RFC 3339; left out for now. With it, telling it twice stores it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_at: Option<String>,
}

/// Where it is stored. It can be searched from now on; chapters follow once the conversation pauses.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RememberAnswer {
    pub(crate) stored: Vec<StoredItem>,
    /// The place under which search and `memory_brief` find it.
    pub(crate) place: String,
}

/// A thing that is stored.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct StoredItem {
    /// What to give `memory_get`, `memory_correct` or `memory_forget`.
    pub(crate) id: String,
    pub(crate) status: StoredStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredStatus {
    /// It was not stored before.
    Stored,
    /// The same was stored already; nothing was changed.
    AlreadyThere,
    /// The same was stored, and deleted or forgotten since: it is not taken in again.
    Removed,
}

impl From<TurnState> for StoredStatus {
    fn from(state: TurnState) -> Self {
        match state {
            TurnState::New => Self::Stored,
            TurnState::AlreadyThere => Self::AlreadyThere,
            TurnState::Removed => Self::Removed,
        }
    }
}

impl From<ConversationError> for ToolFailure {
    fn from(error: ConversationError) -> Self {
        match error {
            ConversationError::Store(error) => Self::Store(error),
            told @ (ConversationError::Count
            | ConversationError::Text
            | ConversationError::Name
            | ConversationError::Future
            | ConversationError::Past
            | ConversationError::Crowded
            | ConversationError::Busy
            | ConversationError::NotThere
            | ConversationError::Unchanged) => Self::told(told.to_string()),
        }
    }
}

impl From<MemoError> for ToolFailure {
    fn from(error: MemoError) -> Self {
        match error {
            MemoError::Store(error) => Self::Store(error),
            told @ (MemoError::Moved
            | MemoError::Unknown(_)
            | MemoError::Elsewhere { .. }
            | MemoError::ByHand(_)
            | MemoError::MadeFromTalk(_)
            | MemoError::Taken(_)
            | MemoError::Full) => Self::told(told.to_string()),
        }
    }
}

pub(crate) async fn remember(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: RememberToolArgs,
) -> Result<RememberAnswer, ToolFailure> {
    caller.must_write()?;
    match (&args.place, &args.text) {
        (Some(place), Some(text)) if args.turns.is_empty() && args.conversation.is_none() => {
            remember_for_place(access, caller, place, text, args.name.as_deref()).await
        }
        (Some(_), _) => Err(ToolFailure::told("`place` goes with `text` and `name`, and with nothing else")),
        (None, _) if args.name.is_some() => {
            Err(ToolFailure::told("`name` names a memo of a place: give `place` as well, or leave it out"))
        }
        (None, _) => remember_turns(access, caller, &args).await,
    }
}

async fn remember_turns(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: &RememberToolArgs,
) -> Result<RememberAnswer, ToolFailure> {
    let turns = match (&args.text, &args.turns[..]) {
        (Some(text), []) => vec![ConversationTurn { speaker: None, text: text.clone(), said_at: None }],
        (None, [_, ..]) => args.turns.iter().map(turn_of_args).collect::<Result<_, _>>()?,
        _ => return Err(ToolFailure::told("give either `text` or `turns`")),
    };
    let name = args.conversation.as_deref().unwrap_or(NOTES);
    let conversations = access.conversations(&caller.token);
    let _turn = access.one_at_a_time().await;
    let stored = conversations.remember(name, &turns).await?;
    let channel = conversations.channel(name)?;
    let item = |turn: StoredTurn| StoredItem {
        id: ItemId::Message { channel: channel.clone(), ts: turn.ts }.to_string(),
        status: turn.state.into(),
    };
    Ok(RememberAnswer {
        stored: stored.into_iter().map(item).collect(),
        place: format!("{}/{}", caller.token.name, name.trim()),
    })
}

fn turn_of_args(args: &TurnArgs) -> Result<ConversationTurn, ToolFailure> {
    let instant = |text: &str| {
        text.trim().parse::<Timestamp>().map_err(|_no_instant| {
            ToolFailure::told(format!("`said_at`: `{text}` is no instant; write 2026-03-01T09:30:00Z"))
        })
    };
    let said_at = args.said_at.as_deref().map(instant).transpose()?;
    Ok(ConversationTurn { speaker: args.speaker.clone(), text: args.text.clone(), said_at })
}

/// Keeps a memo of a place. Only a token that names the place, or the owner's, writes where others read.
async fn remember_for_place(
    access: &MemoryAccess,
    caller: &AgentCaller,
    place: &str,
    text: &str,
    name: Option<&str>,
) -> Result<RememberAnswer, ToolFailure> {
    let channel = place_of_name(access.store(), &caller.visibility, place).await?;
    if !caller.names(&channel) {
        return Err(ToolFailure::told(format!(
            "this token writes no memos of `{place}`: it would have to name the place (`myao token add --sees`)"
        )));
    }
    let name = name.ok_or_else(|| ToolFailure::told("a memo needs a `name`"))?;
    let memo = MemoDraft::new(name, text).map_err(|error| ToolFailure::told(error.to_string()))?;
    let hand = MemoHand::Owner { name: caller.actor(), audience: MemoAudience::Channel(channel.clone()) };
    let same = access.store().memos().find_by_name(&caller.visibility, name).await?;
    let same = same.into_iter().find(|memo| memo.channel() == Some(&channel) && memo.memo.content == text);
    let (stored, status) = match same {
        Some(memo) => (memo, StoredStatus::AlreadyThere),
        None => (access.store().memos().add(&hand, &memo, access.now()).await?, StoredStatus::Stored),
    };
    Ok(RememberAnswer {
        stored: vec![StoredItem { id: ItemId::Memo(stored.id.as_str().to_owned()).to_string(), status }],
        place: place.to_owned(),
    })
}
