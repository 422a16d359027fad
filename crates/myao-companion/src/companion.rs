//! What a reply in a place is made from, and the decision whether there is one: gathered in one reading of the database, through the place's
//! visibility, and composed within the budget (SPEC §3, §6).

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Names},
    context::{
        ChannelMemory, ChannelMessages, Context, Mandate, Memo, Origins, Place, ShortTerm, ThreadMemory,
    },
    ports::Clock,
    prompt::{ComposeError, Composer, Prompt, PromptTask, Templates},
};
use myao_store::{ChapterText, GatherRequest, Gathered, Sight, Store, StoreError, StoredMemo};

/// Messages read for one prompt at most. A message costs a dozen tokens at least, so that this is beyond any
/// prompt a model takes; what is beyond it is counted, not read.
const MOST_MESSAGES: usize = 5000;
/// What is shown of another channel takes at least so many tokens, with its heading: a bound of how many are read.
const LEAST_CHANNEL_TOKENS: usize = 64;
const SECONDS_PER_DAY: i64 = 24 * 3600;

/// Makes prompts out of what is stored.
#[derive(Clone, Copy)]
pub struct Companion<'a> {
    /// Where everything is.
    pub store: &'a Store,
    /// Time.
    pub clock: &'a dyn Clock,
    /// Our words.
    pub templates: &'a Templates,
    /// Persona, limits and locale.
    pub config: &'a Config,
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The place's channel is not in the archive.
    #[error("channel {0} is not in the archive")]
    Unknown(ChannelId),
    /// It could not be composed.
    #[error(transparent)]
    Compose(#[from] ComposeError),
}

/// A prompt, and when it was read.
#[derive(Clone, Debug)]
pub struct ComposedPrompt {
    /// The prompt. What waits for an answer in its place is marked in it and listed beside it
    /// ([`Prompt::answers`]), of one and the same reading of the database.
    pub prompt: Prompt,
    /// The revision of the place's channel at that reading.
    pub revision: i64,
    /// An instant before that reading.
    pub read_at: Timestamp,
    /// Which of the words that could be in it are the place's own.
    pub origins: Origins,
    /// What those who ask said, and what stands beside it in the conversation.
    pub mandate: Mandate,
    /// What the place saw at that reading.
    pub sight: Sight,
    /// Whether every place of the workspace saw what is said in this one, as far as was known at that reading.
    pub is_open: bool,
}

impl Companion<'_> {
    /// The exact prompt for `task` in `place` as it is now, within so many tokens: `prompt.max_tokens`, or
    /// fewer where the model takes no more.
    pub async fn prompt_for(
        &self,
        place: Place,
        task: PromptTask<'_>,
        max_tokens: usize,
    ) -> Result<ComposedPrompt, CompanionError> {
        let now = self.clock.now();
        let zone = &self.config.locale.timezone;
        // A model wrote the reason when it may have seen more names.
        let beside = match &task {
            PromptTask::Reply { unasked, .. } => unasked.map(str::to_owned),
            PromptTask::Judgment => None,
        };
        let request = self.request(place.clone(), now, max_tokens, beside);
        let unknown = || CompanionError::Unknown(place.channel.clone());
        let mut gathered = self.store.gather(&request).await?.ok_or_else(unknown)?;
        gathered.names = gathered.names.in_language(self.templates.language());
        let ranking: Vec<ChannelId> = gathered.ranking.iter().map(|channel| channel.id.clone()).collect();
        let names = gathered.names.clone();
        let (revision, sight) = (gathered.channel.revision, gathered.sight);
        let is_open = gathered.channel.channel.is_open() && sight == Sight::Open;
        let is_own = |memo: &StoredMemo| memo.channel.as_ref() == Some(&place.channel);
        let own_memos: BTreeSet<String> =
            gathered.memos.iter().filter(|memo| is_own(memo)).map(|memo| memo.memo.name.clone()).collect();
        let clean = std::mem::take(&mut gathered.clean_posts);
        let context = self.context(gathered, &place);
        let reason = match &task {
            PromptTask::Reply { unasked: Some(reason), .. } => Some(names.show(reason)),
            PromptTask::Reply { unasked: None, .. } | PromptTask::Judgment => None,
        };
        let task = match task {
            PromptTask::Reply { tools, reactions, .. } => {
                PromptTask::Reply { unasked: reason.as_deref(), tools, reactions }
            }
            PromptTask::Judgment => PromptTask::Judgment,
        };
        let mut origins = Origins::of(&context, &names, |memo| own_memos.contains(&memo.name));
        origins.own.extend(self.templates.words(&task));
        let composer = Composer { templates: self.templates, names: &names, zone, max_tokens };
        let prompt = composer.compose(&context, &ranking, now, &task)?;
        let mandate = Mandate::of(&context, &names, zone, &prompt.answers, &clean);
        Ok(ComposedPrompt { prompt, revision, read_at: now, origins, mandate, sight, is_open })
    }

    fn request(
        &self,
        place: Place,
        now: Timestamp,
        max_tokens: usize,
        beside: Option<String>,
    ) -> GatherRequest {
        let days = i64::from(self.config.response.thread_memory_days);
        let limit = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        GatherRequest {
            place,
            versions: self.config.memory.history.shown(),
            messages: limit(self.config.response.message_limit),
            most_messages: MOST_MESSAGES,
            most_channels: max_tokens / LEAST_CHANNEL_TOKENS,
            threads_seconds: days.saturating_mul(SECONDS_PER_DAY),
            now,
            beside,
        }
    }

    fn context(&self, gathered: Gathered, place: &Place) -> Context {
        let limit = self.config.memory.history.shown();
        let names = gathered.names;
        let mut long_term = gathered.long_term;
        let mut versions = gathered.versions;
        versions.insert(gathered.channel.channel.id.clone(), gathered.own_versions);
        let mut channel_memories = BTreeMap::new();
        for channel in gathered.ranking {
            let memory = ChannelMemory::new(channel.id.clone(), channel.name)
                .with_long_term(long_term.remove(&channel.id).map(|text| names.show(&text)))
                .with_history(short_terms(versions.remove(&channel.id), &names), limit);
            channel_memories.insert(channel.id, memory);
        }
        let thread =
            |(thread_ts, content): (_, String)| ThreadMemory { thread_ts, content: names.show(&content) };
        let memo = |memo: Memo| Memo {
            content: names.show(&memo.content),
            detail: memo.detail.map(|detail| names.show(&detail)),
            ..memo
        };
        Context {
            persona: self.config.persona.clone(),
            conversation_history: ChannelMessages::new(gathered.channel.channel, gathered.messages)
                .with_waiting(gathered.unanswered)
                .with_unread(gathered.unread_messages),
            workspace_long_term_memory: gathered.workspace.map(|text| names.show(&text)),
            channel_memories,
            thread_memories: gathered.threads.into_iter().map(thread).collect(),
            target_thread_ts: place.thread,
            memos: gathered.memos.into_iter().map(|stored| memo(stored.memo)).collect(),
        }
    }
}

fn short_terms(texts: Option<Vec<ChapterText>>, names: &Names) -> Vec<ShortTerm> {
    let short_term = |text: ChapterText| ShortTerm {
        version: text.version,
        content: names.show(&text.content),
        period: text.period,
    };
    texts.unwrap_or_default().into_iter().map(short_term).collect()
}
