//! The memo tools of a model (specification §4): it notes what somebody asked it to remember, and looks memos up.
//!
//! A tool sees what the reply's place may see at the moment of the call, and changes only memos of that channel. The
//! store records from which messages a memo is made ([`myao_store::Grounds`]); in an unasked reply nothing can be noted.

mod arguments;
mod results;
mod wording;

use std::sync::Arc;

use futures::FutureExt as _;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, Names, Visibility},
    context::{InvalidMemo, MemoDraft},
    ports::{Clock, ToolCall},
    text::Language,
};
use myao_store::{Grounds, MemoError, MemoHand, MemoQuery, SharedInputs, Store, StoreError, StoredMemo};
use serde_json::Value;
use tokio::sync::Mutex;

use self::arguments::{AddMemoArgs, EditMemoArgs, ListMemosArgs, ListTagsArgs, NamedMemoArgs};
use super::{Effect, Kit, SharedOrigins, Tool, description::parse_arguments};
use crate::{ask::ToolResult, borrowed_words::telling_among_borrowed};
pub use arguments::MemoFields;
pub use myao_core::context::memo::ADD_MEMO;

/// The tool that changes a memo.
pub const EDIT_MEMO: &str = "edit_memo";
/// The tool that removes a memo.
pub const REMOVE_MEMO: &str = "remove_memo";
/// The tool that lists memos.
pub const LIST_MEMO: &str = "list_memo";
/// The tool that shows one memo with its detail.
pub const GET_MEMO: &str = "get_memo";
/// The tool that lists the tags.
pub const LIST_MEMO_TAGS: &str = "list_memo_tags";

/// How many memos are listed if the model does not say.
const USUALLY_LISTED: u64 = 20;
/// How many characters these tools may return for one answer before reading is refused: about a whole prompt. Results
/// are never cut off, and writing is never refused for this.
const MOST_SHOWN: usize = 8000;
/// The most characters of an error that the model is told.
const LONGEST_REASON: usize = 400;

/// What the tools work with.
#[derive(Clone)]
pub struct MemoTools {
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The language of the prompts.
    pub language: Language,
    /// The time zone of what is shown (`locale.timezone`).
    pub zone: TimeZone,
}

/// The tools of one answer.
struct MemoSession {
    with: MemoTools,
    /// The channel of the reply's place.
    channel: ChannelId,
    /// What the reply is made from; `None` if nobody asked for it.
    grounds: Option<Grounds>,
    /// Which of the words that the model was shown are the place's own, and which are other places'.
    origins: SharedOrigins,
    /// What the reply was shown so far: memos that are shown are added to it.
    inputs: SharedInputs,
    /// Characters that were returned so far. Locked during a call, so that the calls of one turn run in their order and
    /// one may build on another.
    shown: Mutex<usize>,
}

impl MemoTools {
    /// The tools for a reply in `channel`, made from `grounds` by a model that was shown words of these `origins`. In an
    /// unasked reply, one without triggers, memos can only be read.
    pub fn kit(&self, channel: ChannelId, grounds: Grounds, origins: SharedOrigins) -> Kit {
        let inputs = grounds.inputs.clone();
        let grounds = Some(grounds).filter(|grounds| !grounds.triggers.is_empty());
        let tools =
            tools_in_language(self.language, grounds.as_ref().map(|grounds| grounds.highest_priority));
        let shown = Mutex::new(0);
        let session = MemoSession { with: self.clone(), channel, grounds, origins, inputs, shown };
        let session = Arc::new(session);
        let run = move |call: ToolCall| {
            let session = Arc::clone(&session);
            async move { session.run(&call).await }.boxed()
        };
        Kit { tools, run: Box::new(run) }
    }
}

/// The memo tools; those that write only with the `highest` priority that they may give.
pub(super) fn tools_in_language(language: Language, highest: Option<u8>) -> Vec<Tool> {
    let looks = |spec| Tool { spec, effect: Effect::Looks };
    let mut tools: Vec<Tool> = wording::tools_that_read(language).into_iter().map(looks).collect();
    tools.extend(highest.into_iter().flat_map(|highest| wording::tools_that_write(language, highest)));
    tools
}

/// Why a call was not carried out.
#[derive(Debug, thiserror::Error)]
enum MemoRefusal {
    #[error("{0}")]
    Because(String),
    #[error(transparent)]
    Invalid(#[from] InvalidMemo),
    #[error(transparent)]
    Memo(#[from] MemoError),
}

impl From<String> for MemoRefusal {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

impl From<StoreError> for MemoRefusal {
    fn from(error: StoreError) -> Self {
        Self::Memo(error.into())
    }
}

impl MemoSession {
    async fn run(&self, call: &ToolCall) -> ToolResult {
        let ToolCall { name, arguments, .. } = call;
        let mut shown = self.shown.lock().await;
        let done = match name.as_str() {
            LIST_MEMO | GET_MEMO | LIST_MEMO_TAGS if *shown >= MOST_SHOWN => {
                Err("that was a lot already; answer with what you have".to_owned().into())
            }
            ADD_MEMO => self.add(arguments).await,
            EDIT_MEMO => self.edit(arguments).await,
            REMOVE_MEMO => self.remove(arguments).await,
            LIST_MEMO => self.list(arguments).await,
            GET_MEMO => self.get(arguments).await,
            LIST_MEMO_TAGS => self.tags(arguments).await,
            other => Err(format!("there is no tool `{other}`").into()),
        };
        match done {
            Ok(text) => {
                *shown += text.chars().count();
                Ok(text)
            }
            Err(MemoRefusal::Memo(MemoError::Store(error))) => {
                tracing::error!(%error, tool = name, "a memo could not be read or written");
                Err("the memos cannot be reached at the moment; answer without them".to_owned())
            }
            // It may quote what the model wrote.
            Err(refusal) => Err(refusal.to_string().chars().take(LONGEST_REASON).collect()),
        }
    }

    /// On whose behalf memos are changed.
    fn hand(&self) -> Result<MemoHand, MemoRefusal> {
        let unasked = || "nobody asked for this answer, so that nothing can be noted in it".to_owned();
        Ok(MemoHand::Reply(self.grounds.clone().ok_or_else(unasked)?))
    }

    /// What the place sees, by the current kind of its channel.
    async fn visibility(&self) -> Result<Visibility, StoreError> {
        self.with.store.hearing().seen_from(&self.channel).await
    }

    /// The names of people and channels, as far as the place sees them.
    async fn names(&self, visibility: &Visibility) -> Result<Names, StoreError> {
        Ok(self.with.store.archive().names(visibility).await?.in_language(self.with.language))
    }

    /// Refuses a memo with words of other channels: it is seen wherever its own channel is seen.
    async fn must_be_own(&self, text: &str) -> Result<(), MemoRefusal> {
        let borrowed = self.origins.lock().await.borrowed(text);
        if telling_among_borrowed(&self.with.store, Some(&self.channel), borrowed).await?.is_empty() {
            return Ok(());
        }
        Err("not noted: this holds words of other channels; note only what was said here".to_owned().into())
    }

    /// Notes memos that the model is shown.
    async fn note_shown(&self, memos: &[StoredMemo]) {
        let mut origins = self.origins.lock().await;
        for memo in memos {
            origins.add_memo(&memo.memo, memo.channel() == Some(&self.channel));
            self.inputs.add_memo(memo);
        }
    }

    async fn add(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let AddMemoArgs { name, content, priority, tags, detail } = parse_arguments(ADD_MEMO, arguments)?;
        self.must_be_own(&text_of([Some(&name), Some(&content), detail.as_ref()], tags.as_deref())).await?;
        let change = MemoFields { priority, tags, detail, ..MemoFields::default() }.checked()?;
        let draft = MemoDraft::new(&name, &content)?.with(&change);
        let memo = self.with.store.memos().add(&self.hand()?, &draft, self.with.clock.now()).await?;
        self.inputs.add_memo(&memo);
        Ok(format!("noted: {}{}", memo.memo.name, note_lowered_priority(priority, &memo)))
    }

    async fn edit(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let EditMemoArgs { name, new_name, content, priority, tags, detail } =
            parse_arguments(EDIT_MEMO, arguments)?;
        let before = self.with.store.memos().find_by_name(&self.visibility().await?, name.trim()).await?;
        self.note_shown(&before).await;
        let text = text_of([new_name.as_ref(), content.as_ref(), detail.as_ref()], tags.as_deref());
        self.must_be_own(&text).await?;
        let change = MemoFields { name: new_name, content, priority, tags, detail }.checked()?;
        if change.is_empty() {
            return Err("say what is to change: new_name, content, priority, tags or detail"
                .to_owned()
                .into());
        }
        let now = self.with.clock.now();
        let memo = self.with.store.memos().edit(&self.hand()?, name.trim(), &change, now).await?;
        self.inputs.add_memo(&memo);
        Ok(format!("changed: {}{}", memo.memo.name, note_lowered_priority(priority, &memo)))
    }

    async fn remove(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let NamedMemoArgs { name } = parse_arguments(REMOVE_MEMO, arguments)?;
        let now = self.with.clock.now();
        let memo = self.with.store.memos().remove(&self.hand()?, name.trim(), now).await?;
        self.inputs.drop_memo(&memo.id);
        Ok(format!("removed: {}", memo.memo.name))
    }

    async fn list(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let ListMemosArgs { tag, offset, limit } = parse_arguments(LIST_MEMO, arguments)?;
        let offset = offset.unwrap_or(0);
        let limit = limit.unwrap_or(USUALLY_LISTED).max(1);
        let tag = tag.map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
        let visibility = self.visibility().await?;
        let page = self.with.store.memos().page(&visibility, &MemoQuery { tag, offset, limit }).await?;
        self.note_shown(&page.memos).await;
        let names = self.names(&visibility).await?;
        Ok(results::page_of_list(self.with.language, &page, offset, &names))
    }

    async fn get(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let NamedMemoArgs { name } = parse_arguments(GET_MEMO, arguments)?;
        let visibility = self.visibility().await?;
        let found = self.with.store.memos().find_by_name(&visibility, name.trim()).await?;
        let Some(memo) = found.into_iter().next() else { return Err(MemoError::Unknown(name).into()) };
        self.note_shown(std::slice::from_ref(&memo)).await;
        let StoredMemo { id, .. } = &memo;
        let sources = self.with.store.memos().messages_behind(&visibility, id).await?;
        self.inputs.extend(self.with.store.replies().messages_as_inputs(&sources).await?);
        let names = self.names(&visibility).await?;
        Ok(results::memo_with_sources(&self.with, &memo, &sources, &names))
    }

    async fn tags(&self, arguments: &Value) -> Result<String, MemoRefusal> {
        let ListTagsArgs { limit } = parse_arguments(LIST_MEMO_TAGS, arguments)?;
        let tags = self.with.store.memos().tags_with_counts(&self.visibility().await?).await?;
        Ok(results::tags_with_counts(self.with.language, &tags, limit))
    }
}

/// Tells the model that a memo did not get the priority it asked for.
fn note_lowered_priority(wanted: Option<i64>, stored: &StoredMemo) -> String {
    let given = stored.memo.priority;
    if wanted.is_none_or(|wanted| wanted <= i64::from(given)) {
        return String::new();
    }
    format!(
        " (with priority {given}: a higher one is for what whoever asks wants remembered always; else only a person at the \
         terminal gives it)"
    )
}

/// All text of a memo.
fn text_of(texts: [Option<&String>; 3], tags: Option<&[String]>) -> String {
    let texts = texts.into_iter().flatten().chain(tags.unwrap_or_default());
    texts.map(String::as_str).collect::<Vec<_>>().join("\n")
}
