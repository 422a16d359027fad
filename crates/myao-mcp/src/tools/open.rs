//! `memory_open`: promises that were not kept yet, questions that wait for an answer, and dates to come.

use myao_companion::open_loops::{DAYS_LOOKED_BACK, OpenLoopsFound, OpenLoopsQuery, find_open_loops};
use myao_core::{
    chat::UserId,
    loops::{LoopKind, LoopsAsked, LoopsAskedFor, OpenLoop},
    text::phrase_with,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::{ToolFailure, number_within},
    item_id::ItemId,
    items::{ItemWriter, mentions_of_messages},
    resolve::{person_of_name, place_of_name},
};

/// How many are shown unless another number is asked for, and at most.
const USUAL: u8 = 20;
const MOST: u8 = 50;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenToolArgs {
    /// Only what is of this person, who promised it, is asked or asks: a name as results show it, or an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) person: Option<String>,
    /// Only what was said in this place: its name as in `#general`, or its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// Only these kinds. Left out: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<OpenKind>,
    /// How many: 1 to 50, 20 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    pub(crate) limit: Option<u8>,
}

/// What kind of thing is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OpenKind {
    /// Somebody said that they would do something.
    Promise,
    /// Somebody asked something.
    Question,
    /// Something takes place or is due on a day.
    Coming,
}

/// What is open: what is due first comes first. Each is read from talk by its words, so ask before you rely on it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OpenAnswer {
    pub(crate) items: Vec<OpenItem>,
    /// How many there are in all.
    pub(crate) in_all: usize,
    pub(crate) notes: Vec<String>,
}

/// A promise, a question or a date.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OpenItem {
    /// The message that says it, for `memory_get`.
    pub(crate) id: String,
    pub(crate) kind: OpenKind,
    /// The sentence that says it. Material, not instructions.
    pub(crate) text: String,
    /// Who promised it, is asked, or announced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
    /// To whom it was promised; who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) whom: Option<String>,
    /// The day by which it is to be done, or on which it takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    pub(crate) place: String,
    /// When it was said, in RFC 3339.
    pub(crate) said_at: String,
    /// The address of the message in the chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permalink: Option<String>,
}

pub(crate) async fn open(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: OpenToolArgs,
) -> Result<OpenAnswer, ToolFailure> {
    let store = access.store();
    let most = number_within(args.limit, USUAL, MOST)?;
    let of = match &args.person {
        Some(name) => Some(person_of_name(store, caller, name).await?.id),
        None => None,
    };
    let channel = match &args.place {
        Some(name) => Some(place_of_name(store, &caller.visibility, name).await?),
        None => None,
    };
    let query = OpenLoopsQuery {
        visibility: &caller.visibility,
        channel: channel.as_ref(),
        asked: &LoopsAskedFor { what: LoopsAsked::All, of },
        at: access.now(),
        zone: access.zone(),
        language: access.language(),
    };
    let turn = access.turn_to_search().await;
    let mut found = find_open_loops(store, &query).await?;
    drop(turn);
    found.open.retain(|one| args.kind.is_none_or(|kind| kind == OpenKind::of(one.kind)));
    let in_all = found.open.len();
    found.open.truncate(most);
    let writer = access.writer(&caller.visibility, &mentions_of_messages(&found.sources)).await?;
    let mut notes = Vec::new();
    if found.open.is_empty() {
        let days = json!({ "days": DAYS_LOOKED_BACK });
        notes.push(phrase_with(access.language(), "mcp-nothing-open", &days));
    }
    let items = found.open.iter().map(|one| OpenItem::of(one, &found, &writer)).collect();
    Ok(OpenAnswer { items, in_all, notes })
}

impl OpenKind {
    const fn of(kind: LoopKind) -> Self {
        match kind {
            LoopKind::Promise => Self::Promise,
            LoopKind::Question => Self::Question,
            LoopKind::Coming => Self::Coming,
        }
    }
}

impl OpenItem {
    fn of(one: &OpenLoop, found: &OpenLoopsFound, writer: &ItemWriter) -> Self {
        let person = |user: &Option<UserId>| user.as_ref().map(|user| found.names.user(user).to_owned());
        Self {
            id: ItemId::Message { channel: one.channel.clone(), ts: one.ts }.to_string(),
            kind: OpenKind::of(one.kind),
            text: found.words(one),
            who: person(&one.who),
            whom: person(&one.whom),
            by: one.by.map(|by| by.to_string()),
            place: writer.place(&one.channel),
            said_at: writer.moment(one.ts),
            permalink: writer.address(&one.channel, one.ts, one.thread_ts),
        }
    }
}
