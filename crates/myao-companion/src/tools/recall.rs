//! The recall tool of a model (specification §4, §5): it searches what was said and what is remembered.
//!
//! A search sees what the reply's place may see at the moment of the call, and no more than the reply's prompt might. What
//! it finds is shown like what a prompt shows by itself, each under a mark by which the answer can name it.

mod query;
mod wording;

use std::{collections::BTreeSet, sync::Arc};

use async_recursion::async_recursion as boxed;
use futures::FutureExt as _;
use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Mentions, MessageTs, Names, Visibility},
    ports::{Clock, ToolCall},
    prompt::{Prompt, RecallMarks, ShownRecall},
    recall::{Highlighter, RecalledItem, RecalledWords},
    text::{Language, estimate_tokens},
    wording::{MESSAGE_LIMIT, TalkFormat},
};
use myao_store::{
    RecallRequest, Recalled, RecalledText, ReplyInputs, SharedInputs, Sight, Store, StoreError,
};
use tokio::sync::Mutex;

use self::query::{RecallToolArgs, ResolvedQuery};
use super::{Effect, Kit, SharedOrigins, Tool, description::parse_arguments};
use crate::{
    ask::{Asker, ToolResult},
    companion::recalled_from_people,
};

/// The name of the tool.
pub const RECALL: &str = "recall";

/// Most searches for one answer: the prompt already holds what bears on it.
const MOST_CALLS: usize = 3;
/// Most tokens of a result, estimated.
const MOST_TOKENS: usize = 1_000;
/// Most messages and lines that are looked at for one result: more than it has room for.
const MOST_FOUND: usize = 40;

/// What the tool works with.
#[derive(Clone)]
pub struct RecallTools {
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The language of the prompts.
    pub language: Language,
    /// The time zone of what is shown, and of days.
    pub zone: TimeZone,
    /// Tells what a question means, if a model of embeddings is configured.
    pub asker: Asker,
}

/// The searches of one answer.
pub struct RecallSession {
    with: RecallTools,
    /// The channel of the reply's place.
    channel: ChannelId,
    /// What the reply's words may be made from.
    sight: Sight,
    /// Messages of the channel that the prompt shows.
    conversation: BTreeSet<MessageTs>,
    origins: SharedOrigins,
    /// What the reply was shown so far: what is found is added to it.
    inputs: SharedInputs,
    /// Locked during a call, so that the calls of one turn are counted and marked in their order.
    shown: Mutex<RecallTally>,
}

/// What was shown so far.
struct RecallTally {
    calls: usize,
    marks: RecallMarks,
}

/// Why a call found nothing to show.
#[derive(Debug, thiserror::Error)]
enum RecallRefusal {
    #[error("{0}")]
    Because(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The tool, as a model is told of it.
pub(super) fn tools_in_language(language: Language) -> Vec<Tool> {
    vec![Tool { spec: wording::description_for_model(language), effect: Effect::Looks }]
}

impl RecallTools {
    /// The searches for the answer to `prompt` in `channel`, whose words may be made from what `sight` shows.
    pub fn session(
        self,
        channel: ChannelId,
        sight: Sight,
        prompt: &Prompt,
        origins: SharedOrigins,
        inputs: SharedInputs,
    ) -> RecallSession {
        let shown = RecallTally { calls: 0, marks: RecallMarks::of(&prompt.recalled) };
        let conversation = prompt.conversation.clone();
        let shown = Mutex::new(shown);
        RecallSession { with: self, channel, sight, conversation, origins, inputs, shown }
    }
}

impl RecallSession {
    /// The tool for this answer.
    pub fn kit(self: &Arc<Self>) -> Kit {
        let session = Arc::clone(self);
        let run = move |call: ToolCall| {
            let session = Arc::clone(&session);
            async move { session.run(&call).await }.boxed()
        };
        Kit { tools: tools_in_language(self.with.language), run: Box::new(run) }
    }

    /// The marks of everything that was shown so far, by the prompt and by searches.
    #[boxed]
    pub async fn marks(&self) -> RecallMarks {
        self.shown.lock().await.marks.clone()
    }

    /// What the place sees now, and saw when the prompt was made. If it was open then and closes, its reply is stopped.
    #[boxed]
    pub async fn visibility(&self) -> Result<Visibility, StoreError> {
        if self.sight == Sight::Open {
            return self.with.store.hearing().seen_from(&self.channel).await;
        }
        Ok(Visibility::Place { channel: self.channel.clone(), open_channels: false })
    }

    async fn run(&self, call: &ToolCall) -> ToolResult {
        let arguments: RecallToolArgs = parse_arguments(RECALL, &call.arguments)?;
        let mut shown = self.shown.lock().await;
        if shown.calls >= MOST_CALLS {
            return Err(format!("{MOST_CALLS} searches are enough; answer with what you have"));
        }
        shown.calls += 1;
        match self.search(&arguments, &mut shown.marks).await {
            Ok(text) => Ok(text),
            Err(RecallRefusal::Because(reason)) => Err(reason),
            Err(RecallRefusal::Store(error)) => {
                tracing::error!(%error, "what was said could not be searched");
                Err("nothing can be searched at the moment; answer without it".to_owned())
            }
        }
    }

    async fn search(
        &self,
        arguments: &RecallToolArgs,
        marks: &mut RecallMarks,
    ) -> Result<String, RecallRefusal> {
        let RecallTools { store, zone, language, .. } = &self.with;
        let visibility = self.visibility().await?;
        let wanted = ResolvedQuery::new(&self.with, &visibility, arguments).await?;
        let mut found = self.find(&visibility, &wanted).await?;
        found.retain(|found| !self.is_in_prompt(found));
        let names = store
            .archive()
            .names_of_mentioned(&visibility, &mentions_in_texts(&found))
            .await?
            .in_language(*language);
        let items = recalled_from_people(found, &names);
        let format = TalkFormat { names: &names, zone, language: *language, limit: MESSAGE_LIMIT };
        let heading = wording::heading_of_results(*language);
        let highlighter = Highlighter::new(&wanted.words, &wanted.filter.phrases);
        let room = MOST_TOKENS.saturating_sub(estimate_tokens(heading));
        let lines = marks.show(&items, &highlighter, &format, room);
        let (lines, items): (Vec<String>, Vec<ShownRecall>) = lines.into_iter().unzip();
        self.note_shown(&items, &names).await;
        if lines.is_empty() {
            return Ok(wording::nothing_found(*language).to_owned());
        }
        Ok(format!("{heading}\n{}", lines.join("\n")))
    }

    /// Finds what fits the words best; without words, the newest.
    async fn find(
        &self,
        visibility: &Visibility,
        wanted: &ResolvedQuery,
    ) -> Result<Vec<Recalled>, StoreError> {
        let store = &self.with.store;
        if wanted.has_terms {
            let request = RecallRequest {
                words: wanted.words.clone(),
                filter: wanted.filter.clone(),
                most: MOST_FOUND.saturating_add(self.conversation.len()),
                with_memories: true,
                now: MessageTs::from_timestamp(self.with.clock.now()),
                meaning: self.with.asker.meaning_of(&wanted.words).await,
                named_in: Some(self.with.zone.clone()),
            };
            let (found, inputs) = store.replies().recall_for_reply(visibility, &request).await?;
            return Ok(self.note_as_shown(found, inputs));
        }
        let most = MOST_FOUND.saturating_add(self.conversation.len());
        let (found, inputs) = store.replies().recent_for_reply(visibility, &wanted.filter, most).await?;
        Ok(self.note_as_shown(found, inputs))
    }

    /// What was found, once it is noted that the reply was shown it.
    fn note_as_shown(&self, found: Vec<Recalled>, inputs: ReplyInputs) -> Vec<Recalled> {
        self.inputs.extend(inputs);
        found
    }

    fn is_in_prompt(&self, found: &Recalled) -> bool {
        match &found.text {
            RecalledText::Message(message) => {
                message.channel == self.channel && self.conversation.contains(&message.ts)
            }
            RecalledText::Line(_) => false,
        }
    }

    /// Adds what was found to the words that the model was shown.
    async fn note_shown(&self, shown: &[ShownRecall], names: &Names) {
        let mut origins = self.origins.lock().await;
        for ShownRecall { item, .. } in shown {
            origins.add_recalled(item, item.channel == self.channel, names);
        }
    }

    /// The message that a link to something found leads to: itself, or for a line of a memory the message of its channel
    /// that says most of the same.
    pub(crate) async fn source_message(
        &self,
        visibility: &Visibility,
        item: &RecalledItem,
    ) -> Result<Option<(MessageTs, Option<MessageTs>)>, StoreError> {
        let (text, until) = match &item.text {
            RecalledWords::Message(message) => {
                let now = self.with.store.archive().message(visibility, &message.channel, message.ts).await?;
                return Ok(now.filter(|now| !now.deleted).map(|now| (now.ts, now.thread_ts)));
            }
            RecalledWords::Line { text, until, .. } => (text, *until),
        };
        source_of_line(&self.with.store, visibility, text, &item.channel, until, self.with.clock.now()).await
    }
}

/// The message that a line of a channel's memory most likely comes from, and its thread: the one that fits best, of
/// those up to the memory's last message that say most of the same. `None` if there is none.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn source_of_line(
    store: &Store,
    visibility: &Visibility,
    text: &str,
    channel: &ChannelId,
    until: Option<MessageTs>,
    now: Timestamp,
) -> Result<Option<(MessageTs, Option<MessageTs>)>, StoreError> {
    let found = store.recall().search(visibility, &wording::of_source(text, channel, until, now)).await?;
    let says_it = |found: &Recalled| wording::says_most(text, &found.terms);
    Ok(found.into_iter().find(says_it).and_then(|found| match found.text {
        RecalledText::Message(message) => Some((message.ts, message.thread_ts)),
        RecalledText::Line(_) => None,
    }))
}

/// Whom and what the texts mention.
fn mentions_in_texts(found: &[Recalled]) -> Mentions {
    let mut mentions = Mentions::default();
    for found in found {
        mentions.channels.insert(found.text.channel().clone());
        match &found.text {
            RecalledText::Message(message) => {
                mentions.add_talk(&message.text);
                mentions.users.insert(message.user.clone());
            }
            RecalledText::Line(line) => mentions.add_memory(&line.text),
        }
    }
    mentions
}
